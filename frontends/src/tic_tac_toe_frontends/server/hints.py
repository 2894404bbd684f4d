"""How servers tell each other that there is news: hints only, for the log is the truth."""

from __future__ import annotations

from typing import Protocol

#: What a hint tells of: new events of a game, other open games, or the clients that follow a game.
NEWS, LOBBY, PRESENCE = "news", "lobby", "presence"


class Hinted(Protocol):
    """Is called with each hint."""

    def __call__(self, kind: str, address: str, node: str, seats: str, watchers: int, /) -> None:
        """Follow a hint.

        Args:
            kind: `NEWS`, `LOBBY` or `PRESENCE`.
            address: of the game; empty for the lobby.
            node: the server that gave the hint.
            seats, watchers: the players' seats and the number of watchers there.
        """


class Hints:
    """Tells other servers, on which anything may be lost.

    This one tells and hears nothing: for a server that is alone, or looks into the log for news.
    """

    async def open(self, hinted: Hinted) -> None:
        """Begin to listen."""

    async def close(self) -> None:
        """Listen no longer."""

    def tell(
        self, kind: str, game: str = "", seats: tuple[str, ...] = (), watchers: int = 0
    ) -> None:
        """Give a hint to the other servers; the arguments are those of `Hinted`."""
