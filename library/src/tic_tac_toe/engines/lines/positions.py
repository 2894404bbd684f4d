"""From rules and positions to the arrays of the kernels, and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.engines.lines import frame
from tic_tac_toe.engines.lines.kinds import kind_table, value_table
from tic_tac_toe.engines.lines.shapes import Ending, reach_of, shape_table
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.rules.topology import PLANE
from tic_tac_toe.logic.shapes import layout

#: The lengths of lines that the tables of shapes are made for.
LENGTHS = range(4, 7)
#: Cells on each side of a place: tables for more would have 4 ** 12 entries.
_MOST_REACH = 5
#: The most quiet moves that are tried in a position.
_WIDTH = 22


def endings_of(rules: LineRules) -> tuple[Ending, Ending]:
    """Return which rows of X and of O are lines."""
    if isinstance(rules, Renju):
        return Ending.BARRED, Ending.FREE
    if isinstance(rules, Caro):
        return Ending.CARO, Ending.CARO
    ending = Ending.EXACT if rules.exact else Ending.FREE
    return ending, ending


def supports(rules: Rules) -> TypeGuard[LineRules]:
    """Return whether the engine plays these rules: lines of four to six on a plane, no gravity."""
    if type(rules) not in (LineRules, Caro, Renju):
        return False
    assert isinstance(rules, LineRules)
    return (
        rules.topology == PLANE
        and not rules.gravity
        and rules.length in LENGTHS
        and reach_of(rules.length, endings_of(rules)) <= _MOST_REACH
    )


@lru_cache(maxsize=1)
def _zobrist() -> NDArray[np.int64]:
    """Return a random word for each side and place, always the same."""
    rng = Random(2 * frame.AREA)
    return np.array([rng.getrandbits(63) for _ in range(2 * frame.AREA)], np.int64)


def new_table(memory: int) -> NDArray[np.int64]:
    """Return an empty transposition table of at most so many bytes, but of 64 words at least."""
    # Pages that are never touched cost nothing.
    return np.zeros(1 << max(6, (memory // 8).bit_length() - 1), np.int64)


class Arrays:
    """The arrays of one search.

    Args:
        rules: the game.
        table: see `new_table`.
    """

    def __init__(self, rules: LineRules, table: NDArray[np.int64]) -> None:
        endings = endings_of(rules)
        self.rules = rules
        self.closing: bool = Ending.CARO in endings
        self.shapes: NDArray[np.uint8] = shape_table(rules.length, endings)
        self.kinds: NDArray[np.int32] = kind_table(endings)
        self.values: NDArray[np.int32] = value_table(endings)
        self.state: NDArray[np.int32] = np.zeros(frame.STATE_SIZE, np.int32)
        self.words: NDArray[np.int64] = np.zeros(frame.WORDS_SIZE, np.int64)
        self.table = table
        rows, columns = rules.shape
        self._places = [
            (row + frame.TOP) * frame.STRIDE + column
            for row in range(rows)
            for column in range(columns)
        ]
        self._endings = endings

    def load(
        self, position: Position, legal: Sequence[int], stop: NDArray[np.int64]
    ) -> tuple[Any, ...]:
        """Write a position into the arrays, and return what the kernels are called with."""
        state, words = self.state, self.words
        state[:] = 0
        state[: frame.AREA] = frame.WALL
        places = np.array(self._places)
        state[places] = frame.EMPTY
        for side, stones in enumerate(position.stones):
            state[places[list(layout(self.rules.shape).cells(stones))]] = side + 1
        state[frame.PLACES : frame.PLACES + places.size] = places
        state[frame.ALLOWED + places[list(legal)]] = 1
        state[frame.SIZE] = places.size
        state[frame.REACH] = reach_of(self.rules.length, self._endings)
        state[frame.CLOSING] = self.closing
        state[frame.FORBIDDING] = Ending.BARRED in self._endings
        state[frame.ATTACKER] = -1
        state[frame.WIDTH] = _WIDTH
        state[frame.STEP : frame.STEP + frame.DIRECTIONS] = frame.STEPS
        words[:] = 0
        words[frame.ZOBRIST :] = _zobrist()
        words[frame.LIMIT] = 1 << 62
        for side in range(2):
            block = words[frame.ZOBRIST + side * frame.AREA :]
            words[frame.HASH] ^= np.bitwise_xor.reduce(
                block[places[state[places] == side + 1]], initial=0
            )
        return (state, words, self.shapes, self.kinds, self.values, self.table, stop)

    def cell_of(self, place: int) -> int:
        """Return the cell of a place."""
        row, column = divmod(place, frame.STRIDE)
        return (row - frame.TOP) * self.rules.shape.columns + column

    def cells_of(self, side: int, kind: int) -> list[int]:
        """Return the empty cells in which a side would make this."""
        return [
            cell
            for cell, place in enumerate(self._places)
            if self.state[place] == frame.EMPTY
            and self.state[frame.KINDS + side * frame.AREA + place] & 15 == kind
        ]

    def ranked(self, side: int, legal: Sequence[int]) -> list[int]:
        """Return the legal cells by their ranks for both sides, the highest first."""

        def rank(cell: int) -> int:
            place = frame.KINDS + self._places[cell]
            own, other = (int(self.state[place + at * frame.AREA]) >> 4 for at in (side, 1 - side))
            return -3 * own - 2 * other

        return sorted(legal, key=rank)

    def put(self, cell: int, sign: int) -> None:
        """Write a stone, or none, into a cell; what follows from it has to be filled in anew."""
        self.state[self._places[cell]] = sign

    def count(self, side: int, kind: int) -> int:
        """Return in how many empty cells a side would make this."""
        return int(self.state[frame.COUNTS + side * 16 + kind])
