"""What one side holds in one row of a board: winning cells, fours, threes, and what they are worth.

A row is looked at alone: its cells are numbered from 0, bit *i* of a bit board is cell *i*. Equal
rows of a board share what is known, and each answer is kept.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from tic_tac_toe.logic.rules.lines import places_in
from tic_tac_toe.logic.rules.topology import Row

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
