"""Games as users write them: they share nothing with the rules of the library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index

from tests.oracles import LINES
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.shapes import Shape

DROP = Traits(length=3, gravity=True)
VANISHING = Traits(length=3, longest=None)


@dataclass(frozen=True)
class ThreeInARow:
    """Three in a row on a 3x3 board."""

    shape: Shape = Shape(3, 3)

    def moves(self, position: Position) -> Sequence[int]:
        """Return the empty cells, none once there is a line."""
        if self.outcome(position):
            return ()
        return [cell for cell in range(9) if not position.occupied >> cell & 1]

    def play(self, position: Position, move: int) -> Position:
        """Return the position with one more mark."""
        move = index(move)
        if move not in self.moves(position):
            raise InvalidMove("This cell cannot be marked")
        stones = list(position.stones)
        stones[position.turn] |= 1 << move
        return Position((stones[0], stones[1]), 1 - position.turn)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the owner of a line, or a draw on a full board."""
        for side, stones in enumerate(position.stones):
            for line in LINES:
                if all(stones >> cell & 1 for cell in line):
                    return Outcome(side, line)
        return Outcome(None) if position.marks == 9 else None

    def validate(self, position: Position) -> None:
        """Refuse marks on top of each other; more is not checked."""
        if position.stones[0] & position.stones[1]:
            raise InvalidGameState("Marks overlap")


@dataclass(frozen=True)
class Drop(ThreeInARow):  # with marks that fall
    traits: Traits = DROP

    def moves(self, position: Position) -> Sequence[int]:
        """Return the lowest empty cell of each column."""
        return sorted({cell % 3: cell for cell in super().moves(position)}.values())


@dataclass(frozen=True)
class Vanishing(ThreeInARow):
    """The same, each side with three marks at most: its fourth removes its first.

    ``Position.memory`` holds the cells of the marks in the order in which they were placed, as
    digits of base 10, the oldest first and each one more than its cell.
    """

    traits: Traits = VANISHING

    def play(self, position: Position, move: int) -> Position:
        """Return the position with one more mark, and without the oldest where there are six."""
        (crosses, naughts), turn, _ = super().play(position, move)
        order = f"{position.memory or ''}{index(move) + 1}"
        if len(order) > 6:
            oldest = 1 << int(order[0]) - 1
            crosses, naughts, order = crosses & ~oldest, naughts & ~oldest, order[1:]
        return Position((crosses, naughts), turn, int(order))

    def validate(self, position: Position) -> None:
        """Refuse marks that are not those of the memory."""
        super().validate(position)
        remembered = sum(1 << int(digit) - 1 for digit in str(position.memory or ""))
        if position.occupied != remembered:
            raise InvalidGameState("The memory does not fit the marks")
