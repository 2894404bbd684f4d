"""The fast solver for games with the pie rule, whose first two moves it does not know itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tic_tac_toe.logic.exceptions import Message
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.pie import Pie, without_pie
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.pie import with_pie
from tic_tac_toe.logic.search.verdict import Solver, default_solver
from tic_tac_toe.solver.book import with_book
from tic_tac_toe.solver.limits import Limits

if TYPE_CHECKING:
    from tic_tac_toe.solver.checkpoint import Checkpoint
    from tic_tac_toe.solver.session import FastSolver


def fast_solvers(
    rules: Rules, limits: Limits, checkpoint: Checkpoint | None = None
) -> tuple[Solver, FastSolver]:
    """Return the fast solver behind the pie rule and the book, where there are such, and itself.

    Raises:
        InvalidVariant: the fast solver does not solve this game.
        InvalidCheckpoint: what the checkpoint's folder holds is no state of this search.
    """
    from tic_tac_toe.solver.session import FastSolver

    plain = without_pie(rules)
    fast = FastSolver(plain, limits, checkpoint=checkpoint)
    return with_pie_and_book(rules, fast), fast


def searched_game(rules: Rules) -> Rules:
    """Return the game that the solvers search: the same without the pie rule."""
    return without_pie(rules)


def plain_solver(
    rules: Rules,
    position: Position,
    node_limit: int | None = None,
    *,
    stop: Callable[[int], Message | str | None] | None = None,
) -> Solver:
    """Return the solver in plain Python of a game without its pie rule; see `default_solver`."""
    if isinstance(rules, Pie):  # after a swap no table has the position
        return AlphaBeta(rules.rules, node_limit=node_limit, stop=stop)
    return default_solver(rules, position, node_limit, stop=stop)


def with_pie_and_book(rules: Rules, plain: Solver) -> Solver:
    """Return a solver of a game, behind its book where there is one.

    Args:
        plain: a solver of the game without its pie rule.
    """
    return with_pie(rules, with_book(without_pie(rules), plain))
