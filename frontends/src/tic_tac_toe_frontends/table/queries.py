"""What a screen can ask about a state: values to be called, here or elsewhere."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol, TypeVar

from tic_tac_toe.game.evaluate import LONGER, REVIEW, evaluate, evaluate_moves
from tic_tac_toe.game.review import ReviewedMove, review_move
from tic_tac_toe.limits import MOMENT, Progress
from tic_tac_toe.logic.exceptions import BrainError, InvalidMove
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
from tic_tac_toe.opponents.registry import Opponents


class ProgressCallback:
    """What is known of a thought that goes on, perhaps in another thread.

    A query carries it, and leaves it behind where it is sent as text: it arrives with a new one.

    Attributes:
        progress: how far the thought has come, ``None`` before it has told anything.
        stopped: whether it has been told to end.
        heard: called with each progress, in the thread that thinks.
        ended: called when it is told to end, in the thread of the screen.
    """

    def __init__(self) -> None:
        self.progress: Progress | None = None
        self.stopped = False
        self.on_progress: Callable[[Progress], object] = lambda _progress: None
        self.on_stop: Callable[[], object] = lambda: None

    def __reduce__(self) -> tuple[type[ProgressCallback], tuple[()]]:
        return ProgressCallback, ()

    def report(self, progress: Progress) -> None:
        """Note how far the thought has come; a share that was reached is kept."""
        before = 0.0 if self.progress is None else self.progress.share
        self.progress = progress._replace(share=max(before, progress.share))
        self.on_progress(self.progress)

    def stop(self) -> None:
        """End the thought: the computer makes the move that looks best so far."""
        if not self.stopped:
            self.stopped = True
            self.on_stop()

    def is_stopped(self) -> bool:
        """Return whether the thought is to end."""
        return self.stopped


Result = TypeVar("Result")


#: How many times the moves are valued, each time with more work; in a page a thought cannot be
#: ended without starting Python again.
ANALYSES = 2 if sys.platform == "emscripten" else 4


class MoveValues(NamedTuple):
    """How good the legal moves of a state are.

    Attributes:
        moves: each of them, ascending; of some nothing may be known.
        by_server: whether a server has found that, and not this program.
    """

    moves: tuple[MoveEvaluation, ...]
    by_server: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether every move is solved."""
        return all(move.evaluation.is_exact for move in self.moves)

    def after(self, before: MoveValues) -> MoveValues:
        """Return the same without forgetting what was proved before."""
        if before.is_exact:
            return before
        return self._replace(
            moves=tuple(
                old
                if old.evaluation.is_exact
                else new._replace(evaluation=new.evaluation.narrowed(*old.evaluation[:2]))
                for old, new in zip(before.moves, self.moves)
            )
        )


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
    callback: ProgressCallback = field(default_factory=ProgressCallback, compare=False, repr=False)

    def __call__(self) -> int | BrainError:
        """Return the number of the move, or what is wrong with a program that should make it.

        Raises:
            InvalidMove: the game is over.
        """
        try:
            watch = self.callback
            choose = self.opponents.strategy(self.strategy, watch.is_stopped, watch.report)
            move = choose(self.state, self.rng)
        except BrainError as error:
            return error
        if move is None:
            raise InvalidMove("No more possible moves", "no_moves")
        return move.number


@dataclass(frozen=True)
class FindHint:
    """Which move is best, or looks best.

    Args:
        full: find all of the best moves.
    """

    state: GameState
    full: bool = False

    def __call__(self) -> Evaluation:
        """Return what is known of the state, with the best moves."""
        return evaluate(self.state, full=self.full)


@dataclass(frozen=True)
class AnalyseMoves:
    """How good each legal move is.

    Args:
        known: what has been found out before, with less work.
        step: how often that was.
        watch: can end the search.
    """

    state: GameState
    known: tuple[MoveEvaluation, ...] = ()
    step: int = 0
    callback: ProgressCallback = field(default_factory=ProgressCallback, compare=False, repr=False)

    def __call__(self) -> MoveValues:
        """Return what is known of the moves."""
        limits = replace(MOMENT.share(LONGER**self.step), cancelled=self.callback.is_stopped)
        return MoveValues(evaluate_moves(self.state, limits, known=self.known))

    def again(self, found: MoveValues) -> AnalyseMoves | None:
        """Return the query that finds out more, ``None`` where that is not worth while."""
        if found.is_exact or self.step + 1 >= ANALYSES:
            return None
        return replace(self, known=found.moves, step=self.step + 1)


@dataclass(frozen=True)
class ValueState:
    """How good a state is for the side to move."""

    state: GameState

    def __call__(self) -> Evaluation:
        """Return it."""
        return evaluate(self.state, REVIEW)


@dataclass(frozen=True)
class ReviewMove:
    """How good a move was.

    Args:
        state: the state before it.
        number: the move.
        there: of the state after it, for the side that is to move there.
    """

    state: GameState
    number: int
    after: Evaluation

    def __call__(self) -> ReviewedMove:
        """Return it."""
        return review_move(self.state, self.number, self.after)


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
