"""Exact answers while a person waits: within limits of nodes and seconds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tic_tac_toe.engines.choice import engine_for
from tic_tac_toe.engines.progress import Reporter
from tic_tac_toe.engines.thought import Budget, Thought
from tic_tac_toe.game.effort import MOMENT, SOLVE_SHARE, STUDY, Effort
from tic_tac_toe.game.solvability import (
    has_compiled_solver,
    has_fast_solver,
    plain_python_solves,
)
from tic_tac_toe.logic.analysis import Analysis, StateVerdict
from tic_tac_toe.logic.exceptions import Message, SearchLimitReached, message
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Foretelling, Rules
from tic_tac_toe.logic.rules.placements import cell_of
from tic_tac_toe.logic.rules.traits import plies_left
from tic_tac_toe.logic.search.scores import MATE, back_up, final_score, push_down
from tic_tac_toe.logic.search.table import is_small
from tic_tac_toe.logic.search.threats import win_by_fours
from tic_tac_toe.logic.search.verdict import (
    MoveVerdict,
    Solver,
    analyse_moves,
    default_solver,
    each_best_move,
    each_move_of_line,
    each_move_verdict,
    find_verdict,
)

if TYPE_CHECKING:
    from tic_tac_toe.solver import FastSolver, Limits

Answer = TypeVar("Answer")

#: The legal moves of positions that plain Python looks at in a second of an ordinary machine.
PLAIN_NODES_A_SECOND = 500_000
MOST_NODES = 1 << 62
#: The part of its time that an engine gets where plain Python has tried in vain to solve.
AFTER_SOLVING = 0.25


class Solved(NamedTuple):
    """A position's exact score, on the scale of `logic.search.scores`, and its best moves."""

    score: int
    best: tuple[int, ...]


class Proved(NamedTuple):
    """What the search for the best moves has proved.

    Attributes:
        solved: the score and the best moves, or ``None`` where the effort ended first.
        kept: in that case, moves that keep the bound that was proved of the score.
        score: the exact score, if that was found: all moves that are kept are then best moves.
    """

    solved: Solved | None
    kept: tuple[int, ...] = ()
    score: int | None = None


def perfect_moves(state: GameState, effort: Effort = MOMENT) -> tuple[int, ...] | None:
    """Return every best move, or ``None`` where the game is too large to solve."""
    solved = solve_in_a_moment(state, effort)
    return None if solved is None else solved.best


def solve_in_a_moment(state: GameState, effort: Effort = MOMENT) -> Solved | None:
    """Return the exact score and every best move, or ``None`` where that takes too long."""
    return prove_in_a_moment(state, effort).solved


def prove_in_a_moment(state: GameState, effort: Effort = MOMENT) -> Proved:
    """Return the exact score and every best move, or where that takes too long what was proved."""
    rules, position = state.rules, state.position
    if (known := _look_up(rules, position)) is not None:
        return Proved(known)
    if not is_small(rules):
        if has_compiled_solver(rules):
            return _prove_fast(state, effort)
        if not plain_python_solves(rules, position):
            return Proved(None, _foretold(rules, position))
    try:
        solver = plain_solver(rules, position, effort)
        return _find_best(rules, position, solver, solver.score(position))
    except SearchLimitReached:
        return Proved(None, _foretold(rules, position))


def _look_up(rules: Rules, position: Position) -> Solved | None:
    """Return what the opening book knows of a position and all its moves, if it does."""
    from tic_tac_toe.solver.book import book_for

    book = book_for(rules)
    if book is None or position.marks >= book.plies:
        return None
    scores = {move: book.score(rules.play(position, move)) for move in rules.moves(position)}
    worst = min(score for score in scores.values() if score is not None)
    return Solved(back_up(worst), tuple(move for move in scores if scores[move] == worst))


def _find_best(rules: Rules, position: Position, solver: Solver, score: int) -> Proved:
    """Return every best move, or those that were found before the solver reached its limit."""
    best = list[int]()
    try:
        for move in each_best_move(rules, position, score, solver):
            best.append(move)
    except SearchLimitReached:
        return Proved(None, tuple(best), score)
    return Proved(Solved(score, tuple(best)))


def _foretold(rules: Rules, position: Position) -> tuple[int, ...]:
    """Return the moves that win as the theory of the game says, if it has one."""
    if not isinstance(rules, Foretelling):
        return ()
    children = ((move, rules.play(position, move)) for move in rules.moves(position))
    return tuple(move for move, child in children if rules.foretell(child) == position.turn)


def verdict_in_a_moment(state: GameState, effort: Effort = STUDY) -> StateVerdict | None:
    """Return the verdict on a state, or ``None`` where that takes too long."""
    found = _ask(state, find_verdict, effort)
    return None if found is None else StateVerdict.on(state, found)


def analyse_in_a_moment(state: GameState, effort: Effort = STUDY) -> Analysis | None:
    """Return the verdict on each legal move, or ``None`` where that takes too long."""
    found = _ask(state, analyse_moves, effort)
    return None if found is None else Analysis.on(state, found)


def solved_moves(state: GameState, effort: Effort = STUDY) -> tuple[MoveVerdict, ...]:
    """Return the verdicts on the legal moves that are solved within the effort, ascending."""
    rules, position = state.rules, state.position
    found = list[MoveVerdict]()
    with suppress(SearchLimitReached):
        if (solver := _solver(rules, position, effort)) is not None:
            for verdict in each_move_verdict(rules, position, solver):
                found.append(verdict)
    return tuple(found)


def score_in_a_moment(state: GameState, effort: Effort = MOMENT) -> tuple[int, int]:
    """Return the lowest and the highest score that a state can have, as far as that is found.

    Both are the same where the effort suffices; see `logic.search.scores`.
    """
    rules, position = state.rules, state.position
    if state.outcome is not None:  # a draw by repetition is not on the board
        score = final_score(state.outcome, position.turn)
        return score, score
    low, high = -MATE, MATE
    try:
        if (solver := _solver(rules, position, effort)) is not None:
            score = solver.score(position)
            return score, score
    except SearchLimitReached as limit:
        low, high = limit.bounds or (low, high)
    if not isinstance(rules, Foretelling):
        return low, high
    winner, longest = rules.foretell(position), plies_left(rules, position) or MATE - 1
    if winner is None:
        return 0, 0
    if winner == position.turn:
        return max(low, MATE - longest), high
    return low, min(high, longest - MATE)


class BestPlay(NamedTuple):
    """How both sides play best, as far as it was found.

    Attributes:
        best: the best moves, ascending.
        line: the moves from now on; both sides take the first of their best moves. It ends where
            the game does, where a position comes back, or where the effort ended.
    """

    best: tuple[int, ...] = ()
    line: tuple[int, ...] = ()


def best_play_in_a_moment(state: GameState, score: int, effort: Effort = MOMENT) -> BestPlay:
    """Return the best play from a state whose exact score is known."""
    rules, position = state.rules, state.position
    best, line = list[int](), list[int]()
    with suppress(SearchLimitReached):
        if (solver := _solver(rules, position, effort)) is not None:
            for move in each_best_move(rules, position, score, solver):
                best.append(move)
            for move in each_move_of_line(rules, position, score, tuple(best), solver):
                line.append(move)
    return BestPlay(tuple(best), tuple(line) or tuple(best[:1]))


def _ask(
    state: GameState, question: Callable[[Rules, Position, Solver], Answer], effort: Effort
) -> Answer | None:
    """Put a question to the best solver for the game, if it can be expected to answer."""
    rules, position = state.rules, state.position
    try:
        solver = _solver(rules, position, effort)
        return None if solver is None else question(rules, position, solver)
    except SearchLimitReached:
        return None


def _solver(rules: Rules, position: Position, effort: Effort) -> Solver | None:
    """Return the best solver for a game, if it can be expected to solve a position.

    Raises:
        SearchLimitReached: positions can come back, and there are too many of them.
    """
    if has_fast_solver(rules) and not is_small(rules):
        return fast_solvers(rules, effort)[0]
    from tic_tac_toe.solver.book import book_for, with_book

    book = book_for(rules)
    if book is not None and position.marks < book.plies:
        return with_book(rules, plain_solver(rules, position, effort))
    if plain_python_solves(rules, position):
        return plain_solver(rules, position, effort)
    return None


class Hint(NamedTuple):
    """Advice for a person.

    Attributes:
        best: the best moves as far as is known, ascending.
        score: what is proved, on the scale of `logic.search.scores`; ``None`` if nothing is.
        depth: how many plies were looked ahead where nothing is proved, else 0.
        line: where the score was proved by threats, the moves that win, the first of them now.
        proof: ``fours`` or ``threats`` in that case, and the game may take fewer plies than the
            score says; else empty.
    """

    best: tuple[int, ...]
    score: int | None = None
    depth: int = 0
    line: tuple[int, ...] = ()
    proof: str = ""


def find_hint(state: GameState, effort: Effort = MOMENT, rng: Random | None = None) -> Hint:
    """Return the best moves, or what looks best where they take too long.

    In that case only moves that keep what was proved are considered, if any was proved.

    Args:
        rng: where the chance of engines that need it comes from; always the same unless given.
    """
    solved, kept, score = prove_in_a_moment(state, effort)
    if solved is not None:
        return Hint(solved.best, solved.score)
    if len(kept) == 1 or (kept and score is not None):
        return Hint(kept, score)
    if not has_compiled_solver(state.rules) and plain_python_solves(state.rules, state.position):
        effort = effort.share(AFTER_SOLVING)
    found = think_a_moment(state, effort.keeping(kept), rng)
    if kept:
        return Hint(tuple(move for move in found.best if move in kept) or kept, depth=found.depth)
    if found.proof == "fours" and (won := win_by_fours(state.rules, state.position)):
        return Hint(won.line[:1], MATE - won.plies, 0, won.line, won.kind)  # the shortest, whole
    return Hint(found.best, found.score, found.depth, found.line, found.proof)


def think_a_moment(state: GameState, effort: Effort = MOMENT, rng: Random | None = None) -> Thought:
    """Return what the engine for the game finds within the effort, whatever can be solved."""
    rules, position = state.rules, state.position
    is_first = not (has_compiled_solver(rules) or plain_python_solves(rules, position))
    tell = effort.telling(0.0 if is_first else SOLVE_SHARE, 1.0)
    budget = Budget(effort.think_seconds, effort.stop, tell, effort.elapsed)
    return engine_for(state.rules).think(state.position, budget, rng or Random(0))


def plain_solver(rules: Rules, position: Position, effort: Effort = MOMENT) -> Solver:
    """Return a solver in plain Python that gives up within the effort.

    Raises:
        SearchLimitReached: positions can come back, and there are too many of them.
    """
    end = effort.stop_solving
    out_of_time = message("the time for solving is over", "solving_time")
    nodes = int(min(effort.solve_seconds * PLAIN_NODES_A_SECOND, MOST_NODES))
    reporter = _solving(effort, nodes)

    def stop(spent: int) -> Message | None:
        reporter.spent(spent)
        return out_of_time if end is not None and end() else None

    return default_solver(rules, position, nodes, stop=stop)


def fast_solvers(rules: Rules, effort: Effort = MOMENT) -> tuple[Solver, FastSolver]:
    """Return the fast solver behind the book, where there is one, and by itself."""
    from tic_tac_toe.solver.pie import fast_solvers as solvers

    return solvers(rules, _limits(rules, effort, effort.solve_seconds))


def _limits(rules: Rules, effort: Effort, seconds: float) -> Limits:
    """Return limits of the fast solver, given how many seconds an ordinary machine may take."""
    from tic_tac_toe.solver import Limits
    from tic_tac_toe.solver.readiness import SolverCode

    nodes = int(min(seconds * SolverCode(rules).nodes_a_second, MOST_NODES))
    reporter, stop = _solving(effort, MOST_NODES), effort.stop_solving

    def cancelled() -> bool:
        reporter.spent(0)  # it knows the clock only
        return stop is not None and stop()

    is_watched = stop is not None or effort.tell is not None
    # One thread, so that the same state gets the same answer.
    return Limits(
        None, nodes, effort.fast_memory, threads=1, cancelled=cancelled if is_watched else None
    )


def _solving(effort: Effort, nodes: int) -> Reporter:
    """Return who is told about the solving within an effort."""
    return Reporter(effort.telling(0.0, SOLVE_SHARE), nodes, effort.elapsed)


def _prove_fast(state: GameState, effort: Effort) -> Proved:
    """Return what `prove_in_a_moment` returns, by the fast solver."""
    rules, position = state.rules, state.position
    effort = effort.solving(plies_left(rules, position))
    solver, fast = fast_solvers(rules, effort)
    try:
        low = solver.score(position)
        proved = _find_best(rules, position, solver, low)
    except SearchLimitReached as limit:
        low, proved = limit.bounds[0] if limit.bounds else -MATE, Proved(None)
    if proved.solved is not None or proved.kept or low == -MATE:
        return proved
    limits = _limits(rules, replace(effort, stop_solving=effort.stop), effort.keep_seconds)
    assert limits.node_limit is not None, "it was given"
    fast.renew(replace(limits, node_limit=fast.nodes + limits.node_limit))
    kept = []
    try:
        # What a book knows of a swap costs no search, and so comes first.
        for move in sorted(
            rules.moves(position), key=lambda move: cell_of(rules, move) is not None
        ):
            if not solver.reaches(rules.play(position, move), push_down(low) + 1):
                kept.append(move)
                if low > 0:  # one win is enough, and draws are better chosen among
                    break
    except SearchLimitReached:
        pass
    return Proved(None, tuple(kept))
