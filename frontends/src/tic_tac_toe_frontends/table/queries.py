"""Queries about a state: values that can be called here, in a thread or in a worker."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from tic_tac_toe.game.evaluate import (
    LONGER,
    REVIEW,
    ReviewedMove,
    evaluate,
    evaluate_moves,
    review_move,
)
from tic_tac_toe.limits import MOMENT, Progress
from tic_tac_toe.logic.exceptions import BrainError, InvalidMove
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
from tic_tac_toe.opponents import Opponents

if TYPE_CHECKING:
    from tic_tac_toe.insight.explain import Explanation
    from tic_tac_toe.insight.lessons import Exercise
    from tic_tac_toe.insight.puzzles import Answer, Puzzle


class ProgressCallback:
    """Receives the progress of a search, perhaps in another thread, and can end the search.

    It is part of a query, but is not pickled: an unpickled query has a new one.

    Attributes:
        progress: the last progress; ``None`` before the first.
        stopped: whether the search is to end.
        on_progress: called with each progress, in the searching thread.
        on_stop: called by `stop`, in the screen's thread.
    """

    def __init__(self) -> None:
        self.progress: Progress | None = None
        self.stopped = False
        self.on_progress: Callable[[Progress], object] = lambda _progress: None
        self.on_stop: Callable[[], object] = lambda: None

    def __reduce__(self) -> tuple[type[ProgressCallback], tuple[()]]:
        return ProgressCallback, ()

    def report(self, progress: Progress) -> None:
        """Record the progress; its share never decreases."""
        before = 0.0 if self.progress is None else self.progress.share
        self.progress = progress._replace(share=max(before, progress.share))
        self.on_progress(self.progress)

    def stop(self) -> None:
        """End the search: the computer plays the best move so far."""
        if not self.stopped:
            self.stopped = True
            self.on_stop()

    def is_stopped(self) -> bool:
        """Return whether the search is to end."""
        return self.stopped


Result = TypeVar("Result")


#: The number of analyses, each with more work; in a browser few, because ending one restarts
#: Python.
ANALYSES = 2 if sys.platform == "emscripten" else 4


class MoveValues(NamedTuple):
    """The evaluations of the legal moves of a state.

    Attributes:
        moves: ascending; some evaluations may be unknown.
        by_server: whether a server evaluated them.
    """

    moves: tuple[MoveEvaluation, ...]
    by_server: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether every move is solved."""
        return all(move.evaluation.is_exact for move in self.moves)

    def after(self, before: MoveValues) -> MoveValues:
        """Return these values, narrowed by earlier proofs."""
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
    """The move of a computer player.

    Args:
        strategy: the name of the player among the opponents.
        callback: receives the progress, and can end the search.
    """

    state: GameState
    strategy: str
    rng: random.Random
    opponents: Opponents = field(default_factory=Opponents)
    callback: ProgressCallback = field(default_factory=ProgressCallback, compare=False, repr=False)

    def __call__(self) -> int | BrainError:
        """Return the number of the move, or the error of an external program.

        Raises:
            InvalidMove: the game is over.
        """
        try:
            callback = self.callback
            choose = self.opponents.strategy(self.strategy, callback.is_stopped, callback.report)
            move = choose(self.state, self.rng)
        except BrainError as error:
            return error
        if move is None:
            raise InvalidMove("No more possible moves", "no_moves")
        return move.number


@dataclass(frozen=True)
class FindHint:
    """The best moves, proved or estimated.

    Args:
        full: find all best moves.
    """

    state: GameState
    full: bool = False

    def __call__(self) -> Evaluation:
        """Return the evaluation of the state with the best moves."""
        return evaluate(self.state, full=self.full)


@dataclass(frozen=True)
class AnalyseMoves:
    """The evaluation of each legal move.

    Args:
        known: the results of the analyses before.
        step: the number of these analyses.
        callback: can end the search.
    """

    state: GameState
    known: tuple[MoveEvaluation, ...] = ()
    step: int = 0
    callback: ProgressCallback = field(default_factory=ProgressCallback, compare=False, repr=False)

    def __call__(self) -> MoveValues:
        """Return the evaluations."""
        limits = replace(MOMENT.share(LONGER**self.step), cancelled=self.callback.is_stopped)
        return MoveValues(evaluate_moves(self.state, limits, known=self.known))

    def again(self, found: MoveValues) -> AnalyseMoves | None:
        """Return the query with more work; ``None`` if that is useless."""
        if found.is_exact or self.step + 1 >= ANALYSES:
            return None
        return replace(self, known=found.moves, step=self.step + 1)


@dataclass(frozen=True)
class ValueState:
    """The evaluation of a state for the side to move."""

    state: GameState

    def __call__(self) -> Evaluation:
        """Return it."""
        return evaluate(self.state, REVIEW)


@dataclass(frozen=True)
class ReviewMove:
    """The review of a move.

    Args:
        state: the state before it.
        number: the move.
        after: the evaluation of the state after it.
    """

    state: GameState
    number: int
    after: Evaluation

    def __call__(self) -> ReviewedMove:
        """Return it."""
        return review_move(self.state, self.number, self.after)


@dataclass(frozen=True)
class ExplainMove:
    """The explanation of a move.

    Args:
        state: the state before it.
        move: its number.
        values: the known evaluations of moves; those that are missing are searched for.
    """

    state: GameState
    move: int
    values: tuple[MoveEvaluation, ...] = ()

    def __call__(self) -> Explanation:
        """Return it."""
        from tic_tac_toe.insight.explain import explain  # large, and not needed to play

        return explain(self.state, self.move, values=self.values, limits=MOMENT)


@dataclass(frozen=True)
class AboutTask:
    """A question about a puzzle or an exercise.

    Args:
        moves: since it began.
    """

    aim: Puzzle | Exercise
    moves: tuple[int, ...]

    @property
    def state(self) -> GameState:
        """The state in which it begins."""
        return self.aim.state


class JudgeMove(AboutTask):
    """What the last of the moves is worth."""

    def __call__(self) -> Answer:
        """Return it."""
        from tic_tac_toe.insight.lessons import judge

        return judge(self.aim, self.moves)


class FindRest(AboutTask):
    """The moves that are still to find, with the replies; all so far are right."""

    def __call__(self) -> tuple[int, ...]:
        """Return them."""
        from tic_tac_toe.insight.lessons import rest_of

        return rest_of(self.aim, self.moves)


class Ask(Protocol):
    """How a screen answers queries, the only difference between screens."""

    def __call__(self, query: Callable[[], Result], done: Callable[[Result], object], /) -> object:
        """Run ``query()`` somewhere; call ``done`` with its result in the screen's thread.

        The query is one of this module. ``done`` may be called before this returns, later, or
        never.
        """


def ask_here(query: Callable[[], Result], done: Callable[[Result], object]) -> None:
    """Answer a query before returning; see `Ask`."""
    done(query())
