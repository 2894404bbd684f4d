"""Games in PostgreSQL, shared by any number of servers.

The first server to write a version of a game wins: the primary key decides. All servers write games
in the order of their addresses, so that they seldom deadlock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from psycopg import Connection, Error, OperationalError
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import DeadlockDetected, SerializationFailure

from ..storage import statements
from ..storage.game_rows import Transaction
from ..storage.store import Pool, Result, StorageError, Store, Upgraded, check_version

Session = Connection[tuple[Any, ...]]

#: Seconds until a connection attempt, a statement, or a silent machine times out.
CONNECT_SECONDS, STATEMENT_SECONDS, SILENCE_SECONDS = 5, 10, 10
#: Seconds until an answer times out; longer than PostgreSQL's own limit for a statement.
ANSWER_SECONDS = 15.0
#: Attempts at a transaction that PostgreSQL rolls back in favour of another.
ATTEMPTS = 5
#: The advisory lock of a server that creates or checks the tables: "TTTo".
SCHEMA_LOCK = 0x5454546F

#: PostgreSQL's names for the types of columns.
TYPES = {
    "key": 'text COLLATE "C"',
    "text": "text",
    "count": "integer",
    "time": "bigint",
    "flag": "boolean",
}
_TABLES = (
    *(table.format(**TYPES) for table in (*statements.GAME_TABLES, *statements.OTHER_TABLES)),
    "CREATE TABLE tictactoe_schema (version integer NOT NULL)",
)
_ARRAYS = (
    *("text[]", "bigint[]", "text[]", "text[]", "integer[]", "text[]", "bigint[]", "text[]"),
    "bigint[]",
)
_INSERT_EVENTS = (
    f"INSERT INTO events ({', '.join(statements.EVENT_COLUMNS)}) SELECT * FROM"
    f" unnest({', '.join(f'?::{array}' for array in _ARRAYS)}) ON CONFLICT DO NOTHING"
)
_SET_DEADLINES = (
    "UPDATE games SET deadline = new.deadline"
    " FROM unnest(?::bigint[], ?::text[]) AS new (deadline, game) WHERE games.game = new.game"
)
#: Counts the connections of servers, which have the same application name as this one.
_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()"
)


class TimedConnection(Session):
    """A connection that times out when nothing arrives from the other side.

    The timeouts of PostgreSQL and TCP do not help if the machine runs and the database on it has
    stopped: PostgreSQL does not get to its own, and TCP sees all packets acknowledged.
    """

    def wait(
        self, gen: Generator[Any, Any, Result], *arguments: Any, **settings: Any
    ) -> Result:  # the settings depend on the version of psycopg
        """Run an exchange with the database; raise `OperationalError` if it takes too long."""
        return super().wait(
            _limited(gen, time.monotonic() + ANSWER_SECONDS), *arguments, **settings
        )


class PostgresStore(Store):
    """A `Store` in a PostgreSQL database.

    Args:
        url: of the database: ``postgresql://user:password@host:port/name``.
    """

    TYPES = TYPES
    FOR_UPDATE = " FOR UPDATE"

    def __init__(self, url: str) -> None:
        self._url = url
        self._sessions: Pool[Session] = Pool(self._connect)
        self._is_open = False
        self._opening = threading.Lock()

    def open(self) -> None:
        """Connect, and create the tables if they do not exist."""
        with self._opening:
            self.close()
            with self._errors("open"), self._sessions.lent() as session, session.transaction():
                self._prepare(session)
            self._is_open = True

    def close(self) -> None:
        """Close the connections."""
        self._is_open = False
        self._sessions.close()

    def upgrade(self) -> Upgraded:
        """Upgrade the tables of a former version; no server may use them."""
        self.close()
        with self._errors("upgrade"), closing(self._connect(Connection)) as session:
            self._execute(session, "SET statement_timeout = 0")
            self._execute(session, "SET idle_in_transaction_session_timeout = 0")
            with session.transaction():
                return self._upgrade_tables(session)

    @property
    def place(self) -> str:
        """The address of the database without user and password."""
        try:
            parts = conninfo_to_dict(self._url)
        except Error:
            return "postgresql:"
        host, port, name = (parts.get(part, "") for part in ("host", "port", "dbname"))
        return f"postgresql://{host}{port and f':{port}'}/{name}"

    def size(self) -> int:
        """Return the bytes of the whole database."""
        return int(self._read("SELECT pg_database_size(current_database())")[0][0])

    def commit(self, transactions: Sequence[Transaction]) -> list[bool]:
        """Write transactions in one commit, and return which of them were written."""
        order = sorted(range(len(transactions)), key=lambda index: _place(transactions[index]))
        written = super().commit([transactions[index] for index in order])
        return [there for _index, there in sorted(zip(order, written))]

    def _read(self, query: str, *values: object) -> list[Any]:
        self._check_open()
        with self._errors("read"), self._sessions.lent() as session:
            return self._execute(session, query, *values)

    def _write(self, write: Callable[[Session], Result]) -> Result:
        """Return the result of a function; after an error nothing is written until `open`."""
        self._check_open()
        try:
            with self._errors("write"):
                return self._in_transaction(write, ATTEMPTS)
        except StorageError:
            self._is_open = False
            raise

    def _execute(self, session: Session, statement: str, *values: object) -> list[Any]:
        cursor = session.execute(_encoded(statement), values)
        return cursor.fetchall() if cursor.description else []

    def _insert_events(self, session: Session, events: Sequence[tuple[object, ...]]) -> int:
        arrays = [list(column) for column in zip(*events)]
        return session.execute(_encoded(_INSERT_EVENTS), arrays).rowcount

    def _write_many(
        self, session: Session, statement: str, rows: Sequence[tuple[object, ...]]
    ) -> None:
        with session.cursor() as cursor:
            cursor.executemany(_encoded(statement), rows)

    def _set_deadlines(self, session: Session, changes: Sequence[tuple[int | None, str]]) -> None:
        arrays = [list(column) for column in zip(*changes)]
        self._execute(session, _SET_DEADLINES, *arrays)

    def _in_transaction(self, write: Callable[[Session], Result], attempts: int) -> Result:
        try:
            with self._sessions.lent() as session:
                self._execute(session, "BEGIN ISOLATION LEVEL READ COMMITTED")
                result = write(session)
                self._execute(session, "ROLLBACK" if result is None else "COMMIT")
                return result
        except (DeadlockDetected, SerializationFailure):
            if attempts == 1:
                raise
        return self._in_transaction(write, attempts - 1)

    def _check_open(self) -> None:
        if not self._is_open:
            raise StorageError("the PostgreSQL database is not open")

    def _prepare(self, session: Session) -> None:
        [(encoding,)] = self._execute(session, "SHOW server_encoding")
        if encoding != "UTF8":
            raise StorageError(
                f"the PostgreSQL database must hold UTF8, and this one holds {encoding}"
            )
        self._execute(session, "SELECT pg_advisory_xact_lock(?)", SCHEMA_LOCK)
        if self._execute(session, "SELECT to_regclass('tictactoe_schema')::text") == [(None,)]:
            for statement in (*_TABLES, *statements.INDEXES):
                self._execute(session, statement)
            self._execute(
                session, "INSERT INTO tictactoe_schema VALUES (?)", statements.SCHEMA_VERSION
            )
            self.is_new = True
        if self._version_of(session, "open") != statements.SCHEMA_VERSION:
            raise StorageError(
                "an older version of this program wrote the PostgreSQL database;"
                " to upgrade it: tic-tac-toe serve upgrade --database URL"
            )

    def _version_of(self, session: Session, doing: str) -> int:
        [(version,)] = self._execute(session, "SELECT version FROM tictactoe_schema")
        check_version(version, doing, "the PostgreSQL database")
        return int(version)

    def _upgrade_tables(self, session: Session) -> Upgraded:
        self._execute(session, "SELECT pg_advisory_xact_lock(?)", SCHEMA_LOCK)
        if self._execute(session, "SELECT to_regclass('tictactoe_schema')::text") == [(None,)]:
            raise StorageError("there are no games in the PostgreSQL database")
        version = self._version_of(session, "upgrade")
        if version == statements.SCHEMA_VERSION:
            return Upgraded(version)
        [(others,)] = self._execute(session, _OTHERS)
        if others:
            raise StorageError("cannot upgrade the PostgreSQL database: a server uses it")
        done = self._run_steps(session, version)
        self._execute(session, "UPDATE tictactoe_schema SET version = ?", statements.SCHEMA_VERSION)
        return done

    @contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        """Raise errors of the database as `StorageError`, without the password."""
        try:
            yield
        except (Error, UnicodeError) as error:
            self._sessions.close()  # idle connections may be broken, too
            said = " ".join(str(error).split())
            raise StorageError(f"cannot {doing} the PostgreSQL database: {said}") from error

    def _connect(self, kind: type[Session] = TimedConnection) -> Session:
        try:
            given = conninfo_to_dict(self._url)
        except Error:  # its text contains parts of the address, and so of the password
            problem = "the address of the PostgreSQL database cannot be read"
            raise StorageError(problem) from None
        options: dict[str, Any] = {
            "connect_timeout": CONNECT_SECONDS,
            "tcp_user_timeout": 1_000 * SILENCE_SECONDS,
            "keepalives_idle": SILENCE_SECONDS // 2,
            "keepalives_interval": 2,
            "keepalives_count": 3,
            "application_name": "tic-tac-toe",
            **given,
        }
        session = kind.connect(autocommit=True, **options)
        timeout = 1_000 * STATEMENT_SECONDS
        session.execute(f"SET statement_timeout = {timeout}".encode())
        session.execute(f"SET idle_in_transaction_session_timeout = {timeout}".encode())
        [(synchronous,)] = session.execute("SHOW synchronous_commit")
        if synchronous in ("off", "local"):
            session.execute("SET synchronous_commit = on")
        return session


def _place(transaction: Transaction) -> tuple[str, int]:
    return min(((event.game, event.version) for event in transaction.events), default=("", 0))


def _encoded(statement: str) -> bytes:
    return statement.replace("?", "%s").encode()


def _limited(gen: Generator[Any, Any, Result], end: float) -> Generator[Any, Any, Result]:
    """Wrap psycopg's generator, which is resumed several times a second, with a deadline."""
    ready = None
    while True:
        try:
            state = gen.send(ready)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]  # `Result`, as `gen` says
        ready = yield state
        if not ready and time.monotonic() >= end:
            gen.close()
            raise OperationalError(f"it has said nothing for {ANSWER_SECONDS:g} seconds")
