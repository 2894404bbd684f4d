"""Games with the pie rule: only their first two moves differ from the game without it."""

from __future__ import annotations

from random import Random

from tic_tac_toe.engines.engine import Engine
from tic_tac_toe.engines.looking_ahead import LookingAhead
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.pie import Pie
from tic_tac_toe.logic.search.evaluation import Evaluation


class AfterSwap:
    """Looks ahead while a mark can be taken over, and then plays like the engine of the plain game.

    Args:
        rules: the game.
        plain: the engine of the game without the pie rule.
    """

    def __init__(self, rules: Pie, plain: Engine) -> None:
        self.rules = rules
        self._plain = plain

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return the moves that look best; see `Engine`."""
        if not position.marks or self.rules.can_swap(position):
            return LookingAhead(self.rules).think(position, limits, rng)
        return self._plain.think(position._replace(memory=0), limits, rng)
