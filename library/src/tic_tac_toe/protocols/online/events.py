"""What happens in a game, numbered: the entries of its log, from which every board is replayed.

Events and setups are also written as JSON here: as clients are told of them, and as the log keeps
them.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    read_text,
    read_whole,
    written_fields,
)
from tic_tac_toe.protocols.online.clocks import Clock

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

#: Why the server ends a game: a player wanted it before both had moved; a player did not make the
#: first move in time; a player claimed a win or a draw, because the other one had left; or its
#: operator wanted it.
ABORT, IDLE, LEFT, OPERATOR = "abort", "idle", "left", "operator"


@dataclass(frozen=True)
class Player:
    """The player at a seat.

    Args:
        name: what others see.
        key: the hash of the token that claims the seat; empty for computers, and on clients,
            which never learn it.
        strategy: the name of the strategy, if a computer plays.
    """

    name: str
    key: str = ""
    strategy: str = ""


_Players = tuple[Player | None, Player | None]


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
        pairing: whether the creator wants to be paired: the server may take them to another open
            game of the same kind.
        first_move: seconds that each side has for its first move. The clock of a side runs from its
            second move on. 0: it runs from the beginning, as in games of former servers.
    """

    variant: str
    starting: Annotated[str, _read_starting, As(always=True)] = Mark.CROSS.value
    players: Annotated[_Players, _read_players, As(always=True)] = (None, None)
    is_open: Annotated[bool, As("open", always=True)] = False
    clock: Clock | None = None
    previous: str = ""
    pairing: bool = False
    first_move: Annotated[int, _read_seconds] = 0


#: A detail that is written as ``text``, as the line of `Said` is.
_Text = Annotated[str, As("text")]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Created(_Entry):
    """The game exists, with its rules and the players that sit already; always version 1."""

    kind = "create"
    setup: GameSetup


@dataclass(frozen=True, kw_only=True, slots=True)
class Joined(_Entry):
    """A player called ``name`` takes the free seat, and the game begins.

    ``key`` is the hash of the token that claims the seat; clients never learn it.
    """

    kind = "join"
    name: _Text = ""
    key: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Closed(_Entry):
    """The game ends before it has begun: its creator withdraws it, or is paired elsewhere.

    If paired, ``follower`` is the address of the game where the creator now has a seat, which the
    same token claims.
    """

    kind = "close"
    follower: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Expired(_Entry):
    """The server ends the game without a winner.

    ``what`` is `ABORT`, by the player at ``seat``; `IDLE`, because that player made no first move;
    `LEFT`, by the player at ``seat``, who claims a draw; `OPERATOR`, who runs the server; or empty,
    because for a very long time nobody joined or moved.
    """

    kind = "expire"
    what: _Text = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved(_Entry):
    """A mark is placed in ``cell``."""

    kind = "move"
    cell: int


@dataclass(frozen=True, slots=True)
class Resigned(_Entry):
    """A player gives up."""

    kind = "resign"


@dataclass(frozen=True, kw_only=True, slots=True)
class TimedOut(_Entry):
    """The player at ``seat`` loses, because the time has run out.

    If ``what`` is `LEFT`, it is because that player was gone and the other one claimed the win.
    """

    kind = "flag"
    what: _Text = ""

    @property
    def asker(self) -> str:
        """The seat that claimed the win, if one did."""
        return other_seat(self.seat) if self.seat in SEATS else self.seat


@dataclass(frozen=True, kw_only=True, slots=True)
class Said(_Entry):
    """A player says a line; its text is empty if it was ``removed`` by the server's operator."""

    kind = "chat"
    text: str = ""
    removed: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Offered(_Entry):
    """A player offers, or asks for, one of `OFFERS`."""

    kind = "offer"
    what: _Text = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Accepted(_Entry):
    """A player agrees to an offer; ``follower`` is the address of the rematch, if it is one."""

    kind = "accept"
    what: _Text = ""
    follower: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Declined(_Entry):
    """A player refuses an offer."""

    kind = "decline"
    what: _Text = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Withdrawn(_Entry):
    """A player takes an own offer back."""

    kind = "withdraw"
    what: _Text = ""


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
#: The details of each kind: the name in JSON, the name of the field, and its default.
_DETAILS = {
    name: [
        (each.json_name, each.name, each.default)
        for each in written_fields(kind)
        if each.name not in _ENTRY
    ]
    for name, kind in KINDS.items()
}


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


def write_event(event: Event) -> dict[str, object]:
    """Return what clients are told of an event: all but the hashes, the id and the game."""
    values: dict[str, Any] = {
        "version": event.version,
        "kind": event.kind,
        "seat": event.seat,
        "time": event.time,
        **details_of(event),
    }
    values.pop("key", None)
    if "setup" in values:
        values["setup"] = write_setup(values["setup"])
    return values


def write_setup(setup: GameSetup, with_keys: bool = False) -> dict[str, object]:
    """Return what a game is; with the hashes of the tokens only for the log."""
    values = _write_setup(setup)
    values["players"] = [
        player
        and {
            "name": player.name,
            **({"strategy": player.strategy} if player.strategy else {}),
            **({"key": player.key} if with_keys and player.key else {}),
        }
        for player in setup.players
    ]
    return values


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
    read = _read_event(value, path)
    details = {name: part for name, part in vars(read).items() if part is not None}
    return event_of(read.kind, read.game, read.version, read.seat, read.time, "", details)


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
_read_player = object_reader(Player, readers=READERS, lenient=True)
_read_setup = object_reader(GameSetup, readers=READERS, lenient=True, first=["players"])
_write_setup = object_writer(GameSetup)


@dataclass(frozen=True)
class _Event:
    """An event as it is written, whatever its kind."""

    game: str
    version: int
    kind: str
    seat: str
    time: int
    cell: int | None
    text: str
    follower: str
    removed: bool
    setup: GameSetup | None


_read_event = object_reader(_Event, readers={**READERS, GameSetup: read_setup}, lenient=True)
