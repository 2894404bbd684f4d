"""The gravity kernel as an object: from rules and positions to its words and back."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.solver import gravity
from tic_tac_toe.solver.gravity_board import Game
from tic_tac_toe.solver.gravity_table import grows_at
from tic_tac_toe.solver.kernels import Code, Kernel, Worker, marks_of
from tic_tac_toe.solver.questions import SYMMETRIC_UNTIL

#: From a position that is its own reflection, positions and reflections are one for so many plies.
SYMMETRIC_PLIES = 14
#: An entry has room for so many bits of a key besides those that number its bucket.
TAG_BITS = 44


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
    )
    return Game(*map(np.uint64, words))


class GravityKernel(Kernel):
    """A game with gravity, on a board of at most 64 bits (see `gravity_board`), and its table."""

    plain: ClassVar[Code] = Code(
        gravity.begin, gravity.narrow, gravity.solve_batch, gravity.fill_table, grows_at
    )
    code: ClassVar[Code] = plain.compiled()
    words_a_bucket: ClassVar[int] = 2
    least_bits: ClassVar[int] = 10

    def __init__(self, rules: LineRules, memory: int) -> None:
        self.game: Game = game_of(rules)
        super().__init__(rules, memory)
        self.busy: NDArray[np.uint64] = np.zeros(gravity.MARKS, np.uint64)

    def bits_needed(self) -> int:
        """Return log2 of the buckets that the table has at least: the exact keys need them."""
        return max(self.least_bits, int(self.game.key_bits) - TAG_BITS)

    def worker(self, variation: int = 0) -> GravityWorker:
        """Return a new worker on the table; all go the same way, and one another out of it."""
        return GravityWorker(self, variation)

    def words_of(self, own: Any, other: Any) -> tuple[Any, Any]:
        """Return the marks of the side to move and all marks, as bits of `gravity_board`."""
        rows, columns = self.rules.shape
        mine = mask = 0
        for cell in range(rows * columns):
            row, column = divmod(cell, columns)
            target = column * (rows + 1) + rows - 1 - row
            mine = mine | (own >> cell & 1) << target
            mask = mask | ((own | other) >> cell & 1) << target
        return mine, mask


class ConnectFourKernel(GravityKernel):
    """The game that is played most, which has machine code of its own: it takes a fifth less time.

    Every number of the game is a constant there, so that loops over columns become straight lines
    and shifts by variable amounts become shifts by fixed ones.
    """

    code: ClassVar[Code] = GravityKernel.plain.compiled(game_of(CONNECT_FOUR))

    def __init__(self, memory: int) -> None:
        super().__init__(CONNECT_FOUR, memory)


class GravityWorker(Worker):
    """The state of one search."""

    def __init__(self, kernel: GravityKernel, variation: int) -> None:
        self.kernel = kernel
        rows, columns = kernel.rules.shape
        masks = int(kernel.game.masks)
        numbers = gravity.NUMBERS * (rows * columns + 2)
        super().__init__(kernel, masks + 2 * int(kernel.game.lanes), numbers, variation)
        for column in range(columns):
            self.frames[masks + column] = (1 << rows) - 1 << column * (rows + 1)
            middle = min(2 * column, 2 * (columns - column) - 2)
            self.frames[masks + int(kernel.game.lanes) + column] = middle << 6 | column

    def begin(self, position: Position) -> None:
        """Set the search to a position that is not over, and its range to what is seen at once."""
        kernel = self.kernel
        own, mask = map(np.uint64, kernel.words_of(*marks_of(position)))
        reflected = kernel.rules.orbit(position) == 1
        self.control[SYMMETRIC_UNTIL] = position.marks + SYMMETRIC_PLIES if reflected else 0
        self.code.begin(own, mask, self.frames, self.numbers, kernel.game, self.control)

    def fill_table(self) -> None:
        """Let the table become as large as it may be."""
        kernel = self.kernel
        table = kernel.table, kernel.spare
        self.code.fill_table(self.frames, *table, kernel.game, self.control)

    def state(self) -> tuple[Any, ...]:
        """Return what the compiled functions take, in their order."""
        kernel = self.kernel
        table = kernel.table, kernel.spare, kernel.busy
        return self.frames, self.numbers, *table, kernel.game, self.control
