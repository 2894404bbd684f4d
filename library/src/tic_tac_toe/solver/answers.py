"""Exact answers about game states from the fast solver: the doors of this room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tic_tac_toe.logic.analysis import Analysis, StateVerdict
from tic_tac_toe.logic.exceptions import InvalidVariant, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.search.scores import Result, final_score, plies_of, result_of
from tic_tac_toe.logic.search.verdict import Solver, analyse_moves, find_verdict
from tic_tac_toe.solver.checkpoint import Checkpoint
from tic_tac_toe.solver.kernels import kernel_for
from tic_tac_toe.solver.limits import Limits, Progress
from tic_tac_toe.solver.meter import Meter
from tic_tac_toe.solver.questions import FINISHED, NODES
from tic_tac_toe.solver.scale import Scale
from tic_tac_toe.solver.session import FastSolver

if TYPE_CHECKING:
    from distributed import Client


class Value(NamedTuple):
    """What a position is worth: the outcome for the side to move, and the plies to the end."""

    outcome: Result
    plies: int


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
    """Return the outcome for the side to move, the plies to the end, every best move and a line.

    Args:
        time_limit, node_limit, memory, threads, cancelled, progress: see `Limits`.
        checkpoint: where to save the state, now and then and at the end, and to go on from.
        client: of a Dask cluster, whose workers search then; see `solver.cluster.connect`.

    Raises:
        SearchLimitReached: a limit came first; the exception tells what was proved.
        ConnectionError: the cluster fails.
        InvalidVariant: the fast solver does not solve this game.
        InvalidCheckpoint: the checkpoint is damaged, or of something else.
        OSError: the checkpoint cannot be written.
        ValueError: a limit makes no sense; or a checkpoint is wanted of a cluster.
    """
    limits = Limits(time_limit, node_limit, memory, threads, cancelled, progress)
    if client is not None:
        if checkpoint is not None:
            raise ValueError("a checkpoint saves the search of one process, not that of a cluster")
        cluster = _cluster_solver(state.rules, limits, client)
        return StateVerdict.on(state, find_verdict(state.rules, state.position, cluster))
    solver = FastSolver(state.rules, limits, checkpoint=checkpoint)
    try:
        return StateVerdict.on(state, find_verdict(state.rules, state.position, solver))
    finally:
        if checkpoint is not None:
            checkpoint.save_news(solver)


def analyse(
    state: GameState,
    *,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory: int | None = None,
    threads: int | None = None,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
    client: Client | None = None,
) -> Analysis:
    """Return what each legal move is worth to the side that makes it; see `solve`."""
    limits = Limits(time_limit, node_limit, memory, threads, cancelled, progress)
    solver: Solver = (
        FastSolver(state.rules, limits)
        if client is None
        else _cluster_solver(state.rules, limits, client)
    )
    return Analysis.on(state, analyse_moves(state.rules, state.position, solver))


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
    """Return who wins, for the side to move, and nothing more: faster than `solve`, see there."""
    limits = Limits(time_limit, node_limit, memory, threads, cancelled, progress)
    solver = FastSolver(state.rules, limits)
    return result_of(solver.bounds(state.position, -1, 1)[0])


def solve_many(
    states: Iterable[GameState],
    *,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory: int | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[Value]:
    """Return what each state is worth, all from one compiled call on one thread.

    Args:
        states: of the same game; some of them may be over.
        time_limit, node_limit, memory, cancelled: for all together; see `Limits`.

    Raises:
        SearchLimitReached: a limit came first.
        InvalidVariant: the states are of several games, or of one that is not supported.
        ValueError: a limit makes no sense.
    """
    games = list(states)
    if len({state.rules for state in games}) > 1:
        raise InvalidVariant("all states of a batch must be of the same game")
    limits = Limits(time_limit, node_limit, memory, 1, cancelled)
    values: list[Value | None] = [None] * len(games)
    open_games = []
    for index, state in enumerate(games):
        if state.outcome is None:
            open_games.append(index)
        else:
            result = result_of(final_score(state.outcome, state.position.turn))
            values[index] = Value(result, 0)
    if open_games:
        rules, positions = games[0].rules, [games[index].position for index in open_games]
        for index, marks, position in zip(open_games, _scores(rules, positions, limits), positions):
            scale = Scale(rules.shape.cells, position.ply, isinstance(rules, Misere))
            score = scale.to_score(marks)
            left = rules.shape.cells - position.ply
            values[index] = Value(result_of(score), plies_of(score) if score else left)
    return [value for value in values if value is not None]


def _cluster_solver(rules: Rules, limits: Limits, client: Client) -> Solver:
    """Return the solver of a cluster; Dask is imported by nobody else."""
    from tic_tac_toe.solver.cluster import ClusterSolver

    return ClusterSolver(rules, client, limits)


def _scores(rules: Rules, positions: Sequence[Position], limits: Limits) -> list[int]:
    """Return the scores of positions, none of them over, in marks."""
    top = rules.shape.cells  # more than any score
    lows, highs = np.full(len(positions), -top), np.full(len(positions), top)
    batch = kernel_for(rules, limits.table_bytes).batch(positions, lows, highs)
    meter = Meter(limits)
    with meter.stopped():
        status = batch.narrow(0)  # this makes the machine code, or loads it
    while status != FINISHED:
        nodes = int(batch.control[NODES])
        if limit := meter.limit_reached(nodes):
            raise SearchLimitReached(f"{limit}; {batch.done} of {len(positions)} are solved")
        status = batch.narrow(nodes + meter.next_slice(nodes))
    return [int(low) for low in lows]
