"""The gravity kernel as an object: from rules and positions to its words and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.solver.kernels.control import SYMMETRIC_UNTIL
from tic_tac_toe.solver.kernels.driver import Code, Parts, assemble
from tic_tac_toe.solver.kernels.gravity.board import Game
from tic_tac_toe.solver.kernels.gravity.search import FRAME, MARKS, NUMBERS, PARTS
from tic_tac_toe.solver.kernels.kernel import Kernel

#: For this number of plies from a position that is its own reflection, positions and their
#: reflections are looked up as one.
SYMMETRIC_PLIES = 14
#: The bits of a key for which an entry has room, besides those that number its bucket.
TAG_BITS = 44


class Layout(NamedTuple):
    """What all kernels of a game have in common.

    Attributes:
        places: for each eight cells the number of the first, and by which of them have marks, the
            bits of `board` that these are.
        frames: the words of a worker's stack to begin with: zeros, and above them the columns'
            masks, and their order and numbers.
    """

    game: Game
    places: tuple[tuple[int, NDArray[np.uint64]], ...]
    frames: NDArray[np.uint64]


@lru_cache(maxsize=16)
def layout_of(rules: LineRules) -> Layout:
    """Return what the kernels of a game share; the array is not to be written to."""
    rows, columns = rules.shape
    game = game_of(rules)
    bits = [column * (rows + 1) + row for row in reversed(range(rows)) for column in range(columns)]
    masks, lanes = int(game.masks), int(game.lanes)
    frames = np.zeros(masks + 2 * lanes, np.uint64)
    for column in range(columns):
        frames[masks + column] = (1 << rows) - 1 << column * (rows + 1)
        middle = min(2 * column, 2 * (columns - column) - 2)
        frames[masks + lanes + column] = middle << 6 | column
    frames.flags.writeable = False
    places = [(first, _sums(bits[first : first + 8])) for first in range(0, len(bits), 8)]
    return Layout(game, tuple(places), frames)


def _sums(bits: Sequence[int]) -> NDArray[np.uint64]:
    """Return the words in which some of these bits are set, by a byte that says which."""
    sums = (sum(1 << bit for at, bit in enumerate(bits) if byte >> at & 1) for byte in range(256))
    return np.fromiter(sums, np.uint64, 256)


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
        masks=int(FRAME) * (rows * columns + 2),
        four=int(rules.length == 4 and min(rows, columns) >= 4),
    )
    return Game(*map(np.uint64, words))


class GravityKernel(Kernel):
    """A game with gravity, on a board of at most 64 bits (see `board`), and its table."""

    parts: ClassVar[Parts] = PARTS
    plain: ClassVar[Code] = assemble(PARTS)
    machine_code: ClassVar[Code] = plain.compiled(PARTS.name)

    def __init__(
        self,
        rules: LineRules,
        memory: int,
        *,
        code: Code | None = None,
        least_bits: int = 10,
    ) -> None:
        self._layout = layout_of(rules)
        words = self._layout.game
        busy = np.zeros(MARKS, np.uint64)
        least_bits = max(least_bits, int(words.key_bits) - TAG_BITS)  # the exact keys need them
        super().__init__(rules, memory, words, busy, code=code, least_bits=least_bits)

    def new_frames(self) -> NDArray[np.uint64]:
        """Return the stack's words; see `Layout`."""
        frames: NDArray[np.uint64] = self._layout.frames.copy()
        return frames

    def new_numbers(self) -> NDArray[np.int64]:
        """Return the stack's signed numbers."""
        return np.zeros(NUMBERS * (self.rules.shape.cells + 2), np.int64)

    def prepare(self, control: NDArray[np.int64], position: Position) -> None:
        """Say until which ply reflections are looked up."""
        reflected = self.rules.orbit(position) == 1
        control[SYMMETRIC_UNTIL] = position.marks + SYMMETRIC_PLIES if reflected else 0

    def words_of(self, own: Any, other: Any) -> tuple[Any, Any]:
        """Return the marks of the side to move and all marks, as bits of `board`."""
        mine = theirs = 0
        for first, places in self._layout.places:
            mine = mine | places[own >> first & 255]
            theirs = theirs | places[other >> first & 255]
        return mine, mine | theirs


class ConnectFourKernel(GravityKernel):
    """The game that is played most, which has machine code of its own: it takes a fifth less time.

    Every number of the game is a constant there, so that loops over columns become straight lines
    and shifts by variable amounts become shifts by fixed ones.
    """

    machine_code: ClassVar[Code] = GravityKernel.plain.compiled(PARTS.name, game_of(CONNECT_FOUR))

    def __init__(self, memory: int) -> None:
        super().__init__(CONNECT_FOUR, memory)
