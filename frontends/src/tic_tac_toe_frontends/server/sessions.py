"""The games in memory."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.protocols.online.game import OnlineGame

from .core import ServerCore
from .lobby import Lobby
from .session import GameSession


class Sessions(dict[str, GameSession]):
    """The games in memory, by address; a missing one gets a session that loads it on demand.

    Args:
        lobby: is told of new events.
        update_game: called with a game after its events.
    """

    def __init__(
        self, core: ServerCore, lobby: Lobby, settled: Callable[[OnlineGame], None]
    ) -> None:
        super().__init__()
        self.core = core
        self.lobby = lobby
        self.update_game = settled

    def __missing__(self, address: str) -> GameSession:
        """Return a new session, which reads the log when something is asked of it."""
        session = self[address] = GameSession(self, address)
        return session

    def drop(self, session: GameSession) -> None:
        """Remove a game from memory unless it is in use; the log keeps it."""
        if self.get(session.address) is session and session.is_idle:
            session.stop_clock()
            del self[session.address]

    @property
    def clocks_run(self) -> bool:
        """Whether a player's clock is running in any game."""
        return any(session.loaded.clock_runs for session in self.values())
