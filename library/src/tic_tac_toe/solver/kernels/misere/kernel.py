"""The misère kernel as an object: from rules and positions to its words and back."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.solver.kernels.driver import Code, Parts, assemble
from tic_tac_toe.solver.kernels.kernel import Kernel
from tic_tac_toe.solver.kernels.misere.board import Game
from tic_tac_toe.solver.kernels.misere.search import FRAME, NUMBERS, PARTS


class MisereKernel(Kernel):
    """A game that is played misère, on at most 64 cells: its parameters and the table."""

    parts: ClassVar[Parts] = PARTS
    plain: ClassVar[Code] = assemble(PARTS)
    machine_code: ClassVar[Code] = plain.compiled(PARTS.name)

    def __init__(
        self, rules: LineRules, memory: int, *, code: Code | None = None, least_bits: int = 9
    ) -> None:
        windows = [number for window in rules.lines.windows for number in window]
        constants = np.array(windows, np.uint64)
        super().__init__(rules, memory, game_of(rules), constants, code=code, least_bits=least_bits)

    def new_frames(self) -> NDArray[np.uint64]:
        """Return the stack's words."""
        return np.zeros(int(FRAME) * (self.rules.shape.cells + 2), np.uint64)

    def new_numbers(self) -> NDArray[np.int64]:
        """Return the stack's signed numbers."""
        return np.zeros(NUMBERS * (self.rules.shape.cells + 2), np.int64)


def game_of(rules: LineRules) -> Game:
    """Return the parameters of a game."""
    rows, columns = rules.shape
    board = (1 << rows * columns) - 1
    bottom = board & ~(board >> columns)
    words = Game(
        board=board,
        floor=bottom if rules.gravity else board,
        columns=columns,
        cells=rows * columns,
        length=rules.length,
        directions=len(rules.lines.windows),
    )
    return Game(*map(np.uint64, words))
