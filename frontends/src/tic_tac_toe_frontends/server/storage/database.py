"""The operations that each part of `store.Store` needs of its database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")


class Database(ABC):
    """A database with reads and writes; a session is one of its connections."""

    @abstractmethod
    def _read(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query."""

    @abstractmethod
    def _write(self, write: Callable[[Any], Result]) -> Result:
        """Return the result of a function of a session; if that is ``None``, roll back."""

    @abstractmethod
    def _execute(self, session: Any, statement: str, *values: object) -> list[Any]:
        """Return the rows of a statement in a session."""
