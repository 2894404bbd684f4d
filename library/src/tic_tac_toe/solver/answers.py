"""Exact answers about game states, from the best solver that is installed.

Nothing here loads NumPy or Numba before it is needed, so that this can be imported anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tic_tac_toe.extras import FAST, install_command
from tic_tac_toe.limits import Limits, require_limits
from tic_tac_toe.logic.analysis import Analysis, StateEvaluation
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import StateLike, state_of
from tic_tac_toe.logic.rules.wrappers import without_pie
from tic_tac_toe.logic.search.scores import Result
from tic_tac_toe.logic.search.table import is_small
from tic_tac_toe.logic.search.verdict import Solver, analyse_moves, find_verdict
from tic_tac_toe.solver.choice import solver_for, with_pie_and_book
from tic_tac_toe.solver.support import (
    check_support,
    is_fast,
    is_installed,
    require_packages,
    supports,
)

if TYPE_CHECKING:
    from distributed import Client

    from tic_tac_toe.solver.checkpoint import Checkpoint
    from tic_tac_toe.solver.session import FastSolver

#: How many positions `verdict` and `analyse` look at unless told otherwise: in plain Python half a
#: minute's worth, and all moves of the empty 4x4 need two thirds of it; by the fast solver some
#: minutes' worth, three times what the empty board of Connect Four takes. Plain Python keeps about
#: 300 bytes for each position in which it has looked at the moves, so that `NODE_LIMIT` bounds its
#: memory as well: measured at 17 MB on 26 x 26 and 420 MB on 3 x 26 with gravity, 600 MB at most.
NODE_LIMIT, FAST_NODE_LIMIT = 2_000_000, 1_000_000_000


def verdict(
    state: StateLike, limits: Limits | None = None, *, client: Client | None = None
) -> StateEvaluation:
    """Return the exact evaluation of a state, with every best move and the line of best play.

    The answer comes from the table of a small game, else from the opening book and the fast solver
    where they are installed and know the game, else from alpha-beta in plain Python.

    Args:
        limits: what it may cost; unless given, `NODE_LIMIT` positions in plain Python and
            `FAST_NODE_LIMIT` by the fast solver. Plain Python uses one thread, and its memory is
            bounded by the positions: about 300 bytes for each that is looked into.
        client: of a Dask cluster, whose workers search then; see `solver.cluster.connect`.

    Raises:
        SearchLimitReached: a limit came first; the exception tells what was proved. Its code is the
            limit's, ``time_limit``, ``node_limit`` or ``cancelled``; where the usual number of
            positions ended the search it is ``default_limit``, in plain Python for a game that the
            fast solver knows ``default_limit_of_plain_python``, and the message says what goes
            further.
        ConnectionError: the cluster fails.
        InvalidVariant: a cluster is asked about a game that the fast solver does not solve.
    """
    state = state_of(state)
    with _asking(state, limits, client) as solver:
        return StateEvaluation.on(state, find_verdict(state.rules, state.position, solver))


def analyse(
    state: StateLike, limits: Limits | None = None, *, client: Client | None = None
) -> Analysis:
    """Return the exact evaluation of each legal move, by ascending cell.

    Args:
        limits, client: see `verdict`.

    Raises:
        SearchLimitReached, ConnectionError, InvalidVariant: see `verdict`.
    """
    state = state_of(state)
    with _asking(state, limits, client) as solver:
        return Analysis.on(state, analyse_moves(state.rules, state.position, solver))


def solve(
    state: StateLike,
    limits: Limits | None = None,
    *,
    checkpoint: Checkpoint | None = None,
    client: Client | None = None,
) -> StateEvaluation:
    """Return the same as `verdict`, by the fast solver in any case, and without an end of its own.

    Positions that the opening book holds are not searched.

    Args:
        limits: what it may cost.
        checkpoint: where to save the state, now and then and at the end, and to go on from.
        client: of a Dask cluster, whose workers search then; see `solver.cluster.connect`.

    Raises:
        SearchLimitReached: a limit came first; the exception tells what was proved.
        ConnectionError: the cluster fails.
        InvalidVariant: the fast solver does not solve this game.
        InvalidCheckpoint: the checkpoint is damaged, or of something else.
        ModuleNotFoundError: a package is missing; the message tells how to install it.
        OSError: the checkpoint cannot be written.
        ValueError: a checkpoint is wanted of a cluster.
    """
    state = state_of(state)
    require_limits(Limits() if limits is None else limits)
    rules, position = state.rules, state.position
    if client is not None:
        if checkpoint is not None:
            raise ValueError("a checkpoint saves the search of one process, not that of a cluster")
        cluster = solver_for(rules, position, limits or Limits(), client=client)
        return StateEvaluation.on(state, find_verdict(rules, position, cluster))
    solver, fast = _fast_solvers(state, limits or Limits(), checkpoint)
    try:
        return StateEvaluation.on(state, find_verdict(rules, position, solver))
    finally:
        fast.save_news()


def solve_outcome(state: StateLike, limits: Limits | None = None) -> Result:
    """Return the outcome for the side to move and nothing more; faster than `solve`, see there."""
    state = state_of(state)
    require_limits(Limits() if limits is None else limits)
    solver, _ = _fast_solvers(state, limits or Limits())
    if solver.reaches(state.position, 1):
        return "win"
    return "draw" if solver.reaches(state.position, 0) else "loss"


@contextmanager
def _asking(state: GameState, limits: Limits | None, client: Client | None) -> Iterator[Solver]:
    """Yield the best solver, and say how to search further where its usual limit ends it."""
    require_limits(Limits() if limits is None else limits)
    rules = state.rules
    is_plain = client is None and (is_small(rules) or not is_fast(rules))
    usual = Limits(node_limit=NODE_LIMIT if is_plain else FAST_NODE_LIMIT)
    try:
        yield solver_for(rules, state.position, limits or usual, client=client)
    except SearchLimitReached as limit:
        if limits is not None or limit.code != "node_limit":
            raise
        if supports(rules) and not is_installed():
            raise SearchLimitReached(
                "{reason}; the fast solver goes further ({command}), "
                "and limits=Limits() sets no limit; "
                "find_best_move always answers",
                "default_limit_of_plain_python",
                bounds=limit.bounds,
                reason=limit.message,
                command=install_command(FAST),
            ) from None
        raise SearchLimitReached(
            "{reason}; limits=Limits() sets no limit; find_best_move always answers",
            "default_limit",
            bounds=limit.bounds,
            reason=limit.message,
        ) from None


def _fast_solvers(
    state: GameState, limits: Limits, checkpoint: Checkpoint | None = None
) -> tuple[Solver, FastSolver]:
    check_support(state.rules)
    require_packages()
    from tic_tac_toe.solver.session import FastSolver

    fast = FastSolver(without_pie(state.rules), limits, checkpoint=checkpoint)
    return with_pie_and_book(state.rules, fast), fast
