"""The rows of a board, and what both sides hold in them, looked up by the marks in each row."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.search.row_patterns import Pattern, RowKind, pattern

#: The bits for the worth of one cell, in all rows through it.
CELL_BITS: Final = 16
#: As many rows are remembered before all are forgotten; one takes some 2 kB.
MOST_KNOWN: Final = 25_000


class RowFacts(NamedTuple):
    """What both sides hold in a row, on the cells of the board.

    Attributes:
        hot: the bit boards of wins of X and O, then of fours of X and O, one above the other.
        warm: the same of open fours and of threes.
        values: the worth of each cell in `CELL_BITS` bits, for X, and above them for O.
        worth: what the row is worth to X less what it is worth to O.
        patterns: the row by itself for X and O.
    """

    hot: int
    warm: int
    values: int
    worth: int
    patterns: tuple[Pattern, Pattern]


_Known: TypeAlias = dict[tuple[int, int], RowFacts]


class BoardRow(NamedTuple):
    """A row that a line fits in.

    Attributes:
        number: its place among the rows of the board.
        mask: its cells as a bit board; ``cells``, in their order.
        known: what both sides hold in it, by its marks of X and of O.
        kinds: what counts as a line in it for X and for O.
    """

    number: int
    mask: int
    known: _Known
    cells: tuple[int, ...]
    kinds: tuple[RowKind, RowKind]

    def spread(self, local: int) -> int:
        """Return as a bit board of the board what is one of the row."""
        if not local:
            return 0
        return sum(1 << cell for at, cell in enumerate(self.cells) if local >> at & 1)


class Geometry:
    """The rows of a board, and what is known of them; take one from `geometry`.

    What is known grows while boards are searched, and changes no answer.

    Attributes:
        through: for each cell, the rows through it.
        above: for each cell, the cell upon it where marks fall, as a bit board; else 0.
        places: the places for a line, with the cells at their ends.
    """

    def __init__(self, rules: LineRules) -> None:
        cells = rules.shape.cells
        self.cells: int = cells
        self.full: int = (1 << cells) - 1
        renju, caro = isinstance(rules, Renju), isinstance(rules, Caro)
        self.rows: list[BoardRow] = []
        for group in rules.topology.rows(rules.shape):
            for row in group:
                if len(row.cells) < rules.length:
                    continue
                kinds = tuple(
                    RowKind(len(row.cells), row.is_ring, rules.length, exact, caro)
                    for exact in (rules.exact or renju, rules.exact)
                )
                mask = sum(1 << cell for cell in row.cells)
                self.rows.append(
                    BoardRow(len(self.rows), mask, {}, row.cells, (kinds[0], kinds[1]))
                )
        self.through: list[list[BoardRow]] = [
            [row for row in self.rows if row.mask >> cell & 1] for cell in range(cells)
        ]
        self.above: list[int] = [0] * cells
        for stack in (rules.gravity and rules.topology.stacks(rules.shape)) or ():
            for below, upper in pairwise(stack):
                self.above[below] = 1 << upper
        self.places: tuple[tuple[int, int], ...] = tuple(
            (line.mask, line.fence) for line in rules.lines.places
        )
        self._known = 0

    def learn(self, row: BoardRow, key: tuple[int, int]) -> RowFacts:
        """Return what both sides hold in a row, given the marks in it, and remember it."""
        if self._known >= MOST_KNOWN:
            self._known = 0
            for each in self.rows:
                each.known.clear()
        self._known += 1
        stones = [
            sum(1 << at for at, cell in enumerate(row.cells) if one >> cell & 1) for one in key
        ]
        here = (
            pattern(row.kinds[0], stones[0], stones[1]),
            pattern(row.kinds[1], stones[1], stones[0]),
        )
        n, spread = self.cells, row.spread
        crosses, naughts = here
        hot = spread(crosses.wins) | spread(naughts.wins) << n
        hot |= spread(crosses.fours) << 2 * n | spread(naughts.fours) << 3 * n
        warm = spread(crosses.open_fours) | spread(naughts.open_fours) << n
        warm |= spread(crosses.threes) << 2 * n | spread(naughts.threes) << 3 * n
        values = 0
        for side in (0, 1):
            for cell, value in zip(row.cells, here[side].values):
                if value:
                    values += value << CELL_BITS * (cell + n * side)
        facts = RowFacts(hot, warm, values, here[0].worth - here[1].worth, here)
        row.known[key] = facts
        return facts


@lru_cache(maxsize=8)
def geometry(rules: LineRules) -> Geometry:
    """Return the rows of a board with all that is known of them, made once."""
    return Geometry(rules)
