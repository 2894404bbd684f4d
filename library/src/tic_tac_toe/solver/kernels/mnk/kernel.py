"""The m,n,k kernel as an object: from rules and positions to its words and back."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE, TORUS
from tic_tac_toe.solver.kernels.driver import Code, Parts, assemble
from tic_tac_toe.solver.kernels.kernel import Kernel
from tic_tac_toe.solver.kernels.mnk.board import FRAME, IMAGES, NUMBERS, SCRATCH, TERNARY, Game
from tic_tac_toe.solver.kernels.mnk.search import PARTS


class MnkKernel(Kernel):
    """A game without gravity, on at most 64 cells: its lines, its symmetries and the table."""

    parts: ClassVar[Parts] = PARTS
    plain: ClassVar[Code] = assemble(PARTS)
    machine_code: ClassVar[Code] = plain.compiled(PARTS.name)

    def __init__(
        self, rules: LineRules, memory: int, *, code: Code | None = None, least_bits: int = 9
    ) -> None:
        game, constants = game_of(rules), constants_of(rules)
        super().__init__(rules, memory, game, constants, code=code, least_bits=least_bits)

    def new_frames(self) -> NDArray[np.uint64]:
        """Return the stack's words, and above them those that one node uses at a time."""
        return np.zeros(int(self.game.scratch) + SCRATCH, np.uint64)

    def new_numbers(self) -> NDArray[np.int64]:
        """Return the stack's signed numbers."""
        return np.zeros(NUMBERS * (self.rules.shape.cells + 2), np.int64)


def game_of(rules: LineRules) -> Game:
    """Return the parameters of a game."""
    cells = rules.shape.cells
    words = Game(
        board=(1 << cells) - 1,
        cells=cells,
        lines=len(rules.lines.places),
        images=len(_symmetries(rules)),
        scratch=int(FRAME) * (cells + 2),
    )
    return Game(*map(np.uint64, words))


def _symmetries(rules: LineRules) -> tuple[tuple[int, ...], ...]:
    """Return the permutations by which positions are one; of a torus only those of the rectangle.

    All that a torus has, 512 on 8 x 8, cost more than the positions that they spare.
    """
    topology = PLANE if rules.topology == TORUS else rules.topology
    return topology.symmetries(rules.shape, False)


def constants_of(rules: LineRules) -> NDArray[np.uint64]:
    """Return the places for lines, the bytes as ternary numbers, and the images of bytes."""
    images = _symmetries(rules)
    constants = np.zeros(int(IMAGES) + 2048 * len(images), np.uint64)
    places = [line.mask for line in rules.lines.places]
    constants[: len(places)] = places
    for byte in range(256):
        constants[int(TERNARY) + byte] = int(f"{byte:b}", 3)
    for number, image in enumerate(images):
        for cell, target in enumerate(image):
            base = int(IMAGES) + 2048 * number + 256 * (cell // 8)
            for byte in range(256):
                if byte >> cell % 8 & 1:
                    constants[base + byte] |= np.uint64(1 << target)
    return constants
