"""Looking some moves ahead, as an engine: for any rules that can judge a position."""

from __future__ import annotations

import math
from itertools import count
from random import Random

from tic_tac_toe.engines.progress import BETWEEN_STOPS, Reporter
from tic_tac_toe.engines.thought import Budget, Thought, chance_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.deepening import DECIDED, look_ahead

#: Positions that plain Python looks at in a second of an ordinary machine, about.
NODES_A_SECOND = 15_000
#: The difference of `evaluate` that multiplies the odds of winning by 2.7, by a logistic regression
#: over 4,274 positions of 272 games of Connect Four that this engine played against itself with 300
#: to 1,500 nodes a move, one move in ten at random.
UNIT = 160


class LookingAhead:
    """Alpha-beta to a depth, deepened ply by ply, with `evaluate` for the rules at its leaves.

    Args:
        rules: the game.
        nodes_a_second: see `NODES_A_SECOND`.
    """

    def __init__(self, rules: Rules, nodes_a_second: int = NODES_A_SECOND) -> None:
        self.rules = rules
        self.nodes_a_second = nodes_a_second

    def think(self, position: Position, budget: Budget, rng: Random) -> Thought:
        """Return the moves that look best; see `Engine`. It takes no chance."""
        nodes = budget.seconds * self.nodes_a_second
        limit = None if math.isinf(nodes) else int(nodes)
        reporter = Reporter(budget.tell, nodes, budget.elapsed)
        asked = count(BETWEEN_STOPS, BETWEEN_STOPS)

        def stop() -> bool:
            reporter.spent(next(asked))
            return budget.stop is not None and budget.stop()

        found = look_ahead(
            self.rules,
            position,
            node_limit=limit,
            stop=stop,
            deepened=lambda ahead: reporter.found(ahead.best[0], ahead.nodes, ahead.depth),
        )
        # A loss is not proved: on wide boards it has not tried every move.
        is_won = found.all_replies and found.value >= DECIDED
        score = found.value - DECIDED if is_won else None
        proof = "" if score is None else "search"
        chance = None if proof else chance_of(found.value, UNIT)
        return Thought(found.best, score, (), proof, found.depth, found.nodes, chance)
