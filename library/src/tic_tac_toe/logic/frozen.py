"""Values that cannot be written to, where a frozen dataclass cannot say it."""

from __future__ import annotations

from typing import NoReturn


class Frozen:
    """A base whose instances refuse to have attributes set or deleted.

    A constructor sets attributes by `object.__setattr__`, as a frozen dataclass does.

    Raises:
        AttributeError: an attribute is set or deleted.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot be written to: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} cannot be written to: {name}")
