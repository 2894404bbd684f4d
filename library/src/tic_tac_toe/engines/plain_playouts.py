"""Monte Carlo in plain Python as an engine, for any rules."""

from __future__ import annotations

import math
from random import Random

from tic_tac_toe.engines.engine import bounded
from tic_tac_toe.limits import Limits, Reporter
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.logic.search.mcts import MoveStatistics, best_of, monte_carlo

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
