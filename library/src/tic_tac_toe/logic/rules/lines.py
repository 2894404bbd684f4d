"""Where lines can lie on a board, and how to find one among the stones of a side."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import NamedTuple

from tic_tac_toe.logic.shapes import DIRECTIONS, Direction, Layout, Shape, layout


class Line(NamedTuple):
    """One place for a line, and the cells just before and after it, as bit boards."""

    mask: int
    fence: int
    cells: tuple[int, ...]
    direction: Direction


class _Run(NamedTuple):
    """How to find lines in one direction by shifting the board over itself.

    ``stones & stones >> step`` keeps the stones whose next neighbour is a stone too. Shifting what
    is left by as much again doubles the length: five in a row takes three steps and not four.
    """

    shifts: tuple[int, ...]
    starts: int
    step: int
    has_before: int  # the starts that have a cell before them, and so may be inside a longer row
    has_after: int  # the starts of lines that have a cell after them


@dataclass(frozen=True)
class Lines:
    """Every line of a length on a board; ``exact`` means that a longer row is not a line.

    Lines are listed in the order of rows, columns, falling and rising diagonals, each from the top
    left. Take one from `lines`, which makes each only once.
    """

    shape: Shape
    length: int
    exact: bool = False
    layout: Layout = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "layout", layout(self.shape))

    def found_in(self, stones: int) -> bool:
        """Return whether the stones hold a line, looked for by shifting the whole board."""
        for shifts, starts, step, has_before, has_after in self._runs:
            found = stones
            for shift in shifts:
                found &= found >> shift
                if not found:
                    break
            found &= starts
            if found and self.exact:
                found &= ~(stones << step & has_before | stones >> step * self.length & has_after)
            if found:
                return True
        return False

    def first_in(self, stones: int) -> tuple[int, ...]:
        """Return the cells of the first line, ascending; a row longer than needed is whole.

        This compares the stones with one place after the other: the plain way to `found_in`.
        """
        for line in self.places:
            if stones & line.mask == line.mask:
                if not stones & line.fence:
                    return tuple(sorted(line.cells))
                if not self.exact:
                    ray = self.layout.ray(line.cells[0], line.direction)
                    return tuple(sorted(takewhile(lambda cell: stones >> cell & 1, ray)))
        return ()

    @cached_property
    def places(self) -> tuple[Line, ...]:
        """Every place for a line."""
        found = []
        for direction in self._directions:
            back = Direction(-direction.down, -direction.right)
            for start in self.layout.cells(self.layout.starts(direction, self.length)):
                ray = self.layout.ray(start, direction)
                cells, ahead = ray[: self.length], ray[self.length :][:1]
                behind = self.layout.ray(start, back)[1:2]
                found.append(Line(_bits(cells), _bits(behind + ahead), cells, direction))
        return tuple(found)

    @cached_property
    def through(self) -> tuple[int, ...]:
        """For each cell, the number of places for a line that run through it."""
        cells = range(self.layout.shape.cells)
        return tuple(sum(line.mask >> cell & 1 for line in self.places) for cell in cells)

    @cached_property
    def windows(self) -> tuple[tuple[int, int], ...]:
        """For each direction that has lines, the step between its cells and the starts."""
        return tuple((run.step, run.starts) for run in self._runs)

    @property
    def _directions(self) -> tuple[Direction, ...]:
        # A single mark is a line of one in every direction; one direction is enough unless `exact`.
        return DIRECTIONS if self.length > 1 or self.exact else DIRECTIONS[:1]

    @cached_property
    def _runs(self) -> tuple[_Run, ...]:
        shifts, reached = [], 1
        while reached < self.length:
            shifts.append(min(reached, self.length - reached))
            reached += shifts[-1]
        runs = []
        for direction in self._directions:
            step = self.layout.step(direction)
            starts = self.layout.starts(direction, self.length)
            longer = self.layout.starts(direction, self.length + 1)
            if starts:
                steps = tuple(step * shift for shift in shifts)
                runs.append(_Run(steps, starts, step, longer << step, longer))
        return tuple(runs)


@lru_cache(maxsize=256)
def lines(shape: Shape, length: int, exact: bool = False) -> Lines:
    """Return the lines of a length on a board, made once."""
    return Lines(shape, length, exact)


def _bits(cells: tuple[int, ...]) -> int:
    return sum(1 << cell for cell in cells)
