"""Asks the server of the page what moves are worth, which has a compiled solver."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tic_tac_toe.game.review import ReviewedMove, review_solved_move
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.verdict import MoveVerdict

from ...table.queries import AnalyseMoves, Ask, MoveValues, ReviewMove
from ...table.served_values import query_of, read
from .dom import fetch_bytes, start
from .worker import is_quick

Done = Callable[[Any], object]
#: Seconds that a review waits for the server to answer about a move.
PATIENCE = 1.0


class ServedValues:
    """Lets a server answer what moves are worth, where one serves the page; `ask` is an `Ask`.

    Args:
        ask: how the page finds out by itself.
        url: returns the address at which the server answers; empty without a server.
    """

    def __init__(self, ask: Ask, url: Callable[[], str]) -> None:
        self._ask, self._url = ask, url

    def ask(self, query: Any, done: Done) -> None:
        """Answer a query; see `Ask`."""
        is_served = bool(self._url()) and not is_quick(query)
        if is_served and isinstance(query, AnalyseMoves):
            self._ask(query, self._improved(query.state, done))
        elif is_served and isinstance(query, ReviewMove):
            start(self._review(query, done))
        else:
            self._ask(query, done)

    def _improved(self, state: GameState, done: Done) -> Done:
        """Ask the server, and return what takes the page's own answer.

        The page finds out by itself at the same time, and shows that until the server has answered.
        """
        answered = False

        async def ask() -> None:
            nonlocal answered
            if (found := await self._values(state)) is not None:
                answered = True
                done(found)

        def found_here(values: MoveValues | None) -> None:
            if not answered:
                done(values)

        start(ask())
        return found_here

    async def _review(self, query: ReviewMove, done: Done) -> None:
        """Answer by the server if it has solved all moves soon, else by the page."""
        try:
            found = await asyncio.wait_for(self._values(query.state), PATIENCE)
        except asyncio.TimeoutError:
            found = None
        if (reviewed := _reviewed(query, found)) is not None:
            done(reviewed)
        else:
            self._ask(query, done)

    async def _values(self, state: GameState) -> MoveValues | None:
        """Return what the server knows, ``None`` if it does not know or does not answer."""
        try:
            content = await fetch_bytes(f"{self._url()}?{query_of(state)}")
            return read(content.decode(), state)
        except asyncio.CancelledError:
            raise
        except Exception:  # no network, as JavaScript says it; a busy server; no such answer
            return None


def _reviewed(query: ReviewMove, values: MoveValues | None) -> ReviewedMove | None:
    moves = () if values is None else values.moves
    solved = [move for move in moves if isinstance(move, MoveVerdict)]
    if not solved or len(solved) < len(moves):
        return None
    return review_solved_move(query.state, query.number, solved)
