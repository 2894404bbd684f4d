"""The gravity kernel as an object: from rules and positions to its words and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.solver import gravity
from tic_tac_toe.solver.compiling import compiled
from tic_tac_toe.solver.gravity_board import Game
from tic_tac_toe.solver.gravity_table import GROWTH_BITS, grows_at
from tic_tac_toe.solver.kernels import Worker
from tic_tac_toe.solver.questions import (
    CONTROLS,
    GROW_AT,
    NEXT,
    TABLE_BITS,
    TABLE_LIMIT,
    TABLE_START,
    VARIATION,
)

begin = compiled(gravity.begin)
narrow = compiled(gravity.narrow)
solve_batch = compiled(gravity.solve_batch)
fill_table = compiled(gravity.fill_table)

#: log2 of the buckets that a search begins with, 16 bytes each.
FIRST_BITS = 10
#: A team takes 64 MiB at once: more is slower to reach, and did not find more.
TEAM_BITS = 22
BUCKET_BYTES = 16
#: From a position that is its own reflection, positions and reflections are one for so many plies.
SYMMETRIC_PLIES = 14
#: An entry has room for so many bits of a key besides those that number its bucket.
TAG_BITS = 44


class GravityKernel:
    """What all workers on one game share: its parameters and the table.

    Args:
        rules: with gravity, on a board of at most 64 bits (see `gravity_board`).
        memory: the most that the table may take, in bytes; it is never less than 16 KiB, nor than
            the exact keys of a large board need.
    """

    def __init__(self, rules: LineRules, memory: int) -> None:
        self.rules = rules
        self.game = game = game_of(rules)
        self.first_bits = last = max(FIRST_BITS, int(game.key_bits) - TAG_BITS)
        while BUCKET_BYTES << (last + GROWTH_BITS) <= memory:
            last += GROWTH_BITS
        self.last_bits = last
        # Zeros cost nothing until they are touched.
        self.table = np.zeros(2 << last, np.uint64)
        self.spare = np.zeros(max(2 << self.first_bits, 2 << last - GROWTH_BITS), np.uint64)

    def worker(self, variation: int = 0) -> GravityWorker:
        """Return a new worker on the shared table."""
        return GravityWorker(self, variation)

    def words_of(self, position: Position) -> tuple[int, int]:
        """Return the marks of the side to move and all marks, as bits of `gravity_board`."""
        own, theirs = position.stones if position.turn == 0 else position.stones[::-1]
        return self._by_columns(own), self._by_columns(own | theirs)

    def batch(
        self, positions: Sequence[Position], lows: NDArray[np.int64], highs: NDArray[np.int64]
    ) -> GravityBatch:
        """Return a worker on all these positions; `lows` and `highs` receive what it proves."""
        return GravityBatch(self, positions, lows, highs)

    def words_in_use(self, worker: Worker) -> int:
        """Return how much of the table the worker uses so far, from its start."""
        return 2 << int(worker.control[TABLE_BITS])

    def fill_table(self, workers: Sequence[Worker]) -> None:
        """Let all workers use the whole table; only the first has a search under way."""
        lead = workers[0]
        lead.control[TABLE_LIMIT] = min(lead.control[TABLE_LIMIT], TEAM_BITS)
        fill_table(lead.arrays()["frames"], self.table, self.spare, self.game, lead.control)
        for worker in workers[1:]:
            worker.control[GROW_AT], worker.control[TABLE_BITS] = lead.control[
                [GROW_AT, TABLE_BITS]
            ]

    def _by_columns(self, stones: int) -> int:
        rows, columns = self.rules.shape
        bits, up = 0, rows + 1
        while stones:
            row, column = divmod((stones & -stones).bit_length() - 1, columns)
            bits |= 1 << column * up + rows - 1 - row
            stones &= stones - 1
        return bits


class GravityWorker:
    """The state of one search, all of it in arrays."""

    def __init__(self, kernel: GravityKernel, variation: int = 0) -> None:
        self.kernel = kernel
        self.game = kernel.game
        depth = kernel.rules.shape.cells + 2
        masks = int(kernel.game.masks)
        self.frames = np.zeros(masks + int(kernel.game.lanes), np.uint64)
        self.numbers = np.zeros(gravity.NUMBERS * depth, np.int64)
        rows, columns = kernel.rules.shape
        for column in range(columns):
            self.frames[masks + column] = (1 << rows) - 1 << column * (rows + 1)
        self.control = np.zeros(CONTROLS, np.int64)
        self.control[TABLE_START] = self.control[TABLE_BITS] = kernel.first_bits
        self.control[TABLE_LIMIT] = kernel.last_bits
        self.control[GROW_AT] = grows_at(kernel.first_bits)
        self.control[VARIATION] = variation

    def begin(self, position: Position) -> None:
        """Set the search to a position that is not over, and its range to what is seen at once."""
        own, mask = map(np.uint64, self.kernel.words_of(position))
        self.game = self.kernel.game
        if self.kernel.rules.orbit(position) == 1:  # its own reflection
            until = position.ply + SYMMETRIC_PLIES
            self.game = self.game._replace(symmetric_until=np.uint64(until))
        begin(own, mask, self.frames, self.numbers, self.game, self.control)

    def narrow(self, until: int) -> int:
        """Search until the range is one score, or so many nodes have been looked at."""
        kernel = self.kernel
        status: int = narrow(
            self.frames,
            self.numbers,
            kernel.table,
            kernel.spare,
            self.game,
            self.control,
            until,
        )
        return status

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that the state consists of, the table apart."""
        return {"frames": self.frames, "numbers": self.numbers, "control": self.control}


class GravityBatch(GravityWorker):
    """The state of a search through many positions."""

    def __init__(
        self,
        kernel: GravityKernel,
        positions: Sequence[Position],
        lows: NDArray[np.int64],
        highs: NDArray[np.int64],
    ) -> None:
        super().__init__(kernel)
        self.lows, self.highs = lows, highs
        own, theirs = np.zeros((2, len(positions)), np.uint64)
        for index, (stones, turn, _) in enumerate(positions):
            own[index], theirs[index] = stones[turn], stones[1 - turn]
        self.owns = self._all_by_columns(own)
        self.masks = self._all_by_columns(own | theirs)

    def narrow(self, until: int) -> int:
        """Solve position after position until all are known, or so many nodes were looked at."""
        kernel = self.kernel
        status: int = solve_batch(
            self.owns,
            self.masks,
            self.lows,
            self.highs,
            self.frames,
            self.numbers,
            kernel.table,
            kernel.spare,
            kernel.game,
            self.control,
            until,
        )
        return status

    @property
    def done(self) -> int:
        """How many positions are solved."""
        return int(self.control[NEXT])

    def _all_by_columns(self, stones: NDArray[np.uint64]) -> NDArray[np.uint64]:
        rows, columns = self.kernel.rules.shape
        bits = np.zeros_like(stones)
        for cell in range(rows * columns):
            row, column = divmod(cell, columns)
            target = np.uint64(column * (rows + 1) + rows - 1 - row)
            bits |= (stones >> np.uint64(cell) & np.uint64(1)) << target
        return bits


def game_of(rules: LineRules) -> Game:
    """Return the parameters of a game."""
    rows, columns = rules.shape
    up = rows + 1
    bottom = sum(1 << up * column for column in range(columns))
    odd = sum(bottom << row for row in range(rows - 2, -1, -2))
    words = Game(
        up=up,
        board=bottom * ((1 << rows) - 1),
        bottom=bottom,
        guards=bottom << rows,
        odd=odd,
        cells=rows * columns,
        columns=columns,
        length=rules.length,
        key_bits=up * columns,
        lanes=-(-columns // 4) * 4,
        masks=int(gravity.FRAME) * (rows * columns + 2),
        four=int(rules.length == 4 and min(rows, columns) >= 4),
        symmetric_until=0,
    )
    return Game(*map(np.uint64, words))
