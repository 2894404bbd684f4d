"""What a stone makes, for all neighbourhoods: derived from what a line is.

A *half* is what lies on one side of a place, the nearest cell first: empty, own, or the opponent's,
as far as the reach or the wall. Tables are square, by the half before and the half after the place,
and say what the mover's stone in that place makes. The recursion is the definition:

    five         the stone completes a line
    four         one more stone would make a five
    open four    a four that no single stone of the opponent stops
    open three   one more stone would make an open four
    three        one more stone would make a four

and so on, down to what can still become a line at all. The names are those of lines of five. The
classes of a place in its four directions together make its kind, its rank as a move and its value.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: A row, a column, a falling and a rising diagonal.
DIRECTIONS = 4

Flags = NDArray[np.bool_]
Half = tuple[int, ...]

DEAD, ONE, OPEN_ONE, TWO, OPEN_TWO, RICH_TWO, THREE = range(7)
OPEN_THREE, RICH_THREE, FOUR, OPEN_FOUR, FIVE, BARRED = range(7, 13)
#: How many classes there are. ``BARRED`` is what Renju forbids within one direction.
CLASSES = 13

_FREE, _OWN, _OTHER = range(3)


class Ending(Enum):
    """Which rows of a side are lines."""

    FREE = "free"  # long rows, too
    EXACT = "exact"  # no longer row
    CARO = "caro"  # no longer row, and none between two stones of the opponent
    BARRED = "barred"  # no longer row, which is forbidden, as two fours are (X in Renju)


class _Halves(NamedTuple):
    """All halves of a reach.

    Attributes:
        run: by half, how many own stones it begins with.
        closed: by half, whether the opponent's stone follows these.
        placed: by distance and half, the half with one more own stone there; -1 if it is taken.
        stopped: the same with a stone of the opponent.
        coded: by the neighbours as a number of two bits a cell (1 own, 2 other, 3 wall), the half.
    """

    run: NDArray[np.int64]
    closed: Flags
    placed: NDArray[np.int64]
    stopped: NDArray[np.int64]
    coded: NDArray[np.int64]


@lru_cache(maxsize=8)
def _halves(reach: int) -> _Halves:
    signs = (_FREE, _OWN, _OTHER)
    halves: list[Half] = [h for size in range(reach + 1) for h in product(signs, repeat=size)]
    number = {half: index for index, half in enumerate(halves)}

    def with_stone(half: Half, at: int, sign: int) -> int:
        if at >= len(half) or half[at] != _FREE:
            return -1
        changed = (*half[:at], sign, *half[at + 1 :])
        return number[changed]

    run = [next((i for i, s in enumerate(half) if s != _OWN), len(half)) for half in halves]
    closed = [r < len(half) and half[r] == _OTHER for r, half in zip(run, halves)]
    coded = []
    for code in range(1 << 2 * reach):
        cells = [code >> 2 * at & 3 for at in range(reach)]
        size = cells.index(3) if 3 in cells else reach
        coded.append(number[tuple(cells[:size])])
    return _Halves(
        np.array(run),
        np.array(closed),
        np.array([[with_stone(half, at, _OWN) for half in halves] for at in range(reach)]),
        np.array([[with_stone(half, at, _OTHER) for half in halves] for at in range(reach)]),
        np.array(coded),
    )


def _ways(flags: Flags, moved: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return in how many empty cells one more stone leads to a flag; `moved` places the stone."""
    count = np.zeros(flags.shape, np.int64)
    for after in moved:
        there = after >= 0
        count[there] += flags[after[there]]
        count[:, there] += flags[:, after[there]]
    return count


def _classes(length: int, reach: int, ending: Ending) -> NDArray[np.uint8]:
    """Return the classes by halves, of the side whose lines end like this."""
    halves = _halves(reach)
    run = halves.run[:, None] + halves.run[None, :] + 1
    five = run >= length if ending is Ending.FREE else run == length
    if ending is Ending.CARO:
        five &= ~(halves.closed[:, None] & halves.closed[None, :])
    longer = (run > length) & (ending is Ending.BARRED)
    completions = np.where(five | longer, 0, _ways(five, halves.placed))
    four = completions > 0
    empty = _ways(np.ones_like(four), halves.stopped)
    open_four = four & (_ways(four, halves.stopped) == empty)
    barred = longer
    if ending is Ending.BARRED:
        # Two fours in one row have two places to become a five, but are not four stones in a row.
        barred = longer | (completions > 1) & (run != length - 1)
        open_four &= ~barred
    over = five | four | longer
    ways = np.where(over, 0, _ways(open_four, halves.placed))
    open_three, rich_three = ways > 0, ways > 1
    three = ~over & (_ways(four, halves.placed) > 0)
    over = over | open_three | three
    ways = np.where(over, 0, _ways(open_three, halves.placed))
    open_two, rich_two = ways > 0, ways > 2
    two = ~over & (_ways(three, halves.placed) > 0)
    over = over | open_two | two
    open_one = ~over & (_ways(open_two, halves.placed) > 0)
    one = ~over & (_ways(two, halves.placed) > 0)
    for _ in range(5, length):
        one |= ~over & ~open_one & (_ways(one, halves.placed) > 0)
    classes = np.zeros(run.shape, np.uint8)
    for value, flags in (
        (ONE, one),
        (OPEN_ONE, open_one),
        (TWO, two),
        (OPEN_TWO, open_two),
        (RICH_TWO, rich_two),
        (THREE, three),
        (OPEN_THREE, open_three),
        (RICH_THREE, rich_three),
        (FOUR, four),
        (OPEN_FOUR, open_four),
        (FIVE, five),
        (BARRED, barred),
    ):
        classes[flags] = value
    return classes


def reach_of(length: int, endings: tuple[Ending, Ending]) -> int:
    """Return how many cells on each side of a stone decide what it makes."""
    return length - 1 if endings == (Ending.FREE, Ending.FREE) else length


@lru_cache(maxsize=8)
def shape_table(length: int, endings: tuple[Ending, Ending]) -> NDArray[np.uint8]:
    """Return the classes of both sides by the key of a place and direction.

    A key has two bits for each neighbour (0 empty, 1 X, 2 O, 3 wall): first those before the place,
    the nearest in the lowest bits, then those after it. An entry is the class of X, and that of O
    from bit 4 on.
    """
    reach = reach_of(length, endings)
    coded = _halves(reach).coded
    codes = np.arange(coded.size)
    low, high = codes & 0x5555, codes >> 1 & 0x5555
    exchanged = coded[low << 1 | high]
    # The half after the place is in the high bits, and so is the first index.
    own = _classes(length, reach, endings[0])[np.ix_(coded, coded)]
    other = _classes(length, reach, endings[1])[np.ix_(exchanged, exchanged)]
    table = (own | other << 4).astype(np.uint8).ravel()
    table.flags.writeable = False
    return table


# The kinds: what a stone in a place makes in all directions, the lower the less.
(QUIET, HALF_THREAT, TWO_HALVES, MAKES_THREE, THREE_PLUS, DOUBLE_THREE) = range(6)
(MAKES_FOUR, FOUR_PLUS, FOUR_THREE, WINNING_FOUR, MAKES_FIVE, FORBIDDEN) = range(6, 12)

#: By class and by kind, how promising a move is.
_RANK = (0, 0, 0, 3, 10, 12, 11, 28, 32, 30, 200, 800, 0)
_RANK_BONUS = (0, 0, 8, 0, 14, 70, 0, 20, 160, 200, 600, 0)


@lru_cache(maxsize=8)
def kind_table(endings: tuple[Ending, Ending]) -> NDArray[np.int32]:
    """Return by side and classes in four directions the kind, and from bit 4 on the rank."""
    table = np.concatenate([_kinds(ending) for ending in endings]).astype(np.int32)
    table.flags.writeable = False
    return table


def _by_direction() -> list[NDArray[np.int64]]:
    """Return the class in each direction of all combinations."""
    codes = np.arange(1 << 4 * DIRECTIONS)
    return [codes >> 4 * at & 15 for at in range(DIRECTIONS)]


def _sum(weights: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the sum of the weights of the classes in four directions."""
    by_class = np.array([*weights, *[0] * (16 - CLASSES)])
    total: NDArray[np.int64] = np.sum([by_class[classes] for classes in _by_direction()], axis=0)
    return total


@lru_cache(maxsize=4)
def _kinds(ending: Ending) -> NDArray[np.int64]:
    """Return kind and rank of all combinations, of a side whose lines end like this."""

    def count(*wanted: int) -> NDArray[np.int64]:
        found = [np.isin(classes, wanted) for classes in _by_direction()]
        total: NDArray[np.int64] = np.sum(found, axis=0)
        return total

    halves = count(TWO, OPEN_TWO, RICH_TWO, THREE) - count(TWO)
    threes = count(OPEN_THREE, RICH_THREE)
    fours = count(FOUR, OPEN_FOUR)
    kinds = np.zeros(1 << 4 * DIRECTIONS, np.int64)
    kinds[halves == 1] = HALF_THREAT
    kinds[halves > 1] = TWO_HALVES
    kinds[threes == 1] = MAKES_THREE
    kinds[(threes == 1) & (halves > 0)] = THREE_PLUS
    kinds[threes > 1] = DOUBLE_THREE
    single = fours == 1
    kinds[single] = MAKES_FOUR
    kinds[single & (halves > 0)] = FOUR_PLUS
    kinds[single & (threes > 0)] = FOUR_THREE
    # One stone can stop two fours in Caro, where it may close both; only the search can tell.
    kinds[fours > 1] = FOUR_PLUS if ending is Ending.CARO else WINNING_FOUR
    kinds[count(OPEN_FOUR) > 0] = WINNING_FOUR
    if ending is Ending.BARRED:
        kinds[threes > 1] = DOUBLE_THREE  # which may be forbidden, also beside a four
        kinds[(fours > 1) | (count(BARRED) > 0)] = FORBIDDEN
    kinds[count(FIVE) > 0] = MAKES_FIVE
    rank = _sum(_RANK) + np.array(_RANK_BONUS)[kinds]
    rank[kinds == FORBIDDEN] = 0
    table: NDArray[np.int64] = kinds | rank << 4
    return table
