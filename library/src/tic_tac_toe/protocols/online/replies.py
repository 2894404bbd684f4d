"""What servers say, as values, and the texts they send it as.

Every request gets exactly one `Answer` or `Welcome` with its id. The rest is news, which nobody
asked for one by one: `Happened`, `Presence`, `OpenGames`, `Closing`. A client passes over types
and fields that it does not know.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.records import check_comment
from tic_tac_toe.logic.strict_json import (
    parse,
    read_list,
    read_object,
    read_text,
    read_whole,
)
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Event, GameSetup, Player

#: What became of a request.
OK, DUPLICATE, STALE, ILLEGAL, BUSY = "ok", "duplicate", "stale", "illegal", "busy"
STATUSES = (OK, DUPLICATE, STALE, ILLEGAL, BUSY)
#: What `Welcome` says of a pending message that the server never got: send it again.
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Answer:
    """What became of a request.

    Args:
        id: of the request; empty where the message was so broken that it had none.
        status: `OK`; `DUPLICATE`, it had been done before and this is the same answer again;
            `STALE`, the game has moved on; `ILLEGAL`; or `BUSY`, ask again later.
        version: of the event that it led to; of a stale or illegal one, the head of the game.
        game, seat: where the sender is now, after creating or joining.
        reason, text: of what is illegal or busy, a name of `REASONS` and a sentence.
        retry: of what is busy, in how many milliseconds to ask again.
        events: what was asked for by an `Events`.
        head: the version of the game's last event, with those.
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


@dataclass(frozen=True)
class Fate:
    """What became of a pending message: `OK` and the version, or `UNKNOWN`."""

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
        events: what the client had not seen.
        fates: what became of the pending messages.
        clock: milliseconds that X and O have left, if there is a clock.
        now: the server's time, in milliseconds since 1970.
    """

    id: str
    protocol: int
    game: str = ""
    seat: str = ""
    head: int = 0
    events: tuple[Event, ...] = ()
    fates: tuple[Fate, ...] = ()
    clock: tuple[int, int] | None = None
    now: int = 0


@dataclass(frozen=True)
class Happened:
    """An event of the game that this connection follows, and what the clocks show after it."""

    event: Event
    clock: tuple[int, int] | None = None


@dataclass(frozen=True)
class Presence:
    """Who is connected to a game: the seats with anybody there, and how many watch."""

    game: str
    seats: tuple[str, ...]
    watchers: int


@dataclass(frozen=True)
class OpenGame:
    """A game that waits for a player."""

    game: str
    variant: str
    name: str
    seat: str
    starting: str
    clock: Clock | None
    time: int


@dataclass(frozen=True)
class OpenGames:
    """All games that wait for a player, the newest first, up to `LOBBY_GAMES`."""

    games: tuple[OpenGame, ...]


@dataclass(frozen=True)
class Closing:
    """The server is about to close the connection; come back after so many milliseconds."""

    reason: str
    retry: int


Reply = Answer | Welcome | Happened | Presence | OpenGames | Closing


class InvalidReply(ValueError):
    """A text that no server of this protocol sends."""


# -- writing ---------------------------------------------------------------------------------------


def write_reply(reply: Reply) -> str:
    """Return the text that `read_reply` makes the same reply of."""
    return json.dumps(_object_of(reply), separators=(",", ":"))


def _object_of(reply: Reply) -> dict[str, object]:
    match reply:
        case Answer():
            values = _without_blanks(reply, ("id", "status"))
            if reply.events or reply.head:
                values["events"] = [write_event(event) for event in reply.events]
            return {"type": "answer", **values}
        case Welcome():
            values = _without_blanks(reply, ("id", "protocol", "now"))
            values["events"] = [write_event(event) for event in reply.events]
            values["fates"] = [_without_blanks(fate, ("id", "status")) for fate in reply.fates]
            return {"type": "welcome", **values}
        case Happened(event, clock):
            timed = {"clock": clock} if clock else {}
            return {"type": "event", "game": event.game, **write_event(event), **timed}
        case Presence(game, seats, watchers):
            return {"type": "presence", "game": game, "seats": seats, "watchers": watchers}
        case OpenGames(games):
            return {"type": "lobby", "games": [_without_blanks(game, ("game",)) for game in games]}
        case Closing(reason, retry):
            return {"type": "closing", "reason": reason, "retry": retry}


def _without_blanks(value: object, always: tuple[str, ...]) -> dict[str, object]:
    return {name: entry for name, entry in vars(value).items() if entry or name in always}


def write_event(event: Event) -> dict[str, object]:
    """Return what clients are told of an event: all but the hashes, the id and the game."""
    values: dict[str, object] = {
        "version": event.version,
        "kind": event.kind,
        "seat": event.seat,
        "time": event.time,
    }
    if event.cell is not None:
        values["cell"] = event.cell
    if event.text:
        values["text"] = event.text
    if event.follower:
        values["follower"] = event.follower
    if event.setup is not None:
        values["setup"] = write_setup(event.setup)
    return values


def write_setup(setup: GameSetup, with_keys: bool = False) -> dict[str, object]:
    """Return what a game is; with the hashes of the tokens only for the log."""
    players = [
        player
        and {
            "name": player.name,
            **({"strategy": player.strategy} if player.strategy else {}),
            **({"key": player.key} if with_keys and player.key else {}),
        }
        for player in setup.players
    ]
    values: dict[str, object] = {
        "variant": setup.variant,
        "starting": setup.starting,
        "players": players,
        "open": setup.is_open,
    }
    if setup.clock:
        values["clock"] = setup.clock
    if setup.previous:
        values["previous"] = setup.previous
    return values


# -- reading ---------------------------------------------------------------------------------------


def read_reply(text: str) -> Reply | None:
    """Return what a server says; ``None`` if it is of a type that is unknown here.

    Raises:
        InvalidReply: no server says this.
    """
    try:
        values = read_object(parse(text), "the message")
        kind = read_text(values.get("type"), "type")
        reader = _READERS.get(kind)
        return None if reader is None else reader(_Fields(values))
    except InvalidNotation as error:
        raise InvalidReply(str(error)) from None


class _Fields:
    """The fields of an object, read by what they must be; where one is missing it is blank."""

    def __init__(self, values: Mapping[str, object], path: str = "") -> None:
        self.values = values
        self.path = path

    def text(self, name: str) -> str:
        return _text(self.values.get(name, ""), self.path + name)

    def whole(self, name: str) -> int:
        return read_whole(self.values.get(name, 0), self.path + name)

    def objects(self, name: str) -> list[_Fields]:
        return [
            _Fields(read_object(entry, f"{self.path}{name}[{i}]"), f"{self.path}{name}[{i}].")
            for i, entry in enumerate(read_list(self.values.get(name, []), self.path + name))
        ]

    def texts(self, name: str) -> tuple[str, ...]:
        entries = read_list(self.values.get(name, []), self.path + name)
        return tuple(_text(entry, self.path + name) for entry in entries)

    def pair(self, name: str) -> tuple[int, int] | None:
        value = self.values.get(name)
        if value is None:
            return None
        numbers = [read_whole(entry, self.path + name) for entry in read_list(value, name)]
        if len(numbers) != 2:
            raise InvalidNotation(f"{self.path}{name}: expected two numbers")
        return numbers[0], numbers[1]

    def clock(self) -> Clock | None:
        pair = self.pair("clock")
        return pair and Clock(*pair)


def _text(value: object, path: str) -> str:
    """Return a text that is safe to show: it commands no terminal, and every encoding has it."""
    text = read_text(value, path)
    check_comment(text, path)
    return text


def read_event(values: Mapping[str, object], game: str) -> Event:
    """Return the event that `write_event` has written.

    Raises:
        InvalidNotation: it is none.
    """
    return _event(_Fields(values), game)


def _event(fields: _Fields, game: str) -> Event:
    cell = None if fields.values.get("cell") is None else fields.whole("cell")
    setup = fields.values.get("setup")
    return Event(
        game,
        fields.whole("version"),
        fields.text("kind"),
        fields.text("seat"),
        fields.whole("time"),
        cell=cell,
        text=fields.text("text"),
        follower=fields.text("follower"),
        setup=None if setup is None else read_setup(read_object(setup, "setup")),
    )


def read_setup(values: Mapping[str, object]) -> GameSetup:
    """Return the setup that `write_setup` has written.

    Raises:
        InvalidNotation: it is none.
    """
    fields = _Fields(values, "setup.")
    entries = read_list(values.get("players"), "setup.players")
    if len(entries) != 2:
        raise InvalidNotation("setup.players: expected two")
    crosses, naughts = (
        None if entry is None else _player(_Fields(read_object(entry, "setup.players")))
        for entry in entries
    )
    starting = fields.text("starting")
    if starting not in ("X", "O"):
        raise InvalidNotation("setup.starting: expected X or O")
    return GameSetup(
        fields.text("variant"),
        starting,
        (crosses, naughts),
        values.get("open") is True,
        fields.clock(),
        fields.text("previous"),
    )


def _player(fields: _Fields) -> Player:
    return Player(fields.text("name"), fields.text("key"), fields.text("strategy"))


def _answer(fields: _Fields) -> Answer:
    game = fields.text("game")
    return Answer(
        fields.text("id"),
        fields.text("status"),
        fields.whole("version"),
        game,
        fields.text("seat"),
        fields.text("reason"),
        fields.text("text"),
        fields.whole("retry"),
        tuple(_event(entry, game) for entry in fields.objects("events")),
        fields.whole("head"),
    )


def _welcome(fields: _Fields) -> Welcome:
    game = fields.text("game")
    return Welcome(
        fields.text("id"),
        fields.whole("protocol"),
        game,
        fields.text("seat"),
        fields.whole("head"),
        tuple(_event(entry, game) for entry in fields.objects("events")),
        tuple(
            Fate(fate.text("id"), fate.text("status"), fate.whole("version"))
            for fate in fields.objects("fates")
        ),
        fields.pair("clock"),
        fields.whole("now"),
    )


def _open_game(fields: _Fields) -> OpenGame:
    return OpenGame(
        fields.text("game"),
        fields.text("variant"),
        fields.text("name"),
        fields.text("seat"),
        fields.text("starting"),
        fields.clock(),
        fields.whole("time"),
    )


def _happened(fields: _Fields) -> Happened:
    return Happened(_event(fields, fields.text("game")), fields.pair("clock"))


def _presence(fields: _Fields) -> Presence:
    return Presence(fields.text("game"), fields.texts("seats"), fields.whole("watchers"))


def _lobby(fields: _Fields) -> OpenGames:
    return OpenGames(tuple(_open_game(game) for game in fields.objects("games")))


def _closing(fields: _Fields) -> Closing:
    return Closing(fields.text("reason"), fields.whole("retry"))


_READERS: Mapping[str, Callable[[_Fields], Reply]] = MappingProxyType(
    {
        "answer": _answer,
        "welcome": _welcome,
        "event": _happened,
        "presence": _presence,
        "lobby": _lobby,
        "closing": _closing,
    }
)
