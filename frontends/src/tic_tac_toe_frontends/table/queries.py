"""What a screen can ask about a state: values to be called, here or elsewhere.

Each query is a plain value, so that it can be called in a thread, or be sent as text to a worker.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from tic_tac_toe.game.moments import (
    MOMENT,
    Hint,
    analyse_in_a_moment,
    find_hint,
    has_fast_solver,
    plain_python_solves,
)
from tic_tac_toe.logic.analysis import Analysis
from tic_tac_toe.logic.exceptions import BrainError, InvalidMove
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import plies_left
from tic_tac_toe.logic.search.table import is_small
from tic_tac_toe.opponents.registry import Opponents

Result = TypeVar("Result")

#: Seconds that `find_hint` takes at most in plain Python on a slow machine: to look ahead at
#: `Effort.lookahead_nodes` positions, or at `Effort.solve_nodes` to solve ...
LOOKAHEAD_SECONDS, SOLVE_SECONDS = 3, 10
#: ... which is a fraction of a second with at most this number of plies left.
PLIES_AT_ONCE = 11


@dataclass(frozen=True)
class ChooseMove:
    """Which move a computer player chooses.

    Args:
        strategy: its name among the opponents.
    """

    state: GameState
    strategy: str
    rng: random.Random
    opponents: Opponents = field(default_factory=Opponents)

    def __call__(self) -> int | BrainError:
        """Return the number of the move, or what is wrong with a program that should make it.

        Raises:
            InvalidMove: the game is over.
        """
        try:
            move = self.opponents.strategy(self.strategy)(self.state, self.rng)
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

    def __call__(self) -> Analysis | None:
        """Return the verdicts, ``None`` where that takes too long."""
        return analyse_in_a_moment(self.state)


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


def hint_seconds(state: GameState, is_fast: Callable[[Rules], bool] = has_fast_solver) -> int:
    """Return the seconds within which `find_hint` answers; 0 where it answers at once.

    Args:
        is_fast: whether the fast solver is installed and knows the rules.
    """
    rules, position = state.rules, state.position
    left = plies_left(rules, position)
    if left is None and plain_python_solves(rules, position):
        return 0
    if is_small(rules) or (left is not None and left <= PLIES_AT_ONCE):
        return 0
    if is_fast(rules):
        limit = round(MOMENT.fast_seconds + MOMENT.keep_seconds) + LOOKAHEAD_SECONDS
        return 0 if plain_python_solves(rules, position) or _is_in_book(state) else limit
    return SOLVE_SECONDS if plain_python_solves(rules, position) else LOOKAHEAD_SECONDS


def _is_in_book(state: GameState) -> bool:
    """Return whether the opening book of the fast solver knows what every move is worth."""
    from tic_tac_toe.solver.book import book_for

    book, rules, position = book_for(state.rules), state.rules, state.position
    return book is not None and all(
        book.score(rules.play(position, move)) is not None for move in rules.moves(position)
    )
