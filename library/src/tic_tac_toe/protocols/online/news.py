"""What follows for a front end from what a server says: the news that a client tells."""

from __future__ import annotations

from dataclasses import dataclass

from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.replies import Answer
from tic_tac_toe.protocols.online.requests import Request


@dataclass(frozen=True)
class Answered:
    """A request has its answer; ``OK`` also where a resumption told so."""

    request: Request
    answer: Answer


@dataclass(frozen=True)
class GameChanged:
    """An event has been applied to the game."""

    event: Event


@dataclass(frozen=True)
class Welcomed:
    """The server knows the client, which is where it was before."""


@dataclass(frozen=True)
class GameLost:
    """The server knows no such game, or not this seat in it; the client is in no game now."""

    game: str


@dataclass(frozen=True)
class PresenceChanged:
    """Others came or went."""


@dataclass(frozen=True)
class LobbyChanged:
    """There are other open games."""


@dataclass(frozen=True)
class ServerCloses:
    """The server says that it is about to close."""

    reason: str


News = Answered | GameChanged | Welcomed | GameLost | PresenceChanged | LobbyChanged | ServerCloses
