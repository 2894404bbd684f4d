"""Games as users write them: they share nothing with the rules of the library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.shapes import Shape

ROWS_OF_THREE = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
COLUMNS_OF_THREE = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS_OF_THREE = ((0, 4, 8), (2, 4, 6))
LINES_OF_THREE = (*ROWS_OF_THREE, *COLUMNS_OF_THREE, *DIAGONALS_OF_THREE)

DROP = Traits(length=3, gravity=True)
VANISHING = Traits(length=3, longest=None)


def line_in(stones: int) -> tuple[int, ...]:
    """Return the first line of three on a 3x3 board among the stones of one side."""
    return next((line for line in LINES_OF_THREE if all(stones >> i & 1 for i in line)), ())


@dataclass(frozen=True)
class Drop:
    """Three in a row on a 3x3 board whose marks fall."""

    shape: Shape = Shape(3, 3)
    traits: Traits = DROP

    def moves(self, position: Position) -> Sequence[int]:
        """Return the lowest empty cell of each column."""
        if self.outcome(position):
            return ()
        lowest = {cell % 3: cell for cell in range(9) if not position.occupied >> cell & 1}
        return sorted(lowest.values())

    def play(self, position: Position, move: int) -> Position:
        """Return the position with one more mark."""
        if move not in self.moves(position):
            raise InvalidMove("A mark falls to the lowest empty cell of its column")
        stones = list(position.stones)
        stones[position.turn] |= 1 << move
        return Position((stones[0], stones[1]), 1 - position.turn)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the owner of a line, or a draw on a full board."""
        for side in (0, 1):
            if line := line_in(position.stones[side]):
                return Outcome(side, line)
        return Outcome(None) if position.marks == 9 else None

    def validate(self, position: Position) -> None:
        """Refuse marks on top of each other; more is not checked."""
        if position.stones[0] & position.stones[1]:
            raise InvalidGameState("Marks overlap")


@dataclass(frozen=True)
class Vanishing:
    """Three in a row on 3x3, each side with three marks at most: its fourth removes its first.

    ``Position.memory`` holds the cells of the marks in the order in which they were placed, as
    digits of base 10, the oldest first and each one more than its cell.
    """

    shape: Shape = Shape(3, 3)
    traits: Traits = VANISHING

    def moves(self, position: Position) -> Sequence[int]:
        """Return the empty cells, none once there is a line."""
        if self.outcome(position):
            return ()
        return [cell for cell in range(9) if not position.occupied >> cell & 1]

    def play(self, position: Position, move: int) -> Position:
        """Return the position with one more mark, and without the oldest where there are six."""
        if position.occupied >> move & 1:
            raise InvalidMove("Cell is not empty")
        stones, order = list(position.stones), f"{position.memory or ''}{move + 1}"
        stones[position.turn] |= 1 << move
        if len(order) > 6:
            stones[position.turn] &= ~(1 << int(order[0]) - 1)
            order = order[1:]
        return Position((stones[0], stones[1]), 1 - position.turn, int(order))

    def outcome(self, position: Position) -> Outcome | None:
        """Return the owner of a line."""
        for side in (0, 1):
            if line := line_in(position.stones[side]):
                return Outcome(side, line)
        return None

    def validate(self, position: Position) -> None:
        """Refuse marks whose order memory does not hold."""
        remembered = sum(1 << int(digit) - 1 for digit in str(position.memory or ""))
        if position.occupied != remembered or position.stones[0] & position.stones[1]:
            raise InvalidGameState("The memory does not fit the marks")
