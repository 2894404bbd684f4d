"""Which engine plays which game."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from tic_tac_toe.engines.engine import Engine
from tic_tac_toe.engines.plain import LookingAhead, PlainPlayouts
from tic_tac_toe.engines.plain_lines import PlainLines
from tic_tac_toe.engines.preparing import is_ready
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import Pie, without_misere
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.logic.search.static_evaluation import can_evaluate


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


def engine_for(rules: Rules) -> Engine:
    """Return the strongest engine for a game that is ready on this machine.

    Which one that is was found out by matches at equal times; see the page of computer players.
    """
    if isinstance(rules, Pie):
        return AfterSwap(rules, engine_for(rules.rules))
    if is_ready(rules):
        from tic_tac_toe.engines.compiled import compiled_engine

        if (engine := compiled_engine(rules)) is not None:
            return engine
    return _plain_engine(rules)


@lru_cache(maxsize=32)
def _plain_engine(rules: Rules) -> Engine:
    if isinstance(rules, LineRules) and not rules.gravity:
        return PlainLines(rules)
    if isinstance(without_misere(rules), Ultimate) or not can_evaluate(rules):
        return PlainPlayouts(rules)
    return LookingAhead(rules)
