"""Strong play in plain Python, for any rules: some moves ahead, or Monte Carlo."""

from __future__ import annotations

import math
from itertools import count
from random import Random

from tic_tac_toe.engines.engine import BETWEEN_STOPS, bounded, chance_of
from tic_tac_toe.limits import Limits, Reporter
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.deepening import DECIDED, look_ahead
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.logic.search.mcts import MoveStatistics, best_of, monte_carlo

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


#: The microseconds that an ordinary machine takes for a playout: for itself, for each move that is
#: looked at, and for each empty cell.
PLAYOUT, MOVE, EMPTY_CELL = 50, 5, 1.5


class PlainPlayouts:
    """The Monte Carlo search of `logic.search.mcts`, which looks for wins in one.

    Args:
        rules: the game.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return the move of most playouts, unless others are proved to be better.

        See `Engine.think`.
        """
        limits = limits.begun()
        cost = limits.cost(1e6 / self._cost(position))
        playouts = int(cost) if math.isfinite(cost) else 1 << 62
        reporter = Reporter(limits, playouts)

        def look(tried: tuple[MoveStatistics, ...]) -> None:
            reporter.found(best_of(tried)[0], sum(move.visits for move in tried))

        moves = monte_carlo(
            self._rules,
            position,
            rng,
            iterations=playouts,
            stop=limits.is_over,
            decisive=True,
            look=None if limits.progress is None else look,
        )
        best = best_of(moves)
        proven = [move.proven for move in moves]
        score = max((one for one in proven if one is not None), default=None)
        visits = sum(move.visits for move in moves)
        if score is None or (score <= 0 and None in proven):
            chance = bounded(max(move.mean for move in moves if move.cell in best))
            return Evaluation.judged(best, chance, line=best[:1], nodes=visits)
        return Evaluation.proved(score, best, "engine", line=best[:1], nodes=visits)

    def _cost(self, position: Position) -> float:
        """Return what a playout takes, about, in microseconds."""
        moves, traits = len(self._rules.moves(position)), traits_of(self._rules)
        if traits.memory == "block" and traits.blocks is not None:
            moves = min(moves, traits.blocks.cells)  # any block may be played in now and then only
        return PLAYOUT + MOVE * moves + EMPTY_CELL * (self._rules.shape.cells - position.marks)
