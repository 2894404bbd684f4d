"""What rules say of themselves, for notation, pictures and screens; searches never ask."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from tic_tac_toe.logic.positions import Position
    from tic_tac_toe.logic.rules import Rules
    from tic_tac_toe.logic.shapes import Shape

#: In `Traits.longest`: a game takes at most one ply for each cell of the board.
ALL_CELLS: Final = -1


class Digits(enum.Enum):
    """What a number means as a move."""

    COLUMNS = "columns"
    NUMBER_PAD = "number pad"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Traits:
    """What distinguishes a game from the plain one, which the defaults describe.

    Rules state theirs as an attribute or property ``traits``. Ask `traits_of`, which fills in what
    follows from the board.

    Args:
        length: the number of marks in a row that make a line, if lines decide the game.
        gravity: marks fall to the lowest empty cell of their column.
        exact: a row longer than ``length`` is not a line.
        misere: who completes a line loses.
        blocks: the shape of each block that the board is divided into, such as the small boards of
            ultimate; ``None`` for an undivided board. It divides the board evenly.
        owners: returns the winner of each block in reading order, 0, 1 or ``None``.
        memory: what `Position.memory` is: a ``"number"``, or the ``"block"`` that must be played in
            plus 1, and 0 where any block may.
        digits: what a number means as a move. Unless given: a column under gravity, a key of the
            number pad on other 3x3 boards, else nothing.
        longest: the number of plies of the longest game; ``None`` where positions can come back.
    """

    length: int | None = None
    gravity: bool = False
    exact: bool = False
    misere: bool = False
    blocks: Shape | None = None
    owners: Callable[[Position], Sequence[int | None]] | None = field(default=None, compare=False)
    memory: Literal["number", "block"] = "number"
    digits: Digits | None = None
    longest: int | None = ALL_CELLS

    @property
    def flags(self) -> tuple[str, ...]:
        """What is special about the game, in single words for programs and variant names."""
        special = {
            "gravity": self.gravity,
            "exact": self.exact,
            "ultimate": self.memory == "block",
            "misere": self.misere,
        }
        return tuple(flag for flag, holds in special.items() if holds)


@lru_cache(maxsize=256)
def traits_of(rules: Rules) -> Traits:
    """Return what the rules say of themselves, and the defaults for what they do not say."""
    stated: Traits = getattr(rules, "traits", None) or Traits()
    digits, longest = stated.digits, stated.longest
    if digits is None and stated.gravity:
        digits = Digits.COLUMNS
    elif digits is None:
        digits = Digits.NUMBER_PAD if rules.shape == (3, 3) else Digits.NOTHING
    if longest == ALL_CELLS:
        longest = rules.shape.cells
    return replace(stated, digits=digits, longest=longest)


def plies_left(rules: Rules, position: Position) -> int | None:
    """Return the most plies that a game can still take; ``None`` where positions can come back."""
    longest = traits_of(rules).longest
    return None if longest is None else longest - position.marks
