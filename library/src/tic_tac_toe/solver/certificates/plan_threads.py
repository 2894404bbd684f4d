"""Looks for plans of many positions at once, in threads, which compiled code runs side by side."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from queue import SimpleQueue

from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.solver.certificates.plan_search import Effort, PlanSearch
from tic_tac_toe.solver.certificates.plans import has_plans
from tic_tac_toe.solver.certificates.proving import Goal, Key
from tic_tac_toe.solver.meter import Meter
from tic_tac_toe.solver.support import is_installed

#: The most positions that a plan may lead through. Longer ones are seldom found, and take the
#: checker a tenth of a second.
LONGEST_PLAN = 20_000
#: How long a plan is looked for, from a number of empty cells down. Where there are more it takes
#: seconds to mend one, and it hardly ever holds.
EFFORTS = ((30, Effort(20, 1000)), (34, Effort(10, 500)))
#: The interval at which limits are looked at.
TICK_SECONDS = 0.05


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


def plans_for(rules: Rules, limits: Limits) -> PlanThreads | None:
    """Return a `PlanThreads`; ``None`` if the game has no plans, or NumPy or Numba is missing."""
    return PlanThreads(rules, limits) if has_plans(rules) and is_installed() else None
