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
    object_reader,
    object_writer,
    parse,
    read_object,
    read_text,
)
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import (
    DRAW,
    OFFER,
    SEAT_OR_NONE,
    SEATS,
    Starting,
    Variant,
)
from tic_tac_toe.protocols.online.messages import (
    ADDRESS,
    ADDRESS_OR_NONE,
    CHAT_LENGTH,
    CLOCK,
    COUNT,
    MESSAGE_ID,
    NAME_LENGTH,
    OPPONENT,
    PENDING_IDS,
    TOKEN,
    TOKEN_OR_NONE,
    check_frame,
    one_line,
    one_of,
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
_Address = Annotated[str, ADDRESS, "which game"]
_Token = Annotated[str, TOKEN, "claims the seat from now on"]
_Version = Annotated[int, COUNT, "the last event seen"]
_Name = Annotated[str, one_line(NAME_LENGTH), "what others see"]
_Line = Annotated[str, one_line(CHAT_LENGTH, may_be_blank=False), "one line that is not blank"]
_What = Annotated[str, OFFER, "what was offered"]
_Clock = Annotated[
    Annotated[Clock, CLOCK] | None, "seconds for each side, and seconds that each move adds"
]


@dataclass(frozen=True)
class _Request:
    """What a client asks."""

    id: Annotated[_Id, "made up by the sender, a new one for each request"]


@dataclass(frozen=True)
class Hello(_Request):
    """Opens the conversation, and goes to a game: to the client's seat in it, or to watch."""

    protocol: Annotated[int, COUNT, "the version of the protocol, 1"]
    game: Annotated[str, ADDRESS_OR_NONE, "where to go"] = ""
    token: Annotated[str, TOKEN_OR_NONE, "claims a seat; empty to watch"] = field(
        default="", repr=False
    )
    last_seen_version: Annotated[int, COUNT, "the last event that the client has"] = 0
    pending: Annotated[
        tuple[_Id, ...], PENDING_IDS, "requests of this seat that were not answered"
    ] = ()


@dataclass(frozen=True)
class Create(_Request):
    """Creates a game and takes a seat in it."""

    token: _Token = field(repr=False)
    variant: Annotated[Variant, "the name of a game, such as `connect-four` or `mnk:5,5,4,torus`"]
    name: _Name = ""
    seat: Annotated[str, one_of(*SEATS, RANDOM_SEAT), "which seat to take"] = RANDOM_SEAT
    starting: Starting = "X"
    opponent: Annotated[
        str,
        OPPONENT,
        "`person`, or the name of a strategy or of a program that the operator offers, which plays "
        "at once",
    ] = PERSON
    open: Annotated[bool, "whether the lobby shows the game, and later its result"] = False
    clock: _Clock = None


@dataclass(frozen=True)
class Pair(_Request):
    """Plays now: creates an open game, and goes to another one of the same kind if there is one."""

    token: Annotated[_Token, "claims the seat from now on, in either game"] = field(repr=False)
    variant: Variant
    name: _Name = ""
    clock: Annotated[_Clock, "as for `create`"] = None


@dataclass(frozen=True)
class Join(_Request):
    """Takes the free seat of a game."""

    game: _Address
    token: _Token = field(repr=False)
    name: _Name = ""


@dataclass(frozen=True)
class Move(_Request):
    """Makes a move."""

    version: _Version
    cell: Annotated[int, COUNT, "the number of the move, which mostly is that of the cell"]


@dataclass(frozen=True)
class Offer(_Request):
    """Offers a draw or a rematch, or asks to take back one's last move or to keep the chat."""

    version: _Version
    what: Annotated[_What, "what is offered"]


@dataclass(frozen=True)
class Accept(_Request):
    """Agrees to what the other side has offered."""

    version: _Version
    what: _What


@dataclass(frozen=True)
class Decline(_Request):
    """Refuses what the other side has offered, or else takes an own offer back."""

    version: _Version
    what: _What


@dataclass(frozen=True)
class Resign(_Request):
    """Resigns."""


@dataclass(frozen=True)
class Abort(_Request):
    """Ends a game in which a side has not made its first move yet; nobody wins."""


@dataclass(frozen=True)
class Claim(_Request):
    """Ends a game because the other player is gone."""

    version: _Version
    what: Annotated[str, one_of(*CLAIMS), "what is claimed"] = WIN


@dataclass(frozen=True)
class Chat(_Request):
    """Sends a line to everybody at the game."""

    text: _Line


@dataclass(frozen=True)
class Talk(_Request):
    """Sends a line to the other watchers of the game."""

    text: _Line
    name: Annotated[_Name, "what others see beside the watcher's number"] = ""


@dataclass(frozen=True)
class Report(_Request):
    """Tells the operator of the server of a line or a name, at the game that the sender follows."""

    what: Annotated[
        str,
        one_of(*REPORTABLE),
        "a line of chat, a line of the watchers' talk, or the name of a player",
    ]
    line: Annotated[
        int,
        COUNT,
        "of a line of chat, the version of its event; of the watchers' talk, its `time`",
    ] = 0
    number: Annotated[int, COUNT, "of the watchers' talk, the `number` of the watcher"] = 0
    seat: Annotated[str, SEAT_OR_NONE, "of a name, the seat"] = ""
    text: Annotated[str, one_line(CHAT_LENGTH), "what the sender says about it, one line"] = ""


@dataclass(frozen=True)
class Block(_Request):
    """Lets the server never pair the two players of this game again."""

    on: Annotated[bool, "`false` takes it back"] = True


@dataclass(frozen=True)
class Leave(_Request):
    """Withdraws a game that waits for its second player."""


@dataclass(frozen=True)
class Events(_Request):
    """Asks for events."""

    after: Annotated[int, COUNT, "the last event that the client has"]


@dataclass(frozen=True)
class Lobby(_Request):
    """Subscribes to the open games, or ends that."""

    on: Annotated[bool, "whether to send them"]


@dataclass(frozen=True)
class Mine(_Request):
    """Asks for the games in which a token claims a seat, the newest first."""

    token: Annotated[_Token, "whose games"] = field(repr=False)


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
    {name: object_reader(kind, name) for name, kind in TYPES.items()}
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
            message_id = MESSAGE_ID.read(values["id"], "id")
        kind = read_text(values.pop("type", None), "type")
        if kind not in TYPES:
            raise InvalidNotation("type: {text} is unknown here", "request_type", text=quoted(kind))
        return _READERS[kind](values, "")
    except InvalidNotation as error:
        raise InvalidRequest(str(error), message_id) from None


def write_request(request: Request) -> str:
    """Return the text that `read_request` makes the same request of."""
    return json.dumps(_WRITERS[type(request)](request), separators=(",", ":"))
