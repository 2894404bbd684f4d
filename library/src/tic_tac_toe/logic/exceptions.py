"""The errors of the library: state, legality, syntax and effort are told apart.

An error carries a `Message`: an English sentence as a template, a code that names it, and the
parameters that fill it in. ``str()`` is the English sentence; a front end translates the template
and fills it in itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Message(NamedTuple):
    """A sentence for people: its English template, its code and its parameters by name.

    A parameter may be a message, too; it is translated in its turn.
    """

    template: str
    code: str = ""
    params: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        """Return the sentence in English."""
        return self.template.format(**dict(self.params)) if self.params else self.template


def message(template: str, code: str = "", /, **params: object) -> Message:
    """Return a message; the template has a place such as ``{last}`` for each parameter."""
    return Message(template, code, tuple(params.items()))


class GameError(Exception):
    """The base of the errors that carry a message.

    Args:
        template: the English sentence, with a place such as ``{last}`` for each parameter; a
            sentence without parameters is taken as it is.
        code: a word for the fault that programs can rely on; the same in every release.

    Attributes:
        message: the sentence, its code and its parameters.
    """

    def __init__(self, template: str | Message = "", code: str = "", /, **params: object) -> None:
        self.message: Message = (
            template if isinstance(template, Message) else message(template, code, **params)
        )
        super().__init__(str(self.message))

    @property
    def code(self) -> str:
        """A word for the fault that programs can rely on."""
        return self.message.code

    @property
    def params(self) -> dict[str, object]:
        """The values for the places of the template, by name: texts and numbers."""
        return {
            name: str(value) if isinstance(value, Message) else value
            for name, value in self.message.params
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the message and the attributes: parameters by name are no ``args``."""
        return _again, (type(self), self.message, self.__dict__)


def _again(kind: type[GameError], told: Message, attributes: dict[str, object]) -> GameError:
    error = kind.__new__(kind, str(told))
    error.__dict__.update(attributes)
    return error


class InvalidGameState(GameError):
    """A position that no game can reach."""


class InvalidMove(GameError):
    """A move that the rules refuse; nothing has changed."""


class UnknownGameScore(GameError):
    """A score was asked of a game that is not over yet."""


class InvalidNotation(GameError, ValueError):
    """A text that is not a cell, a position or a record.

    Attributes:
        line: the line of the fault, counted from 1, or ``None``; ``str()`` begins with it.
    """

    def __init__(
        self,
        template: str | Message = "",
        code: str = "",
        /,
        line: int | None = None,
        **params: object,
    ) -> None:
        self.line = line
        told = template if isinstance(template, Message) else message(template, code, **params)
        if line is not None:
            told = message("line {line}: {reason}", told.code, line=line, reason=told)
        super().__init__(told)


class InvalidVariant(GameError, ValueError):
    """An unknown variant name, or parameters that make no game."""


class InvalidStrategy(GameError, ValueError):
    """A text that names no computer player, or a program that cannot be run."""


class BrainError(GameError):
    """A program that cannot play a game, or has broken down, or broken rules or protocol."""


class SearchLimitReached(GameError):
    """A search stopped at its limit before it knew the exact answer.

    Attributes:
        bounds: the lowest and the highest score that the position can still have; ``None`` if the
            search does not tell.
    """

    def __init__(
        self,
        template: str | Message = "",
        code: str = "",
        /,
        bounds: tuple[int, int] | None = None,
        **params: object,
    ) -> None:
        self.bounds = bounds
        super().__init__(template, code, **params)

    @property
    def reason(self) -> Message:
        """The limit that ended the search, without the bounds."""
        reason = dict(self.message.params).get("reason")
        return reason if isinstance(reason, Message) else self.message


#: Of the reason that another program's error gives at most this number of letters is told.
LONGEST_REASON = 300


def reason_of(error: Exception) -> str:
    """Return an exception in one short line that any file and any screen can hold."""
    text = str(error) if isinstance(error, GameError) else f"{type(error).__name__}: {error}"
    line = " ".join(text.split())
    return "".join(sign if sign.isprintable() else "?" for sign in line)[:LONGEST_REASON]


def wrong_kind(value: object, expected: str) -> TypeError:
    """Return the error that says what was expected instead of a value of a wrong kind."""
    found = type(value).__name__
    if isinstance(value, type):
        found = f"the class {value.__name__}"
    elif isinstance(value, str):
        found = f"the text {quoted(value)}"
    return TypeError(f"expected {expected}, not {found}")


def require(value: object, kind: type, expected: str) -> None:
    """Raise the `TypeError` of `wrong_kind` unless a value is of a kind."""
    if not isinstance(value, kind):
        raise wrong_kind(value, expected)


def quoted(text: str) -> str:
    """Return a text in quotes for a message: short, and harmless whatever it holds."""
    return f'"{repr(text if len(text) <= 40 else text[:37] + "...")[1:-1]}"'
