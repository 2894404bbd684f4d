"""Caro, the gomoku of Vietnam: a row wins only if it is exactly five and open at one end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tic_tac_toe.logic.rules.line import LineRules, Stones
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.shapes import Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tic_tac_toe.logic.positions import Position


@dataclass(frozen=True, slots=True, repr=False)
class Caro(LineRules):
    """Exactly five in a row win, unless the other side's marks stand at both of their ends.

    The edge of the board closes no end: a row that ends there is open.
    """

    shape: Shape = Shape(15, 15)
    length: int = 5
    exact: bool = True

    @property
    def traits(self) -> Traits:
        """What notation and screens need to know."""
        return Traits(self.length, exact=True, words=("caro",))

    def moves(self, position: Position) -> Sequence[int]:
        """Return the legal cells in ascending order; none once the game is over."""
        if self.winning_line(position.stones, 1 - position.turn):
            return ()
        return self.open_cells(position.occupied)

    def winning_line(self, stones: Stones, side: int) -> tuple[int, ...]:
        """Return the cells of the line with which a side has won; none if it has not."""
        own, other = stones[side], stones[1 - side]
        if not self.lines.found_in(own):
            return ()
        for line in self.lines.places:
            if own & line.mask == line.mask and not own & line.fence:
                is_blocked = line.fence.bit_count() == 2 and other & line.fence == line.fence
                if not is_blocked:
                    return tuple(sorted(line.cells))
        return ()
