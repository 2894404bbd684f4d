"""What a screen can ask about a state: values to be called, here or elsewhere.

Each query is a plain value, so that it can be called in a thread, or be sent as text to a worker.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

from tic_tac_toe.game.moments import Hint, find_hint
from tic_tac_toe.game.review import ReviewedMove, review_move
from tic_tac_toe.game.valuation import Value, value_in_a_moment, value_moves
from tic_tac_toe.game.worth import MoveWorth
from tic_tac_toe.logic.exceptions import BrainError, InvalidMove
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.opponents.registry import Opponents

from .watch import Watch

Result = TypeVar("Result")


class MoveValues(NamedTuple):
    """What the legal moves of a state are worth.

    Attributes:
        moves: each of them, ascending.
        by_server: whether a server has found that, and not this program.
    """

    moves: tuple[MoveWorth, ...]
    by_server: bool = False


@dataclass(frozen=True)
class ChooseMove:
    """Which move a computer player chooses.

    Args:
        strategy: its name among the opponents.
        watch: follows the thought, and can end it.
    """

    state: GameState
    strategy: str
    rng: random.Random
    opponents: Opponents = field(default_factory=Opponents)
    watch: Watch = field(default_factory=Watch, compare=False, repr=False)

    def __call__(self) -> int | BrainError:
        """Return the number of the move, or what is wrong with a program that should make it.

        Raises:
            InvalidMove: the game is over.
        """
        try:
            watch = self.watch
            choose = self.opponents.strategy(self.strategy, watch.is_stopped, watch.tell)
            move = choose(self.state, self.rng)
        except BrainError as error:
            return error
        if move is None:
            raise InvalidMove("No more possible moves", "no_moves")
        return move.number


@dataclass(frozen=True)
class FindHint:
    """Which moves are best, or look best."""

    state: GameState

    def __call__(self) -> Hint:
        """Return them."""
        return find_hint(self.state)


@dataclass(frozen=True)
class AnalyseMoves:
    """What each legal move leads to."""

    state: GameState

    def __call__(self) -> MoveValues | None:
        """Return what they are worth, ``None`` where that takes too long."""
        moves = value_moves(self.state)
        return None if moves is None else MoveValues(moves)


@dataclass(frozen=True)
class ValueState:
    """What a state is worth to the side to move."""

    state: GameState

    def __call__(self) -> Value:
        """Return it."""
        return value_in_a_moment(self.state)


@dataclass(frozen=True)
class ReviewMove:
    """What a move was worth.

    Args:
        state: the state before it.
        number: the move.
        there: what the state after it is worth, to the side that is to move there.
    """

    state: GameState
    number: int
    there: Value

    def __call__(self) -> ReviewedMove:
        """Return it."""
        return review_move(self.state, self.number, self.there)


class Ask(Protocol):
    """How a screen has a query answered: the only thing that differs from screen to screen."""

    def __call__(self, query: Callable[[], Result], done: Callable[[Result], object], /) -> object:
        """Have ``query()`` run somewhere; call ``done`` with its result in the screen's thread.

        The query is one of this module's. ``done`` may be called before this returns, later, or
        never.
        """


def ask_here(query: Callable[[], Result], done: Callable[[Result], object]) -> None:
    """Answer a query before returning; see `Ask`."""
    done(query())
