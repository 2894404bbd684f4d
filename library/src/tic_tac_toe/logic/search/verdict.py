"""Exact answers in full: outcome, distance, every best move and a principal variation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from tic_tac_toe.logic.exceptions import Message
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import starter_of
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.wrappers import without_misere, without_pie
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.evaluation import UNKNOWN, Evaluation, MoveEvaluation, Source
from tic_tac_toe.logic.search.retrograde import Graph, small_graph, solve_graph
from tic_tac_toe.logic.search.scores import MATE, back_up, plies_of, push_down
from tic_tac_toe.logic.search.table import Table, is_small, small_table


class Solver(Protocol):
    """A source of exact scores: a table, alpha-beta, textbook minimax, a compiled kernel."""

    def score(self, position: Position) -> int:
        """Return the exact score of a position, in the terms of `search.scores`."""
        ...

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``."""
        ...


def find_verdict(rules: Rules, position: Position, solver: Solver | None = None) -> Evaluation:
    """Return the exact evaluation of a position, with every best move and the line of best play.

    Best are the shortest wins, else the draws, else the longest losses. On the line both sides take
    the first of their best moves; it ends where a position comes back.

    Args:
        solver: the source of scores; unless given, the table of a small game, else alpha-beta.

    Raises:
        SearchLimitReached: the solver has a limit and it was reached.
    """
    *_, found = each_verdict(rules, position, solver or default_solver(rules, position))
    return found


def each_verdict(
    rules: Rules, position: Position, solver: Solver, known: Evaluation = UNKNOWN
) -> Iterator[Evaluation]:
    """Yield ever more of `find_verdict`: the score, then every best move, then the line.

    Args:
        known: what is proved of the position by now, which is not asked for again.

    Raises:
        SearchLimitReached: see `find_verdict`; what has been yielded by then is exact.
    """
    score = _find_score(position, solver, known)
    source = source_of(rules, position, solver)
    found = Evaluation.exact(score, length=length_of_draw(rules, position), source=source)
    yield found
    found = found._replace(best=best_moves(rules, position, score, solver))
    yield found
    line = tuple(each_move_of_line(rules, position, score, found.best, solver))
    length = 0 if _is_endless(rules, score) else len(line)
    yield Evaluation.exact(score, found.best, line, length, source)


def _find_score(position: Position, solver: Solver, known: Evaluation) -> int:
    """Return the exact score; where the winner is known, from the shortest distance up."""
    bound = known.bound
    if bound is None:
        return solver.score(position)
    if not known.is_exact:
        for plies in range(1, plies_of(bound)):
            nearest = MATE - plies
            if bound > 0 and solver.reaches(position, nearest):
                return nearest
            if bound < 0 and not solver.reaches(position, 1 - nearest):
                return -nearest
    return bound


def source_of(rules: Rules, position: Position, solver: Solver) -> Source:
    """Return where the answers of a solver come from."""
    if not rules.moves(position):
        return "end"
    return "table" if isinstance(solver, Table) else "solver"


def analyse_moves(
    rules: Rules,
    position: Position,
    solver: Solver | None = None,
    moves: Sequence[int] | None = None,
) -> tuple[MoveEvaluation, ...]:
    """Return the exact evaluation of each move, by ascending cell; see `find_verdict`.

    Args:
        moves: all legal moves unless given.
    """
    solver = solver or default_solver(rules, position)
    chosen = rules.moves(position) if moves is None else moves
    return tuple(evaluate_move(rules, position, move, solver) for move in chosen)


def evaluate_move(rules: Rules, position: Position, move: int, solver: Solver) -> MoveEvaluation:
    """Return the exact evaluation of one move."""
    child = rules.play(position, move)
    score = back_up(solver.score(child))
    length = None
    if score == 0:
        length = 0 if _is_endless(rules, score) else 1 + plies_to_draw(rules, child, solver)
    source = source_of(rules, child, solver)
    return MoveEvaluation(move, Evaluation.exact(score, length=length, source=source))


def best_moves(rules: Rules, position: Position, score: int, solver: Solver) -> tuple[int, ...]:
    """Return every move that keeps the score of the position, ascending."""
    return tuple(each_best_move(rules, position, score, solver))


def each_best_move(rules: Rules, position: Position, score: int, solver: Solver) -> Iterator[int]:
    """Yield the moves of `best_moves`, each as soon as it is found."""
    if isinstance(solver, Table):
        yield from solver[position][1]
        return
    # A move falls short where the opponent gets more than what this score leaves.
    more = push_down(score) + 1
    for move in rules.moves(position):
        if not solver.reaches(rules.play(position, move), more):
            yield move


def default_solver(
    rules: Rules,
    position: Position,
    node_limit: int | None = None,
    *,
    stop: Callable[[int], Message | str | None] | None = None,
) -> Solver:
    """Return the table where the game is small and the position is in it, else alpha-beta.

    Games in which positions come back are solved whole, by retrograde analysis.

    Args:
        node_limit, stop: see `AlphaBeta`; a table needs neither.
    """
    if traits_of(rules).longest is None:
        return _endless_solver(rules, position, node_limit)
    if is_small(rules):
        table = small_table(rules, starter_of(position))
        if position in table:
            return table
    return AlphaBeta(rules, node_limit=node_limit, stop=stop)


def _endless_solver(rules: Rules, position: Position, node_limit: int | None) -> Graph:
    """Return the scores of all that can follow from the start of a game, or from a position."""
    graph = small_graph(rules, starter_of(position), node_limit)
    return graph if position in graph else solve_graph(rules, position, position_limit=node_limit)


def _is_endless(rules: Rules, score: int) -> bool:
    """Return whether a game of this score goes on for ever under best play."""
    return score == 0 and traits_of(rules).longest is None


def length_of_draw(rules: Rules, position: Position, move: int | None = None) -> int | None:
    """Return how many plies every draw takes, 0 for ever, ``None`` where that depends on the play.

    Args:
        move: begin with this one.
    """
    if traits_of(rules).longest is None:
        return 0
    # A first mark that leaves a draw to who takes it over leaves one to who does not, too.
    if type(without_misere(without_pie(rules))) is not LineRules:  # a subclass may have other draws
        return None
    if move is not None:  # a swap is a ply and no mark
        return 1 + rules.shape.cells - rules.play(position, move).marks
    return rules.shape.cells - position.marks  # nothing but a full board is a draw


def plies_to_draw(rules: Rules, position: Position, solver: Solver) -> int:
    """Return how many moves a game that is drawn under best play still takes."""
    if (length := length_of_draw(rules, position)) is not None:
        return length
    best = best_moves(rules, position, 0, solver)
    return sum(1 for _ in each_move_of_line(rules, position, 0, best, solver))


def each_move_of_line(
    rules: Rules, position: Position, score: int, best: tuple[int, ...], solver: Solver
) -> Iterator[int]:
    """Yield the principal variation from a position whose score and best moves are known."""
    seen = set[Position]()
    while best and position not in seen:
        seen.add(position)
        yield best[0]
        position, score = rules.play(position, best[0]), push_down(score)
        best = best_moves(rules, position, score, solver)
