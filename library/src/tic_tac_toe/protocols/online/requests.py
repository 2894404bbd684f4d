"""What clients ask, as values, and the texts they send it as.

A request is one JSON object in one text frame, with its ``type``, an ``id`` that its sender has
made up, and the fields of that type; fields with a default may be missing::

    {"type": "move", "id": "k3v9-7", "version": 4, "cell": 8}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any, get_args

from tic_tac_toe.logic.exceptions import InvalidNotation, quoted
from tic_tac_toe.logic.strict_json import (
    READERS,
    object_reader,
    object_writer,
    parse,
    read_object,
    read_text,
)
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import DRAW, OFFERS, SEATS
from tic_tac_toe.protocols.online.messages import (
    ADDRESS,
    ADDRESS_OR_NONE,
    CHAT_LENGTH,
    MESSAGE_ID,
    NAME_LENGTH,
    OPPONENT,
    OneOf,
    Text,
    check_frame,
    read_clock,
    read_count,
    read_pending,
    read_variant,
)

#: Against whom a game can be created, besides computer players: a person who joins.
PERSON = "person"
#: What can be claimed of a player who is gone.
WIN = "win"
CLAIMS = (WIN, DRAW)
#: What can be reported to the operator of the server.
CHAT_LINE, TALK_LINE, PLAYER_NAME = "chat", "talk", "name"
REPORTABLE = (CHAT_LINE, TALK_LINE, PLAYER_NAME)
#: The seat of a creator who leaves the choice to the server.
RANDOM_SEAT = "random"

_Id = Annotated[str, MESSAGE_ID]
_Address = Annotated[str, ADDRESS]
_AddressOrNone = Annotated[str, ADDRESS_OR_NONE]
_Count = Annotated[int, read_count]
_Name = Annotated[str, Text(NAME_LENGTH)]
_Line = Annotated[str, Text(CHAT_LENGTH, may_be_blank=False)]
_What = Annotated[str, OneOf(*OFFERS)]


@dataclass(frozen=True)
class _Request:
    """What a client asks; ``id`` is made up by the client, a new one for each."""

    id: _Id


@dataclass(frozen=True)
class Hello(_Request):
    """Open the conversation, and take one's seat, or a place to watch.

    Args:
        protocol: the version of the protocol.
        game: the game that this connection is about from now on; empty for none.
        token: claims a seat of it; empty to watch.
        last_seen_version: the version of the last event that the client has.
        pending: the ids of requests without an answer.
    """

    protocol: _Count
    game: _AddressOrNone = ""
    token: _AddressOrNone = field(default="", repr=False)  # a secret
    last_seen_version: _Count = 0
    pending: Annotated[tuple[str, ...], read_pending] = ()


@dataclass(frozen=True)
class Create(_Request):
    """Create a game and sit down.

    Args:
        token: claims the seat from now on; the game's address follows from it and from the id.
        variant: a name that `find_rules` knows.
        name: what others see.
        seat: X, O or random.
        starting: the mark that moves first, X or O.
        opponent: `PERSON`, a strategy, or a program that the server's operator offers by this name.
        open: whether the lobby shows it.
        clock: seconds for each side and seconds added by each move, or ``None``.
    """

    token: _Address = field(repr=False)  # a secret
    variant: Annotated[str, read_variant]
    name: _Name = ""
    seat: Annotated[str, OneOf(*SEATS, RANDOM_SEAT)] = RANDOM_SEAT
    starting: Annotated[str, OneOf(*SEATS)] = "X"
    opponent: Annotated[str, OPPONENT] = PERSON
    open: bool = False
    clock: Clock | None = None


@dataclass(frozen=True)
class Pair(_Request):
    """Play now: create an open game, and be taken to another one of the same kind if there is one.

    Args:
        token: claims the seat, in whatever game; the created game's address follows from it and
            from the id.
        variant, name, clock: as of `Create`.
    """

    token: _Address = field(repr=False)  # a secret
    variant: Annotated[str, read_variant]
    name: _Name = ""
    clock: Clock | None = None


@dataclass(frozen=True)
class Join(_Request):
    """Take the free seat of a game."""

    game: _Address
    token: _Address = field(repr=False)  # a secret
    name: _Name = ""


@dataclass(frozen=True)
class Move(_Request):
    """Play a cell; ``version`` is the last event that its sender had seen."""

    version: _Count
    cell: _Count


@dataclass(frozen=True)
class Offer(_Request):
    """Offer a draw or a rematch, or ask to take a move back."""

    version: _Count
    what: _What


@dataclass(frozen=True)
class Accept(_Request):
    """Agree to what the other side has offered."""

    version: _Count
    what: _What


@dataclass(frozen=True)
class Decline(_Request):
    """Refuse what the other side has offered, or else take an own offer back."""

    version: _Count
    what: _What


@dataclass(frozen=True)
class Resign(_Request):
    """Give up."""


@dataclass(frozen=True)
class Abort(_Request):
    """End the game before both sides have moved; nobody wins."""


@dataclass(frozen=True)
class Claim(_Request):
    """End the game because the other player is gone: ``what`` is one of `CLAIMS`."""

    version: _Count
    what: Annotated[str, OneOf(*CLAIMS)] = WIN


@dataclass(frozen=True)
class Chat(_Request):
    """Send a line of chat to everyone at the game."""

    text: _Line


@dataclass(frozen=True)
class Talk(_Request):
    """Send a line to the other watchers of the game; ``name`` is what they see."""

    text: _Line
    name: _Name = ""


@dataclass(frozen=True)
class Report(_Request):
    """Report a line or a name at the sender's game to the server's operator.

    Args:
        what: one of `REPORTABLE`.
        line: of a line of chat, the version of its event; of the watchers' talk, its time.
        number: of a line of the watchers' talk, that of the watcher.
        seat: of a name, the seat of the player who goes by it.
        text: what the sender says about it.
    """

    what: Annotated[str, OneOf(*REPORTABLE)]
    line: _Count = 0
    number: _Count = 0
    seat: Annotated[str, OneOf("", *SEATS)] = ""
    text: Annotated[str, Text(CHAT_LENGTH)] = ""


@dataclass(frozen=True)
class Block(_Request):
    """Never be paired with the other player of this game again; or unblock them."""

    on: bool = True


@dataclass(frozen=True)
class Leave(_Request):
    """Stop following the game; the creator of a game that has not begun closes it."""


@dataclass(frozen=True)
class Events(_Request):
    """Ask for the events after a version."""

    after: _Count


@dataclass(frozen=True)
class Lobby(_Request):
    """Subscribe to the list of open games, or unsubscribe."""

    on: bool


@dataclass(frozen=True)
class Mine(_Request):
    """Ask for the games in which a token claims a seat, the newest first, `OWN_GAMES` at most."""

    token: _Address = field(repr=False)  # a secret


Request = (
    Hello
    | Create
    | Pair
    | Join
    | Move
    | Offer
    | Accept
    | Decline
    | Resign
    | Abort
    | Claim
    | Chat
    | Talk
    | Report
    | Block
    | Leave
    | Events
    | Lobby
    | Mine
)
#: The requests for a seat.
Seating = Create | Pair | Join
#: The names of requests on the wire.
TYPES: Mapping[str, type[Request]] = MappingProxyType(
    {kind.__name__.lower(): kind for kind in get_args(Request)}
)
_READERS: Mapping[str, Callable[[object, str], Request]] = MappingProxyType(
    {
        name: object_reader(kind, name, readers={**READERS, Clock: read_clock})
        for name, kind in TYPES.items()
    }
)
_WRITERS: Mapping[type, Callable[[Any], dict[str, object]]] = MappingProxyType(
    {kind: object_writer(kind, type=name) for name, kind in TYPES.items()}
)


class InvalidRequest(ValueError):
    """A text that is not a request; ``id`` is that of the message if it had one, else empty."""

    def __init__(self, message: str, message_id: str = "") -> None:
        self.id = message_id
        super().__init__(message)


def read_request(text: str) -> Request:
    """Return the request that a text stands for.

    The size, depth and numbers of the text are checked before it is parsed.

    Raises:
        InvalidRequest: the text is not a request; the message says why.
    """
    message_id = ""
    try:
        check_frame(text)
        values = read_object(parse(text), "the message")
        if "id" in values:
            message_id = MESSAGE_ID(values["id"], "id")
        kind = read_text(values.pop("type", None), "type")
        if kind not in TYPES:
            raise InvalidNotation("type: {text} is unknown here", "request_type", text=quoted(kind))
        return _READERS[kind](values, "")
    except InvalidNotation as error:
        raise InvalidRequest(str(error), message_id) from None


def write_request(request: Request) -> str:
    """Return the text that `read_request` makes the same request of."""
    return json.dumps(_WRITERS[type(request)](request), separators=(",", ":"))
