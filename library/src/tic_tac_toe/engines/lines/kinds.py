"""What a stone makes in all directions together, how promising that is, and what it counts."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.engines.lines.frame import DIRECTIONS
from tic_tac_toe.engines.lines.shapes import (
    BARRED,
    CLASSES,
    FIVE,
    FOUR,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_TWO,
    RICH_THREE,
    RICH_TWO,
    THREE,
    TWO,
    Ending,
)
from tic_tac_toe.engines.lines.weights import BONUS, WEIGHT

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


@lru_cache(maxsize=8)
def value_table(endings: tuple[Ending, Ending]) -> NDArray[np.int32]:
    """Return by side and classes what counts for a side to move; from bit 16 on, for the other."""
    halves = []
    for ending in endings:
        kinds = _kinds(ending) & 15
        mover, waiter = (
            np.clip(_sum(weight) + np.array(bonus)[kinds], 0, (1 << 14) - 1)
            for weight, bonus in zip(WEIGHT, BONUS)
        )
        halves.append(mover | waiter << 16)
    table = np.concatenate(halves).astype(np.int32)
    table.flags.writeable = False
    return table


def _classes() -> list[NDArray[np.int64]]:
    """Return the class in each direction of all combinations."""
    codes = np.arange(1 << 4 * DIRECTIONS)
    return [codes >> 4 * at & 15 for at in range(DIRECTIONS)]


def _sum(weights: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the sum of the weights of the classes in four directions."""
    by_class = np.array([*weights, *[0] * (16 - CLASSES)])
    total: NDArray[np.int64] = np.sum([by_class[classes] for classes in _classes()], axis=0)
    return total


@lru_cache(maxsize=4)
def _kinds(ending: Ending) -> NDArray[np.int64]:
    """Return kind and rank of all combinations, of a side whose lines end like this."""

    def count(*wanted: int) -> NDArray[np.int64]:
        found = [np.isin(classes, wanted) for classes in _classes()]
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
