"""Evaluations of moves by the page's server, which has a compiled solver."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tic_tac_toe.game.evaluate import review_by_moves
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.evaluation import best_of_moves

from ...table.queries import AnalyseMoves, Ask, FindHint, MoveValues, ReviewMove
from ...table.served_values import query_of, read
from .dom import fetch_bytes, start_task
from .worker import is_quick

Done = Callable[[Any], object]
#: Seconds for which a hint or a review waits for the server.
PATIENCE = 1.0


class ServedValues:
    """Answers queries with the help of the page's server, if there is one; `ask` is an `Ask`.

    Args:
        ask: answers queries in the page.
        url: returns the server's address for evaluations; empty without a server.
    """

    def __init__(self, ask: Ask, url: Callable[[], str]) -> None:
        self._ask, self._url = ask, url

    def ask(self, query: Any, done: Done) -> None:
        """Answer a query; see `Ask`."""
        is_served = bool(self._url()) and not is_quick(query)
        if is_served and isinstance(query, AnalyseMoves):
            if not query.step:  # the page searches at the same time
                start_task(self._improve(query.state, done))
            self._ask(query, done)
        elif is_served and isinstance(query, (FindHint, ReviewMove)):
            start_task(self._served(query, done))
        else:
            self._ask(query, done)

    async def _improve(self, state: GameState, done: Done) -> None:
        if (found := await self._values(state)) is not None:
            done(found)

    async def _served(self, query: FindHint | ReviewMove, done: Done) -> None:
        """Answer with the server's values if it soon solves all moves, else by the page."""
        try:
            found = await asyncio.wait_for(self._values(query.state), PATIENCE)
        except asyncio.TimeoutError:
            found = None
        if found is None or not found.is_exact:
            self._ask(query, done)
        elif isinstance(query, FindHint):
            done(best_of_moves(found.moves))
        else:
            done(review_by_moves(query.state, query.number, found.moves))

    async def _values(self, state: GameState) -> MoveValues | None:
        """Return the server's values; ``None`` if it has none or does not answer."""
        try:
            content = await fetch_bytes(f"{self._url()}?{query_of(state)}")
            return read(content.decode(), state)
        except asyncio.CancelledError:
            raise
        except Exception:  # JavaScript's error without a network; a busy server; an invalid answer
            return None
