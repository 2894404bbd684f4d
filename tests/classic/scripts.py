"""Players with a script and a renderer that keeps what it is given, for tests of the engines."""

from __future__ import annotations

from tic_tac_toe.game.players import Player
from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.logic.models import GameState, Mark, Move


def take(script: list[int | None], game_state: GameState) -> Move | None:
    """Return the move to the next cell of the script; None stands for no move at all."""
    cell = script.pop(0)
    return None if cell is None else game_state.make_move_to(cell)


class ScriptedPlayer(Player):
    """A synchronous player with a script, who remembers the states it was asked about."""

    def __init__(self, mark: Mark, *script: int | None) -> None:
        super().__init__(mark)
        self.script = list(script)
        self.asked: list[GameState] = []

    def get_move(self, game_state: GameState) -> Move | None:
        """Return the move to the next cell."""
        self.asked.append(game_state)
        return take(self.script, game_state)


class Recorder(Renderer):
    """A renderer that keeps what it is given, and ends a game that does not end by itself."""

    def __init__(self) -> None:
        self.states: list[GameState] = []

    def render(self, game_state: GameState) -> None:
        """Keep the state."""
        self.states.append(game_state)
        assert len(self.states) < 100, "the game goes round in circles"

    @property
    def grids(self) -> list[str]:
        """Return the cells of the states."""
        return [state.grid.cells for state in self.states]
