"""The names that command lines and menus give to players and to the mark that moves first."""

from __future__ import annotations

from tic_tac_toe.game.strategies import STRATEGIES

HUMAN = "human"
#: The levels of the computer, from the weakest to the strongest; see the page of computer players.
LEVELS = ("easy", "medium", "hard", "minimax")
#: The opponent of somebody who has chosen none: one that a beginner can beat.
FIRST_OPPONENT = LEVELS[0]
#: The players of either mark: levels before computer players of another kind.
PLAYERS = (HUMAN, *LEVELS, *(name for name in STRATEGIES if name not in LEVELS))

RANDOM = "random"
#: Which mark moves first.
STARTERS = ("X", "O", RANDOM)
