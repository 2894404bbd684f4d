"""Which engine plays which game."""

from __future__ import annotations

from functools import lru_cache

from tic_tac_toe.engines.after_swap import AfterSwap
from tic_tac_toe.engines.engine import Engine
from tic_tac_toe.engines.looking_ahead import LookingAhead
from tic_tac_toe.engines.plain_lines import PlainLines
from tic_tac_toe.engines.plain_playouts import PlainPlayouts
from tic_tac_toe.engines.preparing import is_ready
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import without_misere
from tic_tac_toe.logic.rules.pie import Pie
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.search.static_evaluation import can_evaluate


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
