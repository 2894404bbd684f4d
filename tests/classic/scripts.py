"""Players with a script, and a renderer that keeps what it is given, for tests of the engines."""

from __future__ import annotations

import asyncio
from typing import Any

from tic_tac_toe.game.players import Player
from tic_tac_toe.game.players_async import AsyncPlayer
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.testing import RecordingRenderer


def awaited(answer: Any) -> Any:
    """Return an answer, that of the coroutine if it is one."""
    return asyncio.run(answer) if asyncio.iscoroutine(answer) else answer


class ScriptedPlayer(Player):
    """A player with a script of cells that remembers the states it was asked about."""

    def __init__(self, mark: Mark, *script: int | None) -> None:
        super().__init__(mark)
        self._script = iter(script)
        self.asked: list[GameState] = []

    def get_move(self, game_state: GameState) -> Move | None:
        """Return the move to the next cell; None stands for no move at all."""
        self.asked.append(game_state)
        cell = next(self._script)
        return None if cell is None else game_state.make_move_to(cell)


class AsyncScriptedPlayer(AsyncPlayer):
    """The same as an asynchronous player, which lets others run before each move."""

    def __init__(self, mark: Mark, *script: int | None) -> None:
        super().__init__(mark)
        self._scripted = ScriptedPlayer(mark, *script)
        self.asked = self._scripted.asked

    async def get_move(self, game_state: GameState) -> Move | None:
        """Return the move to the next cell."""
        await asyncio.sleep(0)
        return self._scripted.get_move(game_state)


class Recorder(RecordingRenderer):
    """A renderer that keeps what it is given, and ends a game that does not end by itself."""

    def render(self, game_state: GameState) -> None:
        """Keep the state."""
        super().render(game_state)
        assert len(self.states) < 100, "the game goes round in circles"

    @property
    def grids(self) -> list[str]:
        """Return the cells of the states."""
        return [state.grid.cells for state in self.states]
