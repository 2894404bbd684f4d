"""What happens in a game, numbered: the entries of its log, from which every board is replayed.

Events and setups are also written as JSON here: as clients are told of them, and as the log keeps
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, get_args

from tic_tac_toe.logic import strict_json
from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.models import MARKS, Mark
from tic_tac_toe.logic.records import check_comment
from tic_tac_toe.logic.strict_json import (
    As,
    Reader,
    object_reader,
    object_writer,
    read_list,
    read_object,
    read_text,
    read_whole,
    written_fields,
)
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.messages import ADDRESS, CLOCK, VARIANT, one_of

#: A seat is named after the mark that is played from it.
SEATS = tuple(mark.value for mark in MARKS)
#: Which side of a position plays from a seat.
SIDES = MappingProxyType({seat: side for side, seat in enumerate(SEATS)})


def other_seat(seat: str) -> str:
    """Return the seat of the other player."""
    return SEATS[1 - SIDES[seat]]


DRAW, TAKE_BACK, REMATCH, KEEP_CHAT = "draw", "takeback", "rematch", "keepchat"
#: What one side can offer, or ask for, and the other accept or decline.
OFFERS = (DRAW, TAKE_BACK, REMATCH, KEEP_CHAT)
#: Those of them that are offered once the game is over; a side that offers what the other one has
#: offered accepts it.
AFTERWARDS = (REMATCH, KEEP_CHAT)

#: Why the server ends a game, see `Expired`.
ABORT, IDLE, LEFT, OPERATOR = "abort", "idle", "left", "operator"

#: Bounds, and fields that several messages have.
SEAT, SEAT_OR_NONE, OFFER = one_of(*SEATS), one_of("", *SEATS), one_of(*OFFERS)
Variant = Annotated[str, VARIANT, "the name of a game"]
Starting = Annotated[str, SEAT, "who moves first"]
GameClock = Annotated[Annotated[Clock, CLOCK] | None, "if it is played with a clock"]


@dataclass(frozen=True)
class Player:
    """The player at a seat; the hash of the token that claims it is empty on clients."""

    name: Annotated[str, "what others see"]
    key: Annotated[str, As(hidden=True)] = ""
    strategy: Annotated[str, "of a computer: the name of its strategy"] = ""


_Players = tuple[Player | None, Player | None]


@dataclass(frozen=True)
class GameSetup:
    """What a game is, from its first event on."""

    variant: Variant
    starting: Annotated[Starting, _read_starting, As(always=True)] = Mark.CROSS.value
    players: Annotated[
        _Players,
        _read_players,
        As(always=True),
        "the players of X and of O; null where the seat is free",
    ] = (None, None)
    is_open: Annotated[bool, As("open", always=True), "whether the lobby shows it"] = False
    clock: GameClock = None
    previous: Annotated[str, ADDRESS, "of the game before, if this is a rematch"] = ""
    pairing: Annotated[bool, "whether it was created by `pair`"] = False
    first_move: Annotated[
        int,
        _read_seconds,
        "seconds that each side has for its first move, after which the server ends the game; also "
        "without a clock; missing if there is no such limit, and a clock runs from the beginning",
    ] = 0


_Follower = Annotated[str, ADDRESS]
#: What is offered is written as ``text``, as the line of `Said` is.
_Offer = Annotated[str, OFFER, As("text"), "what was offered"]


@dataclass(frozen=True, slots=True)
class _Entry:
    """What all events have; ``id`` is that of the message that asked for it, or empty."""

    kind: ClassVar[str]

    game: Annotated[str, ADDRESS, "which game"]
    version: Annotated[int, "of the event"]
    seat: Annotated[
        str,
        SEAT_OR_NONE,
        "the side that caused it; of `flag`, the side that lost; empty if the server caused it",
    ]
    time: Annotated[
        int, "when it happened, in milliseconds since 1970; it never decreases in a game"
    ]
    id: Annotated[str, As(hidden=True)] = ""

    @property
    def asker(self) -> str:
        """The seat whose message asked for it, if one did."""
        return self.seat

    @property
    def unique_id(self) -> str | None:
        """The message id with its asker before it: no two events of a game have the same."""
        return f"{self.asker}:{self.id}" if self.id else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Created(_Entry):
    """The game was created; always version 1. With two players it begins at once."""

    kind = "create"
    setup: Annotated[GameSetup, "what game it is, and who plays"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Joined(_Entry):
    """A second player took the free seat, and the game began.

    ``key`` is the hash of the token that claims the seat; clients never learn it.
    """

    kind = "join"
    name: Annotated[str, As("text"), "the name of the player"] = ""
    key: Annotated[str, As(hidden=True)] = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Closed(_Entry):
    """The game ended before it began: its creator withdrew it, or was taken to another game."""

    kind = "close"
    follower: Annotated[
        _Follower, "the other game, if there is one; the same token claims a seat there"
    ] = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Expired(_Entry):
    """The server ended the game without a winner."""

    kind = "expire"
    what: Annotated[
        str,
        one_of("", ABORT, IDLE, LEFT, OPERATOR),
        As("text"),
        "why: `abort`, the player at `seat` wanted it before both had moved; `idle`, the player at "
        "`seat` did not make the first move in time; `left`, the player at `seat` claimed a draw, "
        "because the other one was gone; `operator`, the operator of the server ended it; empty, "
        "as is `seat`: nobody joined or nobody moved for too long",
    ] = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved(_Entry):
    """A move was made."""

    kind = "move"
    cell: Annotated[int, "the number of the move, which mostly is that of the cell"]


@dataclass(frozen=True, slots=True)
class Resigned(_Entry):
    """A player resigned; the other side won."""

    kind = "resign"


@dataclass(frozen=True, kw_only=True, slots=True)
class TimedOut(_Entry):
    """The player at ``seat`` lost: the time ran out, or the player was gone."""

    kind = "flag"
    what: Annotated[
        str,
        one_of("", LEFT),
        As("text"),
        "why: `left`, the player was gone, and the other one claimed the win; empty, the time ran "
        "out",
    ] = ""

    @property
    def asker(self) -> str:
        """The seat that claimed the win, if one did."""
        return other_seat(self.seat) if self.seat in SEATS else self.seat


@dataclass(frozen=True, kw_only=True, slots=True)
class Said(_Entry):
    """A player wrote a line of chat."""

    kind = "chat"
    text: Annotated[str, "the line"] = ""
    removed: Annotated[bool, "whether the operator of the server has removed its text"] = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Offered(_Entry):
    """A player made an offer, which stands until a move or an answer."""

    kind = "offer"
    what: Annotated[_Offer, "what is offered, see below"] = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Accepted(_Entry):
    """The offer was accepted, and carried out."""

    kind = "accept"
    what: _Offer = ""
    follower: Annotated[_Follower, "the next game, if it is a rematch"] = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Declined(_Entry):
    """The offer was turned down."""

    kind = "decline"
    what: _Offer = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Withdrawn(_Entry):
    """The player who had made the offer took it back."""

    kind = "withdraw"
    what: _Offer = ""


@dataclass(frozen=True, kw_only=True, slots=True)
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
#: The types of events by the names that the log and the protocol use.
KINDS: Mapping[str, type[Event]] = MappingProxyType(
    {kind.kind: kind for kind in get_args(Event) if kind is not Unknown}
)
_ENTRY = {entry.name for entry in fields(_Entry)}


def _details(with_hidden: bool) -> dict[str, list[tuple[str, str, Any]]]:
    """Return the details of each kind: the names in JSON and of the fields, and their defaults."""
    return {
        name: [
            (each.json_name, each.name, each.default)
            for each in written_fields(kind, with_hidden)
            if each.name not in _ENTRY
        ]
        for name, kind in KINDS.items()
    }


_DETAILS, _TOLD = _details(with_hidden=True), _details(with_hidden=False)


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


# -- JSON ------------------------------------------------------------------------------------------


def write_event(event: Event, **begin: object) -> dict[str, object]:
    """Return what clients are told of an event: all but the hashes, the id and the game.

    Args:
        begin: what the object begins with.
    """
    values: dict[str, Any] = {
        **begin,
        "version": event.version,
        "kind": event.kind,
        "seat": event.seat,
        "time": event.time,
    }
    for wire_name, name, default in _TOLD.get(event.kind, ()):
        if (value := getattr(event, name, default)) != default:
            values[wire_name] = write_setup(value) if name == "setup" else value
    return values


def write_setup(setup: GameSetup, with_keys: bool = False) -> dict[str, object]:
    """Return what a game is; with the hashes of the tokens only for the log."""
    return (_write_setup_with_keys if with_keys else _write_setup)(setup)


def read_setup(value: object, path: str = "setup") -> GameSetup:
    """Return the setup that `write_setup` has written.

    Raises:
        InvalidNotation: the value is not a setup.
    """
    return _read_setup(value, path)


def event_in(value: object, path: str) -> Event:
    """Return the event in an object of JSON, with the address in ``game``, if any.

    Raises:
        InvalidNotation: the value is not an event.
    """
    values = read_object(value, path)
    kind = values.get("kind")
    needed = _NEEDED.get(kind) if isinstance(kind, str) else None
    if needed is None or any(values.get(name) is None for name in needed):
        return _read_unknown(values, path)
    return _EVENT_READERS[str(kind)](values, path)


def read_event(values: Mapping[str, object], game: str) -> Event:
    """Return the event of a game that `write_event` has written.

    Raises:
        InvalidNotation: the values are not those of an event.
    """
    return event_in({**values, "game": game}, "")


def _read_text(value: object, path: str) -> str:
    """Return a text that is safe to show: without control characters or halves of characters."""
    text = read_text(value, path)
    check_comment(text, path)
    return text


def _read_pair(value: object, path: str) -> tuple[int, int]:
    numbers = [read_whole(entry, path) for entry in read_list(value, path)]
    if len(numbers) != 2:
        raise InvalidNotation("{path}: expected two numbers", "two_numbers", path=path)
    return numbers[0], numbers[1]


def _read_starting(value: object, path: str) -> str:
    if value not in ("X", "O"):
        raise InvalidNotation("setup.starting: expected X or O", "setup_starting")
    return str(value)


def _read_players(value: object, path: str) -> _Players:
    entries = read_list(value, path)
    if len(entries) != 2:
        raise InvalidNotation("setup.players: expected two", "setup_players")
    crosses, naughts = (None if entry is None else _read_player(entry, path) for entry in entries)
    return crosses, naughts


def _read_seconds(value: object, path: str) -> int:
    return max(0, read_whole(value, path))


#: Readers of everything that servers say, see `strict_json.object_reader`.
READERS: Mapping[Any, Reader] = MappingProxyType(
    {
        **strict_json.READERS,
        str: _read_text,
        tuple[int, int]: _read_pair,
        Clock: lambda value, path: Clock(*_read_pair(value, path)),
    }
)
_read_player = object_reader(Player, readers=READERS, lenient=True, with_hidden=True)
_read_setup = object_reader(GameSetup, readers=READERS, lenient=True, first=["players"])
_write_setup = object_writer(GameSetup)
_write_setup_with_keys = object_writer(GameSetup, with_hidden=True)
_EVENT_READERS: Mapping[str, Callable[[object, str], Event]] = MappingProxyType(
    {
        name: object_reader(kind, readers={**READERS, GameSetup: read_setup}, lenient=True)
        for name, kind in KINDS.items()
    }
)
_read_unknown = object_reader(Unknown, readers=READERS, lenient=True)
#: The details without which an event of a kind is an `Unknown`.
_NEEDED = {
    kind: [wire_name for wire_name, _, default in details if default is MISSING]
    for kind, details in _TOLD.items()
}
