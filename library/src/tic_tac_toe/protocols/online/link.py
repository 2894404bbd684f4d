"""The states of a client's connection."""

from __future__ import annotations

from enum import Enum


class Link(str, Enum):
    """The state of the connection: none; open, and not yet welcome; or welcome."""

    OFFLINE = "offline"
    GREETING = "greeting"
    ONLINE = "online"

    def __str__(self) -> str:
        return self.value


OFFLINE, GREETING, ONLINE = Link
