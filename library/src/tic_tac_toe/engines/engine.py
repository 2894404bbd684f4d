"""What an engine is asked and what it answers."""

from __future__ import annotations

import math
from random import Random
from typing import Protocol

from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.evaluation import Evaluation

#: No estimate is nearer than this to a certain loss or win.
LEAST_CHANCE = 0.02
#: How many positions or playouts plain Python looks at between two questions whether to stop.
BETWEEN_STOPS = 64


class Engine(Protocol):
    """Thinks about the positions of one game."""

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return what looks best within the limits; all chance comes from ``rng``.

        At least one move looks best. A win in one is never missed, and a loss in the next ply is
        stopped wherever it can be, however little the work. Engines for large boards of lines stop
        an open three, too.

        Args:
            limits: the work and the time; whether to stop is asked every few milliseconds.

        Raises:
            ValueError: the game is over.
        """
        ...


def chance_of(value: float, unit: float) -> float:
    """Return what can be expected where an evaluation has a value.

    Args:
        unit: the difference that multiplies the odds of winning by 2.7.
    """
    return bounded(0.5 + 0.5 * math.tanh(value / (2 * unit)))


def bounded(chance: float) -> float:
    """Return a chance that claims no certainty."""
    return min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE)
