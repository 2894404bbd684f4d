"""The game of fifteen: numbers from 1 to 9, and a line that sums to 15 wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import index
from typing import Final

from tic_tac_toe.rules import (
    InvalidGameState,
    InvalidMove,
    Outcome,
    Position,
    Shape,
    Traits,
    check_alternation,
    layout,
)

NUMBERS: Final = range(1, 10)
LINES: Final = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)


def numbers_in(position: Position) -> list[int]:
    """Return the number in each cell, and 0 for an empty one: each is a digit of the memory."""
    return [position.memory // 10**cell % 10 for cell in range(9)]


#: A move chooses one of nine numbers and a cell. Odd numbers are marks of X, even ones of O.
TRAITS: Final = Traits(
    length=3,
    choices=tuple(1 - number % 2 for number in NUMBERS),
    symbols=tuple(map(str, NUMBERS)),
    contents=lambda position: [str(number) for number in numbers_in(position)],
)


@dataclass(frozen=True)
class Fifteen:
    """X places the odd numbers, O the even ones; a line counts with numbers of both."""

    shape: Shape = Shape(3, 3)
    traits: Traits = TRAITS

    def moves(self, position: Position) -> Sequence[int]:
        """Return each number that the side to move still has, in each empty cell."""
        return () if self.outcome(position) else self._open_moves(position)

    def play(self, position: Position, move: int) -> Position:
        """Return the position with one more number, which the memory keeps."""
        move = index(move)
        choice, cell = divmod(move, 9)
        if position.occupied >> cell & 1:
            raise InvalidMove("Cell is not empty")
        if move not in self._open_moves(position):
            raise InvalidMove("That number is the opponent's, or has been placed")
        stones = [*position.stones]
        stones[position.turn] |= 1 << cell
        memory = position.memory + NUMBERS[choice] * 10**cell
        return Position((stones[0], stones[1]), 1 - position.turn, memory)

    def outcome(self, position: Position) -> Outcome | None:
        """Return a win for the side that moved last, or a draw where no number can be placed."""
        if cells := [cell for line in _lines_of_15(numbers_in(position)) for cell in line]:
            return Outcome(1 - position.turn, tuple(sorted({*cells})))
        return None if self._open_moves(position) else Outcome(None)

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` unless the memory says which odd and even numbers lie where."""
        check_alternation(position, self.shape)
        numbers = numbers_in(position)
        placed = [number for number in numbers if number]
        in_range = 0 <= position.memory < 10**9 and len({*placed}) == len(placed)
        if not in_range or self._with(tuple(numbers), position.turn) != position:
            raise InvalidGameState("The marks are not those of the numbers in memory")
        lines = [{*line} for line in _lines_of_15(numbers)]
        if lines and not set.intersection(*lines):
            raise InvalidGameState("The game went on after a line of 15")

    def canonical(self, position: Position) -> Position:
        """Return one of the 16 images that are worth the same: 10 minus each number keeps 15."""
        return self._with(min(self._images(position)), position.turn)

    def orbit(self, position: Position) -> int:
        """Return how many positions these images are."""
        return len({*self._images(position)})

    def _with(self, numbers: tuple[int, ...], turn: int) -> Position:
        odd = sum(1 << cell for cell, number in enumerate(numbers) if number % 2)
        even = sum(1 << cell for cell, number in enumerate(numbers) if number and not number % 2)
        memory = sum(number * 10**cell for cell, number in enumerate(numbers))
        return Position((odd, even), turn, memory)

    def _images(self, position: Position) -> Iterator[tuple[int, ...]]:
        numbers = numbers_in(position)
        for signs in (numbers, [number and 10 - number for number in numbers]):
            for image in layout(self.shape).turns:
                yield tuple(signs[cell] for cell in image)

    def _open_moves(self, position: Position) -> list[int]:
        numbers = numbers_in(position)
        return [
            number * 9 + cell - 9
            for number in NUMBERS
            if number not in numbers and number % 2 != position.turn
            for cell in range(9)
            if not numbers[cell]
        ]


def _lines_of_15(numbers: list[int]) -> list[tuple[int, ...]]:
    """Return the full lines whose numbers sum to 15."""
    return [
        line
        for line in LINES
        if all(numbers[cell] for cell in line) and sum(numbers[cell] for cell in line) == 15
    ]
