"""The names that command lines and menus give to players and to the mark that moves first."""

from __future__ import annotations

from tic_tac_toe.game.strategies import STRATEGIES

HUMAN = "human"
#: The players of either mark.
PLAYERS = (HUMAN, *STRATEGIES)

RANDOM = "random"
#: Which mark moves first.
STARTERS = ("X", "O", RANDOM)
