"""The interface of every game of the family: all that differs from game to game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from tic_tac_toe.logic.exceptions import wrong_kind
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.shapes import Shape

__all__ = [
    "Foretelling",
    "NoSymmetry",
    "Outcome",
    "Rules",
    "Symmetric",
    "is_rules",
    "require_rules",
    "rules_of",
    "symmetry_of",
]


#: The members of every game; see `Rules`.
_MEMBERS = ("shape", "moves", "play", "outcome", "validate")


class Outcome(NamedTuple):
    """How a game ended.

    Attributes:
        winner: 0 for cross, 1 for naught, ``None`` for a draw.
        cells: the cells that show why, ascending.
    """

    winner: int | None
    cells: tuple[int, ...] = ()


class Rules(Protocol):
    """A game as a stateless value: hashable, comparable, free of side effects.

    A move is an int, the cell where the mark lands; `play` makes an int of any other whole number,
    such as one of NumPy, by `operator.index`. Positions that `play` makes from a valid position by
    one of its `moves` are valid; other arguments may give anything. Rules may also have `traits`
    (see `logic.rules.traits`) and be `Symmetric`.
    """

    def __hash__(self) -> int: ...

    @property
    def shape(self) -> Shape:
        """The size of the board."""
        ...

    def moves(self, position: Position, /) -> Sequence[int]:
        """Return the legal cells in ascending order; none once the game is over."""
        ...

    def play(self, position: Position, move: int, /) -> Position:
        """Return the position after a move.

        Raises:
            InvalidMove: the cell is taken or the rules do not allow it. Whether the game is over
                need not be checked: searches ask for `moves` first, which are then empty.
        """
        ...

    def outcome(self, position: Position, /) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on."""
        ...

    def validate(self, position: Position, /) -> None:
        """Raise `InvalidGameState` if no game can reach the position.

        Each position that a game reaches passes. Of the others some may pass, too, where rules
        cannot tell cheaply; they say which.
        """


@runtime_checkable
class Symmetric(Protocol):
    """Rules that know which of their positions are equivalent."""

    def canonical(self, position: Position, /) -> Position:
        """Return the one position that stands for all that are equivalent to this one.

        Equivalent positions have the same value and distance for the side to move; the cells
        themselves may be reflected or turned.
        """
        ...

    def orbit(self, position: Position, /) -> int:
        """Return how many positions with the same side to move the symmetries make of this one."""
        ...


@runtime_checkable
class Foretelling(Protocol):
    """Rules with a theory that tells who wins, however large the game."""

    def foretell(self, position: Position, /) -> int | None:
        """Return who wins under best play, 0 or 1, or ``None`` for a draw."""
        ...


class NoSymmetry(NamedTuple):
    """The symmetry of all other rules: every position stands for itself."""

    def canonical(self, position: Position, /) -> Position:
        """Return the position."""
        return position

    def orbit(self, position: Position, /) -> int:
        """Return 1."""
        return 1


def is_rules(value: object) -> bool:
    """Return whether a value has the members of `Rules`; their types are not checked."""
    return not isinstance(value, type) and all(hasattr(value, name) for name in _MEMBERS)


def require_rules(value: object) -> None:
    """Raise `TypeError` unless a value has the members of `Rules`."""
    if not is_rules(value):
        raise wrong_kind(value, "the rules of a game, such as find_rules('connect-four')")


def rules_of(game: Rules | str) -> Rules:
    """Return the rules of a game, given themselves or by its name; see `catalogue.find_rules`.

    Raises:
        InvalidVariant: no game has that name.
        TypeError: the value is neither.
    """
    if isinstance(game, str):
        from tic_tac_toe.logic.rules.catalogue import find_rules  # which knows all games

        return find_rules(game)
    require_rules(game)
    return game


def symmetry_of(rules: Rules) -> Symmetric:
    """Return the symmetry of the rules, or `NoSymmetry`."""
    return rules if isinstance(rules, Symmetric) else NoSymmetry()
