"""Notakto on one board: both sides place X, and whoever completes a line loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index

from tic_tac_toe.rules import (
    InvalidGameState,
    InvalidMove,
    Outcome,
    Position,
    Shape,
    Traits,
    lines,
)


@dataclass(frozen=True)
class Notakto:
    """Both sides place X, and the side that completes a line loses."""

    shape: Shape = Shape(3, 3)
    traits = Traits(choices=(0,))  # whoever moves places an X

    def moves(self, position: Position) -> Sequence[int]:
        """Return the empty cells, none once there is a line."""
        if self.outcome(position):
            return ()
        return [cell for cell in range(self.shape.cells) if not position.occupied >> cell & 1]

    def play(self, position: Position, move: int) -> Position:
        """Return the position with one more cross and the other side to move."""
        cross = 1 << index(move)  # of any whole number, one of NumPy's, too
        if position.occupied & cross:
            raise InvalidMove("Cell is not empty")
        return Position((position.stones[0] | cross, 0), 1 - position.turn)

    def outcome(self, position: Position) -> Outcome | None:
        """Return a win for the side to move where the last move completed a line."""
        line = lines(self.shape, 3).first_in(position.stones[0])
        return Outcome(position.turn, line) if line else None

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` for naughts, or where a line is older than the last move."""
        crosses, naughts = position.stones
        if naughts or position.memory or crosses >> self.shape.cells:
            raise InvalidGameState("Notakto has crosses only")
        found = lines(self.shape, 3)
        if found.found_in(crosses) and all(
            found.found_in(crosses ^ 1 << cell) for cell in found.first_in(crosses)
        ):
            raise InvalidGameState("The game went on after a line")
