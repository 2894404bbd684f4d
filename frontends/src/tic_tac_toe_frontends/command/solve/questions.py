"""The questions of ``tic-tac-toe solve`` to a solver, and what is known when a limit is reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.scores import MATE, Result, back_up, plies_of, result_of
from tic_tac_toe.logic.search.verdict import Solver, best_moves, find_verdict, plies_to_draw
from tic_tac_toe.solver.book import book_for
from tic_tac_toe.solver.pie import with_pie_and_book

from ..verdicts import Answer, MoveAnswer


class CountingSolver(Solver, Protocol):
    """A solver that counts the positions that it searches."""

    @property
    def nodes(self) -> int:
        """The number of positions that it has searched."""


def find_outcome(state: GameState, solver: Solver) -> Answer:
    """Return the outcome only."""
    from tic_tac_toe.solver import FastSolver

    position = state.position
    try:
        if (book := book_for(state.rules)) and (known := book.score(position)) is not None:
            return Answer(result_of(known))
        if isinstance(solver, FastSolver) and solver.rules == state.rules:
            return Answer(result_of(solver.bounds(position, -1, 1)[0]))
        solver = with_pie_and_book(state.rules, solver)
        if solver.reaches(position, 1):
            return Answer("win")
        return Answer("draw" if solver.reaches(position, 0) else "loss")
    except SearchLimitReached as limit:
        return _answer_at_limit(limit)


def find_score(state: GameState, solver: Solver) -> Answer:
    """Return the outcome and the distance: the bulk of the work."""
    rules, position = state.rules, state.position
    solver = with_pie_and_book(rules, solver)
    try:
        score = solver.score(position)
        plies = plies_of(score) if score else plies_to_draw(rules, position, solver)
    except SearchLimitReached as limit:
        return _answer_at_limit(limit)
    result = result_of(score)
    return Answer(result, plies, bounds=(result, result))


def complete(state: GameState, solver: Solver, found: Answer) -> Answer:
    """Return the whole answer about a position whose score is known, or its part before a limit."""
    rules, position = state.rules, state.position
    solver = with_pie_and_book(rules, solver)
    try:
        return Answer(*find_verdict(rules, position, solver))
    except SearchLimitReached as limit:
        known = found._replace(limit=_reason(limit))
    try:  # without the line of play, whose positions have scores of their own
        best = best_moves(rules, position, solver.score(position), solver)
        return known._replace(best=best)
    except SearchLimitReached:
        return known


def find_moves(state: GameState, solver: Solver, answer: Answer) -> Iterator[MoveAnswer]:
    """Yield the value of each move; once a limit is reached, what the answer proves about it.

    Args:
        answer: about the position; it proves something about each of its moves.
    """
    rules, position = state.rules, state.position
    solver = with_pie_and_book(rules, solver)
    for move in rules.moves(position):
        child = rules.play(position, move)
        try:
            score = back_up(solver.score(child))
            plies = plies_of(score) if score else 1 + plies_to_draw(rules, child, solver)
            yield MoveAnswer(move, result_of(score), plies)
        except SearchLimitReached:
            yield _proved_move(move, answer)


def _proved_move(move: int, answer: Answer) -> MoveAnswer:
    """Return what an answer about a position proves about one of its moves.

    The best moves are worth what the position is worth, and a draw here is a full board, so that
    they take as many plies. If the side to move cannot win, every other move loses.
    """
    if answer.best is None:
        return MoveAnswer(move)
    if move in answer.best:
        return MoveAnswer(move, answer.outcome, answer.plies)
    return MoveAnswer(move, None if answer.outcome == "win" else "loss")


def _answer_at_limit(limit: SearchLimitReached) -> Answer:
    low, high = limit.bounds or (-MATE, MATE)
    at_least, at_most = result_of(low), result_of(high)
    outcome: Result | None = at_least if at_least == at_most else None
    return Answer(outcome, bounds=(at_least, at_most), limit=_reason(limit))


def _reason(limit: SearchLimitReached) -> Message:
    """Return the limit without the bounds, which may be those of another position."""
    reason = limit.params.get("reason")
    return reason if isinstance(reason, Message) else limit.message
