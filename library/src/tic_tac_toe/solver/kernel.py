"""Kernels as objects: a table that workers share, workers, which are arrays, and their games.

The compiled functions are in the package `kernels`, which imports nothing of the solver outside.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import PLANE, TORUS
from tic_tac_toe.logic.rules.wrappers import Misere, without_misere
from tic_tac_toe.solver.kernels import misere
from tic_tac_toe.solver.kernels.compiling import Compiled
from tic_tac_toe.solver.kernels.control import (
    CONTROLS,
    FINISHED,
    GROW_AT,
    GROWTH_BITS,
    NEVER,
    NODES,
    SHARING,
    SYMMETRIC_UNTIL,
    TABLE_BITS,
    TABLE_LIMIT,
    TABLE_START,
    VARIATION,
    Code,
    Parts,
    assemble,
)
from tic_tac_toe.solver.kernels.gravity import board as gravity_board
from tic_tac_toe.solver.kernels.gravity import search as gravity
from tic_tac_toe.solver.kernels.mnk import board as mnk_board
from tic_tac_toe.solver.kernels.mnk.search import PARTS as MNK_PARTS
from tic_tac_toe.solver.support import check_searched

WORD_BYTES = 8
#: For this number of plies from a position that is its own reflection, positions and their
#: reflections are looked up as one.
SYMMETRIC_PLIES = 14
#: The bits of a key for which an entry has room, besides those that number its bucket.
TAG_BITS = 44


def kernel_for(rules: Rules, memory: int) -> Kernel:
    """Return the kernel of a game.

    Args:
        memory: the most bytes for its table.

    Raises:
        InvalidVariant: the fast solver does not solve the game.
    """
    kernel = kernel_type(rules)
    inner = without_misere(rules)
    assert isinstance(inner, LineRules), "nothing else is supported"
    if issubclass(kernel, ConnectFourKernel):
        return kernel(memory)
    return kernel(inner, memory)


def kernel_type(rules: Rules) -> type[ConnectFourKernel | GravityKernel | MisereKernel | MnkKernel]:
    """Return the class of the kernel of a game.

    Raises:
        InvalidVariant: the fast solver does not support the game, or it has the pie rule, which a
            kernel does not know.
    """
    check_searched(rules)
    if isinstance(rules, Misere):
        return MisereKernel
    inner = without_misere(rules)
    if isinstance(inner, LineRules) and not inner.gravity:
        return MnkKernel
    return ConnectFourKernel if inner == CONNECT_FOUR else GravityKernel


class Kernel(ABC):
    """The parameters of a game and its transposition table, which workers share.

    Args:
        rules: the game, or the one that is played misère.
        memory: the most that the table may take, in bytes; it is never less than 16 KiB, nor than
            the exact keys of the game need.
        game: the parameters, as the kernel's functions take them.
        shared: an array of the kernel's own that all workers use.
        code: the functions, the kernel's machine code unless given.
        least_bits: log2 of the buckets that a search begins with.
    """

    parts: ClassVar[Parts]
    #: The functions as they stand, and as machine code.
    plain: ClassVar[Code]
    machine_code: ClassVar[Code]

    def __init__(
        self,
        rules: LineRules,
        memory: int,
        game: Any,
        shared: NDArray[np.uint64],
        *,
        code: Code | None,
        least_bits: int,
    ) -> None:
        self.rules: LineRules = rules
        self.game: Any = game
        self.shared: NDArray[np.uint64] = shared
        self.code: Code = code or self.machine_code
        last, bucket_words = least_bits, self.parts.bucket_words
        self.first_bits: int = least_bits
        while WORD_BYTES * bucket_words << (last + GROWTH_BITS) <= memory:
            last += GROWTH_BITS
        self.last_bits: int = last
        # Most positions that people ask about need no more than the table to begin with.
        self._table: NDArray[np.uint64] = np.zeros(bucket_words << least_bits, np.uint64)
        self._spare: NDArray[np.uint64] = self._table[:1]

    @property
    def has_code(self) -> bool:
        """Whether machine code is loaded, so that a search begins at once."""
        code = self.code.begin, self.code.narrow
        return all(isinstance(one, Compiled) and one.is_loaded for one in code)

    @property
    def table(self) -> NDArray[np.uint64]:
        """The table, as large as it may become."""
        self.allocate()
        return self._table

    @property
    def words(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """The table as large as it is now, and the words to which it is copied while it grows."""
        return self._table, self._spare

    def allocate(self, bits: int | None = None) -> None:
        """Make the table larger if it is not so large yet, or as large as it may become.

        Args:
            bits: log2 of the buckets. Less memory takes less time, for it is cleared by pages.
        """
        words = self.parts.bucket_words << (self.last_bits if bits is None else bits)
        if (begun := self._table).size < words:
            self._table = np.zeros(words, np.uint64)
            self._table[: begun.size] = begun
            self._spare = np.zeros(words >> GROWTH_BITS, np.uint64)

    @abstractmethod
    def new_frames(self) -> NDArray[np.uint64]:
        """Return the words of a worker's stack."""

    def prepare(self, control: NDArray[np.int64], position: Position) -> None:
        """Set the control words that depend on the position which is about to begin."""
        control[SYMMETRIC_UNTIL] = 0

    def words_of(self, own: Any, other: Any) -> tuple[Any, Any]:
        """Return positions as the kernel takes them, from the marks of the two sides.

        Args:
            own, other: of the side to move and of the other; integers, or arrays with a word a
                position.
        """
        return own, other

    def worker(self, variation: int = 0) -> Worker:
        """Return a new worker on the table.

        Args:
            variation: 0, or another number for an order of moves of its own, where the kernel does
                not divide the moves among workers.
        """
        return Worker(self, variation)

    def batch(
        self, positions: Sequence[Position], lows: NDArray[np.int64], highs: NDArray[np.int64]
    ) -> Batch:
        """Return a worker that narrows the range of each position, all in one compiled call."""
        marks = np.array([marks_of(position) for position in positions], np.uint64)
        own, other = np.ascontiguousarray(marks.reshape(-1, 2).T)
        return Batch(self.worker(), *self.words_of(own, other), lows, highs)

    def words_in_use(self, worker: Worker) -> int:
        """Return how many words of the table the worker uses so far, from its start."""
        return self.parts.bucket_words << int(worker.control[TABLE_BITS])

    def stay_as_large(self, worker: Worker) -> None:
        """Let the table never become larger than the worker's is now."""
        worker.make_room()
        self.last_bits = int(worker.control[TABLE_BITS])
        worker.control[TABLE_LIMIT] = self.last_bits

    def gather(self, workers: Sequence[Worker]) -> int:
        """Prepare workers to share the table; only the first may be under way.

        Returns:
            the count of nodes of all at which to call this again, for a larger table.
        """
        for worker in workers:
            worker.make_room()
        lead, nodes = workers[0].control, sum(int(one.control[NODES]) for one in workers)
        bits = int(lead[TABLE_BITS])
        while bits + GROWTH_BITS <= self.last_bits and nodes >= self.code.grows_at(bits):
            bits += GROWTH_BITS
        lead[TABLE_LIMIT] = bits
        workers[0].fill_table()
        for worker in workers:
            worker.control[[GROW_AT, TABLE_BITS]] = lead[[GROW_AT, TABLE_BITS]]
            worker.control[SHARING] = 1
        return self.code.grows_at(bits) if bits + GROWTH_BITS <= self.last_bits else NEVER


class Worker:
    """The state of one search, in arrays; one a thread.

    Args:
        kernel: whose table it works on.
        variation: see `Kernel.worker`.
    """

    def __init__(self, kernel: Kernel, variation: int) -> None:
        self.kernel: Kernel = kernel
        self.frames: NDArray[np.uint64] = kernel.new_frames()
        levels = kernel.rules.shape.cells + 2
        self.numbers: NDArray[np.int64] = np.zeros(kernel.parts.numbers * levels, np.int64)
        self.control: NDArray[np.int64] = np.zeros(CONTROLS, np.int64)
        self.control[TABLE_START] = self.control[TABLE_BITS] = kernel.first_bits
        self.control[TABLE_LIMIT] = kernel.first_bits
        self.control[GROW_AT] = kernel.code.grows_at(kernel.first_bits)
        self._has_room = kernel.first_bits == kernel.last_bits
        self._bound: tuple[NDArray[np.uint64], Callable[[int], int]] | None = None
        self.control[VARIATION] = variation

    def begin(self, position: Position) -> None:
        """Set the search to a position that is not over, and its range to the obvious bounds."""
        kernel, control = self.kernel, self.control
        kernel.prepare(control, position)
        first, second = map(np.uint64, kernel.words_of(*marks_of(position)))
        arrays = self.frames, self.numbers, kernel.shared
        kernel.code.begin(first, second, *arrays, kernel.game, control)

    def make_room(self) -> None:
        """Let the table grow from now on."""
        if not self._has_room:
            self._has_room = True
            self.kernel.allocate()
            self.control[TABLE_LIMIT] = self.kernel.last_bits

    def _make_next_room(self) -> None:
        """Let the table grow once more, at a small cost."""
        bits = int(self.control[TABLE_BITS]) + GROWTH_BITS
        self.kernel.allocate(bits)
        self.control[TABLE_LIMIT] = bits
        self._has_room = bits == self.kernel.last_bits

    def fill_table(self) -> None:
        """Let the table become as large as it may be."""
        self.make_room()
        kernel = self.kernel
        kernel.code.fill_table(self.frames, *kernel.words, kernel.game, self.control)

    def state(self) -> tuple[Any, ...]:
        """Return the arguments of the compiled functions, in their order."""
        kernel = self.kernel
        arrays = self.frames, self.numbers, kernel.shared, *kernel.words
        return *arrays, kernel.game, self.control

    def narrow(self, until: int) -> int:
        """Search until the range is one score (FINISHED), or until NODES is ``until`` (PAUSED)."""
        while not self._has_room:
            grow_at = int(self.control[GROW_AT])
            status = self._call(min(until, grow_at))
            if status == FINISHED:
                return status
            if self.control[GROW_AT] == NEVER:  # the table has become too small
                self._make_next_room()
                self.control[GROW_AT] = grow_at
            elif self.control[NODES] >= until:
                return status
        return self._call(until)

    def _call(self, until: int) -> int:
        """Run the search, bound once to all that it works on as long as that is the same."""
        table = self.kernel.words[0]
        if self._bound is None or self._bound[0] is not table:
            narrow, state = self.kernel.code.narrow, self.state()
            bound = narrow.bind(*state) if isinstance(narrow, Compiled) else partial(narrow, *state)
            self._bound = table, bound
        return self._bound[1](until)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that the state consists of, the table apart."""
        return {"frames": self.frames, "numbers": self.numbers, "control": self.control}


class Batch:
    """A worker on many positions, one after the other.

    Args:
        worker: the one that searches.
        first, second: the words that tell the kernel of each position.
        lows, highs: the range asked of each score, and then its proved bounds.
    """

    def __init__(
        self,
        worker: Worker,
        first: NDArray[np.uint64],
        second: NDArray[np.uint64],
        lows: NDArray[np.int64],
        highs: NDArray[np.int64],
    ) -> None:
        worker.make_room()
        self._worker = worker
        self._positions = first, second, lows, highs
        self.control: NDArray[np.int64] = worker.control

    def narrow(self, until: int) -> int:
        """Search until all are known (FINISHED), or until NODES is ``until`` (PAUSED)."""
        code = self._worker.kernel.code
        return code.solve_batch(*self._positions, *self._worker.state(), until)


def marks_of(position: Position) -> tuple[int, int]:
    """Return the marks of the side to move, and those of the other."""
    own, other = position.stones if position.turn == 0 else position.stones[::-1]
    return own, other


class GravityConstants(NamedTuple):
    """The constants that all kernels of a game have in common.

    Attributes:
        places: for each eight cells the number of the first, and a table from bytes of marks to
            the bits of `gravity.board`.
        frames: the words of a worker's stack to begin with: zeros, and above them the columns'
            masks, and their order and numbers.
    """

    game: gravity_board.Game
    places: tuple[tuple[int, NDArray[np.uint64]], ...]
    frames: NDArray[np.uint64]


@lru_cache(maxsize=16)
def gravity_constants(rules: LineRules) -> GravityConstants:
    """Return the constants of a game; the array is not to be written to."""
    rows, columns = rules.shape
    game = gravity_game(rules)
    bits = [column * (rows + 1) + row for row in reversed(range(rows)) for column in range(columns)]
    masks, lanes = int(game.masks), int(game.lanes)
    frames = np.zeros(masks + 2 * lanes, np.uint64)
    for column in range(columns):
        frames[masks + column] = (1 << rows) - 1 << column * (rows + 1)
        middle = min(2 * column, 2 * (columns - column) - 2)
        frames[masks + lanes + column] = middle << 6 | column
    frames.flags.writeable = False
    places = [(first, _sums(bits[first : first + 8])) for first in range(0, len(bits), 8)]
    return GravityConstants(game, tuple(places), frames)


def _sums(bits: Sequence[int]) -> NDArray[np.uint64]:
    """Return the words in which some of these bits are set, by a byte that says which."""
    sums = (sum(1 << bit for at, bit in enumerate(bits) if byte >> at & 1) for byte in range(256))
    return np.fromiter(sums, np.uint64, 256)


def gravity_game(rules: LineRules) -> gravity_board.Game:
    """Return the parameters of a game."""
    rows, columns = rules.shape
    up = rows + 1
    bottom = sum(1 << up * column for column in range(columns))
    odd = sum(bottom << row for row in range(rows - 2, -1, -2))
    words = gravity_board.Game(
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
    return gravity_board.Game(*map(np.uint64, words))


class GravityKernel(Kernel):
    """A game with gravity, on a board of at most 64 bits (see `board`), and its table."""

    parts: ClassVar[Parts] = gravity.PARTS
    plain: ClassVar[Code] = assemble(gravity.PARTS)
    machine_code: ClassVar[Code] = plain.compiled(gravity.PARTS.name)

    def __init__(
        self,
        rules: LineRules,
        memory: int,
        *,
        code: Code | None = None,
        least_bits: int = 10,
    ) -> None:
        self._constants = gravity_constants(rules)
        words = self._constants.game
        busy = np.zeros(gravity.MARKS, np.uint64)
        least_bits = max(least_bits, int(words.key_bits) - TAG_BITS)  # the exact keys need them
        super().__init__(rules, memory, words, busy, code=code, least_bits=least_bits)

    def new_frames(self) -> NDArray[np.uint64]:
        """Return the stack's words; see `GravityConstants`."""
        frames: NDArray[np.uint64] = self._constants.frames.copy()
        return frames

    def prepare(self, control: NDArray[np.int64], position: Position) -> None:
        """Say until which ply reflections are looked up."""
        reflected = self.rules.orbit(position) == 1
        control[SYMMETRIC_UNTIL] = position.marks + SYMMETRIC_PLIES if reflected else 0

    def words_of(self, own: Any, other: Any) -> tuple[Any, Any]:
        """Return the marks of the side to move and all marks, as bits of `gravity.board`."""
        mine = theirs = 0
        for first, places in self._constants.places:
            mine = mine | places[own >> first & 255]
            theirs = theirs | places[other >> first & 255]
        return mine, mine | theirs


class ConnectFourKernel(GravityKernel):
    """The game that is played most, which has machine code of its own: it takes a fifth less time.

    Every number of the game is a constant there, so that loops over columns become straight lines
    and shifts by variable amounts become shifts by fixed ones.
    """

    machine_code: ClassVar[Code] = GravityKernel.plain.compiled(
        gravity.PARTS.name, gravity_game(CONNECT_FOUR)
    )

    def __init__(self, memory: int) -> None:
        super().__init__(CONNECT_FOUR, memory)


def misere_game(rules: LineRules) -> misere.Game:
    """Return the parameters of a game."""
    rows, columns = rules.shape
    board = (1 << rows * columns) - 1
    bottom = board & ~(board >> columns)
    words = misere.Game(
        board=board,
        floor=bottom if rules.gravity else board,
        columns=columns,
        cells=rows * columns,
        length=rules.length,
        directions=len(rules.lines.windows),
    )
    return misere.Game(*map(np.uint64, words))


class MisereKernel(Kernel):
    """A game that is played misère, on at most 64 cells: its parameters and the table."""

    parts: ClassVar[Parts] = misere.PARTS
    plain: ClassVar[Code] = assemble(misere.PARTS)
    machine_code: ClassVar[Code] = plain.compiled(misere.PARTS.name)

    def __init__(
        self, rules: LineRules, memory: int, *, code: Code | None = None, least_bits: int = 9
    ) -> None:
        windows = [number for window in rules.lines.windows for number in window]
        constants = np.array(windows, np.uint64)
        super().__init__(
            rules, memory, misere_game(rules), constants, code=code, least_bits=least_bits
        )

    def new_frames(self) -> NDArray[np.uint64]:
        """Return the stack's words."""
        return np.zeros(int(misere.FRAME) * (self.rules.shape.cells + 2), np.uint64)


@lru_cache(maxsize=8)
def mnk_game(rules: LineRules) -> mnk_board.Game:
    """Return the parameters of a game."""
    cells = rules.shape.cells
    words = mnk_board.Game(
        board=(1 << cells) - 1,
        cells=cells,
        lines=len(rules.lines.places),
        images=len(_symmetries(rules)),
        scratch=int(mnk_board.FRAME) * (cells + 2),
    )
    return mnk_board.Game(*map(np.uint64, words))


def _symmetries(rules: LineRules) -> tuple[tuple[int, ...], ...]:
    """Return the permutations by which positions are one; of a torus only those of the rectangle.

    All that a torus has, 512 on 8 x 8, cost more than the positions that they spare.
    """
    topology = PLANE if rules.topology == TORUS else rules.topology
    return topology.symmetries(rules.shape, False)


@lru_cache(maxsize=8)  # half a second for Qubic, and `evaluate_moves` makes a kernel for each move
def mnk_constants(rules: LineRules) -> NDArray[np.uint64]:
    """Return the places for lines, the bytes as ternary numbers, and the images of bytes."""
    images = _symmetries(rules)
    constants = np.zeros(int(mnk_board.IMAGES) + 2048 * len(images), np.uint64)
    places = [line.mask for line in rules.lines.places]
    constants[: len(places)] = places
    for byte in range(256):
        constants[int(mnk_board.TERNARY) + byte] = int(f"{byte:b}", 3)
    for number, image in enumerate(images):
        for cell, target in enumerate(image):
            base = int(mnk_board.IMAGES) + 2048 * number + 256 * (cell // 8)
            for byte in range(256):
                if byte >> cell % 8 & 1:
                    constants[base + byte] |= np.uint64(1 << target)
    return constants


class MnkKernel(Kernel):
    """A game without gravity, on at most 64 cells: its lines, its symmetries and the table."""

    parts: ClassVar[Parts] = MNK_PARTS
    plain: ClassVar[Code] = assemble(MNK_PARTS)
    machine_code: ClassVar[Code] = plain.compiled(MNK_PARTS.name)

    def __init__(
        self, rules: LineRules, memory: int, *, code: Code | None = None, least_bits: int = 9
    ) -> None:
        game, constants = mnk_game(rules), mnk_constants(rules)
        super().__init__(rules, memory, game, constants, code=code, least_bits=least_bits)

    def new_frames(self) -> NDArray[np.uint64]:
        """Return the stack's words, and above them those that one node uses at a time."""
        return np.zeros(int(self.game.scratch) + mnk_board.SCRATCH, np.uint64)
