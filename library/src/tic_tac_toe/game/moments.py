"""What can be solved while somebody waits: exact answers within limits of nodes and seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tic_tac_toe.logic.analysis import Analysis, StateVerdict
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.deepening import Lookahead, look_ahead
from tic_tac_toe.logic.search.scores import MATE, push_down
from tic_tac_toe.logic.search.table import is_small
from tic_tac_toe.logic.search.verdict import (
    Solver,
    analyse_moves,
    best_moves,
    default_solver,
    find_verdict,
)

if TYPE_CHECKING:
    from tic_tac_toe.solver import FastSolver

Answer = TypeVar("Answer")

#: `minimax` tries to solve positions with so many empty cells at most ...
SOLVE_EMPTY = 16
#: ... or a few more where there are few legal moves, as under gravity ...
SOLVE_EMPTY_NARROW, NARROW_MOVES = 20, 7
#: ... and gives up after looking at so many positions: a few seconds of plain Python.
SOLVE_NODES = 1_000_000
#: How many positions the fast solver, where it is installed, may look at to find the best move,
#: some two seconds; and so many more for a move that keeps what it has proved by then.
FAST_NODES, KEEP_NODES = 12_000_000, 3_000_000
#: On a slow machine the time ends first: seconds for the two.
FAST_SECONDS, KEEP_SECONDS = 8.0, 2.0
#: The memory of its table, in bytes: a larger one would not find more in that time.
FAST_MEMORY = 80 << 20
#: How many positions `minimax` looks at where it cannot solve: about a second's worth.
LOOKAHEAD_NODES = 20_000


class Solved(NamedTuple):
    """A position's exact score, on the scale of `logic.search.scores`, and its best moves."""

    score: int
    best: tuple[int, ...]


def perfect_moves(state: GameState) -> tuple[int, ...] | None:
    """Return every best move, or ``None`` where the game is too large to solve in a moment."""
    solved = solve_in_a_moment(state)
    return None if solved is None else solved.best


def solve_in_a_moment(state: GameState, kept: list[int] | None = None) -> Solved | None:
    """Return the exact score and every best move, or ``None`` where that takes too long.

    Args:
        kept: takes, in the second case, moves that keep what was proved in that moment.
    """
    rules, position = state.rules, state.position
    if not is_small(rules):
        if is_fast(rules):
            return _solve_fast(state, [] if kept is None else kept)
        if not can_solve(rules, position):
            return None
    solver = plain_solver(rules, position)
    try:
        score = solver.score(position)
        return Solved(score, best_moves(rules, position, score, solver))
    except SearchLimitReached:
        return None


def verdict_in_a_moment(state: GameState) -> StateVerdict | None:
    """Return the verdict on a state, or ``None`` where that takes too long."""
    found = _ask(state, find_verdict)
    return None if found is None else StateVerdict.on(state, found)


def analyse_in_a_moment(state: GameState) -> Analysis | None:
    """Return the verdict on each legal move, or ``None`` where that takes too long."""
    found = _ask(state, analyse_moves)
    return None if found is None else Analysis.on(state, found)


def _ask(state: GameState, question: Callable[[Rules, Position, Solver], Answer]) -> Answer | None:
    """Put a question to the best solver there is, if it can be expected to answer."""
    rules, position = state.rules, state.position
    solver: Solver
    if is_fast(rules) and not is_small(rules):
        solver, _ = fast_solvers(rules)
    elif can_solve(rules, position):
        solver = plain_solver(rules, position)
    else:
        return None
    try:
        return question(rules, position, solver)
    except SearchLimitReached:
        return None


class Hint(NamedTuple):
    """What somebody who asks for advice is told.

    Attributes:
        best: the best moves as far as is known, ascending.
        score: the exact score, on the scale of `logic.search.scores`; ``None`` if unknown.
        depth: how many plies were looked ahead where the score is unknown, else 0.
    """

    best: tuple[int, ...]
    score: int | None = None
    depth: int = 0


def find_hint(state: GameState) -> Hint:
    """Return the best moves, or what looks best some plies ahead where they take too long."""
    solved = solve_in_a_moment(state)
    if solved is not None:
        return Hint(solved.best, solved.score)
    found = look_some_moves_ahead(state)
    return Hint(found.best, depth=found.depth)


def look_some_moves_ahead(state: GameState) -> Lookahead:
    """Return what looks best as far ahead as about a second allows."""
    return look_ahead(state.rules, state.position, node_limit=LOOKAHEAD_NODES)


def plain_solver(rules: Rules, position: Position) -> Solver:
    """Return a solver in plain Python that gives up after some seconds."""
    return default_solver(rules, position, SOLVE_NODES)


def fast_solvers(rules: Rules) -> tuple[Solver, FastSolver]:
    """Return the fast solver behind the book, where there is one, and by itself."""
    from tic_tac_toe.solver import FastSolver, Limits
    from tic_tac_toe.solver.book import with_book

    # One thread, so that the same state gets the same answer whenever the nodes come first.
    fast = FastSolver(rules, Limits(FAST_SECONDS, FAST_NODES, FAST_MEMORY, threads=1))
    return with_book(rules, fast), fast


def _solve_fast(state: GameState, kept: list[int]) -> Solved | None:
    """Solve by the fast solver; see `solve_in_a_moment`."""
    from tic_tac_toe.solver import Limits

    rules, position = state.rules, state.position
    solver, fast = fast_solvers(rules)
    low: int | None = None
    try:
        low = solver.score(position)
        return Solved(low, best_moves(rules, position, low, solver))
    except SearchLimitReached as limit:
        if low is None:
            low = limit.bounds[0] if limit.bounds else -MATE
    fast.renew(Limits(KEEP_SECONDS, fast.nodes + KEEP_NODES, FAST_MEMORY, threads=1))
    try:
        for move in rules.moves(position) if low > -MATE else ():
            if not solver.reaches(rules.play(position, move), push_down(low) + 1):
                kept.append(move)
                if low > 0:  # one win is enough, and draws are better chosen among
                    break
    except SearchLimitReached:
        pass
    return None


def can_solve(rules: Rules, position: Position) -> bool:
    """Return whether plain Python solves a position in a few seconds, as a rule."""
    empty = rules.shape.cells - position.marks
    if is_small(rules) or empty <= SOLVE_EMPTY:
        return True
    return empty <= SOLVE_EMPTY_NARROW and len(rules.moves(position)) <= NARROW_MOVES


def is_fast(rules: Rules) -> bool:
    """Return whether the fast solver is there, and for this game."""
    from tic_tac_toe.solver.support import is_fast

    return is_fast(rules)


def is_supported(rules: Rules) -> bool:
    """Return whether the fast solver, if it were there, would know the game."""
    from tic_tac_toe.solver import supports

    return supports(rules)
