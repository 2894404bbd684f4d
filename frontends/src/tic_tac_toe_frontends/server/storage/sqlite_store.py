"""Games in one SQLite file, used by one server.

When `commit` returns, the transactions are in the write-ahead log, and the log has been synced.
Checkpoints, which copy the log into the database, run between two commits: up to version 3.51.2,
SQLite can lose what is committed while another connection runs one. So one connection writes; a
lock file keeps other servers away, and all other connections only read.
"""

from __future__ import annotations

import os
import shlex
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ...program.process import reason_of
from . import statements
from .data_files import PRIVATE, check_name, closed_file, give_away, make_private
from .game_rows import Transaction
from .store import Pool, Result, StorageError, Store, Upgraded, check_version

#: How SQLite syncs. With NORMAL, a loss of power may lose the last acknowledged moves.
FULL, NORMAL = "FULL", "NORMAL"
#: Transactions after which a checkpoint is made; it takes some milliseconds.
CHECKPOINT_EVENTS = 1_000
#: Bytes to which the log is cut back once all of it is in the database, and of a part of it in
#: memory.
LOG_BYTES, PART = 4 * 1024 * 1024, 1024 * 1024
#: Seconds that a statement waits for another program that holds the file.
PATIENCE = 10.0
#: Milliseconds that emptying the log waits for readers.
SCRUB_PATIENCE = 100

#: Distinguishes files of this program from others: "TTTo".
APPLICATION_ID = 0x5454546F

#: SQLite's names for the types of columns.
TYPES = {"key": "TEXT", "text": "TEXT", "count": "INTEGER", "time": "INTEGER", "flag": "INTEGER"}


class SystemFiles:
    """Access to files; tests replace it."""

    def connect(self, path: Path) -> sqlite3.Connection:
        """Open a database for any thread, without implicit transactions."""
        return sqlite3.connect(
            path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )

    def rewrite(self, path: Path) -> None:
        """Write a file again with its content, and sync it; do nothing if it does not exist.

        After a failed sync, Linux treats what is in memory as synced. Syncing again has no effect
        until the file is written again.
        """
        with suppress(FileNotFoundError), path.open("r+b") as file:
            while part := file.read(PART):
                file.seek(-len(part), os.SEEK_CUR)
                file.write(part)
            file.flush()
            os.fsync(file.fileno())


class SqliteStore(Store):
    """A `Store` in a file.

    Args:
        path: of the file, which is created if it does not exist.
        synchronous: `FULL`, or `NORMAL`: faster, but a loss of power may lose the last moves.
        checkpoint_events: transactions after which a checkpoint is made; 0 for never.
        files: opens the file.
    """

    TYPES = TYPES

    def __init__(
        self,
        path: Path,
        synchronous: str = FULL,
        checkpoint_events: int = CHECKPOINT_EVENTS,
        files: SystemFiles | None = None,
    ) -> None:
        self._path = path
        # SQLite resolves links, too: the log is beside the file itself, and so is the lock.
        self._file = Path(os.path.realpath(path))
        self._synchronous = synchronous
        self._files = files or SystemFiles()
        self._checkpoint_events = checkpoint_events
        # Not `thread_local`, because `open` and `close` run in different threads.
        self._lock = FileLock(f"{self._file}.lock", mode=PRIVATE, thread_local=False)
        self._readers = Pool(self._connect_reader)
        self._writer: sqlite3.Connection | None = None
        self._writing = threading.Lock()
        self._checkpointer: threading.Thread | None = None
        self._since_checkpoint = 0

    def open(self) -> None:
        """Open the file, and create its tables if it is new.

        The log of a server that was killed or could not sync may exist in memory only. Readers rely
        on what they read, so the log is written again first.
        """
        self._close_connections()
        self._lock_file("open")
        with self._writing, self._errors("open"):
            writer = self._files.connect(self._file)
            try:
                self._prepare(writer)
            except BaseException:
                with suppress(sqlite3.Error):
                    writer.close()
                raise
            self._writer = writer
            # There may be a log already: the first commit starts a checkpoint.
            self._since_checkpoint = self._checkpoint_events

    def close(self) -> None:
        """Close the file, which makes a last checkpoint."""
        self._close_connections()
        self._lock.release()

    def upgrade(self) -> Upgraded:
        """Upgrade a file of a former version; no server may use it."""
        self._close_connections()
        check_name(self._file, "upgrade")
        if not self._file.is_file():
            raise StorageError(f"cannot upgrade {self._path}: there is no such file")
        try:
            self._lock_file("upgrade")
            with self._errors("upgrade"), closing(self._files.connect(self._file)) as writer:
                return self._upgrade_tables(writer)
        finally:
            self.close()

    @property
    def place(self) -> str:
        """The path of the file."""
        return str(self._path.absolute())

    def size(self) -> int:
        """Return the bytes of the file and of its log."""
        sizes = []
        for name in (self._file.name, f"{self._file.name}-wal"):
            with suppress(OSError):  # before the first commit there is no log
                sizes.append(self._file.with_name(name).stat().st_size)
        return sum(sizes)

    def commit(self, transactions: Sequence[Transaction]) -> list[bool]:
        """Write transactions in one commit, and return which of them were written."""
        written = super().commit(transactions)
        self._since_checkpoint += len(transactions)
        if self._since_checkpoint >= self._checkpoint_events > 0:
            self._checkpoint_soon()
        return written

    def checkpoint(self) -> None:
        """Copy the log into the database, without waiting for readers."""
        with self._lent_writer() as writer:
            writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            self._since_checkpoint = 0

    def scrub(self) -> bool:
        """Empty the log, which contains removed data; return `False` if a reader prevents it."""
        with self._lent_writer() as writer:
            writer.execute(f"PRAGMA busy_timeout = {SCRUB_PATIENCE}")
            try:
                ((is_hindered, *_),) = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                writer.execute(f"PRAGMA busy_timeout = {int(1_000 * PATIENCE)}")
            self._since_checkpoint = 0
        return not is_hindered

    def _read(self, query: str, *values: object) -> list[Any]:
        if self._writer is None:
            raise StorageError(f"{self._path} is not open")
        with self._errors("read"), self._readers.lent() as reader:
            try:
                return self._execute(reader, query, *values)
            except sqlite3.OperationalError as error:
                if "decode to UTF-8" not in str(error):
                    raise
            # Some text is damaged: the rest can still be read, and checksums show the damage.
            reader.text_factory = _text_of
            try:
                return self._execute(reader, query, *values)
            finally:
                reader.text_factory = str

    def _write(self, write: Callable[[sqlite3.Connection], Result]) -> Result:
        with self._lent_writer() as writer:
            writer.execute("BEGIN IMMEDIATE")
            result = write(writer)
            writer.execute("ROLLBACK" if result is None else "COMMIT")
        return result

    def _execute(self, session: sqlite3.Connection, statement: str, *values: object) -> list[Any]:
        return session.execute(statement, values).fetchall()

    def _insert_events(
        self, session: sqlite3.Connection, events: Sequence[tuple[object, ...]]
    ) -> int:
        return session.executemany(statements.INSERT_EVENT, events).rowcount

    def _write_many(
        self, session: sqlite3.Connection, statement: str, rows: Sequence[tuple[object, ...]]
    ) -> None:
        session.executemany(statement, rows)

    @contextmanager
    def _lent_writer(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection that writes; after an error it is closed until `open`.

        After a failed sync nobody knows what is on the disk, and another sync would not show it.
        """
        with self._writing, self._errors("write"):
            if self._writer is None:
                raise StorageError(f"{self._path} is not open")
            try:
                yield self._writer
            except BaseException:
                writer, self._writer = self._writer, None
                with suppress(sqlite3.Error):
                    writer.close()
                raise

    @contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            reason = closed_file(self._file) or error
            raise StorageError(f"cannot {doing} {self._path}: {reason}") from error

    def _checkpoint_soon(self) -> None:
        """Start a checkpoint in a thread, so that no commit waits for it."""
        if self._checkpointer is None or not self._checkpointer.is_alive():
            self._checkpointer = threading.Thread(
                target=self._checkpoint_quietly, name="checkpoint", daemon=True
            )
            self._checkpointer.start()

    def _checkpoint_quietly(self) -> None:
        with suppress(StorageError):  # the next commit fails, because the file is not open
            self.checkpoint()

    def _lock_file(self, doing: str) -> None:
        """Lock the file against other servers, and sync what is in its log."""
        try:
            if not self._lock.is_locked:
                self._file.parent.stat()  # FileLock would create the folder
                check_name(self._file, doing)
                is_new = not Path(self._lock.lock_file).exists()
                self._lock.acquire(blocking=False)
                if is_new:
                    give_away(Path(self._lock.lock_file), self._file.parent)
            make_private(self._file)
            self._files.rewrite(self._file.with_name(f"{self._file.name}-wal"))
        except OSError as error:
            reason = closed_file(self._file) or reason_of(error)
            if isinstance(error, Timeout):
                reason = "a server uses it"
            raise StorageError(f"cannot {doing} {self._path}: {reason}") from error

    def _close_connections(self) -> None:
        if self._checkpointer is not None:
            self._checkpointer.join()
        self._readers.close()
        with self._writing, suppress(sqlite3.Error):
            writer, self._writer = self._writer, None
            if writer is not None:
                writer.close()

    def _connect_reader(self) -> sqlite3.Connection:
        reader = self._files.connect(self._file)
        reader.execute("PRAGMA query_only = ON")
        return reader

    def _prepare(self, writer: sqlite3.Connection) -> None:
        is_new = _is_empty(writer)
        if not is_new and version_of(writer, self._path, "open") != statements.SCHEMA_VERSION:
            upgrade = f"tic-tac-toe serve upgrade --data {shlex.quote(str(self._path))}"
            raise StorageError(
                f"cannot open {self._path}: an older version of this program wrote it;"
                f" to upgrade it: {upgrade}"
            )
        if writer.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
            raise StorageError(f"cannot open {self._path}: its file system has no shared memory")
        writer.execute(f"PRAGMA synchronous = {self._synchronous}")
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        writer.execute("PRAGMA cache_size = -32768")
        writer.execute("PRAGMA temp_store = MEMORY")
        writer.execute("PRAGMA secure_delete = ON")  # removed data are overwritten
        if is_new:
            _create_tables(writer)
            self.is_new = True

    def _upgrade_tables(self, writer: sqlite3.Connection, doing: str = "upgrade") -> Upgraded:
        version = version_of(writer, self._path, doing)
        if version == statements.SCHEMA_VERSION:
            return Upgraded(version)
        writer.execute("PRAGMA synchronous = FULL")
        writer.execute("BEGIN IMMEDIATE")
        done = self._run_steps(writer, version)
        writer.execute(f"PRAGMA user_version = {statements.SCHEMA_VERSION}")
        writer.execute("COMMIT")
        return done


def version_of(session: sqlite3.Connection, path: Path, doing: str) -> int:
    """Return the version of a file's tables.

    Raises:
        StorageError: the file is empty or of another program, or its version is not supported.
    """
    if _is_empty(session):
        raise StorageError(f"{path} is empty: it holds no games")
    if session.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StorageError(f"cannot {doing} {path}: it is a database of another program")
    version: int = session.execute("PRAGMA user_version").fetchone()[0]
    check_version(version, doing, path)
    return version


def _is_empty(session: sqlite3.Connection) -> bool:
    return not session.execute("SELECT 1 FROM sqlite_master").fetchall()


def _create_tables(writer: sqlite3.Connection) -> None:
    """Create the tables of this version in an empty file."""
    strict = sqlite3.sqlite_version_info >= (3, 37)
    writer.execute("BEGIN IMMEDIATE")
    for table in statements.GAME_TABLES:
        writer.execute(f"{table} WITHOUT ROWID{', STRICT' if strict else ''}".format(**TYPES))
    for table in statements.OTHER_TABLES:
        writer.execute(f"{table}{' STRICT' if strict else ''}".format(**TYPES))
    for index in statements.INDEXES:
        writer.execute(index)
    writer.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    writer.execute(f"PRAGMA user_version = {statements.SCHEMA_VERSION}")
    writer.execute("COMMIT")


def _text_of(content: bytes) -> str:
    """Return bytes as text, even if they are not valid UTF-8."""
    return content.decode(errors="replace")
