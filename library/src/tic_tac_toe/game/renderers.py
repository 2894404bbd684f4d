"""How a game is shown."""

from __future__ import annotations

import abc

from tic_tac_toe.logic.models import GameState


class Renderer(abc.ABC):
    """Whatever shows a state: a screen, a page, a list in a test."""

    @abc.abstractmethod
    def render(self, game_state: GameState) -> None:
        """Show a state; the game's loop calls this once before each turn and at the end."""
