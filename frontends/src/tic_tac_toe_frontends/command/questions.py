"""The questions of ``analyse`` and ``solve`` to a solver, and what is known at its limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.evaluation import Evaluation, MoveEvaluation
from tic_tac_toe.logic.search.verdict import (
    UNKNOWN,
    Solver,
    each_verdict,
    evaluate_move,
    length_of_draw,
)


class Found(NamedTuple):
    """What is known of a position.

    Attributes:
        evaluation: has every best move where it is exact, or none where they are not known.
        limit: what has ended the search; ``None`` if nothing has.
    """

    evaluation: Evaluation
    limit: Message | None = None

    @property
    def is_solved(self) -> bool:
        """Whether the score is known and every best move."""
        return self.evaluation.is_exact and bool(
            self.evaluation.best or self.evaluation.source == "end"
        )


def find_outcome(state: GameState, solver: Solver) -> Found:
    """Return the outcome only."""
    position = state.position
    try:
        if solver.reaches(position, 1):
            return Found(Evaluation(low=1))
        return Found(Evaluation.exact(0) if solver.reaches(position, 0) else Evaluation(high=-1))
    except SearchLimitReached as limit:
        return Found(UNKNOWN.narrowed(*limit.bounds or UNKNOWN[:2]), limit.reason)


def find(state: GameState, solver: Solver, known: Evaluation = UNKNOWN) -> Iterator[Found]:
    """Yield ever more of what is known of a position, at least once.

    Args:
        known: what is proved of it by now.
    """
    found = known
    try:
        for found in each_verdict(state.rules, state.position, solver, known):
            yield Found(found)
    except SearchLimitReached as limit:
        if not found.is_exact and limit.bounds:
            found = found.narrowed(*limit.bounds)
        yield Found(found, limit.reason)


def find_move(
    state: GameState, move: int, solver: Solver, found: Evaluation
) -> tuple[MoveEvaluation, Message | None]:
    """Return what is known of a move, and the limit if that has kept back something.

    Args:
        found: of the position. Its best moves keep it, and where all of them are known the others
            are worse.
    """
    rules, position = state.rules, state.position
    try:
        return evaluate_move(rules, position, move, solver), None
    except SearchLimitReached as limit:
        if move in found.best:
            length = length_of_draw(rules, position, move)
            kept = Evaluation(found.low, found.high, length=length)
        else:
            kept = Evaluation(high=found.high - bool(found.is_exact and found.best))
        return MoveEvaluation(move, kept), limit.reason
