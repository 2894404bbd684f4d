"""What the driver asks of a kernel, and which kernel solves which game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere, without_misere
from tic_tac_toe.solver.support import check_support


class Worker(Protocol):
    """The state of one search, in arrays; one a thread."""

    control: NDArray[np.int64]

    def begin(self, position: Position) -> None:
        """Set the search to a position that is not over, and its range to what is seen at once."""

    def narrow(self, until: int) -> int:
        """Search until the range is one score (FINISHED), or for so many nodes (PAUSED)."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that the state consists of, the table apart."""


class Batch(Worker, Protocol):
    """A worker on many positions, one after the other."""

    @property
    def done(self) -> int:
        """How many positions are solved."""


class Kernel(Protocol):
    """What the workers on a game share: its parameters and the transposition table."""

    table: NDArray[np.uint64]

    def worker(self, variation: int = 0, /) -> Worker:
        """Return a new worker on the table; those of different variations go different ways."""

    def batch(
        self, positions: Sequence[Position], lows: NDArray[np.int64], highs: NDArray[np.int64]
    ) -> Batch:
        """Return a worker that narrows the range of each position, all in one compiled call."""

    def words_in_use(self, worker: Worker) -> int:
        """Return how much of the table the worker uses so far, from its start."""

    def fill_table(self, workers: Sequence[Worker]) -> None:
        """Let all workers use the whole table from now on, as those that share it must."""


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
        from tic_tac_toe.solver.gravity_kernel import GravityKernel

        return GravityKernel(inner, memory)
    from tic_tac_toe.solver.lines_kernel import LinesKernel

    return LinesKernel(inner, memory)
