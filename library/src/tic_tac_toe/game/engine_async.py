"""The asynchronous driver of the one game loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from tic_tac_toe.game.engine import Turn, TurnLoop, after_turn
from tic_tac_toe.game.players import Player
from tic_tac_toe.game.players_async import AsyncPlayer
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark

#: Runs a blocking call to its end without blocking the event loop, if the platform can.
RunBlocking: TypeAlias = Callable[[Callable[[], GameState]], Awaitable[GameState]]


async def run_in_thread(call: Callable[[], GameState]) -> GameState:
    """Run a blocking call in a thread of its own."""

    def guarded() -> GameState:
        try:
            return call()
        except StopIteration as stop:  # no future can hold it: awaiting it would never end
            raise RuntimeError("a player raised StopIteration") from stop

    return await asyncio.to_thread(guarded)


async def run_inline(call: Callable[[], GameState]) -> GameState:
    """Run a blocking call where it is, for platforms without threads."""
    return call()


@dataclass(frozen=True)
class AsyncTicTacToe(TurnLoop[Player | AsyncPlayer]):
    """A game between players of either kind, synchronous ones being run by ``run_blocking``."""

    run_blocking: RunBlocking = run_in_thread

    async def play(
        self, starting_mark: Mark = Mark.CROSS, *, state: GameState | None = None
    ) -> GameState:
        """Play a game to its end and return the final state; see `TicTacToe.play`."""
        turns = self.turns(state or GameState.new(starting_mark=starting_mark))
        answer, seen = None, list[GameState]()
        while True:
            try:
                turn = turns.send(answer)
            except StopIteration as end:
                final: GameState = end.value
                return final
            answer = after_turn(turn, await self._answer(turn), seen)

    async def _answer(self, turn: Turn[Player | AsyncPlayer]) -> GameState | InvalidMove:
        player, state = turn.player, turn.state
        try:
            if isinstance(player, AsyncPlayer):
                return await player.make_move(state)
            return await self.run_blocking(lambda: player.make_move(state))
        except InvalidMove as refusal:
            return refusal
