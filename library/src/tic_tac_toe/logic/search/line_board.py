"""A board that knows, mark by mark, what both sides hold in its rows.

A mark changes the rows through its cell only, some four of them. What each row gives is looked up,
so that a search in plain Python puts some 200,000 marks a second on gomoku's board.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import reduce
from heapq import nlargest
from operator import or_
from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.forbidden import forbidden_cells
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.search.line_rows import CELL_BITS, Geometry, geometry


class Threats(NamedTuple):
    """The playable cells of each side, X first, as bit boards; see `Pattern`."""

    wins: tuple[int, int]
    fours: tuple[int, int]


class LineBoard:
    """The marks on a board, put and taken back one at a time.

    Attributes:
        stones: the bit boards of X and O.
        values: as `RowFacts.values`, of all rows.
        worth: as `RowFacts.worth`, of all rows.
    """

    def __init__(self, rules: LineRules, position: Position) -> None:
        self.rules: LineRules = rules
        self.geometry: Geometry = geometry(rules)
        self.full: int = self.geometry.full
        self.gravity: bool = rules.gravity
        self.is_renju: bool = isinstance(rules, Renju)
        self.ends_count: bool = isinstance(rules, Caro)
        self._cells = self.geometry.cells
        self._through = self.geometry.through
        self.stones: list[int] = [*position.stones]
        self._facts = []
        for row in self.geometry.rows:
            key = self.stones[0] & row.mask, self.stones[1] & row.mask
            self._facts.append(row.known.get(key) or self.geometry.learn(row, key))
        self._hot = [facts.hot for facts in self._facts]
        self._warm = [facts.warm for facts in self._facts]
        self.values: int = sum(facts.values for facts in self._facts)
        self.worth: int = sum(facts.worth for facts in self._facts)

    def toggle(self, cell: int, side: int) -> None:
        """Put a mark of a side into an empty cell, or take it back."""
        stones = self.stones
        stones[side] ^= 1 << cell
        crosses, naughts = stones
        facts, hot, warm = self._facts, self._hot, self._warm
        values, worth = self.values, self.worth
        for row in self._through[cell]:
            number, mask, known, _, _ = row
            key = crosses & mask, naughts & mask
            new = known.get(key) or self.geometry.learn(row, key)
            old = facts[number]
            facts[number] = new
            hot[number], warm[number] = new.hot, new.warm
            values += new.values - old.values
            worth += new.worth - old.worth
        self.values, self.worth = values, worth

    @property
    def playable(self) -> int:
        """The empty cells that a mark may enter, without those that Renju forbids."""
        occupied = self.stones[0] | self.stones[1]
        empty = self.full & ~occupied
        return empty & self.rules.lines.supported(occupied) if self.gravity else empty

    def threats(self) -> Threats:
        """Return the cells with which each side wins or makes a four, were it to move.

        Under gravity a four counts also where the cell that would win cannot be played yet, and so
        does a cell under one that wins.
        """
        full, n = self.full, self._cells
        hot = reduce(or_, self._hot, 0)
        wins = hot & full, hot >> n & full
        fours = hot >> 2 * n & full, hot >> 3 * n
        if not self.gravity:
            return Threats(wins, fours)
        playable, above = self.playable, self.geometry.above
        below = [0, 0]
        if hot & (1 << 2 * n) - 1:
            for cell in self.rules.lines.layout.cells(playable):
                for side in (0, 1):
                    if above[cell] & wins[side]:
                        below[side] |= 1 << cell
        return Threats(
            (wins[0] & playable, wins[1] & playable),
            (fours[0] & playable | below[0], fours[1] & playable | below[1]),
        )

    def threes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the cells that make an open four, and those that make a three, of both sides."""
        full, n = self.full, self._cells
        warm = reduce(or_, self._warm, 0)
        free = self.playable if self.gravity else full
        return (
            (warm & free, warm >> n & free),
            (warm >> 2 * n & free, warm >> 3 * n & free),
        )

    def stops(self, side: int, wins: int) -> int:
        """Return the cells where a mark of the other side leaves ``side`` nothing to win with.

        Args:
            wins: the playable cells that win for ``side``; at least one.
        """
        if not self.ends_count:
            return 0 if wins & (wins - 1) else wins
        cells = self.full
        for row, facts in zip(self.geometry.rows, self._facts):
            here = facts.patterns[side]
            if here.wins:
                cells &= row.spread(here.stops)
        return cells

    def ends(self, side: int) -> int:
        """Return the empty cells at the ends of what wins for a side, where marks count there."""
        found = 0
        for row, facts in zip(self.geometry.rows, self._facts):
            here = facts.patterns[side]
            if here.wins and here.ends:
                found |= row.spread(here.ends)
        return found

    def barred(self, side: int) -> int:
        """Return the cells that are forbidden to a side, as a bit board."""
        if side or not self.is_renju:
            return 0
        found = forbidden_cells(self.rules.shape, self.stones[0], self.stones[1])
        return sum(1 << cell for cell in found)

    def by_worth(self, cells: int, side: int) -> list[int]:
        """Return the cells of a bit board, those first that are worth most to a side."""
        found = cells_of(cells)
        if len(found) > 1:
            values = self.values >> CELL_BITS * self._cells if side else self.values
            found.sort(key=lambda cell: -(values >> CELL_BITS * cell & 0xFFFF))
        return found

    def best_cells(self, side: int, count: int) -> list[int]:
        """Return the cells that look best for a side to move, the best first, ``count`` at most."""
        size = CELL_BITS * self._cells
        naughts = self.values >> size
        crosses = self.values ^ naughts << size
        own, other = (naughts, crosses) if side else (crosses, naughts)
        worth = array("H", (3 * own + 2 * other).to_bytes(2 * self._cells + 8, "little"))
        free = self.playable & ~self.barred(side)
        cells: Iterable[int] = range(self._cells)
        if self.gravity:
            cells = cells_of(free)
        found = nlargest(count, cells, key=worth.__getitem__)
        return [cell for cell in found if worth[cell] and free >> cell & 1]


def cells_of(bits: int) -> list[int]:
    """Return the cells of a bit board with few cells, ascending."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
