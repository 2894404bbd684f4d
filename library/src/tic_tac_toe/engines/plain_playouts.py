"""Monte Carlo in plain Python as an engine, for any rules."""

from __future__ import annotations

import math
from random import Random

from tic_tac_toe.engines.progress import Reporter
from tic_tac_toe.engines.thought import Budget, Thought, bounded
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import traits_of
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

    def think(self, position: Position, budget: Budget, rng: Random) -> Thought:
        """Return the move of most playouts, unless others are proved to be better.

        See `Engine.think`.
        """
        playouts = 1 << 62
        if math.isfinite(budget.seconds):
            playouts = int(1e6 * budget.seconds / self._cost(position))
        reporter = Reporter(budget.tell, playouts, budget.elapsed)

        def look(tried: tuple[MoveStatistics, ...]) -> None:
            reporter.found(best_of(tried)[0], sum(move.visits for move in tried))

        moves = monte_carlo(
            self._rules,
            position,
            rng,
            iterations=playouts,
            stop=budget.stop,
            decisive=True,
            look=None if budget.tell is None else look,
        )
        best = best_of(moves)
        proven = [move.proven for move in moves]
        score = max((one for one in proven if one is not None), default=None)
        if score is None or (score <= 0 and None in proven):
            chance = bounded(max(move.mean for move in moves if move.cell in best))
            visits = sum(move.visits for move in moves)
            return Thought(best, line=best[:1], nodes=visits, chance=chance)
        return Thought(best, score, best[:1], "search", nodes=sum(move.visits for move in moves))

    def _cost(self, position: Position) -> float:
        """Return what a playout takes, about, in microseconds."""
        moves, traits = len(self._rules.moves(position)), traits_of(self._rules)
        if traits.memory == "block" and traits.blocks is not None:
            moves = min(moves, traits.blocks.cells)  # any block may be played in now and then only
        return PLAYOUT + MOVE * moves + EMPTY_CELL * (self._rules.shape.cells - position.marks)
