"""Renju: gomoku in which X may not make double threes, double fours and overlines.

Which passes, swaps and openings the tournaments of the Renju International Federation use is not a
part of these rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import index
from types import MappingProxyType
from typing import Final

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, message
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.forbidden import (
    DOUBLE_FOUR,
    DOUBLE_THREE,
    FIVE,
    OVERLINE,
    forbidden_cells,
)
from tic_tac_toe.logic.rules.line import DRAW, LineRules, Stones
from tic_tac_toe.logic.rules.lines import lines
from tic_tac_toe.logic.rules.topology import PLANE, Topology
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.shapes import Shape

_REFUSALS: Final = {
    OVERLINE: message("X may not make a row of more than five here", "overline"),
    DOUBLE_FOUR: message("X may not make two fours at once here", "double_four"),
    DOUBLE_THREE: message("X may not make two open threes at once here", "double_three"),
}


@dataclass(frozen=True, slots=True, repr=False)
class Renju(LineRules):
    """Five in a row win: for X exactly five, for O a longer row too; X has forbidden moves.

    A move that makes five wins, whatever else it makes. Otherwise X may not make an overline, two
    fours at once or two threes at once; `logic.rules.forbidden` has the definitions. If all that is
    left to X is forbidden, the game is a draw. The moves are forbidden to X whoever starts; where
    Renju is played by its rules, X does.

    Args:
        shape: the board, at most 26 x 26.

    Raises:
        InvalidVariant: the board is empty or too large, or a line of five does not fit.
    """

    shape: Shape = Shape(15, 15)
    length: int = field(default=FIVE, init=False)
    gravity: bool = field(default=False, init=False)
    exact: bool = field(default=False, init=False)
    topology: Topology = field(default=PLANE, init=False)

    def __repr__(self) -> str:
        return f"Renju(shape={self.shape!r})"

    def __reduce__(self) -> tuple[type[LineRules], tuple[object, ...]]:
        """Pickle the board without the tables."""
        return type(self), (self.shape,)

    @property
    def traits(self) -> Traits:
        """What notation and screens need to know."""
        return Traits(
            FIVE, words=("renju",), lines=self.list_lines, symmetries=self.list_symmetries
        )

    def moves(self, position: Position) -> Sequence[int]:
        """Return the legal cells in ascending order; none once the game is over."""
        if self.winning_line(position.stones, 1 - position.turn):
            return ()
        cells = self.open_cells(position.occupied)
        if position.turn:
            return cells
        barred = _forbidden(self.shape, position.stones)
        return [cell for cell in cells if cell not in barred] if barred else cells

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move; see `Rules.play`."""
        move = index(move)
        if position.turn == 0 and (reason := _forbidden(self.shape, position.stones).get(move)):
            raise InvalidMove(_REFUSALS[reason])
        return LineRules.play(self, position, move)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on."""
        ended = LineRules.outcome(self, position)
        return ended or (None if self.moves(position) else DRAW)

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` unless `LineRules.validate` agrees and X made no overline.

        A five and an overline of X may have come with the same mark. Whether the moves of X can be
        put in an order in which none made two fours or two threes is not checked.
        """
        LineRules.validate(self, position)
        crosses = position.stones[0]
        if not self.lines.found_in(crosses):
            return
        five = self.winning_line(position.stones, 0)
        if not five:
            raise InvalidGameState("X has a row of more than five", "overline")
        if all(self.lines.found_in(crosses ^ 1 << cell) for cell in five):
            raise InvalidGameState("The game went on after a line", "moves_after_end")

    def canonical(self, position: Position) -> Position:
        """Return the representative under the board's symmetries.

        The sides are not alike, so that they are not exchanged.
        """
        return Position(min(self.images(position.stones)), position.turn)

    def winning_line(self, stones: Stones, side: int) -> tuple[int, ...]:
        """Return the cells of the line with which a side has won; none if it has not."""
        if not self.lines.found_in(stones[side]):
            return ()
        if side:
            return self.lines.first_in(stones[side])
        return lines(self.shape, FIVE, exact=True).first_in(stones[side])


@lru_cache(maxsize=1 << 12)
def _forbidden(shape: Shape, stones: Stones) -> Mapping[int, str]:
    return MappingProxyType(forbidden_cells(shape, *stones))
