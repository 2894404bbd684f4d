"""How servers tell each other that there is news: hints only, for the log is the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

#: What a hint tells of: new events of a game, other open games, the clients that follow a game, or
#: what its watchers say;
NEWS, LOBBY, PRESENCE, TALK = "news", "lobby", "presence", "talk"
#: what an operator has decided, or tells everybody.
MODERATION, NOTICE = "moderation", "notice"


class NodeMessage(NamedTuple):
    """What one server tells the others.

    Attributes:
        kind: `NEWS`, `LOBBY`, `PRESENCE`, `TALK`, `MODERATION` or `NOTICE`.
        address: of the game; empty for the lobby, and where it is about no game.
        node: the server that gave the hint.
        seats, watchers: the players' seats and the number of watchers there.
        text: what clients are told: the lines of the talk, or the notice.
    """

    kind: str
    address: str
    node: str
    seats: str
    watchers: int
    text: str = ""


class Nodes:
    """Tells other servers, on which anything may be lost.

    This one tells and hears nothing: for a server that is alone, or looks into the log for news.
    """

    async def open(self, receive: Callable[[NodeMessage], None]) -> None:
        """Begin to listen, and call back with each hint."""

    async def close(self) -> None:
        """Listen no longer."""

    def publish(
        self, kind: str, address: str = "", seats: str = "", watchers: int = 0, text: str = ""
    ) -> None:
        """Give a hint to the other servers; the arguments are those of `Hint`."""
