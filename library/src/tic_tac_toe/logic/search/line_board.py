"""A board that knows, mark by mark, what both sides hold in its rows.

A mark changes the rows through its cell only, some four of them. What each row gives is looked up,
so that a search in plain Python puts some 200,000 marks a second on gomoku's board.

A row is looked at alone, cell 0 being bit 0 of its bit boards: which cells win or make fours and
threes, and what they are worth. Equal rows share what is known, and each answer is kept.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import lru_cache, reduce
from heapq import nlargest
from itertools import pairwise
from operator import or_
from typing import Final, NamedTuple, TypeAlias

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import Row, places_in
from tic_tac_toe.logic.rules.renju import Caro, Renju, forbidden_cells

# The worths come from a logistic regression over 6,436 quiet positions of 1,840 games of gomoku
# that the compiled engine played against itself.
#: The difference that multiplies the odds of winning by 2.7.
ODDS_UNIT: Final = 87
#: What a place for a line is worth, by the number of marks that it lacks.
_PLACE_WORTH: Final = (0, 90, 65, 12, 1, 0)
#: What a row is worth beyond its places, by the best cell in it: it wins, makes a four which one
#: mark cannot stop, makes another four, makes a three.
_ROW_WORTH: Final = (300, 220, -23, 15)
#: The same for each cell that does so.
_CELL_WORTH: Final = (3000, 1200, 250, 200)


class RowKind(NamedTuple):
    """How long a row is, and what counts as a line in it for one side.

    Attributes:
        size: the number of cells.
        is_ring: whether the first cell follows the last.
        length: the marks of a line.
        exact: a longer row is not a line.
        ends_count: a line between two marks of the other side is not a line.
    """

    size: int
    is_ring: bool
    length: int
    exact: bool
    ends_count: bool


class Pattern(NamedTuple):
    """What one side holds in a row; the first five are bit boards of empty cells.

    Attributes:
        wins: those that complete a line.
        stops: those where a mark of the other side leaves no cell that wins; 0 without such cells.
        fours: those after which a cell wins.
        open_fours: those of ``fours`` after which no mark of the other side in this row helps.
        threes: those after which a cell of ``open_fours`` appears, but for ``fours``.
        ends: where marks count at the ends of lines, the ends of those that lack one mark.
        worth: what the row is worth.
        values: what a mark in each cell is worth; 0 where a cell is taken.
    """

    wins: int
    stops: int
    fours: int
    open_fours: int
    threes: int
    ends: int
    worth: int
    values: tuple[int, ...]


def pattern(kind: RowKind, own: int, other: int) -> Pattern:
    """Return what the side that owns the marks ``own`` holds in a row."""
    alive = _alive(kind, own, other)
    cells = reached = 0
    for mask, fence in alive:
        cells |= mask
        reached |= mask | fence
    if kind.ends_count:
        # Marks of one's own stay where they are: beside a place they make an overline of it.
        return _pattern(kind, own, other | ~(own | reached) & (1 << kind.size) - 1)
    return _pattern(kind, own & cells, ~cells & (1 << kind.size) - 1)


@lru_cache(maxsize=256)
def _places(kind: RowKind) -> tuple[tuple[int, int], ...]:
    row = Row(tuple(range(kind.size)), kind.is_ring)
    return tuple((place.mask, place.fence) for place in places_in(row, kind.length))


def _alive(kind: RowKind, own: int, other: int) -> list[tuple[int, int]]:
    """Return the places, with their fences, that can still become a line."""
    found = [place for place in _places(kind) if not place[0] & other]
    if kind.exact:
        found = [place for place in found if not place[1] & own]
    if kind.ends_count:
        found = [place for place in found if place[1].bit_count() < 2 or place[1] & ~other]
    return found


@lru_cache(maxsize=1 << 17)
def _wins(kind: RowKind, own: int, other: int) -> int:
    found = 0
    for mask, _fence in _alive(kind, own, other):
        lacking = mask & ~own
        if not lacking & (lacking - 1):
            found |= lacking
    return found


def _stops(kind: RowKind, own: int, other: int) -> int:
    wins = _wins(kind, own, other)
    if not kind.ends_count:
        return 0 if wins & (wins - 1) else wins
    empty = ~(own | other) & (1 << kind.size) - 1
    return sum(bit for bit in _bits(empty) if not _wins(kind, own, other | bit)) if wins else 0


@lru_cache(maxsize=1 << 17)
def _fours(kind: RowKind, own: int, other: int) -> tuple[int, int]:
    """Return the cells that make a four, and those of them after which one mark does not help."""
    near = 0
    for mask, _fence in _alive(kind, own, other):
        lacking = mask & ~own
        if lacking.bit_count() == 2:
            near |= lacking
    fours = unstoppable = 0
    for bit in _bits(near & ~_wins(kind, own, other)):
        if _wins(kind, own | bit, other):
            fours |= bit
            if not _stops(kind, own | bit, other):
                unstoppable |= bit
    return fours, unstoppable


@lru_cache(maxsize=1 << 16)
def _pattern(kind: RowKind, own: int, other: int) -> Pattern:
    wins = _wins(kind, own, other)
    fours, open_fours = _fours(kind, own, other)
    near = ends = worth = 0
    values = [0] * kind.size
    for mask, fence in _alive(kind, own, other):
        lacking = mask & ~own
        count = lacking.bit_count()
        if not count:
            continue
        if count == 1 and kind.ends_count:
            ends |= fence & ~(own | other)
        if count == 3:
            near |= lacking
        here, then = (_PLACE_WORTH[min(number, 5)] for number in (count, count - 1))
        worth += here if count < kind.length else 0
        for bit in _bits(lacking):
            values[bit.bit_length() - 1] += max(1, then - here)
    threes = sum(bit for bit in _bits(near & ~(wins | fours)) if _fours(kind, own | bit, other)[1])
    groups = (wins, open_fours, fours & ~open_fours, threes)
    worth += next((value for value, cells in zip(_ROW_WORTH, groups) if cells), 0)
    for value, cells in zip(_CELL_WORTH, groups):
        for bit in _bits(cells):
            values[bit.bit_length() - 1] += value
    stops = _stops(kind, own, other)
    return Pattern(wins, stops, fours, open_fours, threes, ends, worth, tuple(values))


def _bits(cells: int) -> list[int]:
    """Return each cell of a bit board as one of its own, ascending."""
    found = []
    while cells:
        bit = cells & -cells
        found.append(bit)
        cells ^= bit
    return found


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

    def forbidden(self, side: int) -> dict[int, str]:
        """Return the cells that are forbidden to a side, each with what it would make there."""
        if side or not self.is_renju:
            return {}
        return forbidden_cells(self.rules.shape, self.stones[0], self.stones[1])

    def barred(self, side: int) -> int:
        """Return the cells that are forbidden to a side, as a bit board."""
        return sum(1 << cell for cell in self.forbidden(side))

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
