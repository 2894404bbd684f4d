"""Participants for the asynchronous driver."""

from __future__ import annotations

import abc
import asyncio
import random
from collections.abc import Awaitable, Callable

from tic_tac_toe.game.players import require_turn, state_after
from tic_tac_toe.game.strategies import minimax, play_randomly
from tic_tac_toe.logic.models import GameState, Mark, Move


class AsyncPlayer(abc.ABC):
    """A participant who plays one mark and may be awaited; see `Player`."""

    def __init__(self, mark: Mark) -> None:
        self.mark = mark

    async def make_move(self, game_state: GameState) -> GameState:
        """Return the state after this player's turn.

        Raises:
            InvalidMove: it is the other player's turn, or the player has no move.
        """
        require_turn(self.mark, game_state)
        return state_after(await self.get_move(game_state))

    @abc.abstractmethod
    async def get_move(self, game_state: GameState) -> Move | None:
        """Return the move of this player, or ``None`` if there is none."""


class AsyncComputerPlayer(AsyncPlayer, metaclass=abc.ABCMeta):
    """A player that computes its move after a pause that lets others run; see `ComputerPlayer`.

    The computing itself runs where it is called. A strategy that thinks for long belongs in a
    synchronous `StrategyPlayer`, which the asynchronous driver runs in a thread.
    """

    def __init__(
        self,
        mark: Mark,
        delay_seconds: float = 0.25,
        *,
        rng: random.Random | None = None,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        super().__init__(mark)
        self.delay_seconds = delay_seconds
        self.rng = rng
        self._pause = pause

    async def get_move(self, game_state: GameState) -> Move | None:
        """Pause, then return the computed move."""
        await self._pause(self.delay_seconds)
        return self.get_computer_move(game_state)

    @abc.abstractmethod
    def get_computer_move(self, game_state: GameState) -> Move | None:
        """Return the move, or ``None`` once the game is over."""


class AsyncRandomComputerPlayer(AsyncComputerPlayer):
    """A computer player that moves evenly at random."""

    def get_computer_move(self, game_state: GameState) -> Move | None:
        """Return any legal move."""
        return play_randomly(game_state, self.rng)


class AsyncMinimaxComputerPlayer(AsyncComputerPlayer):
    """The unbeatable computer player."""

    def get_computer_move(self, game_state: GameState) -> Move | None:
        """Return a best move."""
        return minimax(game_state, self.rng)
