"""Blocks and reports in the database: a part of `store.Store`."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from .database import Database

#: Blocks by one token; newer ones replace the oldest.
BLOCKS_OF_ONE = 200
#: Blocks of one token by others that are read, the newest.
BLOCKS_BY_OTHERS = 1_000
#: Reports that are kept; newer ones replace the oldest.
MOST_REPORTS = 10_000

#: The tables and indexes, as in `statements`.
TABLES = (
    "CREATE TABLE blocks (blocker {key} NOT NULL, blocked {key} NOT NULL,"
    " time {time} NOT NULL, PRIMARY KEY (blocker, blocked))",
    "CREATE TABLE reports (id {key} NOT NULL PRIMARY KEY, game {key} NOT NULL,"
    " what {text} NOT NULL, place {text} NOT NULL, said {text} NOT NULL, text {text} NOT NULL,"
    " time {time} NOT NULL, times {count} NOT NULL)",
)
INDEXES = (
    "CREATE INDEX blocks_by_others ON blocks (blocked, time)",
    "CREATE INDEX newest_reports ON reports (time)",
)
_BLOCK = (
    "INSERT INTO blocks (blocker, blocked, time) VALUES (?, ?, ?)"
    " ON CONFLICT (blocker, blocked) DO UPDATE SET time = excluded.time"
)
_UNBLOCK = "DELETE FROM blocks WHERE blocker = ? AND blocked = ?"
_DROP_BLOCKS = (
    "DELETE FROM blocks WHERE blocker = ? AND blocked NOT IN ("
    "SELECT blocked FROM blocks WHERE blocker = ? ORDER BY time DESC, blocked LIMIT ?)"
)
_APART = (
    "SELECT blocked FROM blocks WHERE blocker = ? UNION SELECT blocker FROM ("
    "SELECT blocker FROM blocks WHERE blocked = ? ORDER BY time DESC, blocker LIMIT ?) AS others"
)
_REPORT_COLUMNS = "id, game, what, place, said, text, time, times"
_REPORT = (
    f"INSERT INTO reports ({_REPORT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (id) DO UPDATE SET times = reports.times + 1"
)
_DROP_REPORTS = (
    "DELETE FROM reports WHERE id IN ("
    "SELECT id FROM reports ORDER BY time DESC, id LIMIT 1000 OFFSET ?)"
)
_REPORTS = f"SELECT {_REPORT_COLUMNS} FROM reports ORDER BY time DESC, id LIMIT ?"
_REPORT_ID = "SELECT id FROM reports WHERE id = ?"
_CLOSE_REPORT = "DELETE FROM reports WHERE id = ?"


class ReportRow(NamedTuple):
    """A report to the operator.

    Attributes:
        id: the same for all reports of one line or name.
        game: the address of the game.
        what: one of `requests.REPORTABLE`.
        place: of a line of chat, the version of its event; of the watchers' talk, the watcher's
            number and the time of the line; of a name, the seat.
        said: the line or the name, as it was then.
        text: the comment of the first sender.
        time: of the first report, in milliseconds since 1970.
        times: the number of reports.
    """

    id: str
    game: str
    what: str
    place: str
    said: str
    text: str
    time: int
    times: int = 1


def report_of(game: str, what: str, place: str, said: str, text: str, time: int) -> ReportRow:
    """Return a report with the id of the line or name that it is about."""
    digest = hashlib.sha256("\0".join((game, what, place, said)).encode()).hexdigest()
    return ReportRow(digest[:16], game, what, place, said, text, time)


class PeopleStore(Database):
    """The part of a `Store` that is about people instead of games."""

    def block(self, blocker: str, blocked: str, now: int) -> None:
        """Store that one player blocks another, by the hashes of their tokens; `now` is in ms."""

        def write(session: Any) -> bool:
            self._execute(session, _BLOCK, blocker, blocked, now)
            self._execute(session, _DROP_BLOCKS, blocker, blocker, BLOCKS_OF_ONE)
            return True

        self._write(write)

    def unblock(self, blocker: str, blocked: str) -> None:
        """Delete a block."""
        self._write(lambda session: (self._execute(session, _UNBLOCK, blocker, blocked),))

    def blocked_keys(self, key: str) -> frozenset[str]:
        """Return the token hashes of all players with a block by or of the player with a token."""
        return frozenset(other for (other,) in self._read(_APART, key, key, BLOCKS_BY_OTHERS))

    def report(self, report: ReportRow) -> None:
        """Store a report; if the same line or name is reported already, count it."""

        def write(session: Any) -> bool:
            self._execute(session, _REPORT, *report)
            self._execute(session, _DROP_REPORTS, MOST_REPORTS)
            return True

        self._write(write)

    def reports(self, limit: int) -> list[ReportRow]:
        """Return the open reports, the newest first."""
        return [ReportRow(*values) for values in self._read(_REPORTS, limit)]

    def close_report(self, report_id: str) -> bool:
        """Delete a report; return whether there was one."""

        def write(session: Any) -> bool:
            known = self._execute(session, _REPORT_ID, report_id)
            self._execute(session, _CLOSE_REPORT, report_id)
            return bool(known)

        return self._write(write)
