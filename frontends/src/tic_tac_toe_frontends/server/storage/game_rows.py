"""What is written of events and games, and how it is read again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import (
    Event,
    Moved,
    details_of,
    event_of,
    read_setup,
    write_setup,
)
from tic_tac_toe.protocols.online.game import WITHOUT_RESULT, OnlineGame
from tic_tac_toe.protocols.online.replies import OpenGame

from .statements import OVER, PLAYING, WAITING


class UnreadableEvent(Exception):
    """What was written is no event."""


class GameRow(NamedTuple):
    """What is kept of a game beside its events, so that games can be found: a part of its replay.

    Attributes:
        game: its address.
        stage: `WAITING`, `PLAYING` or `OVER`.
        is_open: whether the lobby shows it while it waits, and the page of finished games after.
        time: of its last change of stage, in milliseconds since 1970.
        deadline: when the time for a move runs out if nothing happens; ``None`` without a limit.
        variant: the name of its rules.
        crosses, naughts: the players' names; ``None`` where the seat is free.
        starting: the side that moves first, X or O.
        clock: seconds and increment, if it is played with a clock.
        result: the winner, X or O; ``draw``; empty while it is not over, or without one.
        crosses_key, naughts_key: the hashes of the players' tokens; empty where there is none.
    """

    game: str
    stage: str
    is_open: bool
    time: int
    deadline: int | None
    variant: str
    crosses: str | None
    naughts: str | None
    starting: str
    clock: Clock | None = None
    result: str = ""
    crosses_key: str = ""
    naughts_key: str = ""

    @property
    def creator(self) -> str:
        """The seat of the player who waits in a game."""
        return "O" if self.crosses is None else "X"

    @property
    def open_game(self) -> OpenGame:
        """What the lobby shows of a game that waits."""
        seat, name = ("X", self.naughts) if self.crosses is None else ("O", self.crosses)
        return OpenGame(
            self.game, self.variant, name or "", seat, self.starting, self.clock, self.time
        )


class Transaction(NamedTuple):
    """Events that are written together or not at all, and what they change beside the log.

    Attributes:
        rows: of games, as they are now.
        deadlines: games of whose rows only the deadline is another now: no index but that of the
            deadlines is touched by it.
    """

    events: tuple[Event, ...]
    rows: tuple[GameRow, ...] = ()
    deadlines: tuple[tuple[str, int | None], ...] = ()


def row_of(game: OnlineGame, before: GameRow | None = None) -> GameRow:
    """Return what is kept of a game beside its events.

    Args:
        before: what was kept so far; its time stays while the stage is the same.
    """
    crosses, naughts = game.players
    stage = OVER if game.end is not None else WAITING if game.waiting else PLAYING
    time = before.time if before is not None and before.stage == stage else game.time
    result = ""
    if game.end is not None and game.end.reason not in WITHOUT_RESULT:
        result = game.end.winner or "draw"
    return GameRow(
        game.address,
        stage,
        game.setup.is_open,
        time,
        game.deadline,
        game.setup.variant,
        None if crosses is None else crosses.name,
        None if naughts is None else naughts.name,
        game.setup.starting,
        game.setup.clock,
        result,
        "" if crosses is None else crosses.key,
        "" if naughts is None else naughts.key,
    )


def event_values(event: Event) -> tuple[object, ...]:
    """Return what `EVENT_COLUMNS` hold of an event."""
    cell = data = None
    if isinstance(event, Moved):
        cell = event.cell
    elif details := details_of(event):
        if "setup" in details:
            details["setup"] = write_setup(details["setup"], with_keys=True)
        data = json.dumps(details, separators=(",", ":"))
    place = event.game, event.version, event.kind, event.seat
    values = (*place, cell, event.unique_id, event.time, data)
    return (*values, checksum_of(values))


def checksum_of(values: Sequence[Any]) -> int:
    """Return a number of 8 bytes, with a sign, that depends on all columns before the checksum.

    Two events with one text of this kind are the same: it begins with the lengths of its parts.
    """
    game, version, kind, seat, cell, unique_id, time, data = values
    lengths = (
        f"{len(game)},{len(kind)},{len(seat)},{-1 if unique_id is None else len(unique_id)},"
        f"{-1 if data is None else len(data)}"
    )
    text = f"{version},{cell},{time},{lengths},{game}{kind}{seat}{unique_id}{data}"
    digest = blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def read_event(values: Sequence[Any]) -> Event:
    """Return the event that `event_values` has taken apart.

    Raises:
        UnreadableEvent: it is none, or not the one that was written.
    """
    *first, checksum = values
    game, version, kind, seat, cell, unique_id, time, data = first
    try:
        if checksum_of(first) != checksum:
            raise ValueError("its checksum is that of another event")
        message_id = unique_id.partition(":")[2] if unique_id else ""
        details = json.loads(data) if data else {}
        if "setup" in details:
            details["setup"] = read_setup(details["setup"])
        if cell is not None:
            details["cell"] = cell
        return event_of(kind, game, version, seat, time, message_id, details)
    except (InvalidNotation, ValueError, LookupError, TypeError, AttributeError) as error:
        raise UnreadableEvent(f"event {version} cannot be read: {error}") from error


def game_values(row: GameRow) -> tuple[object, ...]:
    """Return what `GAME_COLUMNS` hold of a row."""
    *values, clock, result, crosses_key, naughts_key = row
    seconds, increment = clock or (None, None)
    return (*values, seconds, increment, result, crosses_key, naughts_key)


def read_game(values: Sequence[Any]) -> GameRow:
    """Return the row that `game_values` has taken apart."""
    *first, seconds, increment, result, crosses_key, naughts_key = values
    clock = None if seconds is None else Clock(seconds, increment)
    row = GameRow._make([*first, clock, result, crosses_key, naughts_key])
    return row._replace(is_open=bool(row.is_open))
