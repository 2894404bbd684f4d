"""Looking some moves ahead, as an engine: for any rules that can judge a position."""

from __future__ import annotations

import math
from itertools import count
from random import Random

from tic_tac_toe.engines.engine import BETWEEN_STOPS, chance_of
from tic_tac_toe.limits import Limits, Reporter
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.deepening import DECIDED, look_ahead
from tic_tac_toe.logic.search.evaluation import Evaluation

#: Positions that plain Python looks at in a second of an ordinary machine, about.
NODES_A_SECOND = 15_000
#: The difference of `static_evaluation` that multiplies the odds of winning by 2.7, by a logistic
#: regression over 4,274 positions of 272 games of Connect Four that this engine played against
#: itself with 300 to 1,500 nodes a move, one move in ten at random.
UNIT = 160


class LookingAhead:
    """Alpha-beta to a depth, deepened ply by ply, with `static_evaluation` at its leaves.

    Args:
        rules: the game.
        nodes_a_second: see `NODES_A_SECOND`.
    """

    def __init__(self, rules: Rules, nodes_a_second: int = NODES_A_SECOND) -> None:
        self.rules = rules
        self.nodes_a_second = nodes_a_second

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return the moves that look best; see `Engine`. It takes no chance."""
        limits = limits.begun()
        nodes = limits.cost(self.nodes_a_second)
        limit = None if math.isinf(nodes) else int(nodes)
        reporter = Reporter(limits, nodes)
        asked = count(BETWEEN_STOPS, BETWEEN_STOPS)
        found = look_ahead(
            self.rules,
            position,
            node_limit=limit,
            stop=lambda: reporter.stop(next(asked)),
            deepened=lambda ahead: reporter.found(ahead.best[0], ahead.nodes, ahead.depth),
        )
        # A loss is not proved: on wide boards it has not tried every move.
        depth, nodes, best = found.depth, found.nodes, found.best
        if found.all_replies and found.value >= DECIDED:
            score = found.value - DECIDED
            return Evaluation.proved(score, best, "engine", depth=depth, nodes=nodes)
        return Evaluation.judged(best, chance_of(found.value, UNIT), depth=depth, nodes=nodes)
