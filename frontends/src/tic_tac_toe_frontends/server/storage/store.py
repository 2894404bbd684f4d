"""The store: everything that a server keeps, in any database.

The log of events is the truth; everything else can be derived from it. A store is used from several
threads, but `commit` from one at a time.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeVar

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
from .moderation_tables import ModerationTables
from .people import PeopleStore

#: Games in one statement.
GAMES_AT_ONCE = 500
#: The latest time that a database can hold, in milliseconds.
FOREVER = 2**63 - 1

Result = TypeVar("Result")


class StorageError(Exception):
    """The database cannot be used now; what was being written may or may not be there."""


class DamagedGame(StorageError):
    """The database works, but a game in it is not as it was written."""


class Upgraded(NamedTuple):
    """The result of an upgrade: the former version, and how many games and events there are."""

    before: int
    games: int = 0
    events: int = 0


class Store(PeopleStore, ModerationTables):
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
    def _insert_events(self, session: Any, events: Sequence[tuple[object, ...]]) -> int:
        """Insert events that do not exist yet, and return their number."""

    @abstractmethod
    def _write_many(self, session: Any, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Run a statement for each of many rows."""

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
        self._write(lambda session: self._execute(session, statements.BEAT, now))

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
