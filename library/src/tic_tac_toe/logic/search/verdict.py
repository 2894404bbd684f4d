"""Exact answers in full: outcome, distance, every best move and a principal variation."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from tic_tac_toe.logic.exceptions import Message
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import starter_of
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import without_misere
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.scores import (
    Result,
    back_up,
    plies_of,
    push_down,
    result_of,
)
from tic_tac_toe.logic.search.table import Table, is_small, small_table


class Solver(Protocol):
    """A source of exact scores: a table, alpha-beta, textbook minimax, a compiled kernel."""

    def score(self, position: Position) -> int:
        """Return the exact score of a position, in the terms of `search.scores`."""
        ...

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``."""
        ...


class Verdict(NamedTuple):
    """What a position is worth under best play.

    Attributes:
        outcome: for the side to move.
        plies: the number of moves that the game still takes; the length of ``line``.
        best: every best move, ascending: the shortest wins, else the draws, else the longest
            losses. Empty once the game is over.
        line: a principal variation; both sides always take the first of their best moves.
    """

    outcome: Result
    plies: int
    best: tuple[int, ...] = ()
    line: tuple[int, ...] = ()


class MoveVerdict(NamedTuple):
    """What a move is worth to the side that makes it.

    Attributes:
        cell: the move.
        outcome: for the side that makes the move.
        plies: how many moves the game takes under best play from then on, this one included.
    """

    cell: int
    outcome: Result
    plies: int


def find_verdict(rules: Rules, position: Position, solver: Solver | None = None) -> Verdict:
    """Return the verdict on a position.

    Args:
        solver: the source of scores; unless given, the table of a small game, else alpha-beta.

    Raises:
        SearchLimitReached: the solver has a limit and it was reached.
    """
    solver = solver or default_solver(rules, position)
    score = solver.score(position)
    best = best_moves(rules, position, score, solver)
    line = _line(rules, position, score, best, solver)
    return Verdict(result_of(score), len(line), best, line)


def analyse_moves(
    rules: Rules, position: Position, solver: Solver | None = None
) -> tuple[MoveVerdict, ...]:
    """Return the verdict on each legal move, by ascending cell; see `find_verdict`."""
    solver = solver or default_solver(rules, position)
    verdicts = []
    for move in rules.moves(position):
        child = rules.play(position, move)
        score = back_up(solver.score(child))
        plies = plies_of(score) if score else 1 + plies_to_draw(rules, child, solver)
        verdicts.append(MoveVerdict(move, result_of(score), plies))
    return tuple(verdicts)


def best_moves(rules: Rules, position: Position, score: int, solver: Solver) -> tuple[int, ...]:
    """Return every move that keeps the score of the position, ascending."""
    if isinstance(solver, Table):
        return solver[position].best
    # A move falls short where the opponent gets more than what this score leaves.
    more = push_down(score) + 1
    return tuple(
        move
        for move in rules.moves(position)
        if not solver.reaches(rules.play(position, move), more)
    )


def default_solver(
    rules: Rules,
    position: Position,
    node_limit: int | None = None,
    *,
    stop: Callable[[int], Message | str | None] | None = None,
) -> Solver:
    """Return the table where the game is small and the position is in it, else alpha-beta.

    Args:
        node_limit, stop: see `AlphaBeta`; a table needs neither.
    """
    if is_small(rules):
        table = small_table(rules, starter_of(position))
        if position in table:
            return table
    return AlphaBeta(rules, node_limit=node_limit, stop=stop)


def plies_to_draw(rules: Rules, position: Position, solver: Solver) -> int:
    """Return how many moves a game that is drawn under best play still takes."""
    if type(without_misere(rules)) is LineRules:  # a subclass may have other draws
        return rules.shape.cells - position.marks  # nothing but a full board is a draw
    return len(_line(rules, position, 0, best_moves(rules, position, 0, solver), solver))


def _line(
    rules: Rules, position: Position, score: int, best: tuple[int, ...], solver: Solver
) -> tuple[int, ...]:
    """Return the principal variation from a position whose score and best moves are known."""
    line = []
    while best:
        line.append(best[0])
        position, score = rules.play(position, best[0]), push_down(score)
        best = best_moves(rules, position, score, solver)
    return tuple(line)
