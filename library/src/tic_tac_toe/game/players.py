"""Players that return their move, and block the caller until they have one."""

from __future__ import annotations

import abc
import random
import time
from collections.abc import Callable

from tic_tac_toe.game.strategies import Strategy, minimax, play_randomly
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark, Move


class Player(abc.ABC):
    """A player of one mark."""

    def __init__(self, mark: Mark) -> None:
        self.mark: Mark = Mark(mark)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.mark.value!r})"

    def make_move(self, game_state: GameState) -> GameState:
        """Return the state after this player's turn.

        Raises:
            InvalidMove: it is the other player's turn, or the player has no move.
        """
        require_turn(self.mark, game_state)
        return state_after(self.get_move(game_state))

    @abc.abstractmethod
    def get_move(self, game_state: GameState) -> Move | None:
        """Return the move of this player, or ``None`` if there is none."""


def require_turn(mark: Mark, game_state: GameState) -> None:
    """Raise `InvalidMove` unless the mark is to move."""
    if game_state.current_mark != mark:
        raise InvalidMove("It's the other player's turn", "wrong_turn")


def state_after(move: Move | None) -> GameState:
    """Return the state after a move; raise `InvalidMove` if there is no move."""
    if move is None:
        raise InvalidMove("No more possible moves", "no_moves")
    return move.after_state


class ComputerPlayer(Player, metaclass=abc.ABCMeta):
    """A player that computes its move after a pause, so that people can follow.

    Args:
        delay_seconds: how long to pause before each move.
        rng: where chance comes from; the same seed gives the same game.
        pause: called with the seconds to pause.
    """

    def __init__(
        self,
        mark: Mark,
        delay_seconds: float = 0.25,
        *,
        rng: random.Random | None = None,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        super().__init__(mark)
        self.delay_seconds = delay_seconds
        self.rng = rng
        self._pause = pause

    def get_move(self, game_state: GameState) -> Move | None:
        """Pause, then return the computed move."""
        if self.delay_seconds:
            self._pause(self.delay_seconds)
        return self.get_computer_move(game_state)

    @abc.abstractmethod
    def get_computer_move(self, game_state: GameState) -> Move | None:
        """Return the move, or ``None`` once the game is over."""


class RandomComputerPlayer(ComputerPlayer):
    """A computer player that moves evenly at random."""

    def get_computer_move(self, game_state: GameState) -> Move | None:
        """Return any legal move."""
        return play_randomly(game_state, self.rng)


class MinimaxComputerPlayer(ComputerPlayer):
    """The unbeatable computer player."""

    def get_computer_move(self, game_state: GameState) -> Move | None:
        """Return a best move."""
        return minimax(game_state, self.rng)


class StrategyPlayer(ComputerPlayer):
    """A computer player that plays by a strategy, such as one of `STRATEGIES`."""

    def __init__(
        self,
        mark: Mark,
        strategy: Strategy,
        delay_seconds: float = 0.25,
        *,
        rng: random.Random | None = None,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        super().__init__(mark, delay_seconds, rng=rng, pause=pause)
        self._strategy = strategy

    def get_computer_move(self, game_state: GameState) -> Move | None:
        """Return the strategy's move."""
        return self._strategy(game_state, self.rng)
