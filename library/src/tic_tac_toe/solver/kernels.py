"""What kernels are to the driver: a table that workers share, and workers, which are arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere, without_misere
from tic_tac_toe.solver.compiling import Compiled
from tic_tac_toe.solver.questions import (
    CONTROLS,
    GROW_AT,
    GROWTH_BITS,
    NEVER,
    NEXT,
    NODES,
    SHARING,
    TABLE_BITS,
    TABLE_LIMIT,
    TABLE_START,
    VARIATION,
)
from tic_tac_toe.solver.support import check_support

WORD_BYTES = 8


class Code(NamedTuple):
    """The functions of a kernel, as machine code or as they stand."""

    begin: Callable[..., Any]
    narrow: Callable[..., int]
    solve_batch: Callable[..., int]
    fill_table: Callable[..., Any]
    grows_at: Callable[[int], int]

    def compiled(self, game: tuple[Any, ...] | None = None) -> Code:
        """Return them as machine code, which is made or loaded when they are called.

        Args:
            game: parameters that are compiled in: the code is faster, and is for that game alone.
        """
        begin, narrow, solve_batch = (Compiled(function, game) for function in self[:3])
        return Code(begin, narrow, solve_batch, Compiled(self.fill_table), self.grows_at)


class Kernel(ABC):
    """What the workers on a game share: its parameters and the transposition table.

    Args:
        rules: the game, or the one that is played misère.
        memory: the most that the table may take, in bytes; it is never less than 16 KiB, nor than
            the exact keys of the game need.
    """

    #: The functions as they stand, and those that are called.
    plain: ClassVar[Code]
    code: ClassVar[Code]
    words_a_bucket: ClassVar[int]
    #: log2 of the buckets that a search begins with.
    least_bits: ClassVar[int]

    def __init__(self, rules: LineRules, memory: int) -> None:
        self.rules: LineRules = rules
        last = self.bits_needed()
        self.first_bits: int = last
        while WORD_BYTES * self.words_a_bucket << (last + GROWTH_BITS) <= memory:
            last += GROWTH_BITS
        self.last_bits: int = last
        # Zeros cost nothing until they are touched.
        self.table: NDArray[np.uint64] = np.zeros(self.words_a_bucket << last, np.uint64)
        spare = self.words_a_bucket << max(self.first_bits, last - GROWTH_BITS)
        self.spare: NDArray[np.uint64] = np.zeros(spare, np.uint64)

    def bits_needed(self) -> int:
        """Return log2 of the buckets that the table has at least."""
        return self.least_bits

    @abstractmethod
    def worker(self, variation: int = 0) -> Worker:
        """Return a new worker on the table; those of different variations go different ways."""

    def batch(
        self, positions: Sequence[Position], lows: NDArray[np.int64], highs: NDArray[np.int64]
    ) -> Batch:
        """Return a worker that narrows the range of each position, all in one compiled call."""
        marks = np.array([marks_of(position) for position in positions], np.uint64)
        own, other = np.ascontiguousarray(marks.reshape(-1, 2).T)
        return Batch(self.worker(), *self.words_of(own, other), lows, highs)

    def words_of(self, own: Any, other: Any) -> tuple[Any, Any]:
        """Return what the kernel is told of positions, from the marks of the two sides.

        Args:
            own, other: integers, or arrays of as many words as there are positions.
        """
        return own, other

    def words_in_use(self, worker: Worker) -> int:
        """Return how much of the table the worker uses so far, from its start."""
        return self.words_a_bucket << int(worker.control[TABLE_BITS])

    def stay_as_large(self, worker: Worker) -> None:
        """Let the table never become larger than the worker's is now."""
        self.last_bits = int(worker.control[TABLE_BITS])
        worker.control[TABLE_LIMIT] = self.last_bits

    def gather(self, workers: Sequence[Worker]) -> int:
        """Let workers search together, in a table of the size that is due; return for how long.

        Only the first may be under way. At so many nodes of all they are to be gathered again.
        """
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


class Worker(ABC):
    """The state of one search, in arrays; one a thread.

    Args:
        kernel: whose table it works on.
        frames, numbers: the sizes of the two arrays of its stack.
        variation: 0, or another for an order of moves of its own.
    """

    def __init__(self, kernel: Kernel, frames: int, numbers: int, variation: int) -> None:
        self.code: Code = kernel.code
        self.frames: NDArray[np.uint64] = np.zeros(frames, np.uint64)
        self.numbers: NDArray[np.int64] = np.zeros(numbers, np.int64)
        self.control: NDArray[np.int64] = np.zeros(CONTROLS, np.int64)
        self.control[TABLE_START] = self.control[TABLE_BITS] = kernel.first_bits
        self.control[TABLE_LIMIT] = kernel.last_bits
        self.control[GROW_AT] = self.code.grows_at(kernel.first_bits)
        self.control[VARIATION] = variation

    @abstractmethod
    def begin(self, position: Position) -> None:
        """Set the search to a position that is not over, and its range to what is seen at once."""

    @abstractmethod
    def fill_table(self) -> None:
        """Let the table become as large as it may be."""

    @abstractmethod
    def state(self) -> tuple[Any, ...]:
        """Return what the compiled functions take, in their order."""

    def narrow(self, until: int) -> int:
        """Search until the range is one score (FINISHED), or for so many nodes (PAUSED)."""
        return self.code.narrow(*self.state(), until)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that the state consists of, the table apart."""
        return {"frames": self.frames, "numbers": self.numbers, "control": self.control}


class Batch:
    """A worker on many positions, one after the other.

    Args:
        worker: who works.
        first, second: the words that tell the kernel of each position.
        lows, highs: what is asked of each score, and then what is known of it.
    """

    def __init__(
        self,
        worker: Worker,
        first: NDArray[np.uint64],
        second: NDArray[np.uint64],
        lows: NDArray[np.int64],
        highs: NDArray[np.int64],
    ) -> None:
        self._worker = worker
        self._positions = first, second, lows, highs
        self.control: NDArray[np.int64] = worker.control

    def narrow(self, until: int) -> int:
        """Search until all are known (FINISHED), or for so many nodes (PAUSED)."""
        return self._worker.code.solve_batch(*self._positions, *self._worker.state(), until)

    @property
    def done(self) -> int:
        """How many positions are solved."""
        return int(self.control[NEXT])


def marks_of(position: Position) -> tuple[int, int]:
    """Return the marks of the side to move, and those of the other."""
    own, other = position.stones if position.turn == 0 else position.stones[::-1]
    return own, other


def kernel_for(rules: Rules, memory: int) -> Kernel:
    """Return the kernel of a game.

    Args:
        memory: the most bytes for its table.

    Raises:
        InvalidVariant: the fast solver does not solve the game.
    """
    check_support(rules)
    inner = without_misere(rules)
    assert isinstance(inner, LineRules), "nothing else is supported"
    if isinstance(rules, Misere):
        from tic_tac_toe.solver.avoidance_kernel import AvoidanceKernel

        return AvoidanceKernel(inner, memory)
    if inner.gravity:
        from tic_tac_toe.solver.gravity_kernel import ConnectFourKernel, GravityKernel

        four = inner == CONNECT_FOUR
        return ConnectFourKernel(memory) if four else GravityKernel(inner, memory)
    from tic_tac_toe.solver.lines_kernel import LinesKernel

    return LinesKernel(inner, memory)
