"""Caro, the gomoku of Vietnam: exactly five in a row win, unless both ends are closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules, Stones
from tic_tac_toe.logic.rules.topology import PLANE, Topology
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.shapes import Shape


@dataclass(frozen=True, slots=True, repr=False)
class Caro(LineRules):
    """Exactly five in a row win, unless the other side's marks stand at both of their ends.

    The edge of the board closes no end: a row that ends there is open.

    Args:
        shape: the board, at most 26 x 26.
        length: marks in a row that win.

    Raises:
        InvalidVariant: the board is empty or too large, or a line of that length does not fit.
    """

    shape: Shape = Shape(15, 15)
    length: int = 5
    gravity: bool = field(default=False, init=False)
    exact: bool = field(default=True, init=False)
    topology: Topology = field(default=PLANE, init=False)

    def __repr__(self) -> str:
        return f"Caro(shape={self.shape!r}, length={self.length})"

    def __reduce__(self) -> tuple[type[LineRules], tuple[object, ...]]:
        """Pickle the parameters without the tables."""
        return type(self), (self.shape, self.length)

    @property
    def traits(self) -> Traits:
        """What notation and screens need to know."""
        return Traits(
            self.length,
            exact=True,
            words=("caro",),
            lines=self.list_lines,
            symmetries=self.list_symmetries,
        )

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
        for mask, fence, cells, _ahead, _behind in self.lines.places:
            if own & mask == mask and not own & fence:
                is_closed = fence.bit_count() == 2 and other & fence == fence
                if not is_closed:
                    return tuple(sorted(cells))
        return ()

    def _ended_at_once(self, position: Position, winner: int) -> bool:
        """Return whether one stone of the winner can have been the last, and made the line.

        Without that stone the other side must not have won: the stone may close one of its lines.
        """
        for cell in self.winning_line(position.stones, winner):
            stones = [*position.stones]
            stones[winner] ^= 1 << cell
            crosses, naughts = stones
            if not any(self.winning_line((crosses, naughts), side) for side in (0, 1)):
                return True
        return False
