"""The news that a client tells its front end."""

from __future__ import annotations

from dataclasses import dataclass, field

from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.replies import Answer, Notice
from tic_tac_toe.protocols.online.requests import Request


class News:
    """What a client tells its front end."""


@dataclass(frozen=True)
class Answered(News):
    """A request has its answer; `OK` also if the welcome after a reconnection said so."""

    request: Request
    answer: Answer


@dataclass(frozen=True)
class GameChanged(News):
    """An event has been applied to the game.

    ``is_past`` says whether it had happened before the client came to the game.
    """

    event: Event
    is_past: bool = False


@dataclass(frozen=True)
class Welcomed(News):
    """The server has welcomed the client to the place where it was before.

    ``is_back`` says whether an attempt to connect has failed since the last welcome.
    """

    is_back: bool = False


@dataclass(frozen=True)
class GameLost(News):
    """The server does not know the game, or the seat; the client is in no game now.

    ``token`` claimed the seat; it is empty if the client only wanted to watch. ``reason`` is a name
    of `REASONS`: ``unknown_game``, or ``deleted`` by the operator while the client was there.
    """

    game: str
    token: str = field(repr=False)  # a secret
    reason: str = "unknown_game"


@dataclass(frozen=True)
class PresenceChanged(News):
    """Other clients came or went."""


@dataclass(frozen=True)
class TalkChanged(News):
    """There are new lines of the watchers' talk."""


@dataclass(frozen=True)
class LobbyChanged(News):
    """The open games have changed."""


@dataclass(frozen=True)
class Announced(News):
    """A notice of the server's operator to everyone."""

    notice: Notice


@dataclass(frozen=True)
class OwnGamesTold(News):
    """The list of the games in which a token claims a seat has come."""

    token: str = field(repr=False)  # a secret


@dataclass(frozen=True)
class ServerCloses(News):
    """The server says that it is about to close.

    ``retry`` is the number of milliseconds until it can be reached again; 0 if it does not say.
    """

    reason: str
    retry: int = 0
