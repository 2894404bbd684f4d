"""Finds plans: orders of the cells that are played out, and mended where they fail.

A plan says which empty cells the prover wants most; `tic_tac_toe.certificate_check` has the rules
that the prover plays by. The search begins with what is best where nothing else is at stake: the
cells that the prover gets when both sides fill the columns in turn, the even rows from the bottom
for the side that moves second, the odd ones for the other (V. Allis, *A Knowledge-based Approach of
Connect-Four*, 1988).
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.limits import LEAST_MEMORY, Limits, Meter
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.solver.certificates.plans import cells_by, has_plans, ranks_of
from tic_tac_toe.solver.certificates.proving import Goal, Key
from tic_tac_toe.solver.kernel import kernel_for
from tic_tac_toe.solver.kernels.gravity.plans import (
    HOLDS,
    LEVEL,
    MEND,
    OTHER,
    OWN,
    PLAY_OUT,
    POSITIONS,
    RESULTS,
    SHRINK,
    Aim,
)
from tic_tac_toe.solver.support import is_installed

#: How much of a start order is left to chance, in rows.
NOISE = 0.35
#: The bytes of the table of the solver that mends plans.
MEMORY = 1 << 26
#: How many changes are tried to make a plan shorter, and how much longer it may become for the sake
#: of fewer signs.
TRIES, GROWTH = 500, 1.1
#: The most positions that a plan may lead through. Longer ones are seldom found, and take the
#: checker a tenth of a second.
LONGEST_PLAN = 20_000
#: The interval at which limits are looked at.
TICK_SECONDS = 0.05


class Effort(NamedTuple):
    """How long a plan is looked for: orders to begin with, and steps from each."""

    starts: int
    steps: int


#: How long a plan is looked for, from a number of empty cells down. Where there are more it takes
#: seconds to mend one, and it hardly ever holds.
EFFORTS = ((30, Effort(20, 1000)), (34, Effort(10, 500)))


def plans_for(rules: Rules, limits: Limits) -> PlanThreads | None:
    """Return a `PlanThreads`; ``None`` if the game has no plans, or NumPy or Numba is missing."""
    return PlanThreads(rules, limits) if has_plans(rules) and is_installed() else None


class PlanThreads:
    """A `PlanFinder` for a game with gravity.

    Args:
        rules: a game that the fast solver supports.
        limits: the threads, and when to stop.
    """

    def __init__(self, rules: LineRules, limits: Limits | None = None) -> None:
        self._rules, self._limits = rules, limits or Limits()
        self._meter = Meter(self._limits)
        self._searches: dict[bool, list[PlanSearch]] = {}

    def find(self, goal: Goal, keys: Sequence[Key]) -> list[tuple[int, ...] | None]:
        """Return a plan for each position, as the empty cells, most wanted first, if it is found.

        Raises:
            SearchLimitReached: a limit came first.
        """
        searches = self._searches.setdefault(goal.must_win, [])
        while len(searches) < min(self._limits.workers, len(keys)):
            searches.append(PlanSearch(self._rules, goal.must_win, LONGEST_PLAN))
        idle: SimpleQueue[PlanSearch] = SimpleQueue()
        for search in searches:
            idle.put(search)

        def find(key: Key) -> tuple[int, ...] | None:
            effort = self._effort(key)
            if effort is None:
                return None
            search = idle.get()
            try:
                return search.find(*key, effort)
            finally:
                idle.put(search)

        with ThreadPoolExecutor(max(1, len(searches))) as threads:
            plans = [threads.submit(find, key) for key in keys]
            try:
                self._watch(plans)
            except BaseException:
                for plan in plans:
                    plan.cancel()
                for search in self._searches.pop(goal.must_win):
                    search.stop()
                raise
        return [plan.result() for plan in plans]

    def _watch(self, plans: Sequence[Future[tuple[int, ...] | None]]) -> None:
        """Wait for all plans, or until a limit is reached."""
        while wait(plans, TICK_SECONDS).not_done:
            if limit := self._meter.limit_reached(0):
                raise SearchLimitReached(limit)

    def _effort(self, key: Key) -> Effort | None:
        empty = self._rules.shape.cells - (key[0] | key[1]).bit_count()
        return next((effort for most, effort in EFFORTS if empty <= most), None)


class PlanCode:
    """The machine code that finds plans, the same for all games that have them."""

    def is_ready(self) -> bool:
        """Return whether it is there."""
        return all(part.is_ready() for part in (MEND, PLAY_OUT, SHRINK))

    def prepare(self) -> None:
        """Make it; this takes some seconds."""
        rules = LineRules(Shape(3, 4), 3, gravity=True)
        found = PlanSearch(rules, True, 1_000, LEAST_MEMORY).find(0, 0, EFFORTS[0][1])
        assert found is not None, "to find one takes all of the code"


class PlanSearch:
    """Looks for plans of one prover in one game with gravity.

    Args:
        rules: a game that the fast solver supports, with gravity.
        must_win: whether the prover is to win; else not to lose.
        longest: the most positions that a plan may lead through.
        memory: of the solver that mends plans, in bytes.
    """

    def __init__(
        self, rules: LineRules, must_win: bool, longest: int, memory: int = MEMORY
    ) -> None:
        self._kernel = kernel_for(rules, memory)
        self._worker = self._kernel.worker()
        self._worker.make_room()
        rows, columns = rules.shape
        self._columns = columns
        #: The bit of each cell in the kernel, in reading order; and how high it stands.
        self._bits = [
            1 << column * (rows + 1) + row
            for row in reversed(range(rows))
            for column in range(columns)
        ]
        self._cell_of = {bit: cell for cell, bit in enumerate(self._bits)}
        self._places = np.zeros(64, np.int64)
        for cell, bit in enumerate(self._bits):
            self._places[bit.bit_length() - 1] = cell
        self._heights = [row for row in reversed(range(rows)) for _ in range(columns)]
        self._aim = Aim(np.uint64(must_win), np.uint64(longest))
        size = 1 << (2 * longest).bit_length()
        self._seen, self._stamps = np.zeros(size, np.uint64), np.zeros(size, np.int64)
        self._path = np.zeros(LEVEL * (rules.shape.cells + 2), np.uint64)
        self._result = np.zeros(RESULTS, np.int64)
        self._chance = np.zeros(2, np.uint64)
        self._stop = np.zeros(1, np.int64)

    def stop(self) -> None:
        """Let a search in another thread end soon, without a plan."""
        self._stop[0] = 1

    def find(self, own: int, other: int, effort: Effort) -> tuple[int, ...] | None:
        """Return a plan from a position, as the empty cells, most wanted first; or ``None``.

        It depends on the arguments and on those of the class only.

        Args:
            own, other: the marks of the prover, who is to move and reaches the goal, and of the
                opponent.
        """
        seed = int.from_bytes(hashlib.sha256(f"{own} {other}".encode()).digest()[:8], "big")
        rng = random.Random(seed)
        self._chance[0] = seed | 1
        kernel, worker = self._kernel, self._worker
        for start in range(effort.starts):
            if self._stop[0]:
                break
            cells = self._start(own, other, rng, NOISE if start else 0.0)
            order = self._words(cells)
            self._set_out(own, other)
            status = MEND(
                order, order.copy(), self._path, self._seen, self._stamps, self._result,
                self._chance, self._stop, worker.frames, worker.numbers, kernel.shared,
                *kernel.words, kernel.game, self._aim, worker.control, effort.steps,
            )  # fmt: skip
            if status == HOLDS:
                return self._shortened(own, other, order)
        return None

    def positions(self, own: int, other: int, cells: Sequence[int]) -> int | None:
        """Return through how many positions a plan leads; ``None`` if it does not hold."""
        self._set_out(own, other)
        self._chance[1] += np.uint64(1)
        status = PLAY_OUT(
            self._words(cells), self._path, self._seen, self._stamps, self._result,
            self._kernel.game, self._aim, int(self._chance[1]),
        )  # fmt: skip
        return int(self._result[POSITIONS]) if status == HOLDS else None

    def _set_out(self, own: int, other: int) -> None:
        for at, marks in (OWN, own), (OTHER, other):
            self._path[at] = sum(bit for cell, bit in enumerate(self._bits) if marks >> cell & 1)

    def _words(self, cells: Sequence[int]) -> NDArray[np.uint64]:
        return np.array([self._bits[cell] for cell in cells], np.uint64)

    def _start(self, own: int, other: int, rng: random.Random, noise: float) -> list[int]:
        """Return an order to begin with: every other row first, from the top left."""
        taken = own | other
        begins = taken.bit_count() % 2 == 0
        empty = [cell for cell in range(len(self._bits)) if not taken >> cell & 1]
        keys = {cell: (self._heights[cell] % 2 == begins) + rng.gauss(0, noise) for cell in empty}
        return sorted(empty, key=keys.__getitem__)

    def _shortened(self, own: int, other: int, order: NDArray[np.uint64]) -> tuple[int, ...]:
        """Return a plan like this that leads through fewer positions and takes few signs.

        Equal signs compress better, and are read at a glance.
        """
        self._set_out(own, other)
        fewest = SHRINK(
            order, order.copy(), self._places, self._path, self._seen, self._stamps, self._result,
            self._chance, self._kernel.game, self._aim, TRIES,
        )  # fmt: skip
        most = min(int(fewest * GROWTH), int(self._aim.longest))

        def holds(cells: Sequence[int]) -> bool:
            count = self.positions(own, other, cells)
            return count is not None and count <= most

        cells = [self._cell_of[bit] for bit in order.tolist()]
        # First each cell moves to right behind the one before it in the order to begin with.
        model = self._start(own, other, random.Random(0), 0.0)
        for before, cell in zip([None, *model], model):
            rest = [each for each in cells if each != cell]
            at = 0 if before is None else rest.index(before) + 1
            tidier = [*rest[:at], cell, *rest[at:]]
            if tidier != cells and holds(tidier):
                cells = tidier
        return cells_by(self._alike(ranks_of(cells), holds))

    def _alike(
        self, ranks: dict[int, int], holds: Callable[[Sequence[int]], bool]
    ) -> dict[int, int]:
        """Return ranks of which some have become one, and of which cells have a neighbour's."""
        rank = 0
        while rank < max(ranks.values()):
            merged = {cell: each - (each > rank) for cell, each in ranks.items()}
            if holds(cells_by(merged)):
                ranks = merged
            else:
                rank += 1
        for cell in sorted(ranks):
            for neighbour in self._neighbours(cell):
                if ranks.get(neighbour, ranks[cell]) != ranks[cell]:
                    alike = {**ranks, cell: ranks[neighbour]}
                    if holds(cells_by(alike)):
                        ranks = alike
                        break
        return ranks

    def _neighbours(self, cell: int) -> list[int]:
        """Return the cells beside one, and the one two rows higher."""
        columns, column = self._columns, cell % self._columns
        beside = [cell - 1] * (column > 0) + [cell + 1] * (column < columns - 1)
        return [*beside, cell - 2 * columns]
