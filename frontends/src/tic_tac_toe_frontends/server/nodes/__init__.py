"""The other servers that share a log: their messages, and the databases that can be shared.

Messages may be lost: each server reads the log anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

#: The kinds of messages: new events of a game, changed open games, the followers of a game, lines
#: of its watchers;
NEWS, LOBBY, PRESENCE, TALK = "news", "lobby", "presence", "talk"
#: decisions of an operator, and notices to everybody.
MODERATION, NOTICE = "moderation", "notice"
#: Milliseconds without a beat that are no pause if several servers share a log: their clocks may
#: differ by a second.
GRACE = 4_000


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

    Args:
        name: of this server among them; empty if it is alone.

    Attributes:
        grace: milliseconds without any server that count as no pause.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.grace = GRACE if name else 0

    @property
    def is_shared(self) -> bool:
        """Whether other servers write to the same log."""
        return bool(self.name)

    async def open(self, receive: Callable[[NodeMessage], None]) -> None:
        """Start to listen, and call back with each message."""

    async def close(self) -> None:
        """Stop listening."""

    def publish(
        self, kind: str, address: str = "", seats: str = "", watchers: int = 0, text: str = ""
    ) -> None:
        """Send a message to the other servers; the arguments are those of `NodeMessage`."""
