"""The one game loop on a table, driven by an event loop: for screens that have one."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import NoReturn, TypeAlias

from tic_tac_toe.game.engine_async import AsyncTicTacToe
from tic_tac_toe.game.players_async import AsyncPlayer
from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.logic.models import GameState, Mark, Move

from .table import Table
from .thinking import choose, in_thread

#: Returns the cell that a strategy chooses in a state, without blocking the event loop.
Think: TypeAlias = Callable[[GameState, str, random.Random], Awaitable[int]]


async def think_in_thread(state: GameState, name: str, rng: random.Random) -> int:
    """Think in a thread of its own; see `Think`."""
    return await in_thread(lambda: choose(state, name, rng))


async def play_on(
    table: Table,
    renderer: Renderer,
    think: Think = think_in_thread,
    pause: Callable[[], Awaitable[object]] | None = None,
) -> NoReturn:
    """Play one game after the other at a table, until the task is cancelled.

    People move, take back and begin anew by calling the table; this shows every change, and lets
    computers think when it is their turn. Thoughts are dropped where the game has moved on.

    Args:
        renderer: shows the state after every change of the table.
        think: how a computer's move is found.
        pause: awaited before each of a computer's moves, so that people can follow.
    """
    changed = asyncio.Event()
    told, table.on_change = table.on_change, changed.set
    cross, naught = (_Seat(mark, table, changed, think, pause) for mark in Mark)
    game = AsyncTicTacToe(cross, naught, renderer)
    try:
        while True:
            await game.play(state=table.state)
            await changed.wait()
            changed.clear()
    finally:
        table.on_change = told


class _Seat(AsyncPlayer):
    """A seat at the table: its turn ends when the table has changed, in whatever way."""

    def __init__(
        self,
        mark: Mark,
        table: Table,
        changed: asyncio.Event,
        think: Think,
        pause: Callable[[], Awaitable[object]] | None,
    ) -> None:
        super().__init__(mark)
        self._table = table
        self._changed = changed
        self._think = think
        self._pause = pause

    async def make_move(self, game_state: GameState) -> GameState:
        """Return what the table shows next: a move on, or moves back, or another game."""
        thought = None
        if self._table.thinker is not None and not self._changed.is_set():
            thought = asyncio.ensure_future(self._answer(game_state, self._table.thinker))
            thought.add_done_callback(self._notice_failure)
        try:
            await self._changed.wait()
            self._changed.clear()
        finally:  # whoever leaves the table leaves nobody there who would still move
            if thought is not None:
                await _end(thought)
        return self._table.state

    async def get_move(self, game_state: GameState) -> Move | None:
        """Return the move that the turn ends with, ``None`` where it ends otherwise."""
        await self.make_move(game_state)
        history = self._table.match.history
        return history[-1] if history and history[-1].before_state is game_state else None

    def _notice_failure(self, thought: asyncio.Future[None]) -> None:
        if not thought.cancelled() and thought.exception() is not None:
            self._changed.set()

    async def _answer(self, state: GameState, name: str) -> None:
        if self._pause is not None:
            await self._pause()
        self._table.answer(state, await self._think(state, name, self._table.dice()))


async def _end(thought: asyncio.Future[None]) -> None:
    """Cancel what is still being thought, and pass on what went wrong in a thought that ended."""
    if not thought.done():
        thought.cancel()
        await asyncio.wait({thought})  # to await the thought would swallow one's own cancellation
    if not thought.cancelled():
        thought.result()
