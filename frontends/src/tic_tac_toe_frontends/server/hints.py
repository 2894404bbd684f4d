"""How servers tell each other that there is news: hints only, for the log is the truth."""

from __future__ import annotations

from typing import Protocol


class Hinted(Protocol):
    """Is called with each hint."""

    def __call__(self, kind: str, address: str, node: str, seats: str, watchers: int, /) -> None:
        """Follow a hint.

        Args:
            kind: ``news``, ``lobby`` or ``presence``.
            address: of the game; empty for the lobby.
            node: the server that gave the hint.
            seats, watchers: the players' seats and the number of watchers there.
        """


class Hints(Protocol):
    """A way to tell other servers, on which anything may be lost."""

    async def open(self, hinted: Hinted) -> None:
        """Begin to listen."""

    async def close(self) -> None:
        """Listen no longer."""

    def news(self, game: str) -> None:
        """Tell that a game has new events."""

    def lobby(self) -> None:
        """Tell that there are other open games."""

    def presence(self, game: str, seats: tuple[str, ...], watchers: int) -> None:
        """Tell who is connected here."""


class NoHints:
    """For a server that is alone, or that finds news by looking into the log."""

    async def open(self, hinted: Hinted) -> None:
        """Listen to nobody."""

    async def close(self) -> None:
        """Cease to listen to nobody."""

    def news(self, game: str) -> None:
        """Tell nobody."""

    def lobby(self) -> None:
        """Tell nobody."""

    def presence(self, game: str, seats: tuple[str, ...], watchers: int) -> None:
        """Tell nobody."""
