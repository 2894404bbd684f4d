"""The misère kernel as an object: from rules and positions to its words and back."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.solver import avoidance
from tic_tac_toe.solver.kernels import Code, Kernel, Worker, marks_of
from tic_tac_toe.solver.lines_table import fill_table, grows_at


class AvoidanceKernel(Kernel):
    """A game that is played misère, on at most 64 cells: its parameters and the table."""

    plain: ClassVar[Code] = Code(
        avoidance.begin, avoidance.narrow, avoidance.solve_batch, fill_table, grows_at
    )
    code: ClassVar[Code] = plain.compiled()
    words_a_bucket: ClassVar[int] = 4
    least_bits: ClassVar[int] = 9

    def __init__(self, rules: LineRules, memory: int) -> None:
        super().__init__(rules, memory)
        self.game: avoidance.Game = game_of(rules)
        windows = [number for window in rules.lines.windows for number in window]
        self.constants: NDArray[np.uint64] = np.array(windows, np.uint64)

    def worker(self, variation: int = 0) -> AvoidanceWorker:
        """Return a new worker on the table; those of different variations go different ways."""
        return AvoidanceWorker(self, variation)


class AvoidanceWorker(Worker):
    """The state of one search."""

    def __init__(self, kernel: AvoidanceKernel, variation: int) -> None:
        depth = kernel.rules.shape.cells + 2
        super().__init__(kernel, int(avoidance.FRAME) * depth, avoidance.NUMBERS * depth, variation)
        self.kernel = kernel

    def begin(self, position: Position) -> None:
        """Set the search to a position that is not over, and its range to what is seen at once."""
        kernel, own, other = self.kernel, *map(np.uint64, marks_of(position))
        arrays = self.frames, self.numbers, kernel.constants
        self.code.begin(own, other, *arrays, kernel.game, self.control)

    def fill_table(self) -> None:
        """Let the table become as large as it may be."""
        self.code.fill_table(self.kernel.table, self.kernel.spare, self.control)

    def state(self) -> tuple[Any, ...]:
        """Return what the compiled functions take, in their order."""
        kernel = self.kernel
        table = kernel.table, kernel.spare
        return self.frames, self.numbers, kernel.constants, *table, kernel.game, self.control


def game_of(rules: LineRules) -> avoidance.Game:
    """Return the parameters of a game."""
    rows, columns = rules.shape
    board = (1 << rows * columns) - 1
    bottom = board & ~(board >> columns)
    words = avoidance.Game(
        board=board,
        floor=bottom if rules.gravity else board,
        columns=columns,
        cells=rows * columns,
        length=rules.length,
        directions=len(rules.lines.windows),
    )
    return avoidance.Game(*map(np.uint64, words))
