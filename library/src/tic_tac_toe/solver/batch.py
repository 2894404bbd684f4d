"""Exact scores of many positions from one compiled call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import InvalidVariant, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import state_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.logic.search.scores import final_score
from tic_tac_toe.solver.kernel_factory import kernel_for
from tic_tac_toe.solver.kernels.control import FINISHED, NODES
from tic_tac_toe.solver.meter import Meter
from tic_tac_toe.solver.scale import Scale


def solve_many(states: Iterable[GameState], limits: Limits | None = None) -> list[Evaluation]:
    """Return the exact evaluation of each state, all from one compiled call on one thread.

    Args:
        states: of the same game; some of them may be over.
        limits: for all together.

    Raises:
        SearchLimitReached: a limit came first.
        InvalidVariant: the states are of several games, or of one that is not supported.
    """
    games = [state_of(state) for state in states]
    if len({state.rules for state in games}) > 1:
        raise InvalidVariant("all states of a batch must be of the same game", "mixed_batch")
    limits = limits or Limits()
    values: list[Evaluation | None] = [None] * len(games)
    open_games = []
    for index, state in enumerate(games):
        if state.outcome is None:
            open_games.append(index)
        else:
            score = final_score(state.outcome, state.position.turn)
            values[index] = Evaluation.exact(score, length=0, source="end")
    if open_games:
        rules, positions = games[0].rules, [games[index].position for index in open_games]
        for index, marks, position in zip(open_games, _scores(rules, positions, limits), positions):
            score = Scale.of(rules, position).to_score(marks)
            left = rules.shape.cells - position.marks
            values[index] = Evaluation.exact(score, length=left)
    return [value for value in values if value is not None]


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
            raise SearchLimitReached(
                "{reason}; {solved} of {count} are solved",
                limit.code,
                reason=limit,
                solved=batch.done,
                count=len(positions),
            )
        status = batch.narrow(nodes + meter.next_slice(nodes))
    return [int(low) for low in lows]
