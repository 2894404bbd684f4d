"""Names and what they stand for, with a text for `help` that lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NoReturn, TypeVar


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


T = TypeVar("T")

#: A longer text is cut before it is compared with names.
_LONGEST_NAME = 40


class Registry(Frozen, Mapping[str, T]):
    """An immutable mapping of names to values, whose docstring lists every name.

    Args:
        title: one sentence that says what is registered.
        entries: the values by their names, in the order to list them.
        describe: returns the line that tells what a value is.
    """

    def __init__(self, title: str, entries: Mapping[str, T], describe: Callable[[T], str]) -> None:
        width = max(map(len, entries), default=0)
        lines = [f"    {name:{width}}  {describe(value)}" for name, value in entries.items()]
        object.__setattr__(self, "_entries", dict(entries))
        object.__setattr__(self, "__doc__", "\n".join([title, "", *lines]))

    def __getitem__(self, name: str) -> T:
        entries: dict[str, T] = self.__dict__["_entries"]
        return entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__["_entries"])

    def __len__(self) -> int:
        return len(self.__dict__["_entries"])

    def __repr__(self) -> str:
        return f"<{len(self)} names: {', '.join(self)}>"


def closest(text: str, names: Iterable[str]) -> str | None:
    """Return the name that is most like a text, if one is similar."""
    from difflib import get_close_matches  # only where something went wrong

    return next(iter(get_close_matches(text[:_LONGEST_NAME], [*names], n=1)), None)
