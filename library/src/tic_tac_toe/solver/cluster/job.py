"""One question about one position, answered within a number of nodes: what workers run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from tic_tac_toe.limits import LEAST_MEMORY, MEBIBYTE, Limits
from tic_tac_toe.logic.exceptions import GameError, SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.solver.saving import code_digest
from tic_tac_toe.solver.session import FastSolver

#: What all tables of a worker take at most, as a part of its memory, and each of them at most.
TABLES_SHARE = 0.5
MOST_TABLE = 256 * MEBIBYTE

_own = threading.local()


class OtherVersion(GameError, RuntimeError):
    """The solver of a worker is another version than the one that asks."""


class Answer(NamedTuple):
    """What a job has found: bounds on the score, settled or not, and the nodes that it took."""

    low: int
    high: int
    nodes: int


class BriefSolver:
    """A fast solver on one thread that gives up a question after some nodes, and goes on later.

    Args:
        rules: the game.
        memory: bytes for its table, see `Limits`.
        stop: asked many times a second; a question is given up soon after it says yes.
    """

    def __init__(
        self, rules: Rules, memory: int | None, stop: Callable[[], bool] = lambda: False
    ) -> None:
        self.rules: Rules = rules
        self.memory: int | None = memory
        self._until = 0
        self._stop = stop
        limits = Limits(memory=memory, threads=1, cancelled=self._has_enough)
        self._solver = FastSolver(rules, limits)

    @property
    def nodes(self) -> int:
        """How many positions have been looked at so far."""
        return self._solver.nodes

    def ask(self, position: Position, low: int, high: int, nodes: int) -> Answer:
        """Return what is known of the score after these nodes: see `FastSolver.bounds`."""
        before = self._solver.nodes
        self._until = before + nodes
        try:
            found = self._solver.bounds(position, low, high)
        except SearchLimitReached as error:
            found = error.bounds or (-MATE, MATE)
        return Answer(*found, self._solver.nodes - before)

    def _has_enough(self) -> bool:
        return self._solver.nodes >= self._until or self._stop()


def answer(
    rules: Rules,
    stones: tuple[int, int],
    turn: int,
    bound: int,
    nodes: int,
    memory: int | None,
    code: str,
) -> Answer:
    """Answer on a worker whether the score of a position is at least ``bound``.

    Each thread keeps its solver, with the table, from one job of a game to the next. A table only
    saves time, so that the answer is the same wherever a job runs, and however often.

    Raises:
        OtherVersion: this worker's solver is another version than ``code``.
    """
    if code != code_digest():
        raise OtherVersion(
            "another version of the fast solver is installed there", "cluster_version"
        )
    solver: BriefSolver | None = getattr(_own, "solver", None)
    if solver is None or (solver.rules, solver.memory) != (rules, memory):
        _own.solver = None  # frees the old table before the new one is made
        solver = BriefSolver(rules, memory or _table_bytes())
        solver.memory = memory
        _own.solver = solver
    return solver.ask(Position(stones, turn), bound - 1, bound, nodes)


def _table_bytes() -> int | None:
    """Return what the table of one thread of this worker may take."""
    from distributed import get_worker

    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    if not limit:
        return None
    share = int(limit * TABLES_SHARE) // int(worker.state.nthreads)
    return max(LEAST_MEMORY, min(MOST_TABLE, share))
