"""What the tables of every database have in common: their columns, and what is asked of them.

The statements are written with ``?`` where a value goes, and in words that SQLite and PostgreSQL
both understand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Event, Moved

from .store import OVER, WAITING, GameRow, StorageError, Transaction, read_data, write_data

#: The version of the tables; whoever changes them counts on, and says how old ones become new.
SCHEMA_VERSION = 1

EVENT_COLUMNS = ("game", "version", "kind", "seat", "cell", "message_id", "time", "data")
GAME_COLUMNS = (
    "game",
    "stage",
    "is_open",
    "time",
    "deadline",
    "variant",
    "crosses",
    "naughts",
    "starting",
    "clock_seconds",
    "clock_increment",
    "result",
)
_EVENT = ", ".join(EVENT_COLUMNS)
_GAME = ", ".join(GAME_COLUMNS)

#: Indexes beside the primary keys. Two events of a game never come from the same message.
INDEXES = (
    "CREATE UNIQUE INDEX event_of_message ON events (game, message_id)"
    " WHERE message_id IS NOT NULL",
    f"CREATE INDEX open_games ON games (time) WHERE is_open AND stage = '{WAITING}'",
    f"CREATE INDEX finished_games ON games (time)"
    f" WHERE is_open AND stage = '{OVER}' AND result <> ''",
    f"CREATE INDEX unfinished_games ON games (time) WHERE stage <> '{OVER}'",
    "CREATE INDEX running_clocks ON games (deadline) WHERE deadline IS NOT NULL",
)

EVENTS_AFTER = f"SELECT {_EVENT} FROM events WHERE game = ? AND version > ? ORDER BY version"
FIND = "SELECT version FROM events WHERE game = ? AND message_id = ?"
ROW = f"SELECT {_GAME} FROM games WHERE game = ?"
OPEN_GAMES = (
    f"SELECT {_GAME} FROM games WHERE is_open AND stage = '{WAITING}'"
    " ORDER BY time DESC, game LIMIT ?"
)
FINISHED_GAMES = (
    f"SELECT {_GAME} FROM games WHERE is_open AND stage = '{OVER}' AND result <> ''"
    " ORDER BY time DESC, game LIMIT ?"
)
RUNNING_CLOCKS = "SELECT game FROM games WHERE deadline <= ? ORDER BY deadline"
#: A game's row keeps the time of its last change of stage, which is no later than its last event.
FORGOTTEN = (
    f"SELECT game FROM games WHERE stage <> '{OVER}' AND stage = ? AND time < ? AND ("
    "SELECT events.time FROM events WHERE events.game = games.game"
    " ORDER BY events.version DESC LIMIT 1) < ? ORDER BY time LIMIT ?"
)
COUNT_UNFINISHED = f"SELECT count(*) FROM games WHERE stage <> '{OVER}'"
#: Every game has exactly one event of version 1.
GAMES_AFTER = "SELECT game FROM events WHERE game > ? AND version = 1 ORDER BY game LIMIT ?"
PAUSES = "SELECT since, until FROM pauses ORDER BY since"
LAST_BEAT = "SELECT time FROM beats WHERE id = 1"
BEAT = (
    "INSERT INTO beats (id, time) VALUES (1, ?) ON CONFLICT (id) DO UPDATE"
    " SET time = excluded.time WHERE excluded.time > beats.time"
)
ADD_PAUSE = "INSERT INTO pauses (since, until) VALUES (?, ?)"
INSERT_EVENT = (
    f"INSERT INTO events ({_EVENT}) VALUES ({', '.join('?' * len(EVENT_COLUMNS))})"
    " ON CONFLICT DO NOTHING"
)
UPSERT_GAME = (
    f"INSERT INTO games ({_GAME}) VALUES ({', '.join('?' * len(GAME_COLUMNS))})"
    " ON CONFLICT (game) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in GAME_COLUMNS[1:])
)


def heads_of(count: int) -> str:
    """Return the question for the last versions of ``count`` games."""
    places = ", ".join("?" * count)
    return f"SELECT game, max(version) FROM events WHERE game IN ({places}) GROUP BY game"


def event_values(event: Event) -> tuple[object, ...]:
    """Return what `EVENT_COLUMNS` hold of an event."""
    return (
        event.game,
        event.version,
        event.kind,
        event.seat,
        event.cell if isinstance(event, Moved) else None,
        event.unique_id,
        event.time,
        write_data(event),
    )


def read_event(values: Sequence[Any]) -> Event:
    """Return the event that `event_values` has taken apart."""
    game, version, kind, seat, cell, message_id, time, data = values
    try:
        return read_data(game, version, kind, seat, cell, message_id, time, data)
    except (InvalidNotation, ValueError, LookupError, TypeError, AttributeError) as error:
        raise StorageError(f"event {version} of game {game} cannot be read: {error}") from error


def game_values(row: GameRow) -> tuple[object, ...]:
    """Return what `GAME_COLUMNS` hold of a row."""
    seconds, increment = row.clock or (None, None)
    return (*row[:9], seconds, increment, row.result)


def read_game(values: Sequence[Any]) -> GameRow:
    """Return the row that `game_values` has taken apart."""
    game, stage, is_open, time, deadline, variant, crosses, naughts, starting = values[:9]
    seconds, increment, result = values[9:]
    clock = None if seconds is None else Clock(seconds, increment)
    return GameRow(
        game,
        stage,
        bool(is_open),
        time,
        deadline,
        variant,
        crosses,
        naughts,
        starting,
        clock,
        result,
    )


def last_rows(transactions: Iterable[Transaction]) -> Mapping[str, GameRow]:
    """Return the rows that are left once all transactions are written: of each game the last."""
    return {row.game: row for transaction in transactions for row in transaction.rows}
