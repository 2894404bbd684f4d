"""Upgrades the tables of former versions inside one transaction.

Nobody else writes meanwhile; if the process is killed, the tables stay as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tic_tac_toe.protocols.online.events import SEATS, Created, Joined

from . import statements
from .game_rows import UnreadableEvent, checksum_of, read_event
from .store import StorageError, Upgraded

#: The oldest version of the tables that can be upgraded.
OLDEST = 1
#: Events that are read and written in one step.
EVENTS_AT_ONCE = 2_000

#: The columns that version 2 added.
_NEWER_COLUMNS = (
    ("events", "checksum", statements.EVENT_COLUMNS["checksum"]),
    ("games", "crosses_key", statements.GAME_COLUMNS["crosses_key"]),
    ("games", "naughts_key", statements.GAME_COLUMNS["naughts_key"]),
)
_OLDER = ", ".join(name for name in statements.EVENT_COLUMNS if name != "checksum")
_EVENTS_AFTER = (
    f"SELECT {_OLDER} FROM events WHERE (game, version) > (?, ?) ORDER BY game, version LIMIT ?"
)
_SET_CHECKSUM = "UPDATE events SET checksum = ? WHERE game = ? AND version = ?"
_SET_KEYS = "UPDATE games SET crosses_key = ?, naughts_key = ? WHERE game = ?"

#: Runs a statement with values, and returns its rows.
Ask = Callable[..., list[Any]]


class WriteMany(Protocol):
    """Runs a statement for each of many rows."""

    def __call__(  # noqa: D102  # what it does is what the class says
        self, statement: str, rows: Sequence[tuple[object, ...]], /
    ) -> None: ...


def upgrade_from(version: int, types: dict[str, str], ask: Ask, write_many: WriteMany) -> Upgraded:
    """Upgrade tables of a former version, except for the number of the version itself.

    `types` are the database's names for the types of columns.
    """
    for table, column, kind in _NEWER_COLUMNS:
        ask(f"ALTER TABLE {table} ADD COLUMN {column} {kind}".format(**types))
    games = events = 0
    last = ("", 0)
    while part := ask(_EVENTS_AFTER, *last, EVENTS_AT_ONCE):
        if tuple(part[-1][:2]) <= last:
            raise StorageError("the database is damaged: its events are not in order")
        last = tuple(part[-1][:2])
        checked = [(*values, checksum_of(values)) for values in part]
        write_many(_SET_CHECKSUM, [(values[-1], *values[:2]) for values in checked])
        for values in checked:
            games += values[1] == 1
            if values[2] in (Created.kind, Joined.kind):
                _write_keys(values, ask)
        events += len(part)
    for index in statements.NEWER_INDEXES:
        ask(index)
    return Upgraded(version, games, events)


def _write_keys(values: Sequence[Any], ask: Ask) -> None:
    """Write the token hashes of an event's seats into the row of its game, if it can be read."""
    try:
        event = read_event(values)
    except UnreadableEvent:
        return
    if isinstance(event, Created):
        keys = ["" if player is None else player.key for player in event.setup.players]
        ask(_SET_KEYS, *keys, event.game)
    elif isinstance(event, Joined) and event.seat in SEATS:
        column = ("crosses_key", "naughts_key")[SEATS.index(event.seat)]
        ask(f"UPDATE games SET {column} = ? WHERE game = ?", event.key, event.game)
