"""The games in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .session import GameSession

if TYPE_CHECKING:
    from .game_server import GameServer


class Sessions:
    """Loads games as they are asked for, and forgets those that nobody follows.

    Args:
        server: what each session is given.
    """

    def __init__(self, server: GameServer) -> None:
        self._server = server
        self._sessions: dict[str, GameSession] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def __iter__(self) -> Iterator[GameSession]:
        return iter(tuple(self._sessions.values()))

    def __contains__(self, address: str) -> bool:
        return address in self._sessions

    def __getitem__(self, address: str) -> GameSession:
        """Return the session of a game in memory."""
        return self._sessions[address]

    def get(self, address: str) -> GameSession | None:
        """Return the session of a game, if it is in memory."""
        return self._sessions.get(address)

    def load(self, address: str) -> GameSession:
        """Return the session of a game; the log is read when something is asked of it."""
        session = self._sessions.get(address)
        if session is None:
            session = self._sessions[address] = GameSession(self._server, address)
        return session

    def drop(self, session: GameSession) -> None:
        """Forget a game in memory unless it is in use; the log has it, if there is one."""
        if self._sessions.get(session.address) is session and session.is_idle:
            del self._sessions[session.address]

    def pop(self, address: str) -> GameSession:
        """Forget a game in memory whatever goes on in it, and return its session."""
        return self._sessions.pop(address)

    @property
    def clocks_run(self) -> bool:
        """Whether the time of a player is running in any game."""
        return any(session.loaded.clock_runs for session in self._sessions.values())
