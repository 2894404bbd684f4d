"""The fast solver for games with the pie rule, whose first two moves it does not know itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.pie import without_pie
from tic_tac_toe.logic.search.pie import with_pie
from tic_tac_toe.logic.search.verdict import Solver
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
    return with_pie(rules, with_book(plain, fast)), fast
