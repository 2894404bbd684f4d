"""The tables, and the SQL statements that all databases share.

A ``?`` stands for a value.
"""

from __future__ import annotations

from collections.abc import Mapping

from tic_tac_toe.protocols.online.replies import STAGES

#: The stages of a game.
WAITING, PLAYING, OVER = STAGES

#: The version of the tables; each change raises it, and adds a step. Release 0.1.0 has version 2.
SCHEMA_VERSION = 2
#: The statements that turn the tables of each released version into those of the next one.
STEPS: dict[int, tuple[str, ...]] = {}

#: The columns of events and of games. ``{key}``, ``{text}``, ``{count}``, ``{time}`` and ``{flag}``
#: stand for the types, whose names depend on the database.
EVENT_COLUMNS = {
    "game": "{key} NOT NULL",
    "version": "{time} NOT NULL",
    "kind": "{text} NOT NULL",
    "seat": "{text} NOT NULL",
    "cell": "{count}",
    "message_id": "{key}",
    "time": "{time} NOT NULL",
    "data": "{text}",
    "checksum": "{time} NOT NULL",
}
GAME_COLUMNS = {
    "game": "{key} NOT NULL PRIMARY KEY",
    "stage": "{text} NOT NULL",
    "is_open": "{flag} NOT NULL",
    "time": "{time} NOT NULL",
    "deadline": "{time}",
    "variant": "{text} NOT NULL",
    "crosses": "{text}",
    "naughts": "{text}",
    "starting": "{text} NOT NULL",
    "clock_seconds": "{count}",
    "clock_increment": "{count}",
    "result": "{text} NOT NULL",
    "crosses_key": "{text} NOT NULL",
    "naughts_key": "{text} NOT NULL",
}
_EVENT = ", ".join(EVENT_COLUMNS)
_GAME = ", ".join(GAME_COLUMNS)


def _table(name: str, columns: Mapping[str, str], *more: str) -> str:
    lines = [*(f"{column} {kind}" for column, kind in columns.items()), *more]
    return f"CREATE TABLE {name} ({', '.join(lines)})"


#: The tables of games.
GAME_TABLES = (
    _table("events", EVENT_COLUMNS, "PRIMARY KEY (game, version)"),
    _table("games", GAME_COLUMNS),
)
#: The tables beside them: when servers ran, who is connected, and what people decide.
OTHER_TABLES = (
    "CREATE TABLE beats (id {count} NOT NULL PRIMARY KEY, time {time} NOT NULL)",
    "CREATE TABLE pauses (since {time} NOT NULL PRIMARY KEY, until {time} NOT NULL)",
    "CREATE TABLE attendance (game {key} NOT NULL, seat {text} NOT NULL,"
    " node {text} NOT NULL, time {time} NOT NULL, PRIMARY KEY (game, seat, node))",
    "CREATE TABLE bans (network {key} NOT NULL PRIMARY KEY, until {time} NOT NULL,"
    " why {text} NOT NULL)",
    "CREATE TABLE moderation (game {key} NOT NULL PRIMARY KEY,"
    " hidden {flag} NOT NULL, time {time} NOT NULL)",
    "CREATE TABLE blocks (blocker {key} NOT NULL, blocked {key} NOT NULL,"
    " time {time} NOT NULL, PRIMARY KEY (blocker, blocked))",
    "CREATE TABLE reports (id {key} NOT NULL PRIMARY KEY, game {key} NOT NULL,"
    " what {text} NOT NULL, place {text} NOT NULL, said {text} NOT NULL, text {text} NOT NULL,"
    " time {time} NOT NULL, times {count} NOT NULL)",
)
#: Hidden games are listed nowhere.
_IS_SHOWN = (
    " AND NOT EXISTS (SELECT 1 FROM moderation WHERE moderation.game = games.game AND hidden)"
)

# A number, written as in no other query, so that each query uses the index made for it.
_HAS_RESULT = "CASE result WHEN '' THEN 0 ELSE 1 END"
#: Indexes beside the primary keys; a message leads to at most one event of a game.
INDEXES = (
    "CREATE UNIQUE INDEX event_of_message ON events (game, message_id)"
    " WHERE message_id IS NOT NULL",
    f"CREATE INDEX open_games ON games (time) WHERE is_open AND stage = '{WAITING}'",
    f"CREATE INDEX finished_games ON games (time)"
    f" WHERE is_open AND stage = '{OVER}' AND result <> ''",
    f"CREATE INDEX unfinished_games ON games (time) WHERE stage <> '{OVER}'",
    "CREATE INDEX running_clocks ON games (deadline) WHERE deadline IS NOT NULL",
    "CREATE INDEX games_of_crosses ON games (crosses_key, time) WHERE crosses_key <> ''",
    "CREATE INDEX games_of_naughts ON games (naughts_key, time) WHERE naughts_key <> ''",
    f"CREATE INDEX over_games ON games (({_HAS_RESULT}), time) WHERE stage = '{OVER}'",
    "CREATE INDEX blocks_by_others ON blocks (blocked, time)",
    "CREATE INDEX newest_reports ON reports (time)",
)

EVENTS_AFTER = f"SELECT {_EVENT} FROM events WHERE game = ? AND version > ? ORDER BY version"
ROW = f"SELECT {_GAME} FROM games WHERE game = ?"
OPEN_GAMES = (
    f"SELECT {_GAME} FROM games WHERE is_open AND stage = '{WAITING}'{_IS_SHOWN}"
    " ORDER BY time DESC, game LIMIT ?"
)
FINISHED_GAMES = (
    f"SELECT {_GAME} FROM games WHERE is_open AND stage = '{OVER}' AND result <> ''{_IS_SHOWN}"
    " ORDER BY time DESC, game LIMIT ?"
)
#: `<> ''` is the condition of the partial indexes of keys; without it they would not be used.
GAMES_OF = (
    " UNION ".join(
        f"SELECT * FROM (SELECT {_GAME} FROM games WHERE {key} = ? AND {key} <> ''"
        f" ORDER BY time DESC, game LIMIT ?) AS of_{key}"
        for key in ("crosses_key", "naughts_key")
    )
    + " ORDER BY time DESC, game LIMIT ?"
)
OVER_BEFORE = (
    f"SELECT game FROM games WHERE stage = '{OVER}' AND {_HAS_RESULT} = ? AND time < ?"
    " ORDER BY time LIMIT ?"
)
RUNNING_CLOCKS = "SELECT game FROM games WHERE deadline <= ? ORDER BY deadline"
#: The time in a game's row is that of its last change of stage, never later than its last event.
FORGOTTEN = (
    f"SELECT game FROM games WHERE stage <> '{OVER}' AND stage = ? AND time < ? AND ("
    "SELECT events.time FROM events WHERE events.game = games.game"
    " ORDER BY events.version DESC LIMIT 1) < ? ORDER BY time LIMIT ?"
)
COUNT_EVENTS = "SELECT count(*) FROM events"
COUNT_GAMES = "SELECT count(*) FROM games"
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
ATTEND = (
    "INSERT INTO attendance (game, seat, node, time) VALUES (?, ?, ?, ?)"
    " ON CONFLICT (game, seat, node) DO UPDATE SET time = excluded.time"
)
FORGET_ATTENDANCE = "DELETE FROM attendance WHERE time < ?"
#: Deletes all data of a game.
ERASE = tuple(
    f"DELETE FROM {table} WHERE game = ?" for table in ("events", "games", "attendance", "reports")
)
DELETE_EVENTS = "DELETE FROM events WHERE game = ? AND version <= ?"
VERSIONS = "SELECT version FROM events WHERE game = ? ORDER BY version"
LOCK_ROW = "SELECT game FROM games WHERE game = ?"
ATTENDED = "SELECT DISTINCT game, seat FROM attendance WHERE node <> ? AND time >= ?"
INSERT_EVENT = (
    f"INSERT INTO events ({_EVENT}) VALUES ({', '.join('?' * len(EVENT_COLUMNS))})"
    " ON CONFLICT DO NOTHING"
)
UPSERT_GAME = (
    f"INSERT INTO games ({_GAME}) VALUES ({', '.join('?' * len(GAME_COLUMNS))})"
    " ON CONFLICT (game) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in GAME_COLUMNS if name != "game")
)
SET_DEADLINE = "UPDATE games SET deadline = ? WHERE game = ?"

# Blocks and reports.
BLOCK = (
    "INSERT INTO blocks (blocker, blocked, time) VALUES (?, ?, ?)"
    " ON CONFLICT (blocker, blocked) DO UPDATE SET time = excluded.time"
)
UNBLOCK = "DELETE FROM blocks WHERE blocker = ? AND blocked = ?"
DROP_BLOCKS = (
    "DELETE FROM blocks WHERE blocker = ? AND blocked NOT IN ("
    "SELECT blocked FROM blocks WHERE blocker = ? ORDER BY time DESC, blocked LIMIT ?)"
)
APART = (
    "SELECT blocked FROM blocks WHERE blocker = ? UNION SELECT blocker FROM ("
    "SELECT blocker FROM blocks WHERE blocked = ? ORDER BY time DESC, blocker LIMIT ?) AS others"
)
_REPORT = "id, game, what, place, said, text, time, times"
REPORT = (
    f"INSERT INTO reports ({_REPORT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (id) DO UPDATE SET times = reports.times + 1"
)
DROP_REPORTS = (
    "DELETE FROM reports WHERE id IN ("
    "SELECT id FROM reports ORDER BY time DESC, id LIMIT 1000 OFFSET ?)"
)
REPORTS = f"SELECT {_REPORT} FROM reports ORDER BY time DESC, id LIMIT ?"
REPORT_ID = "SELECT id FROM reports WHERE id = ?"
CLOSE_REPORT = "DELETE FROM reports WHERE id = ?"

# Bans, and the games that operators have changed.
BANS = "SELECT network, until, why FROM bans WHERE until > ? ORDER BY until, network"
BAN = (
    "INSERT INTO bans (network, until, why) VALUES (?, ?, ?) ON CONFLICT (network)"
    " DO UPDATE SET until = excluded.until, why = excluded.why"
)
IS_BANNED = "SELECT network FROM bans WHERE network = ?"
UNBAN = "DELETE FROM bans WHERE network = ?"
FORGET_BANS = "DELETE FROM bans WHERE until <= ?"
MODERATE = (
    "INSERT INTO moderation (game, hidden, time) VALUES (?, ?, ?) ON CONFLICT (game)"
    " DO UPDATE SET hidden = excluded.hidden, time = excluded.time"
)
IS_HIDDEN = "SELECT hidden FROM moderation WHERE game = ?"
HIDDEN = "SELECT game FROM moderation WHERE hidden"
MODERATED = "SELECT game, hidden, time FROM moderation WHERE time >= ?"
FORGET_MODERATED = "DELETE FROM moderation WHERE NOT hidden AND time < ?"
COUNT_REPORTS = "SELECT count(*) FROM reports"
DROP_REPORTS_OF_GAME = "DELETE FROM reports WHERE game = ?"
DROP_REPORT = "DELETE FROM reports WHERE game = ? AND what = ? AND place = ?"
FORGET_KEY = "DELETE FROM blocks WHERE blocker = ? OR blocked = ?"
#: Games with and without a result are two parts, because each part can use an index.
OVER_AFTER = (
    " UNION ".join(
        f"SELECT * FROM (SELECT time, game FROM games WHERE stage = '{OVER}' AND result {sign} ''"
        " AND time < ? AND time >= ? AND (time > ? OR game > ?)"
        f" ORDER BY time, game LIMIT ?) AS {name}"
        for name, sign in (("played", "<>"), ("unplayed", "="))
    )
    + " ORDER BY time, game LIMIT ?"
)


def heads_of(count: int) -> str:
    """Return the query for the last versions of ``count`` games."""
    places = ", ".join("?" * count)
    return f"SELECT game, max(version) FROM events WHERE game IN ({places}) GROUP BY game"


def unfinished_of(count: int) -> str:
    """Return the query for those of ``count`` games that are not over."""
    places = ", ".join("?" * count)
    return f"SELECT game FROM games WHERE stage <> '{OVER}' AND game IN ({places})"


def games_where(condition: str) -> str:
    """Return the query for the games of a condition, the last changed first."""
    return f"SELECT {_GAME} FROM games WHERE {condition} ORDER BY time DESC, game LIMIT ?"
