"""What every part of a `store.Store` needs of its database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")


class Database(ABC):
    """A database that can be asked and written to; a session is one of its connections."""

    @abstractmethod
    def _read(self, question: str, *values: object) -> list[Any]:
        """Return the lines that answer a question."""

    @abstractmethod
    def _write(self, write: Callable[[Any], Result]) -> Result:
        """Return what a function of a session returns; if that is ``None``, it wrote nothing."""

    @abstractmethod
    def _ask(self, session: Any, statement: str, *values: object) -> list[Any]:
        """Return the lines with which a statement is answered."""
