"""Thinking beside the page: small games at once, others in a worker with a Python of its own."""

from __future__ import annotations

import asyncio
import dataclasses
import random
from gettext import NullTranslations
from typing import Any

import js
from pyodide.ffi import create_proxy

from tic_tac_toe.game.moments import Hint, analyse_in_a_moment, find_hint
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.table import is_small
from tic_tac_toe.logic.search.verdict import MoveVerdict

from ...table.thinking import choose
from ...words.tree_text import tree_words
from . import thinker
from .dom import options

#: The players that need no thought, on any board.
THOUGHTLESS = {"random"}
#: The players that take their time on every board.
THOROUGH = {"mcts"}


class WorkerFailed(Exception):
    """The worker could not start, or broke down."""


class Thoughts:
    """Asks the worker, and ends it where it thinks of what nobody wants to know any more."""

    def __init__(self) -> None:
        self._worker: Any = None
        self._asked = 0
        self._waiting: dict[int, tuple[asyncio.Future[Any], GameState]] = {}
        self._on_message = create_proxy(self._receive)
        self._on_error = create_proxy(self._break_down)

    async def choose(self, state: GameState, name: str, rng: random.Random) -> int:
        """Return the cell that a strategy chooses."""
        if name in THOUGHTLESS or (is_small(state.rules) and name not in THOROUGH):
            return choose(state, name, rng)
        cell: int = await self._ask(thinker.CHOOSE, state, strategy=name, seed=rng.getrandbits(53))
        return cell

    async def hint(self, state: GameState) -> Hint:
        """Return the best moves, or what looks best."""
        if is_small(state.rules):
            return find_hint(state)
        return thinker.as_hint(await self._ask(thinker.HINT, state))

    async def analyse(self, state: GameState) -> tuple[MoveVerdict, ...] | None:
        """Return the verdict on each move, or ``None`` where that takes too long."""
        if is_small(state.rules):
            return analyse_in_a_moment(state)
        return thinker.as_verdicts(await self._ask(thinker.ANALYSE, state))

    async def draw_tree(self, state: GameState, language: NullTranslations) -> str | None:
        """Return a picture of the game tree, or ``None`` where it is too large."""
        words = dataclasses.asdict(tree_words(language))
        picture: str | None = await self._ask(thinker.TREE, state, words=words)
        return picture

    async def _ask(self, task: str, state: GameState, **more: object) -> Any:
        if any(asked_about is not state for _, asked_about in self._waiting.values()):
            self._end_worker()
        if self._worker is None:
            self._start_worker()
        self._asked += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[self._asked] = future, state
        self._worker.postMessage(thinker.ask(self._asked, task, state, **more))
        return await future

    def _start_worker(self) -> None:
        self._worker = js.Worker.new("thinker.js", options(type="module"))
        self._worker.addEventListener("message", self._on_message)
        self._worker.addEventListener("error", self._on_error)

    def _end_worker(self) -> None:
        """End the worker in the middle of its thought; those who still wait are told."""
        self._worker.terminate()
        self._worker = None
        for future, _ in self._waiting.values():
            future.cancel()
        self._waiting.clear()

    def _receive(self, event: Any) -> None:
        number, answer = thinker.read_answer(event.data)
        future, _ = self._waiting.pop(number, (None, None))
        if future is not None and not future.done():
            future.set_result(answer)

    def _break_down(self, event: Any) -> None:
        event.preventDefault()
        waiting = [future for future, _ in self._waiting.values() if not future.done()]
        self._waiting.clear()
        self._end_worker()
        for future in waiting:
            future.set_exception(WorkerFailed(str(event.message or "the worker did not start")))
