"""Exact answers about game states, from the best solver that is installed.

Nothing here loads NumPy or Numba before it is needed, so that this can be imported anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import EllipsisType
from typing import TYPE_CHECKING

from tic_tac_toe.extras import FAST, install_command
from tic_tac_toe.logic.analysis import Analysis, StateVerdict
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState, require_state
from tic_tac_toe.logic.rules.pie import without_pie
from tic_tac_toe.logic.search.scores import Result
from tic_tac_toe.logic.search.table import is_small
from tic_tac_toe.logic.search.verdict import (
    Solver,
    analyse_moves,
    find_verdict,
)
from tic_tac_toe.solver.limits import Limits, Progress
from tic_tac_toe.solver.meter import Meter
from tic_tac_toe.solver.pie import fast_solvers, plain_solver, with_pie_and_book
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
    state: GameState,
    *,
    time_limit: float | None = None,
    node_limit: int | EllipsisType | None = ...,
    memory: int | None = None,
    threads: int | None = None,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
    client: Client | None = None,
) -> StateVerdict:
    """Return the outcome for the side to move, the plies to the end, every best move and a line.

    The answer comes from the table of a small game, else from the opening book and the fast solver
    where they are installed and know the game, else from alpha-beta in plain Python.

    Args:
        time_limit, memory, threads, cancelled, progress: see `Limits`; plain Python uses one thread
            and reports no progress, and what bounds its memory is ``node_limit``: about 300 bytes
            for each position that is looked into, 600 MB at most unless a higher limit is given.
        node_limit: how many positions may be looked at, ``None`` for no end; unless given,
            `NODE_LIMIT` in plain Python and `FAST_NODE_LIMIT` by the fast solver.
        client: of a Dask cluster, whose workers search then; see `solver.cluster.connect`.

    Raises:
        SearchLimitReached: a limit came first; the exception tells what was proved. Its code is the
            limit's, ``time_limit``, ``node_limit`` or ``cancelled``; where the usual number of
            positions ended the search it is ``default_limit``, in plain Python for a game that the
            fast solver knows ``default_limit_of_plain_python``, and the message says what goes
            further.
        ConnectionError: the cluster fails.
        InvalidVariant: a cluster is asked about a game that the fast solver does not solve.
        ValueError: a limit makes no sense.
    """
    solver = _best_solver(
        state, time_limit, node_limit, memory, threads, cancelled, progress, client
    )
    with _advice(state, own_limit=node_limit is not ...):
        return StateVerdict.on(state, find_verdict(state.rules, state.position, solver))


def analyse(
    state: GameState,
    *,
    time_limit: float | None = None,
    node_limit: int | EllipsisType | None = ...,
    memory: int | None = None,
    threads: int | None = None,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
    client: Client | None = None,
) -> Analysis:
    """Return what each legal move is worth to the side that makes it, by ascending cell.

    Args:
        time_limit, node_limit, memory, threads, cancelled, progress, client: see `verdict`.

    Raises:
        SearchLimitReached, ConnectionError, InvalidVariant, ValueError: see `verdict`.
    """
    solver = _best_solver(
        state, time_limit, node_limit, memory, threads, cancelled, progress, client
    )
    with _advice(state, own_limit=node_limit is not ...):
        return Analysis.on(state, analyse_moves(state.rules, state.position, solver))


def solve(
    state: GameState,
    *,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory: int | None = None,
    threads: int | None = None,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Checkpoint | None = None,
    client: Client | None = None,
) -> StateVerdict:
    """Return the same as `verdict`, by the fast solver in any case, and without an end of its own.

    Positions that the opening book holds are not searched.

    Args:
        time_limit, node_limit, memory, threads, cancelled, progress: see `Limits`.
        checkpoint: where to save the state, now and then and at the end, and to go on from.
        client: of a Dask cluster, whose workers search then; see `solver.cluster.connect`.

    Raises:
        SearchLimitReached: a limit came first; the exception tells what was proved.
        ConnectionError: the cluster fails.
        InvalidVariant: the fast solver does not solve this game.
        InvalidCheckpoint: the checkpoint is damaged, or of something else.
        ModuleNotFoundError: a package is missing; the message tells how to install it.
        OSError: the checkpoint cannot be written.
        ValueError: a limit makes no sense; or a checkpoint is wanted of a cluster.
    """
    require_state(state)
    limits = Limits(time_limit, node_limit, memory, threads, cancelled, progress)
    rules, position = state.rules, state.position
    if client is not None:
        if checkpoint is not None:
            raise ValueError("a checkpoint saves the search of one process, not that of a cluster")
        cluster = with_pie_and_book(rules, _cluster_solver(state, limits, client))
        return StateVerdict.on(state, find_verdict(rules, position, cluster))
    solver, fast = _fast_solvers(state, limits, checkpoint)
    try:
        return StateVerdict.on(state, find_verdict(rules, position, solver))
    finally:
        fast.save_news()


def solve_outcome(
    state: GameState,
    *,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory: int | None = None,
    threads: int | None = None,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Return the outcome for the side to move and nothing more; faster than `solve`, see there."""
    require_state(state)
    limits = Limits(time_limit, node_limit, memory, threads, cancelled, progress)
    solver, _ = _fast_solvers(state, limits)
    if solver.reaches(state.position, 1):
        return "win"
    return "draw" if solver.reaches(state.position, 0) else "loss"


def _best_solver(
    state: GameState,
    time_limit: float | None,
    node_limit: int | EllipsisType | None,
    memory: int | None,
    threads: int | None,
    cancelled: Callable[[], bool] | None,
    progress: Callable[[Progress], None] | None,
    client: Client | None,
) -> Solver:
    """Return the solver that `verdict` describes."""
    require_state(state)
    rules = state.rules
    is_plain = client is None and (is_small(rules) or not is_fast(rules))
    if node_limit is ...:
        node_limit = NODE_LIMIT if is_plain else FAST_NODE_LIMIT
    limits = Limits(time_limit, node_limit, memory, threads, cancelled, progress)
    if client is not None:
        return with_pie_and_book(rules, _cluster_solver(state, limits, client))
    if is_plain:
        stop = Meter(limits).limit_reached
        plain = plain_solver(rules, state.position, limits.node_limit, stop=stop)
        return with_pie_and_book(rules, plain)
    return _fast_solvers(state, limits)[0]


@contextmanager
def _advice(state: GameState, *, own_limit: bool) -> Iterator[None]:
    """Say how to search further where `NODE_LIMIT` or `FAST_NODE_LIMIT` has ended the search."""
    try:
        yield
    except SearchLimitReached as limit:
        if own_limit or limit.code != "node_limit":
            raise
        if supports(state.rules) and not is_installed():
            raise SearchLimitReached(
                "{reason}; the fast solver goes further ({command}), "
                "and node_limit=None sets no limit; "
                "find_best_move always answers",
                "default_limit_of_plain_python",
                bounds=limit.bounds,
                reason=limit.message,
                command=install_command(FAST),
            ) from None
        raise SearchLimitReached(
            "{reason}; node_limit=None sets no limit; find_best_move always answers",
            "default_limit",
            bounds=limit.bounds,
            reason=limit.message,
        ) from None


def _fast_solvers(
    state: GameState, limits: Limits, checkpoint: Checkpoint | None = None
) -> tuple[Solver, FastSolver]:
    check_support(state.rules)
    require_packages()
    return fast_solvers(state.rules, limits, checkpoint)


def _cluster_solver(state: GameState, limits: Limits, client: Client) -> Solver:
    """Return the solver of a cluster; nothing else imports Dask."""
    from tic_tac_toe.solver.cluster import ClusterSolver

    return ClusterSolver(without_pie(state.rules), client, limits)
