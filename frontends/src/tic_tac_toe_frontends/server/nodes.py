"""Messages between servers that share a log. They may be lost: each server reads the log anyway."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

#: The kinds of messages: new events of a game, changed open games, the followers of a game, lines
#: of its watchers;
NEWS, LOBBY, PRESENCE, TALK = "news", "lobby", "presence", "talk"
#: decisions of an operator, and notices to everybody.
MODERATION, NOTICE = "moderation", "notice"


class NodeMessage(NamedTuple):
    """A message from one server to the others.

    Attributes:
        kind: `NEWS`, `LOBBY`, `PRESENCE`, `TALK`, `MODERATION` or `NOTICE`.
        address: of the game; empty if the message is about no game.
        node: the server that sent it.
        seats, watchers: the connected seats and the number of watchers there.
        text: lines of the talk, or the notice.
    """

    kind: str
    address: str
    node: str
    seats: str
    watchers: int
    text: str = ""


class Nodes:
    """The other servers; messages to them may be lost.

    This class sends and receives nothing, for a server that is alone or only polls the log.
    """

    async def open(self, receive: Callable[[NodeMessage], None]) -> None:
        """Start to listen, and call back with each message."""

    async def close(self) -> None:
        """Stop listening."""

    def publish(
        self, kind: str, address: str = "", seats: str = "", watchers: int = 0, text: str = ""
    ) -> None:
        """Send a message to the other servers; the arguments are those of `NodeMessage`."""
