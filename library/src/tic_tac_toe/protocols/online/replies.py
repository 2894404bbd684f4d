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
from tic_tac_toe.protocols.online.events import (
    DRAW,
    READERS,
    SEAT,
    SEAT_OR_NONE,
    SEATS,
    Event,
    GameClock,
    Starting,
    Variant,
    event_in,
    write_event,
)
from tic_tac_toe.protocols.online.game import End
from tic_tac_toe.protocols.online.messages import ADDRESS, MESSAGE_ID, one_of

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

_Id = Annotated[str, MESSAGE_ID]
_Game = Annotated[str, ADDRESS]
_Seat = Annotated[str, SEAT_OR_NONE]
_Left = Annotated[tuple[int, int] | None, "milliseconds left, if the game has a clock"]


@dataclass(frozen=True)
class OwnGame:
    """A game in which the sender has a seat, as a list of their games shows it."""

    game: Annotated[_Game, "of the game"]
    variant: Variant = ""
    seat: Annotated[_Seat, "the sender's"] = ""
    crosses: Annotated[str, "the name of the player of X; empty also while the seat is free"] = ""
    naughts: Annotated[str, "the name of the player of O, likewise"] = ""
    stage: Annotated[str, one_of(*STAGES), "how far it has come"] = ""
    result: Annotated[
        str,
        one_of("", *SEATS, DRAW),
        "once it is over: `X` or `O` won, or `draw`; empty if it counts for nobody",
    ] = ""
    clock: GameClock = None
    time: Annotated[int, "when it came to this stage, in milliseconds since 1970"] = 0

    @property
    def was_cancelled(self) -> bool:
        """Whether it ended before a second player came, as far as names tell."""
        return self.stage == OVER and not self.result and not (self.crosses and self.naughts)


@dataclass(frozen=True)
class Answer:
    """What became of a request."""

    id: Annotated[str, "of the request; empty if it could not be read"]
    status: Annotated[str, one_of(*STATUSES), "the result, see below"]
    version: Annotated[
        int,
        "of the event that the request led to; for `stale` and `illegal`, the head of the game "
        "that the connection follows",
    ] = 0
    game: Annotated[_Game, "the game that the sender is in now, after `create` and `join`"] = ""
    seat: Annotated[_Seat, "the sender's seat, likewise"] = ""
    reason: Annotated[
        str, one_of("move", *REASONS), "for `illegal` and `busy`, one of the reasons below"
    ] = ""
    text: Annotated[str, "the same as an English sentence"] = ""
    retry: Annotated[int, "for `busy`: in how many milliseconds to ask again"] = 0
    events: Annotated[tuple[Event, ...], "the events that the client asked for"] = ()
    head: Annotated[int, "with `events`: the last event of the game"] = 0
    end: Annotated[End | None, "with `events`: how the game ended, if it is over"] = None
    games: Annotated[
        tuple[OwnGame, ...],
        "the games that `mine` asked for, the newest first; fewer if they have more than about "
        "48 KiB",
    ] = ()


@dataclass(frozen=True)
class RequestStatus:
    """The fate of a pending request."""

    id: Annotated[_Id, "of the pending request"]
    status: Annotated[
        str,
        one_of(OK, UNKNOWN),
        "`ok`; or `unknown`: it was not carried out, so send it again with the same id",
    ]
    version: Annotated[int, "of the event that it led to"] = 0


@dataclass(frozen=True)
class Welcome:
    """The answer to a `hello`."""

    id: Annotated[_Id, "of the `hello`"]
    protocol: Annotated[int, "the version spoken here"]
    game: Annotated[_Game, "the game that this connection follows now"] = ""
    seat: Annotated[_Seat, "the seat that the token claimed; empty for a watcher"] = ""
    head: Annotated[
        int, "the last event of the game; ask for `events` if the list ends before it"
    ] = 0
    events: Annotated[
        tuple[Event, ...],
        As(always=True),
        "those after `last_seen_version`; before them, the last lines of chat up to there that "
        "were removed",
    ] = ()
    fates: Annotated[
        tuple[RequestStatus, ...], As(always=True), "one for each id in `pending`, see below"
    ] = ()
    clock: _Left = None
    now: Annotated[int, As(always=True), "the server's time, in milliseconds since 1970"] = 0
    opponents: Annotated[
        tuple[str, ...],
        "the computer players that the operator offers beside strategies, to a client that follows "
        "no game",
    ] = ()
    end: Annotated[End | None, "how the game ended, if it is over"] = None


@dataclass(frozen=True)
class Happened:
    """An event of the game that the connection follows."""

    event: Annotated[Event, As(inline=True)]
    clock: Annotated[
        _Left, "milliseconds left after the event, if the game has a clock and has begun"
    ] = None
    end: Annotated[End | None, "how the game ended, if it ended by this event"] = None


@dataclass(frozen=True)
class Presence:
    """Says which players and how many watchers are connected to the game."""

    game: Annotated[_Game, "which game"]
    seats: Annotated[
        tuple[Annotated[str, SEAT], ...],
        "the seats whose player is connected; a computer's seat always",
    ]
    watchers: Annotated[int, "the number of watchers"]
    claim_in: Annotated[
        int | None,
        "if one of two players is there: in how many milliseconds, from this message on, that "
        "player can claim the game; missing if the clock is so slow that nothing can be claimed",
    ] = None


@dataclass(frozen=True)
class TalkLine:
    """A line of the watchers' talk."""

    number: Annotated[
        int, "of the watcher; each server counts those of a game who have said something"
    ]
    name: Annotated[str, As(always=False), "that the watcher goes by"]
    text: Annotated[str, "the line"]
    time: Annotated[int, "when it was said, in milliseconds since 1970"]


@dataclass(frozen=True)
class WatchersTalk:
    """Lines of the game's watchers: all that are kept, to a watcher who comes, or the new ones."""

    game: Annotated[_Game, "which game"]
    lines: Annotated[tuple[TalkLine, ...], "the lines, in order"]


@dataclass(frozen=True)
class OpenGame:
    """A game that waits for a player."""

    game: Annotated[_Game, "of the game"]
    variant: Variant = ""
    name: Annotated[str, "of the player who waits"] = ""
    seat: Annotated[_Seat, "the free seat"] = ""
    starting: Starting = ""
    clock: GameClock = None
    time: Annotated[int, "when it was created, in milliseconds since 1970"] = 0


@dataclass(frozen=True)
class OpenGames:
    """The open games that wait for a player, the newest first."""

    games: Annotated[
        tuple[OpenGame, ...],
        "the open games that wait for a player, the newest first; not those whose creator has been "
        "gone for half a minute, until that player comes back",
    ]


@dataclass(frozen=True)
class Notice:
    """A message of the operator of the server to all connected clients."""

    text: Annotated[
        str, "one line of the operator's own; with a `reason`, the same as an English sentence"
    ] = ""
    reason: Annotated[
        str,
        one_of("draining", REOPENED),
        "`draining`, no new games are begun here: clients that connect meanwhile are told so after "
        "the `welcome`; or `reopened`, they are again",
    ] = ""


@dataclass(frozen=True)
class Closing:
    """The server is about to close the connection."""

    reason: Annotated[
        str,
        one_of("restart", "banned", FORGOTTEN, DELETED),
        "`restart`; `banned`, the operator keeps the address away; `forgotten`, the operator has "
        "removed the seat of this connection, whose token claims it no more: come back without the "
        "token to watch; `deleted`, the operator has deleted the game of this connection: a "
        "`hello` with it is answered with `unknown_game`",
    ]
    retry: Annotated[
        int,
        "in how many milliseconds to come back; of `banned`, when the ban ends unless the operator "
        "ends it before",
    ]


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
    values = _write_plain_answer(answer)
    if answer.head:  # then the list must be there; an empty one has always come last
        values.setdefault("events", [])
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


_READERS: Mapping[str, Callable[[object, str], Reply]] = MappingProxyType(
    {
        name: object_reader(kind, readers={**READERS, Event: event_in}, lenient=True)
        for name, kind in TYPES.items()
    }
)
_write_plain_answer = object_writer(Answer, {Event: write_event}, type="answer")
_WRITERS: Mapping[type, Callable[[Any], dict[str, object]]] = MappingProxyType(
    {
        **{
            kind: object_writer(kind, {Event: write_event}, type=name)
            for name, kind in TYPES.items()
        },
        Answer: _write_answer,
        Happened: object_writer(
            Happened, {Event: lambda event: write_event(event, type="event", game=event.game)}
        ),
    }
)
