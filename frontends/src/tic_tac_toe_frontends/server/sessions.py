"""The games in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .session import GameSession

if TYPE_CHECKING:
    from .game_server import GameServer


class Sessions(dict[str, GameSession]):
    """The games in memory by their addresses; a game that is not there is loaded when asked for.

    Args:
        server: what each session is given.
    """

    def __init__(self, server: GameServer) -> None:
        super().__init__()
        self._server = server

    def __missing__(self, address: str) -> GameSession:
        """Return a new session; the log is read when something is asked of it."""
        session = self[address] = GameSession(self._server, address)
        return session

    def drop(self, session: GameSession) -> None:
        """Forget a game in memory unless it is in use; the log has it, if there is one."""
        if self.get(session.address) is session and session.is_idle:
            del self[session.address]

    @property
    def clocks_run(self) -> bool:
        """Whether the time of a player is running in any game."""
        return any(session.loaded.clock_runs for session in self.values())
