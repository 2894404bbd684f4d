"""The games in memory."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.protocols.online.game import OnlineGame

from .core import ServerCore
from .lobby import Lobby
from .session import GameSession


class Sessions(dict[str, GameSession]):
    """The games in memory by their addresses; a game that is not there is loaded when asked for.

    Args:
        lobby: is told of new events.
        settled: called with each game as it is after its last event.
    """

    def __init__(
        self, core: ServerCore, lobby: Lobby, settled: Callable[[OnlineGame], None]
    ) -> None:
        super().__init__()
        self.core = core
        self.lobby = lobby
        self.update_game = settled

    def __missing__(self, address: str) -> GameSession:
        """Return a new session; the log is read when something is asked of it."""
        session = self[address] = GameSession(self, address)
        return session

    def drop(self, session: GameSession) -> None:
        """Forget a game in memory unless it is in use; the log has it, if there is one."""
        if self.get(session.address) is session and session.is_idle:
            session.flag_timer.cancel()
            del self[session.address]

    @property
    def clocks_run(self) -> bool:
        """Whether the time of a player is running in any game."""
        return any(session.loaded.clock_runs for session in self.values())
