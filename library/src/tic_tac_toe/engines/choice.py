"""Which engine plays which game."""

from __future__ import annotations

from tic_tac_toe.engines.looking_ahead import LookingAhead
from tic_tac_toe.engines.thought import Engine
from tic_tac_toe.logic.rules import Rules


def engine_for(rules: Rules) -> Engine:
    """Return the strongest engine for a game that is ready on this machine."""
    return LookingAhead(rules)
