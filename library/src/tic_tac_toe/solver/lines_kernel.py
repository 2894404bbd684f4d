"""The m,n,k kernel as an object: from rules and positions to its words and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.shapes import layout
from tic_tac_toe.solver import lines, lines_board
from tic_tac_toe.solver.compiling import compiled
from tic_tac_toe.solver.kernels import Worker
from tic_tac_toe.solver.lines_table import GROWTH_BITS, grows_at
from tic_tac_toe.solver.questions import (
    CONTROLS,
    GROW_AT,
    NEXT,
    TABLE_BITS,
    TABLE_LIMIT,
    TABLE_START,
    VARIATION,
)

begin = compiled(lines.begin)
narrow = compiled(lines.narrow)
solve_batch = compiled(lines.solve_batch)
fill_table = compiled(lines.fill_table)

#: log2 of the buckets that a search begins with, 32 bytes each.
FIRST_BITS = 9
#: A team takes 64 MiB at once: more is slower to reach, and did not find more.
TEAM_BITS = 21
BUCKET_BYTES = 32


class LinesKernel:
    """What all workers on one game share: its lines, its symmetries and the table.

    Args:
        rules: without gravity, on a board of at most 64 cells.
        memory: the most that the table may take, in bytes; it is never less than 16 KiB.
    """

    def __init__(self, rules: LineRules, memory: int) -> None:
        self.rules = rules
        self.game = game_of(rules)
        self.constants = constants_of(rules)
        self.first_bits = last = FIRST_BITS
        while BUCKET_BYTES << (last + GROWTH_BITS) <= memory:
            last += GROWTH_BITS
        self.last_bits = last
        # Zeros cost nothing until they are touched.
        self.table = np.zeros(4 << last, np.uint64)
        self.spare = np.zeros(4 << max(FIRST_BITS, last - GROWTH_BITS), np.uint64)

    def worker(self, variation: int = 0) -> LinesWorker:
        """Return a new worker on the shared table."""
        return LinesWorker(self, variation)

    def batch(
        self, positions: Sequence[Position], lows: NDArray[np.int64], highs: NDArray[np.int64]
    ) -> LinesBatch:
        """Return a worker on all these positions; `lows` and `highs` receive what it proves."""
        return LinesBatch(self, positions, lows, highs)

    def words_in_use(self, worker: Worker) -> int:
        """Return how much of the table the worker uses so far, from its start."""
        return 4 << int(worker.control[TABLE_BITS])

    def fill_table(self, workers: Sequence[Worker]) -> None:
        """Let all workers use the whole table from now on."""
        lead = workers[0]
        lead.control[TABLE_LIMIT] = min(lead.control[TABLE_LIMIT], TEAM_BITS)
        fill_table(self.table, self.spare, lead.control)
        for worker in workers[1:]:
            worker.control[[GROW_AT, TABLE_BITS]] = lead.control[[GROW_AT, TABLE_BITS]]


class LinesWorker:
    """The state of one search, all of it in arrays."""

    def __init__(self, kernel: LinesKernel, variation: int = 0) -> None:
        self.kernel = kernel
        cells = kernel.rules.shape.cells
        self.frames = np.zeros(int(kernel.game.scratch) + lines_board.SCRATCH, np.uint64)
        self.numbers = np.zeros(lines_board.NUMBERS * (cells + 2), np.int64)
        self.control = np.zeros(CONTROLS, np.int64)
        self.control[TABLE_START] = self.control[TABLE_BITS] = kernel.first_bits
        self.control[TABLE_LIMIT] = kernel.last_bits
        self.control[GROW_AT] = grows_at(kernel.first_bits)
        self.control[VARIATION] = variation

    def begin(self, position: Position) -> None:
        """Set the search to a position that is not over; its range takes in what is seen."""
        kernel, turn = self.kernel, position.turn
        own, other = map(np.uint64, (position.stones[turn], position.stones[1 - turn]))
        begin(own, other, self.frames, kernel.constants, kernel.game, self.control)

    def narrow(self, until: int) -> int:
        """Search until the range is one score, or so many nodes have been looked at."""
        kernel = self.kernel
        status: int = narrow(
            self.frames,
            self.numbers,
            kernel.constants,
            kernel.table,
            kernel.spare,
            kernel.game,
            self.control,
            until,
        )
        return status

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that the state consists of, the table apart."""
        return {"frames": self.frames, "numbers": self.numbers, "control": self.control}


class LinesBatch(LinesWorker):
    """The state of a search through many positions, which help each other by the table."""

    def __init__(
        self,
        kernel: LinesKernel,
        positions: Sequence[Position],
        lows: NDArray[np.int64],
        highs: NDArray[np.int64],
    ) -> None:
        super().__init__(kernel)
        self.lows, self.highs = lows, highs
        self.owns, self.others = np.zeros((2, len(positions)), np.uint64)
        for index, (stones, turn, _) in enumerate(positions):
            self.owns[index], self.others[index] = stones[turn], stones[1 - turn]

    def narrow(self, until: int) -> int:
        """Solve position after position until all are known, or so many nodes were looked at."""
        kernel = self.kernel
        status: int = solve_batch(
            self.owns,
            self.others,
            self.lows,
            self.highs,
            self.frames,
            self.numbers,
            kernel.constants,
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


def game_of(rules: LineRules) -> lines_board.Game:
    """Return the parameters of a game."""
    cells = rules.shape.cells
    words = lines_board.Game(
        board=(1 << cells) - 1,
        cells=cells,
        lines=len(rules.lines.places),
        images=len(layout(rules.shape).symmetries),
        scratch=int(lines_board.FRAME) * (cells + 2),
    )
    return lines_board.Game(*map(np.uint64, words))


def constants_of(rules: LineRules) -> NDArray[np.uint64]:
    """Return the places for lines, the bytes as ternary numbers, and the images of bytes."""
    images = layout(rules.shape).symmetries
    constants = np.zeros(int(lines_board.IMAGES) + 2048 * len(images), np.uint64)
    places = [line.mask for line in rules.lines.places]
    constants[: len(places)] = places
    for byte in range(256):
        constants[int(lines_board.TERNARY) + byte] = int(f"{byte:b}", 3)
    for number, image in enumerate(images):
        for cell, target in enumerate(image):
            base = int(lines_board.IMAGES) + 2048 * number + 256 * (cell // 8)
            for byte in range(256):
                if byte >> cell % 8 & 1:
                    constants[base + byte] |= np.uint64(1 << target)
    return constants
