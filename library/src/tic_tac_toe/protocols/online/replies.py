"""What servers say, as values, and the texts they send it as.

Every request gets exactly one `Answer` or `Welcome` with its id. `Happened`, `Presence`,
`WatchersTalk`, `OpenGames`, `Notice` and `Closing` come unasked. A client passes over types and
fields that it does not know.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated, Any, get_args

from tic_tac_toe.logic.exceptions import InvalidNotation, Message, message
from tic_tac_toe.logic.strict_json import (
    As,
    object_reader,
    object_writer,
    parse,
    read_object,
    read_text,
)
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import READERS, Event, event_in, write_event
from tic_tac_toe.protocols.online.game import End

#: What became of a request.
OK, DUPLICATE, STALE, ILLEGAL, BUSY = "ok", "duplicate", "stale", "illegal", "busy"
STATUSES = (OK, DUPLICATE, STALE, ILLEGAL, BUSY)
#: The stages of a game: it waits for a player, is played, or has ended.
WAITING, PLAYING, OVER = "waiting", "playing", "over"
STAGES = (WAITING, PLAYING, OVER)
#: The status in `Welcome` of a pending request that the server never got: send it again.
UNKNOWN = "unknown"
#: Why requests are refused, and what else servers say: sentences by the names that programs know
#: them by. An illegal move has the name ``move`` and a sentence of its own.
REASONS: Mapping[str, Message] = MappingProxyType(
    {
        name: sentence._replace(code=f"online_{name}")
        for name, sentence in {
            "unknown_game": message("There is no such game, or no such seat for you"),
            "no_game": message("Create, join or watch a game first"),
            "not_seated": message("Only players can do that"),
            "waiting": message("The other player is not there yet"),
            "not_your_turn": message("It's the other player's turn"),
            "game_over": message("The game is over"),
            "not_over": message("The game is not over yet"),
            "no_opponent": message("This server has no such computer player for this game"),
            "begun": message("The game has begun"),
            "both_moved": message("Both players have moved already"),
            "not_gone": message("The other player is there, or has not been gone for long"),
            "not_watching": message("Only watchers can do that"),
            "seat_taken": message("The seat is taken"),
            "same_player": message("You already play in this game"),
            "no_offer": message("There is no such offer to answer"),
            "offered": message("That has been offered already"),
            "nothing_to_take_back": message("There is no move to take back"),
            "rematch_exists": message("There is a rematch already"),
            "no_chat": message("There is no chat that is not kept already"),
            "out_of_time": message("Your time has run out"),
            "too_many_events": message("The game has as many events as a server keeps of one game"),
            "too_much_chat": message(
                "The game has as many chat messages as a server keeps of one game"
            ),
            "not_for_you": message("This game is not open to you"),
            "not_taken": message("The other player does not take this"),
            "left_for_good": message("The other player has left for good"),
            "no_person": message("The other player is a computer"),
            "nothing_to_report": message("There is no such line or name to report"),
            "invalid": message("This message cannot be understood"),
            "protocol": message("Another version of the protocol is spoken here"),
            "id_used": message("Another message has had the same id"),
            "restart": message("The server restarts"),
            "banned": message("The operator of this server keeps your address away"),
            "forgotten": message("The operator of this server has removed your seat in this game"),
            "deleted": message("The operator of this server has deleted this game"),
            "reopened": message("The server begins new games again"),
            "draining": message("The server begins no new games at the moment"),
            "stopping": message("The server is about to stop"),
            "storage": message("The server cannot write at the moment"),
            "too_fast": message("That was too much at once"),
            "too_many_open": message("Your address has as many open games as one may have"),
            "too_many_games": message("Your address has as many unfinished games as one may have"),
            "first_moves": message(
                "Others wait for your first move: make it, or abort those games"
            ),
            "full": message("The server has all the games that it can hold"),
        }.items()
    }
)
#: Why the server closes the connection of a player whose seat the operator has removed, and those
#: of all who are in a game that the operator has deleted.
FORGOTTEN, DELETED = "forgotten", "deleted"
#: The notice of a server that began no new games for a time, and does again.
REOPENED = "reopened"


@dataclass(frozen=True)
class OwnGame:
    """A game in which the sender has a seat, as a list of their games shows it.

    Args:
        seat: the sender's.
        crosses, naughts: the names of the players of X and O; empty where there is none.
        stage: one of `STAGES`.
        result: of a game that is over, the winner, X or O, or ``draw``; empty if it never began.
        time: when it came to this stage, in ms since 1970.
    """

    game: str
    variant: str = ""
    seat: str = ""
    crosses: str = ""
    naughts: str = ""
    stage: str = ""
    result: str = ""
    clock: Clock | None = None
    time: int = 0

    @property
    def was_cancelled(self) -> bool:
        """Whether it ended before a second player came, as far as names tell."""
        return self.stage == OVER and not self.result and not (self.crosses and self.naughts)


@dataclass(frozen=True)
class Answer:
    """What became of a request.

    Args:
        id: of the request; empty if the message had no readable id.
        status: `OK`; `DUPLICATE`, it had been done before and this is the same answer again;
            `STALE`, the game has moved on; `ILLEGAL`; or `BUSY`, ask again later.
        version: of the event that it led to; if stale or illegal, the head of the game.
        game, seat: where the sender is now, after creating or joining.
        reason, text: if illegal or busy, a name of `REASONS` and a sentence.
        retry: if busy, the milliseconds to wait before asking again.
        events: the events that an `Events` asked for.
        head: the version of the game's last event, if ``events`` were asked for.
        end: how the game ended, likewise, if it has.
        games: the games that a `Mine` asked for.
    """

    id: str
    status: str
    version: int = 0
    game: str = ""
    seat: str = ""
    reason: str = ""
    text: str = ""
    retry: int = 0
    events: tuple[Event, ...] = ()
    head: int = 0
    end: End | None = None
    games: tuple[OwnGame, ...] = ()


@dataclass(frozen=True)
class RequestStatus:
    """The outcome of a pending request: `OK` and the version, or `UNKNOWN`."""

    id: str
    status: str
    version: int = 0


@dataclass(frozen=True)
class Welcome:
    """The answer to a `Hello`.

    Args:
        protocol: the version spoken here.
        game, seat: where this connection is now.
        head: the version of the game's last event; more are to be asked for if ``events`` end
            before it.
        events: the events that the client had not seen.
        fates: the outcomes of the pending requests.
        clock: milliseconds that X and O have left, if there is a clock.
        now: the server's time, in milliseconds since 1970.
        opponents: the computer players that the operator offers beside strategies, by name; told to
            a client that follows no game.
        end: how the game ended, if it has.
    """

    id: str
    protocol: int
    game: str = ""
    seat: str = ""
    head: int = 0
    events: tuple[Event, ...] = ()
    fates: tuple[RequestStatus, ...] = ()
    clock: tuple[int, int] | None = None
    now: Annotated[int, As(always=True)] = 0
    opponents: tuple[str, ...] = ()
    end: End | None = None


@dataclass(frozen=True)
class Happened:
    """An event of the game that this connection follows.

    Args:
        clock: milliseconds that X and O have left after it.
        end: how the game ended, if it ended by this event.
    """

    event: Event
    clock: tuple[int, int] | None = None
    end: End | None = None


@dataclass(frozen=True)
class Presence:
    """The connected players of a game, by their seats, and the number of watchers.

    Args:
        claim_in: the milliseconds until the player who is present can claim the game, unless the
            other player comes back; ``None`` if nothing can be claimed.
    """

    game: str
    seats: tuple[str, ...]
    watchers: int
    claim_in: int | None = None


@dataclass(frozen=True)
class TalkLine:
    """A line of the watchers' talk.

    Args:
        number: of the watcher, counted at each server and game.
        name: that the watcher goes by; often empty.
        time: when it was said, in milliseconds since 1970.
    """

    number: int
    name: Annotated[str, As(always=False)]
    text: str
    time: int


@dataclass(frozen=True)
class WatchersTalk:
    """Lines of the watchers' talk: all that are kept for a client that arrives; then new ones."""

    game: str
    lines: tuple[TalkLine, ...]


@dataclass(frozen=True)
class OpenGame:
    """A game that waits for a player; ``time`` is that of its creation, in ms since 1970."""

    game: str
    variant: str = ""
    name: str = ""
    seat: str = ""
    starting: str = ""
    clock: Clock | None = None
    time: int = 0


@dataclass(frozen=True)
class OpenGames:
    """The games that wait for a player, the newest first, `LOBBY_GAMES` at most."""

    games: tuple[OpenGame, ...]


@dataclass(frozen=True)
class Notice:
    """A notice of the server's operator to everyone.

    Args:
        text: one line of the operator's own; with a reason, the same as an English sentence.
        reason: a name of `REASONS`; empty without one.
    """

    text: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Closing:
    """The server is about to close the connection; come back after ``retry`` milliseconds."""

    reason: str
    retry: int


Reply = Answer | Welcome | Happened | Presence | WatchersTalk | OpenGames | Notice | Closing


def _name_of(kind: type[Reply]) -> str:
    names: Mapping[type, str] = {Happened: "event", WatchersTalk: "talk", OpenGames: "lobby"}
    return names.get(kind, kind.__name__.lower())


#: The types of replies by their names on the wire.
TYPES: Mapping[str, type[Reply]] = MappingProxyType(
    {_name_of(kind): kind for kind in get_args(Reply)}
)


class InvalidReply(ValueError):
    """A text that no server of this protocol sends."""


# -- writing ---------------------------------------------------------------------------------------


def write_reply(reply: Reply) -> str:
    """Return the text that `read_reply` makes the same reply of."""
    return json.dumps(_WRITERS[type(reply)](reply), separators=(",", ":"))


def _write_answer(answer: Answer) -> dict[str, object]:
    values = _PLAIN_WRITERS[Answer](answer)
    if answer.head:  # then the list must be there; an empty one has always come last
        values.setdefault("events", [])
    return values


def _write_welcome(welcome: Welcome) -> dict[str, object]:
    values = _PLAIN_WRITERS[Welcome](welcome)
    values.setdefault("events", [])
    values.setdefault("fates", [])
    return values


def _write_happened(happened: Happened) -> dict[str, object]:
    event = happened.event
    values = {"type": "event", "game": event.game, **write_event(event)}
    if happened.clock:
        values["clock"] = happened.clock
    if happened.end is not None:
        values["end"] = _write_end(happened.end)
    return values


# -- reading ---------------------------------------------------------------------------------------


def read_reply(text: str) -> Reply | None:
    """Return the reply that a text stands for; ``None`` if its type is unknown here.

    Raises:
        InvalidReply: no server of this protocol sends such a text.
    """
    try:
        values = read_object(parse(text), "the message")
        kind = read_text(values.get("type"), "type")
        if kind not in TYPES:
            return None
        reply = _READERS[kind](values, "")
    except InvalidNotation as error:
        raise InvalidReply(str(error)) from None
    if isinstance(reply, Answer | Welcome) and reply.events:
        events = tuple(replace(event, game=reply.game) for event in reply.events)
        return replace(reply, events=events)
    return reply


def _read_happened(value: object, path: str) -> Happened:
    beside = _read_beside(value, path)
    return Happened(event_in(value, path), beside.clock, beside.end)


@dataclass(frozen=True)
class _Beside:
    """What a message says beside the event."""

    clock: tuple[int, int] | None
    end: End | None


_ALL_READERS = {**READERS, Event: event_in}
_read_beside = object_reader(_Beside, readers=_ALL_READERS, lenient=True)
_READERS: Mapping[str, Callable[[object, str], Reply]] = MappingProxyType(
    {
        **{
            name: object_reader(kind, readers=_ALL_READERS, lenient=True)
            for name, kind in TYPES.items()
        },
        "event": _read_happened,
    }
)
_write_end = object_writer(End)
_PLAIN_WRITERS: Mapping[type, Callable[[Any], dict[str, object]]] = MappingProxyType(
    {kind: object_writer(kind, {Event: write_event}, type=name) for name, kind in TYPES.items()}
)
_WRITERS: Mapping[type, Callable[[Any], dict[str, object]]] = MappingProxyType(
    {
        **_PLAIN_WRITERS,
        Answer: _write_answer,
        Welcome: _write_welcome,
        Happened: _write_happened,
    }
)
