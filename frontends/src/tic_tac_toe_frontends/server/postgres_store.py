"""Games kept in PostgreSQL, by as many servers as there are.

Whoever writes a version of a game first has it: the primary key decides. All servers write in the
same order, that of the games' addresses, so that they seldom wait for each other in a circle.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from tic_tac_toe.extras import missing_sentence

from . import columns
from .columns import EVENT_COLUMNS, event_values, game_values, last_rows
from .connections import Pool
from .store import StorageError, Transaction
from .tables import Tables

if TYPE_CHECKING:
    from psycopg import Connection

    Session = Connection[tuple[Any, ...]]

#: How long, in seconds, a connection, a statement, or a machine that says nothing is waited for.
CONNECT_SECONDS, STATEMENT_SECONDS, SILENCE_SECONDS = 5, 10, 10
#: How often a transaction is tried that PostgreSQL gives up for another's sake.
ATTEMPTS = 5
#: Who makes or looks at the tables holds this advisory lock: "TTTo".
SCHEMA_LOCK = 0x5454546F

_TABLES = (
    """CREATE TABLE events (
        game text COLLATE "C" NOT NULL,
        version bigint NOT NULL,
        kind text NOT NULL,
        seat text NOT NULL,
        cell integer,
        message_id text COLLATE "C",
        time bigint NOT NULL,
        data text,
        PRIMARY KEY (game, version)
    )""",
    """CREATE TABLE games (
        game text COLLATE "C" NOT NULL PRIMARY KEY,
        stage text NOT NULL,
        is_open boolean NOT NULL,
        time bigint NOT NULL,
        deadline bigint,
        variant text NOT NULL,
        crosses text,
        naughts text,
        starting text NOT NULL,
        clock_seconds integer,
        clock_increment integer,
        result text NOT NULL
    )""",
    "CREATE TABLE beats (id integer NOT NULL PRIMARY KEY, time bigint NOT NULL)",
    "CREATE TABLE pauses (since bigint NOT NULL PRIMARY KEY, until bigint NOT NULL)",
    "CREATE TABLE tictactoe_schema (version integer NOT NULL)",
)
_ARRAYS = ("text[]", "bigint[]", "text[]", "text[]", "integer[]", "text[]", "bigint[]", "text[]")
_INSERT_EVENTS = (
    f"INSERT INTO events ({', '.join(EVENT_COLUMNS)}) SELECT * FROM"
    f" unnest({', '.join(f'?::{array}' for array in _ARRAYS)}) ON CONFLICT DO NOTHING"
)

ResultT = TypeVar("ResultT")


class PostgresStore(Tables):
    """A `Store` in a PostgreSQL database.

    Args:
        url: of the database: ``postgresql://user:password@host:port/name``.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._sessions: Pool[Session] = Pool(self._connect)
        self._is_open = False
        self._opening = threading.Lock()

    def open(self) -> None:
        """Connect, and make the tables if they are not there."""
        with self._opening:
            self.close()
            with self._errors("open"), self._sessions.lent() as session, session.transaction():
                _prepare(session)
            self._is_open = True

    def close(self) -> None:
        """Let go of the connections."""
        self._is_open = False
        self._sessions.close()

    def commit(self, transactions: Sequence[Transaction]) -> list[bool]:
        """Write transactions in one commit, and return which of them are there."""
        order = sorted(range(len(transactions)), key=lambda index: _place(transactions[index]))
        in_order = [transactions[index] for index in order]
        done = self._write(lambda session: _write_all(session, in_order))
        if done is None:
            done = self._write(
                lambda session: [_write_one(session, transaction) for transaction in in_order]
            )
        return [written for _index, written in sorted(zip(order, done))]

    def arrive(self, now: int, grace: int) -> None:
        """Record start-up; the time since the last beat becomes a pause."""
        self._write(lambda session: _arrive(session, now, grace))

    def beat(self, now: int) -> None:
        """Record that a server is at work."""
        self._write(lambda session: _beat(session, now))

    def _read(self, question: str, *values: object) -> Sequence[Any]:
        self._check_open()
        with self._errors("read"), self._sessions.lent() as session:
            return _ask(session, question, *values)

    def _write(self, write: Callable[[Session], ResultT]) -> ResultT:
        """Return what a function returns, in a transaction that is there once this returns.

        Where it returns ``None``, nothing is there. After an error nothing more is written until
        `open`.
        """
        self._check_open()
        try:
            with self._errors("write"):
                return self._in_transaction(write, ATTEMPTS)
        except StorageError:
            self._is_open = False
            raise

    def _in_transaction(self, write: Callable[[Session], ResultT], attempts: int) -> ResultT:
        from psycopg.errors import DeadlockDetected, SerializationFailure

        try:
            with self._sessions.lent() as session:
                _ask(session, "BEGIN ISOLATION LEVEL READ COMMITTED")
                result = write(session)
                _ask(session, "ROLLBACK" if result is None else "COMMIT")
                return result
        except (DeadlockDetected, SerializationFailure):
            if attempts == 1:
                raise
        return self._in_transaction(write, attempts - 1)

    def _check_open(self) -> None:
        if not self._is_open:
            raise StorageError("the PostgreSQL database is not open")

    @contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        """Say what goes wrong as a `StorageError`; the password is in none of it."""
        try:
            import psycopg
        except ImportError as error:
            raise StorageError(missing_sentence("PostgreSQL", ["psycopg"])) from error
        try:
            yield
        except (psycopg.Error, UnicodeError) as error:
            self._sessions.close()  # what is idle may be as broken
            said = " ".join(str(error).split())
            raise StorageError(f"cannot {doing} the PostgreSQL database: {said}") from error

    def _connect(self) -> Session:
        from psycopg.conninfo import conninfo_to_dict

        from .timed_connection import TimedConnection

        options: dict[str, Any] = {
            "connect_timeout": CONNECT_SECONDS,
            "tcp_user_timeout": 1_000 * SILENCE_SECONDS,
            "keepalives_idle": SILENCE_SECONDS // 2,
            "keepalives_interval": 2,
            "keepalives_count": 3,
            "application_name": "tic-tac-toe",
            **conninfo_to_dict(self._url),
        }
        session = TimedConnection.connect(autocommit=True, **options)
        timeout = 1_000 * STATEMENT_SECONDS
        session.execute(f"SET statement_timeout = {timeout}".encode())
        session.execute(f"SET idle_in_transaction_session_timeout = {timeout}".encode())
        [(synchronous,)] = session.execute("SHOW synchronous_commit")
        if synchronous in ("off", "local"):
            session.execute("SET synchronous_commit = on")
        return session


def _place(transaction: Transaction) -> tuple[str, int]:
    """Return where in the order of writing a transaction comes."""
    return min(((event.game, event.version) for event in transaction.events), default=("", 0))


def _ask(session: Session, question: str, *values: object) -> list[tuple[Any, ...]]:
    cursor = session.execute(question.replace("?", "%s").encode(), values)
    return cursor.fetchall() if cursor.description else []


def _write_all(session: Session, transactions: Sequence[Transaction]) -> list[bool] | None:
    """Write transactions without conflicts; else return ``None``, with some of them written."""
    values = [event_values(event) for transaction in transactions for event in transaction.events]
    values.sort(key=itemgetter(0, 1))
    rows = [game_values(row) for _game, row in sorted(last_rows(transactions).items())]
    with session.cursor() as cursor:
        if values:
            arrays = [list(column) for column in zip(*values)]
            cursor.execute(_INSERT_EVENTS.replace("?", "%s").encode(), arrays)
            if cursor.rowcount < len(values):
                return None
        if rows:
            cursor.executemany(columns.UPSERT_GAME.replace("?", "%s").encode(), rows)
    return [True] * len(transactions)


def _write_one(session: Session, transaction: Transaction) -> bool:
    """Write one transaction, or nothing of it."""
    _ask(session, "SAVEPOINT unit")
    written = _write_all(session, (transaction,)) is not None
    if not written:
        _ask(session, "ROLLBACK TO unit")
    _ask(session, "RELEASE unit")
    return written


def _arrive(session: Session, now: int, grace: int) -> bool:
    # The lock makes the second of two servers that come at once see the beat of the first.
    beat = _ask(session, f"{columns.LAST_BEAT} FOR UPDATE")
    if beat and now - beat[0][0] > grace:
        _ask(session, columns.ADD_PAUSE, beat[0][0], now)
    return _beat(session, now)


def _beat(session: Session, now: int) -> bool:
    _ask(session, columns.BEAT, now)
    return True


def _prepare(session: Session) -> None:
    """Make the tables, or look whether they are ours."""
    [(encoding,)] = _ask(session, "SHOW server_encoding")
    if encoding != "UTF8":
        raise StorageError(f"the PostgreSQL database must hold UTF8, and this one holds {encoding}")
    _ask(session, "SELECT pg_advisory_xact_lock(?)", SCHEMA_LOCK)
    if _ask(session, "SELECT to_regclass('tictactoe_schema')::text") == [(None,)]:
        for statement in (*_TABLES, *columns.INDEXES):
            _ask(session, statement)
        _ask(session, "INSERT INTO tictactoe_schema VALUES (?)", columns.SCHEMA_VERSION)
        return
    [(version,)] = _ask(session, "SELECT version FROM tictactoe_schema")
    if version != columns.SCHEMA_VERSION:
        age = "an older" if version < columns.SCHEMA_VERSION else "a newer"
        raise StorageError(f"{age} version of this program wrote the PostgreSQL database")
