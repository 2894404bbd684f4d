"""What happens in a game, numbered: the entries of its log, from which every board is replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar

from tic_tac_toe.logic.models import MARKS, Mark
from tic_tac_toe.protocols.online.clocks import Clock

#: A seat is named after the mark that is played from it.
SEATS = tuple(mark.value for mark in MARKS)
#: Which side of a position plays from a seat.
SIDES = MappingProxyType({seat: side for side, seat in enumerate(SEATS)})

DRAW, TAKE_BACK, REMATCH, KEEP_CHAT = "draw", "takeback", "rematch", "keepchat"
#: What one side can offer, or ask for, and the other accept or decline.
OFFERS = (DRAW, TAKE_BACK, REMATCH, KEEP_CHAT)
#: Those of them that are offered once the game is over; a side that offers what the other one has
#: offered accepts it.
AFTERWARDS = (REMATCH, KEEP_CHAT)

#: Why the server ends a game: a player wanted it before both had moved; a player did not make the
#: first move in time; a player claimed a win or a draw, because the other one had left; or its
#: operator wanted it.
ABORT, IDLE, LEFT, OPERATOR = "abort", "idle", "left", "operator"


@dataclass(frozen=True)
class Player:
    """Who sits on a seat.

    Args:
        name: what others see.
        key: the hash of the token that claims the seat; empty for computers, and on clients,
            which never learn it.
        strategy: the name of the strategy, if a computer plays.
    """

    name: str
    key: str = ""
    strategy: str = ""


@dataclass(frozen=True)
class GameSetup:
    """What a game is, from its first event on.

    Args:
        variant: the name of the rules.
        starting: the mark that moves first, X or O.
        players: the players at X and at O; ``None`` where the seat is free.
        is_open: whether the lobby shows the game while a seat is free.
        clock: the time for each side, if the game is played with a clock.
        previous: the address of the game that this is the rematch of.
        pairing: whether the creator plays anybody who wants the same game, there or here: the
            server may take him to another open game.
        first_move: seconds that each side has for its first move. The clock of a side runs from its
            second move on. 0: it runs from the beginning, as in games of former servers.
    """

    variant: str
    starting: str = Mark.CROSS.value
    players: tuple[Player | None, Player | None] = (None, None)
    is_open: bool = False
    clock: Clock | None = None
    previous: str = ""
    pairing: bool = False
    first_move: int = 0


@dataclass(frozen=True)
class _Entry:
    """What all events have.

    Args:
        game: the address of the game.
        version: 1 for the first event, and one more for each.
        seat: the seat that acted, X or O; of `TimedOut` the seat that loses; empty if the server
            acted.
        time: in milliseconds since 1970.
        id: the id of the message that asked for it; empty if none did.
    """

    kind: ClassVar[str]

    game: str
    version: int
    seat: str
    time: int
    id: str = ""

    @property
    def asker(self) -> str:
        """The seat whose message asked for it, if one did."""
        return self.seat

    @property
    def unique_id(self) -> str | None:
        """The message id with its asker before it: no two events of a game have the same."""
        return f"{self.asker}:{self.id}" if self.id else None


@dataclass(frozen=True, kw_only=True)
class Created(_Entry):
    """The game exists, with its rules and the players that sit already; always version 1."""

    kind = "create"
    setup: GameSetup


@dataclass(frozen=True, kw_only=True)
class Joined(_Entry):
    """A player called ``name`` takes the free seat, and the game begins.

    ``key`` is the hash of the token that claims the seat; clients never learn it.
    """

    kind = "join"
    name: str = ""
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class Closed(_Entry):
    """The game ends before it has begun: its creator takes it back, or is paired with somebody.

    In the second case ``follower`` is the address of the game where he has a seat now; the same
    token claims it.
    """

    kind = "close"
    follower: str = ""


@dataclass(frozen=True, kw_only=True)
class Expired(_Entry):
    """The server ends the game without a winner.

    ``what`` is `ABORT`, by the player at ``seat``; `IDLE`, because that player made no first move;
    `LEFT`, by the player at ``seat``, who claims a draw; `OPERATOR`, who runs the server; or empty,
    because nobody joined or nobody moved for a very long time.
    """

    kind = "expire"
    what: str = ""


@dataclass(frozen=True, kw_only=True)
class Moved(_Entry):
    """A mark is placed in ``cell``."""

    kind = "move"
    cell: int


@dataclass(frozen=True)
class Resigned(_Entry):
    """A player gives up."""

    kind = "resign"


@dataclass(frozen=True, kw_only=True)
class TimedOut(_Entry):
    """The player at ``seat`` loses, because the time has run out.

    If ``what`` is `LEFT`, it is because that player was gone and the other one claimed the win.
    """

    kind = "flag"
    what: str = ""

    @property
    def asker(self) -> str:
        """The seat that claimed the win, if one did."""
        return SEATS[1 - SIDES[self.seat]] if self.seat in SIDES else self.seat


@dataclass(frozen=True, kw_only=True)
class Said(_Entry):
    """A player says a line; its text is empty if it was ``removed`` by the server's operator."""

    kind = "chat"
    text: str = ""
    removed: bool = False


@dataclass(frozen=True, kw_only=True)
class Offered(_Entry):
    """A player offers, or asks for, one of `OFFERS`."""

    kind = "offer"
    what: str = ""


@dataclass(frozen=True, kw_only=True)
class Accepted(_Entry):
    """A player agrees to an offer; ``follower`` is the address of the rematch, if it is one."""

    kind = "accept"
    what: str = ""
    follower: str = ""


@dataclass(frozen=True, kw_only=True)
class Declined(_Entry):
    """A player refuses an offer."""

    kind = "decline"
    what: str = ""


@dataclass(frozen=True, kw_only=True)
class Withdrawn(_Entry):
    """A player takes an own offer back."""

    kind = "withdraw"
    what: str = ""


@dataclass(frozen=True, kw_only=True)
class Unknown(_Entry):
    """An event of a kind that is unknown here, or without what its kind needs: no game has it."""

    kind: str  # type: ignore[misc]  # of the others it is the same for the whole class


Event = (
    Created
    | Joined
    | Closed
    | Expired
    | Moved
    | Resigned
    | TimedOut
    | Said
    | Offered
    | Accepted
    | Declined
    | Withdrawn
    | Unknown
)
_TYPES = (
    Created,
    Joined,
    Closed,
    Expired,
    Moved,
    Resigned,
    TimedOut,
    Said,
    Offered,
    Accepted,
    Declined,
    Withdrawn,
)
#: The types of events by the names that the log and the protocol use.
KINDS: Mapping[str, type[Event]] = MappingProxyType({kind.kind: kind for kind in _TYPES})

#: The names of details in the log and the protocol, where they differ from those of the fields.
_WIRE_NAMES = {"name": "text", "what": "text"}
_ENTRY = {entry.name for entry in fields(_Entry)}
#: The details of each kind: the name on the wire, the name of the field, and its default.
_DETAILS = {
    kind.kind: [
        (_WIRE_NAMES.get(each.name, each.name), each.name, each.default)
        for each in fields(kind)
        if each.name not in _ENTRY
    ]
    for kind in _TYPES
}


def detail_names(kind: str) -> dict[str, str]:
    """Return the details of a kind: their names in the log and the protocol, and in the class."""
    return {wire_name: name for wire_name, name, _ in _DETAILS[kind]}


def details_of(event: Event) -> dict[str, Any]:
    """Return what an event has beside its entry, by the names that the log and the protocol use."""
    return {
        wire_name: value
        for wire_name, name, default in _DETAILS.get(event.kind, ())
        if (value := getattr(event, name, default)) != default
    }


def event_of(
    kind: str,
    game: str,
    version: int,
    seat: str,
    time: int,
    message_id: str,
    details: Mapping[str, Any],
) -> Event:
    """Return the event of a kind with the details that `details_of` gives.

    A kind that is unknown, or that lacks a detail it needs, gives an `Unknown`.
    """
    arguments = {
        name: details.get(wire_name, default) for wire_name, name, default in _DETAILS.get(kind, ())
    }
    if kind not in KINDS or MISSING in arguments.values():
        return Unknown(game, version, seat, time, message_id, kind=kind)
    return KINDS[kind](game, version, seat, time, message_id, **arguments)
