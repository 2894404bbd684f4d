"""The m,n,k kernel as an object: from rules and positions to its words and back."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.shapes import layout
from tic_tac_toe.solver import lines, lines_board
from tic_tac_toe.solver.kernels import Code, Kernel, Worker, marks_of
from tic_tac_toe.solver.lines_table import fill_table, grows_at


class LinesKernel(Kernel):
    """A game without gravity, on at most 64 cells: its lines, its symmetries and the table."""

    plain: ClassVar[Code] = Code(lines.begin, lines.narrow, lines.solve_batch, fill_table, grows_at)
    code: ClassVar[Code] = plain.compiled()
    words_a_bucket: ClassVar[int] = 4
    least_bits: ClassVar[int] = 9

    def __init__(self, rules: LineRules, memory: int) -> None:
        super().__init__(rules, memory)
        self.game: lines_board.Game = game_of(rules)
        self.constants: NDArray[np.uint64] = constants_of(rules)

    def worker(self, variation: int = 0) -> LinesWorker:
        """Return a new worker on the table; those of different variations go different ways."""
        return LinesWorker(self, variation)


class LinesWorker(Worker):
    """The state of one search."""

    def __init__(self, kernel: LinesKernel, variation: int) -> None:
        frames = int(kernel.game.scratch) + lines_board.SCRATCH
        numbers = lines_board.NUMBERS * (kernel.rules.shape.cells + 2)
        super().__init__(kernel, frames, numbers, variation)
        self.kernel = kernel

    def begin(self, position: Position) -> None:
        """Set the search to a position that is not over, and its range to what is seen at once."""
        kernel, own, other = self.kernel, *map(np.uint64, marks_of(position))
        self.code.begin(own, other, self.frames, kernel.constants, kernel.game, self.control)

    def fill_table(self) -> None:
        """Let the table become as large as it may be."""
        self.code.fill_table(self.kernel.table, self.kernel.spare, self.control)

    def state(self) -> tuple[Any, ...]:
        """Return what the compiled functions take, in their order."""
        kernel = self.kernel
        table = kernel.table, kernel.spare
        return self.frames, self.numbers, kernel.constants, *table, kernel.game, self.control


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
