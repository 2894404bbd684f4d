"""The store: everything that a server keeps, in any database.

The log of events is the truth; everything else can be derived from it. A store is used from several
threads, but `commit` from one at a time.
"""

from __future__ import annotations

import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from tic_tac_toe.protocols.online.events import Event

from . import statements
from .game_rows import (
    GameRow,
    Transaction,
    UnreadableEvent,
    event_values,
    game_values,
    read_event,
    read_game,
)

#: Games in one statement.
GAMES_AT_ONCE = 500
#: The latest time that a database can hold, in milliseconds.
FOREVER = 2**63 - 1
#: Blocks by one token; newer ones replace the oldest.
BLOCKS_OF_ONE = 200
#: Blocks of one token by others that are read, the newest.
BLOCKS_BY_OTHERS = 1_000
#: Reports that are kept; newer ones replace the oldest.
MOST_REPORTS = 10_000
#: Idle connections that are kept.
MOST_IDLE = 8

Result = TypeVar("Result")
ConnectionT = TypeVar("ConnectionT", bound="Closable")


class StorageError(Exception):
    """The database cannot be used now; what was being written may or may not be there."""


class DamagedGame(StorageError):
    """The database works, but a game in it is not as it was written."""


def check_version(version: int, doing: str, place: object) -> None:
    """Raise a `StorageError` unless tables are of this version, or steps lead from them to it."""
    if version > statements.SCHEMA_VERSION:
        raise StorageError(f"cannot {doing} {place}: a newer version of this program wrote it")
    former = range(version, statements.SCHEMA_VERSION)
    if not all(each in statements.STEPS for each in former):
        raise StorageError(f"cannot {doing} {place}: version {version} of its tables is not known")


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


class Ban(NamedTuple):
    """A banned address or network.

    Attributes:
        network: as in ``192.0.2.0/24``.
        until: in milliseconds since 1970.
        why: a note for operators only.
    """

    network: str
    until: int
    why: str


class Moderated(NamedTuple):
    """A game that an operator has changed, hidden or deleted, and when, in ms since 1970."""

    game: str
    hidden: bool
    time: int


class Upgraded(NamedTuple):
    """The result of an upgrade: the former version, and how many games and events there are."""

    before: int
    games: int = 0
    events: int = 0


class Store(ABC):
    """A database of games. Every method raises `StorageError` if it cannot be used.

    Subclasses open the database and run statements; a session is one of its connections.

    Attributes:
        is_new: whether `open` has created the tables.
    """

    is_new = False

    #: The database's names for the types of columns.
    TYPES: Mapping[str, str]

    #: The end of a query that locks the rows which it reads.
    FOR_UPDATE = ""

    @abstractmethod
    def open(self) -> None:
        """Open the database, and create the tables if it is new; after an error, open it again."""

    @abstractmethod
    def close(self) -> None:
        """Close the database; nothing is lost."""

    @abstractmethod
    def upgrade(self) -> Upgraded:
        """Upgrade tables of a former version, while nobody else uses them.

        The upgrade is complete or has no effect, and leaves the store closed. Tables of this
        version stay as they are.
        """

    @property
    @abstractmethod
    def place(self) -> str:
        """The database as its operator may see it: without a password."""

    @abstractmethod
    def size(self) -> int:
        """Return the bytes of the data."""

    @abstractmethod
    def _read(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query."""

    @abstractmethod
    def _write(self, write: Callable[[Any], Result]) -> Result:
        """Return the result of a function of a session; if that is ``None``, roll back."""

    @abstractmethod
    def _execute(self, session: Any, statement: str, *values: object) -> list[Any]:
        """Return the rows of a statement in a session."""

    @abstractmethod
    def _insert_events(self, session: Any, events: Sequence[tuple[object, ...]]) -> int:
        """Insert events that do not exist yet, and return their number."""

    @abstractmethod
    def _write_many(self, session: Any, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Run a statement for each of many rows."""

    def _execute_all(self, *commands: tuple[object, ...]) -> None:
        """Run statements, each with its values, in one transaction."""

        def write(session: Any) -> bool:
            for statement, *values in commands:
                self._execute(session, str(statement), *values)
            return True

        self._write(write)

    def _delete(self, query: str, statement: str, key: str) -> bool:
        """Delete what a query finds; return whether there was anything."""

        def write(session: Any) -> bool:
            there = self._execute(session, query, key)
            self._execute(session, statement, key)
            return bool(there)

        return self._write(write)

    def _run_steps(self, session: Any, version: int) -> Upgraded:
        """Turn tables of a version into those of this program, except for the stamp."""
        for former in range(version, statements.SCHEMA_VERSION):
            for statement in statements.STEPS[former]:
                self._execute(session, statement.format(**self.TYPES))
        counts = statements.COUNT_GAMES, statements.COUNT_EVENTS
        return Upgraded(version, *(self._execute(session, query)[0][0] for query in counts))

    def _set_deadlines(self, session: Any, changes: Sequence[tuple[int | None, str]]) -> None:
        self._write_many(session, statements.SET_DEADLINE, changes)

    # -- writing -------------------------------------------------------------------------------

    def commit(self, transactions: Sequence[Transaction]) -> list[bool]:
        """Write transactions in one commit, and return which of them were written.

        A transaction is left out if one of its events has the game and version, or the game and
        message id,
        of an existing event. Once this returns, the written events survive a loss of power.
        """

        def one_by_one(session: Any) -> list[bool]:
            return [self._write_one(session, transaction) for transaction in transactions]

        written = self._write(lambda session: self._write_all(session, transactions))
        return self._write(one_by_one) if written is None else written

    def _write_all(self, session: Any, transactions: Sequence[Transaction]) -> list[bool] | None:
        """Write transactions without conflicts; else return ``None``, with some of them written."""
        events = [event for transaction in transactions for event in transaction.events]
        events.sort(key=lambda event: (event.game, event.version))
        if events and self._insert_events(session, [*map(event_values, events)]) < len(events):
            return None
        rows: dict[str, GameRow] = {}
        deadlines: dict[str, int | None] = {}
        for transaction in transactions:
            for row in transaction.rows:
                rows[row.game] = row
                deadlines.pop(row.game, None)
            deadlines.update(transaction.deadlines)
        if rows:
            values = [game_values(rows[game]) for game in sorted(rows)]
            self._write_many(session, statements.UPSERT_GAME, values)
        if deadlines:
            changes = [(deadlines[game], game) for game in sorted(deadlines)]
            self._set_deadlines(session, changes)
        return [True] * len(transactions)

    def _write_one(self, session: Any, transaction: Transaction) -> bool:
        self._execute(session, "SAVEPOINT unit")
        written = self._write_all(session, (transaction,)) is not None
        if not written:
            self._execute(session, "ROLLBACK TO unit")
        self._execute(session, "RELEASE unit")
        return written

    def erase(self, game: str) -> bool:
        """Delete all data of a game; return whether there were any."""

        def write(session: Any) -> bool:
            there = self._execute(session, statements.VERSIONS, game)
            for statement in statements.ERASE:
                self._execute(session, statement, game)
            return bool(there)

        return self._write(write)

    def rewrite(self, game: str, events: Sequence[Event], row: GameRow) -> bool:
        """Replace all events of a game, and its row.

        Return `False` without a change unless the log has exactly the versions of the new events.
        """

        def write(session: Any) -> bool | None:
            # The lock delays servers that write an event with a row; theirs replaces this one. An
            # event without a row may be inserted at any moment, and stays.
            self._execute(session, statements.LOCK_ROW + self.FOR_UPDATE, game)
            there = [version for (version,) in self._execute(session, statements.VERSIONS, game)]
            if not there or there != [event.version for event in events]:
                return None
            self._execute(session, statements.DELETE_EVENTS, game, there[-1])
            self._insert_events(session, [*map(event_values, events)])
            self._write_many(session, statements.UPSERT_GAME, [game_values(row)])
            return True

        return self._write(write) is not None

    def scrub(self) -> bool:
        """Erase removed data from the files, if the database does not do so by itself.

        Return `False` if that has to be tried again.
        """
        return True

    def record_start(self, now: int, grace: int) -> None:
        """Record that a server starts; the time since the last beat becomes a pause.

        Args:
            now: milliseconds since 1970.
            grace: milliseconds since the last beat that count as no pause.
        """

        def write(session: Any) -> list[Any]:
            # The lock lets the second of two servers that start together see the beat of the first.
            beat = self._execute(session, statements.LAST_BEAT + self.FOR_UPDATE)
            if beat and now - beat[0][0] > grace:
                self._execute(session, statements.ADD_PAUSE, beat[0][0], now)
            return self._execute(session, statements.BEAT, now)

        self._write(write)

    def beat(self, now: int) -> None:
        """Record that a server runs at a time, in milliseconds since 1970."""
        self._execute_all((statements.BEAT, now))

    def record_presence(
        self, node: str, seats: Collection[tuple[str, str]], now: int, before: int
    ) -> None:
        """Record which players are connected to a server, for the other servers.

        Args:
            node: the server.
            seats: games and seats.
            now: milliseconds since 1970.
            before: older records are deleted.
        """

        def write(session: Any) -> bool:
            self._execute(session, statements.FORGET_ATTENDANCE, before)
            rows = [(game, seat, node, now) for game, seat in sorted(seats)]
            self._write_many(session, statements.ATTEND, rows)
            return True

        self._write(write)

    # -- reading -------------------------------------------------------------------------------

    def events(self, game: str, after: int = 0) -> list[Event]:
        """Return the events of a game after a version, in order; none of an unknown game.

        Raises:
            DamagedGame: an event cannot be read, or is not as it was written.
        """
        found = self._read(statements.EVENTS_AFTER, game, after)
        try:
            return [read_event((game, *values[1:])) for values in found]
        except UnreadableEvent as error:
            raise DamagedGame(str(error)) from error

    def heads(self, games: Collection[str]) -> dict[str, int]:
        """Return the version of the last event of each of these games."""
        names = list(games)
        heads: dict[str, int] = {}
        for start in range(0, len(names), GAMES_AT_ONCE):
            part = names[start : start + GAMES_AT_ONCE]
            heads.update(self._read(statements.heads_of(len(part)), *part))
        return heads

    def row(self, game: str) -> GameRow | None:
        """Return the row of a game."""
        found = self._read(statements.ROW, game)
        return read_game(found[0]) if found else None

    def open_games(self, limit: int) -> list[GameRow]:
        """Return the open games that wait for a player, the newest first."""
        return [read_game(values) for values in self._read(statements.OPEN_GAMES, limit)]

    def finished_games(self, limit: int) -> list[GameRow]:
        """Return the open games with a result, the newest first."""
        return [read_game(values) for values in self._read(statements.FINISHED_GAMES, limit)]

    def games_of(self, key: str, limit: int) -> list[GameRow]:
        """Return the games with a seat of the token with this hash, the newest first."""
        if not key:
            return []
        found = self._read(statements.GAMES_OF, key, limit, key, limit, limit)
        return [read_game(values) for values in found]

    def over_before(self, before: int, limit: int, *, unplayed: bool) -> list[str]:
        """Return games, `unplayed` or with a result, that were over before a time, oldest first."""
        found = self._read(statements.OVER_BEFORE, int(not unplayed), before, limit)
        return [game for (game,) in found]

    def running_clocks(self, until: int = FOREVER) -> list[str]:
        """Return the games whose deadline is not after a time."""
        return [game for (game,) in self._read(statements.RUNNING_CLOCKS, until)]

    def forgotten(self, stage: str, before: int, limit: int) -> list[str]:
        """Return games of a stage without an event since a time."""
        return [game for (game,) in self._read(statements.FORGOTTEN, stage, before, before, limit)]

    def unfinished(self, games: Collection[str]) -> set[str]:
        """Return which of at most `GAMES_AT_ONCE` games are not over."""
        query = statements.unfinished_of(len(games))
        return {game for (game,) in self._read(query, *games)} if games else set()

    def count_games(self) -> int:
        """Return the number of games."""
        return int(self._read(statements.COUNT_GAMES)[0][0])

    def count_unfinished(self) -> int:
        """Return the number of games that are not over."""
        return int(self._read(statements.COUNT_UNFINISHED)[0][0])

    def presence_elsewhere(self, node: str, since: int) -> list[tuple[str, str]]:
        """Return the games and seats that other servers have recorded since a time."""
        return [(game, seat) for game, seat in self._read(statements.ATTENDED, node, since)]

    def all_games(self) -> Iterator[str]:
        """Yield the address of every game, in order."""
        last = ""
        while part := self._read(statements.GAMES_AFTER, last, GAMES_AT_ONCE):
            if part[-1][0] <= last:
                raise StorageError("the database is damaged: its games are not in order")
            yield from chain.from_iterable(part)
            last = part[-1][0]

    def pauses(self) -> tuple[tuple[int, int], ...]:
        """Return the times without any server, in order."""
        return tuple((since, until) for since, until in self._read(statements.PAUSES))

    # -- players: blocks and reports -----------------------------------------------------------

    def block(self, blocker: str, blocked: str, now: int) -> None:
        """Store that one player blocks another, by the hashes of their tokens; `now` is in ms."""
        self._execute_all(
            (statements.BLOCK, blocker, blocked, now),
            (statements.DROP_BLOCKS, blocker, blocker, BLOCKS_OF_ONE),
        )

    def unblock(self, blocker: str, blocked: str) -> None:
        """Delete a block."""
        self._execute_all((statements.UNBLOCK, blocker, blocked))

    def blocked_keys(self, key: str) -> frozenset[str]:
        """Return the token hashes of all players with a block by or of the player with a token."""
        return frozenset(
            other for (other,) in self._read(statements.APART, key, key, BLOCKS_BY_OTHERS)
        )

    def report(self, report: ReportRow) -> None:
        """Store a report; if the same line or name is reported already, count it."""
        self._execute_all((statements.REPORT, *report), (statements.DROP_REPORTS, MOST_REPORTS))

    def reports(self, limit: int) -> list[ReportRow]:
        """Return the open reports, the newest first."""
        return [ReportRow(*values) for values in self._read(statements.REPORTS, limit)]

    def close_report(self, report_id: str) -> bool:
        """Delete a report; return whether there was one."""
        return self._delete(statements.REPORT_ID, statements.CLOSE_REPORT, report_id)

    # -- operators: bans, and games that they have changed -------------------------------------

    def bans(self, now: int) -> list[Ban]:
        """Return the bans in force, those that end first first."""
        return [Ban._make(found) for found in self._read(statements.BANS, now)]

    def ban(self, ban: Ban) -> None:
        """Store a ban, in place of another of the same network."""
        self._execute_all((statements.BAN, *ban))

    def unban(self, network: str) -> bool:
        """Delete a ban, and return whether there was one."""
        return self._delete(statements.IS_BANNED, statements.UNBAN, network)

    def moderate(self, game: str, hidden: bool | None, now: int) -> bool:
        """Record that a game was changed, for all servers; return whether it is hidden now.

        With `hidden` ``None`` that stays as it was.
        """

        def write(session: Any) -> bool:
            found = self._execute(session, statements.IS_HIDDEN, game)
            is_hidden = bool(found and found[0][0]) if hidden is None else hidden
            self._execute(session, statements.MODERATE, game, is_hidden, now)
            return is_hidden

        return self._write(write)

    def hidden_games(self) -> list[str]:
        """Return the games that are hidden."""
        return [game for (game,) in self._read(statements.HIDDEN)]

    def moderated(self, since: int) -> list[Moderated]:
        """Return the games that were changed since a time."""
        return [
            Moderated(game, bool(hidden), time)
            for game, hidden, time in self._read(statements.MODERATED, since)
        ]

    def count_reports(self) -> int:
        """Return the number of open reports."""
        return int(self._read(statements.COUNT_REPORTS)[0][0])

    def close_reports(self, game: str, places: Collection[tuple[str, str]] | None) -> None:
        """Delete reports of a game, because they contain what was said there.

        `places` are the kinds and places of the reports; ``None`` for all.
        """
        if places is None:
            self._execute_all((statements.DROP_REPORTS_OF_GAME, game))
        else:
            self._execute_all(*((statements.DROP_REPORT, game, *place) for place in places))

    def forget_key(self, key: str) -> None:
        """Delete the blocks by and of the player with a token."""
        self._execute_all((statements.FORGET_KEY, key, key))

    def forget_moderation(self, now: int, before: int) -> None:
        """Delete expired bans, and changes that every server has read by now."""
        self._execute_all((statements.FORGET_BANS, now), (statements.FORGET_MODERATED, before))

    def find_games(self, name: str, stage: str, game: str, limit: int) -> list[Any]:
        """Return the columns of games, the last changed first; empty arguments match any game.

        Args:
            name: a part of a player's name, in upper or lower case.
            game: the beginning of the address.
        """
        conditions: list[tuple[str, tuple[str, ...]]] = []
        if name:
            part = f"%{_escaped(name.lower())}%"
            like = " LIKE ? ESCAPE '!'"
            conditions.append((f"(lower(crosses){like} OR lower(naughts){like})", (part, part)))
        if stage:
            conditions.append(("stage = ?", (stage,)))
        if game:
            conditions.append(("game LIKE ? ESCAPE '!'", (f"{_escaped(game)}%",)))
        where = " AND ".join(text for text, _ in conditions) or "1 = 1"
        values = [value for _, each in conditions for value in each]
        return self._read(statements.games_where(where), *values, limit)

    def over_after(self, last: tuple[int, str], before: int, limit: int) -> list[tuple[int, str]]:
        """Return times and games that ended before a time, in order, after the last one given."""
        time, game = last
        values = before, time, time, game, limit
        return [
            (at, each) for at, each in self._read(statements.OVER_AFTER, *values, *values, limit)
        ]


def _escaped(text: str) -> str:
    return "".join(f"!{sign}" if sign in "!%_" else sign for sign in text)


class Closable(Protocol):
    """Something that can be closed."""

    def close(self) -> None:
        """Close it."""


class Pool(Generic[ConnectionT]):
    """Connections that are each used by one thread at a time, and kept for the next."""

    def __init__(self, connect: Callable[[], ConnectionT]) -> None:
        self._connect = connect
        self._idle: list[ConnectionT] = []
        self._lock = threading.Lock()

    @contextmanager
    def lent(self) -> Iterator[ConnectionT]:
        """Lend a connection; after an error it is closed, because its state is unknown."""
        with self._lock:
            idle = self._idle
            connection = idle.pop() if idle else None
        if connection is None:
            connection = self._connect()
        try:
            yield connection
        except BaseException:
            _close(connection)
            raise
        with self._lock:
            if idle is self._idle and len(idle) < MOST_IDLE:
                idle.append(connection)
                return
        _close(connection)

    def close(self) -> None:
        """Close all idle connections; lent ones are closed when they come back."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            _close(connection)


def _close(connection: Closable) -> None:
    with suppress(Exception):  # a broken connection may also fail to close
        connection.close()
