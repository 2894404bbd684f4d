"""The errors of the library: state, legality, syntax and effort are told apart."""


class InvalidGameState(Exception):
    """A position that no game can reach."""


class InvalidMove(Exception):
    """A move that the rules refuse; nothing has changed."""


class UnknownGameScore(Exception):
    """A score was asked of a game that is not over yet."""


class InvalidNotation(ValueError):
    """A text that is no cell, no position and no record; ``line`` counts from 1, or is ``None``."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.line = line
        super().__init__(message if line is None else f"line {line}: {message}")


class InvalidVariant(ValueError):
    """A name that no rules answer to, or rules that cannot be."""


class SearchLimitReached(Exception):
    """A search stopped at its limit before it knew the exact answer.

    Attributes:
        bounds: what it did prove, the lowest and the highest score that the position can have on
            the scale of `logic.search.scores`; ``None`` where it does not tell.
    """

    def __init__(self, message: str, bounds: tuple[int, int] | None = None) -> None:
        self.bounds = bounds
        super().__init__(message)


def quoted(text: str) -> str:
    """Return a text in quotes for a message: short, and harmless whatever it holds."""
    return f'"{repr(text if len(text) <= 40 else text[:37] + "...")[1:-1]}"'
