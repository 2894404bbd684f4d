"""Which engine in machine code plays which game; NumPy and Numba must be installed."""

from __future__ import annotations

from functools import lru_cache

from tic_tac_toe.engines.lines.engine import CompiledLines
from tic_tac_toe.engines.lines.position import supports
from tic_tac_toe.engines.playouts.engine import CompiledPlayouts
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import traits_of


@lru_cache(maxsize=32)
def compiled_engine(rules: Rules) -> CompiledLines | CompiledPlayouts | None:
    """Return the strongest one for a game, or ``None`` where plain Python plays better."""
    if supports(rules):
        return CompiledLines(rules)
    if isinstance(rules, LineRules) and not rules.gravity and traits_of(rules).layered:
        return None  # rows as long as the board: threats decide, which random games do not see
    return CompiledPlayouts(rules) if CompiledPlayouts.supports(rules) else None
