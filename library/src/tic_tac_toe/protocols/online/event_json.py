"""Events and setups as JSON: what clients are told of them, and what the log keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any

from tic_tac_toe.logic import strict_json
from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.records import check_comment
from tic_tac_toe.logic.strict_json import Reader, object_reader, read_list, read_text, read_whole
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Event, GameSetup, Player, details_of, event_of


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
    if setup.pairing:
        values["pairing"] = True
    if setup.first_move:
        values["first_move"] = setup.first_move
    return values


# -- reading ---------------------------------------------------------------------------------------


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


def _read_players(value: object, path: str) -> tuple[Player | None, Player | None]:
    entries = read_list(value, path)
    if len(entries) != 2:
        raise InvalidNotation("setup.players: expected two", "setup_players")
    crosses, naughts = (None if entry is None else _read_player(entry, path) for entry in entries)
    return crosses, naughts


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


@dataclass(frozen=True)
class _Setup:
    """A setup as it is written."""

    players: Annotated[Any, _read_players]
    starting: Annotated[str, _read_starting]
    variant: str
    open: bool
    clock: Clock | None
    previous: str
    pairing: bool
    first_move: int


_read_setup = object_reader(_Setup, readers=READERS, lenient=True)


def read_setup(value: object, path: str = "setup") -> GameSetup:
    """Return the setup that `write_setup` has written.

    Raises:
        InvalidNotation: the value is not a setup.
    """
    read = _read_setup(value, path)
    return GameSetup(
        read.variant,
        read.starting,
        read.players,
        read.open,
        read.clock,
        read.previous,
        read.pairing,
        max(0, read.first_move),
    )


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


def event_in(value: object, path: str) -> Event:
    """Return the event in an object of JSON, with the address in ``game``, if any.

    Raises:
        InvalidNotation: the value is not an event.
    """
    read = _read_event(value, path)
    details = {
        "text": read.text,
        "follower": read.follower,
        "removed": read.removed,
        **({} if read.cell is None else {"cell": read.cell}),
        **({} if read.setup is None else {"setup": read.setup}),
    }
    return event_of(read.kind, read.game, read.version, read.seat, read.time, "", details)


def read_event(values: Mapping[str, object], game: str) -> Event:
    """Return the event of a game that `write_event` has written.

    Raises:
        InvalidNotation: the values are not those of an event.
    """
    return event_in({**values, "game": game}, "")
