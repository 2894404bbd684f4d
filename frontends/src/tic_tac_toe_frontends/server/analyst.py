"""Evaluates moves for pages that ask, in a process of low priority."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from pebble import ProcessPool

from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import format_state
from tic_tac_toe.logic.rules.catalogue import variant_name

from ..table.served_values import answer, can_answer
from .budgets import Budget
from .computers import close_pool, make_pool

#: What one analysis may cost: a page goes on with its own estimates meanwhile.
WORK = Limits(work=5.0)
#: Seconds after which a search is stopped; the first one may have to compile the solver.
LONGEST_ANALYSIS = 60.0
#: Analyses that may run or wait, and bytes of cached answers.
MOST_ANALYSES, MOST_KEPT = 64, 8_000_000
#: The niceness of the process: it gives way to the server and to computer players.
NICE = 10


class Busy(Exception):
    """Too many analyses wait, the address has one already, or has used up its seconds."""


@dataclass(eq=False)
class Analyst:
    """Evaluates the moves of one state after the other.

    An address has one analysis at a time, and pays for the seconds that it takes. Next is always
    the address with the most seconds left: those that ask often delay each other, and nobody else.

    Args:
        clock: seconds since any start.
    """

    clock: Callable[[], float]
    longest: float = LONGEST_ANALYSIS
    most: int = MOST_ANALYSES
    kept: int = MOST_KEPT
    _pool: ProcessPool | None = field(default=None, init=False)
    _waiting: dict[Budget, asyncio.Future[None]] = field(default_factory=dict, init=False)
    _running: Budget | None = field(default=None, init=False)
    _search: asyncio.Future[str] | None = field(default=None, init=False)
    _known: OrderedDict[tuple[str, str], str] = field(default_factory=OrderedDict, init=False)
    _known_bytes: int = field(default=0, init=False)

    def __len__(self) -> int:
        return len(self._waiting) + (self._running is not None)

    async def evaluate(self, state: GameState, budget: Budget) -> str:
        """Return the evaluations of a state's moves as JSON; see `served_values`.

        An analysis that is cancelled while it waits is not started.

        Raises:
            Busy: the client has to ask again later.
            TimeoutError: the search took too long.
        """
        about = variant_name(state.rules), format_state(state)
        if about in self._known:
            self._known.move_to_end(about)
            return self._known[about]
        if not can_answer(state):
            return answer(state)
        is_one_too_many = budget in self._waiting or budget is self._running
        if is_one_too_many or len(self) >= self.most or budget.analysing.wait(self.clock()):
            raise Busy
        await self._turn(budget)
        # A search that runs goes on when its client has gone: others may ask the same.
        self._search = asyncio.ensure_future(self._found(state, budget, about))
        self._search.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        return await asyncio.shield(self._search)

    async def _found(self, state: GameState, budget: Budget, about: tuple[str, str]) -> str:
        started = self.clock()
        try:
            if self._pool is None:
                self._pool = make_pool(1, nice=NICE)
            future = self._pool.schedule(answer, args=[state, WORK], timeout=self.longest)
            found: str = await asyncio.wrap_future(future)
        finally:
            self._running = None
            budget.analysing.charge(self.clock(), self.clock() - started)
            self._start_next()
        self._keep(about, found)
        return found

    async def _turn(self, budget: Budget) -> None:
        """Wait until no other analysis runs, and this one is the next."""
        if self._running is None:
            self._running = budget
            return
        turn = self._waiting[budget] = asyncio.get_running_loop().create_future()
        try:
            await turn
        except asyncio.CancelledError:
            self._waiting.pop(budget, None)
            if self._running is budget:
                self._running = None
                self._start_next()
            raise

    def _start_next(self) -> None:
        if self._waiting:
            now = self.clock()
            budget = max(self._waiting, key=lambda each: each.analysing.left_at(now))
            self._running = budget
            self._waiting.pop(budget).set_result(None)

    def _keep(self, about: tuple[str, str], found: str) -> None:
        self._known[about] = found
        self._known_bytes += _size(about, found)
        while self._known_bytes > self.kept:
            self._known_bytes -= _size(*self._known.popitem(last=False))

    def close(self) -> None:
        """Stop all searches, and end the process."""
        if self._pool is not None:
            close_pool(self._pool)
            self._pool = None


def _size(about: tuple[str, str], found: str) -> int:
    return len(about[0]) + len(about[1]) + len(found) + 200  # and what Python needs for them
