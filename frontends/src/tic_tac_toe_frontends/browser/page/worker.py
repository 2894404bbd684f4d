"""Answers the page's queries: at once, in a web worker with its own Python, or by the server.

The server has a compiled solver.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import js
from pyodide.ffi import create_proxy

from tic_tac_toe.game.evaluate import review_by_moves
from tic_tac_toe.game.strategies import play_by_rules
from tic_tac_toe.limits import Progress
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.traits import chooses_letter
from tic_tac_toe.logic.search.evaluation import best_of_moves
from tic_tac_toe.logic.search.tables import is_small

from ...table.queries import (
    AnalyseMoves,
    Ask,
    ChooseMove,
    ExplainMove,
    FindHint,
    FindRest,
    JudgeMove,
    MoveValues,
    ReviewMove,
)
from ...table.served_values import query_of, read
from . import thinker
from .dom import fetch_bytes, options, start_task
from .later import LATER, STUDIED, is_loaded, load_archive

Query: TypeAlias = (
    ChooseMove | FindHint | AnalyseMoves | ExplainMove | JudgeMove | FindRest | thinker.DrawTree
)

#: The strategies that need no worker on any board.
THOUGHTLESS = {"random"}
#: The strategies that search for seconds on any board.
THOROUGH = {"mcts"}


def is_quick(query: Query) -> bool:
    """Return whether a query needs no worker."""
    if isinstance(query, ChooseMove) and query.strategy in THOUGHTLESS | THOROUGH:
        return query.strategy in THOUGHTLESS
    rules = query.state.rules
    if isinstance(query, thinker.DrawTree) or chooses_letter(rules):
        return False  # with a choice of letters even nine cells take seconds
    return is_small(rules)


def best_so_far(query: ChooseMove) -> int:
    """Return the best move of the search so far, else one by simple rules."""
    progress = query.callback.progress
    if progress is not None and progress.best is not None:
        return progress.best
    move = play_by_rules(query.state, query.rng)
    assert move is not None, "a computer is asked while the game goes on"
    return move.number


class Worker:
    """Answers queries; `ask` is an `Ask`.

    A query about another state ends the worker: earlier queries are never answered.

    Args:
        failed: called with each query that a broken worker leaves unanswered, and with the reason.
    """

    def __init__(self, failed: Callable[[Any, str], object]) -> None:
        self._failed = failed
        self._worker: Any = None
        self._count = 0
        self._waiting: dict[int, tuple[Query, Callable[[Any], object]]] = {}
        self._on_message = create_proxy(self._receive)
        self._on_error = create_proxy(self._fail)

    def ask(self, query: Any, done: Callable[[Any], object]) -> None:
        """Answer a query; see `Ask`."""
        if isinstance(query, STUDIED) and not is_loaded(LATER):
            start_task(self._ask_later(query, done))
            return
        if is_quick(query):
            done(query())
            return
        if self._is_about_another(query):
            self._stop_worker()
        if self._worker is None:
            self._start_worker()
        self._count += 1
        if isinstance(query, ChooseMove):
            query.callback.on_stop = partial(self._move_now, self._count, query)
        self._waiting[self._count] = query, done
        self._worker.postMessage(thinker.write((self._count, query)))

    async def _ask_later(self, query: Query, done: Callable[[Any], object]) -> None:
        """Answer a query when what explains moves is loaded; its answer, too, is made of that.

        If there is a query about another state by then, nobody waits for this one.
        """
        try:
            await load_archive(LATER, fetch_bytes)
        except Exception as error:  # JavaScript's error without a network; no such file
            self._failed(query, str(error))
        else:
            if not self._is_about_another(query):
                self.ask(query, done)

    def _is_about_another(self, query: Query) -> bool:
        """Return whether the worker has a query about another state."""
        return any(other.state is not query.state for other, _ in self._waiting.values())

    def _start_worker(self) -> None:
        self._worker = js.Worker.new("thinker.js", options(type="module"))
        self._worker.addEventListener("message", self._on_message)
        self._worker.addEventListener("error", self._on_error)

    def _move_now(self, number: int, query: ChooseMove) -> None:
        """End the search, and answer with the best move so far or a quick one.

        A worker cannot be interrupted: the next search starts another one.
        """
        if number not in self._waiting:
            return
        _, done = self._waiting[number]
        self._stop_worker()
        self._start_worker()
        done(best_so_far(query))

    def _stop_worker(self) -> None:
        """End the worker; what it sent and what it failed with before arrive nowhere."""
        self._worker.removeEventListener("message", self._on_message)
        self._worker.removeEventListener("error", self._on_error)
        self._worker.terminate()
        self._worker = None
        self._waiting.clear()

    def _receive(self, event: Any) -> None:
        number, answer = thinker.read(event.data)
        if number not in self._waiting:
            return
        query, done = self._waiting[number]
        if isinstance(answer, Progress):
            if isinstance(query, ChooseMove):
                query.callback.report(answer)
            return
        del self._waiting[number]
        done(answer)

    def _fail(self, event: Any) -> None:
        event.preventDefault()
        waiting = [query for query, _ in self._waiting.values()]
        self._stop_worker()
        for query in waiting:
            self._failed(query, str(event.message or "the worker did not start"))


Done = Callable[[Any], object]
#: Seconds for which a hint, a review or an explanation waits for the server.
PATIENCE = 1.0


class ServedValues:
    """Answers queries with the help of the page's server, if there is one; `ask` is an `Ask`.

    A query about another state ends the request for the values of the state before: a browser has
    six connections to a server, and requests that nobody waits for would take them all.

    Args:
        ask: answers queries in the page.
        url: returns the server's address for evaluations; empty without a server.
    """

    def __init__(self, ask: Ask, url: Callable[[], str]) -> None:
        self._ask, self._url = ask, url
        self._improving: tuple[GameState, asyncio.Future[object]] | None = None

    def ask(self, query: Any, done: Done) -> None:
        """Answer a query; see `Ask`."""
        if self._improving and self._improving[0] is not query.state:
            self._improving[1].cancel()
        is_served = bool(self._url()) and not is_quick(query)
        if is_served and isinstance(query, AnalyseMoves):
            if not query.step:  # the page searches at the same time
                state = query.state
                self._improving = state, start_task(self._improve(state, done))
            self._ask(query, done)
        elif is_served and isinstance(query, (FindHint, ReviewMove, ExplainMove)):
            start_task(self._served(query, done))
        else:
            self._ask(query, done)

    async def _improve(self, state: GameState, done: Done) -> None:
        if (found := await self._values(state)) is not None:
            done(found)

    async def _served(self, query: FindHint | ReviewMove | ExplainMove, done: Done) -> None:
        """Answer with the server's values if it soon solves all moves, else by the page."""
        try:
            found = await asyncio.wait_for(self._values(query.state), PATIENCE)
        except asyncio.TimeoutError:
            found = None
        if found is None or not found.is_exact:
            self._ask(query, done)
        elif isinstance(query, ExplainMove):
            self._ask(replace(query, values=found.moves), done)
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
