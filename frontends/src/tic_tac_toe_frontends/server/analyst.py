"""Evaluates moves for pages that ask, in a process of low priority."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from pebble import ProcessPool

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import format_state
from tic_tac_toe.logic.rules.catalogue import variant_name

from ..table.served_values import answer
from .budgets import network_of
from .processes import close_pool, make_pool

#: Seconds after which a search is stopped; the first one may have to compile the solver.
LONGEST_ANALYSIS = 60.0
#: Analyses that may run or wait, and answers that are cached.
MOST_ANALYSES, MOST_KEPT = 16, 10_000
#: The niceness of the process: it gives way to the server and to computer players.
NICE = 10


class Busy(Exception):
    """Too many analyses are pending, or the address already has one."""


@dataclass(eq=False)
class Analyst:
    """Evaluates the moves of one state after the other.

    An address (see `network_of`) has one analysis at a time: one that asks often delays only
    itself.
    """

    longest: float = LONGEST_ANALYSIS
    most: int = MOST_ANALYSES
    kept: int = MOST_KEPT
    _pool: ProcessPool | None = field(default=None, init=False)
    _asking: set[str] = field(default_factory=set, init=False)
    _known: OrderedDict[tuple[str, str], str] = field(default_factory=OrderedDict, init=False)

    def __len__(self) -> int:
        return len(self._asking)

    async def evaluate(self, state: GameState, address: str) -> str:
        """Return the evaluations of a state's moves as JSON; see `served_values`.

        Raises:
            Busy: the client has to ask again later.
            TimeoutError: the search took too long.
        """
        about = variant_name(state.rules), format_state(state)
        if about in self._known:
            self._known.move_to_end(about)
            return self._known[about]
        network = network_of(address)
        if network in self._asking or len(self._asking) >= self.most:
            raise Busy
        self._asking.add(network)
        try:
            if self._pool is None:
                self._pool = make_pool(1, nice=NICE)
            future = self._pool.schedule(answer, args=[state], timeout=self.longest)
            found = await asyncio.wrap_future(future)
        finally:
            self._asking.discard(network)
        self._known[about] = found
        while len(self._known) > self.kept:
            self._known.popitem(last=False)
        return found

    def close(self) -> None:
        """Stop all searches, and end the process."""
        if self._pool is not None:
            close_pool(self._pool)
            self._pool = None
