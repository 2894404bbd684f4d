"""Games kept in one SQLite file, by one server.

What `commit` returns is in the write-ahead log, and the log has been synced. Checkpoints, which
carry the log over into the database, are made between two commits, for up to version 3.51.2 SQLite
can lose what is committed while another connection makes one. So there is one connection that
writes: a lock file keeps other servers away, and all other connections only read.
"""

from __future__ import annotations

import os
import shlex
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ...program.process import reason_of
from . import statements
from .connections import Pool
from .data_files import PRIVATE, check_name, make_private
from .game_rows import Transaction
from .sqlite_tables import TYPES, create_tables, text_of, version_of
from .store import Result, StorageError, Store, Upgraded
from .upgrades import upgrade_from

#: How SQLite syncs. With NORMAL, what was acknowledged last may be lost with the power.
FULL, NORMAL = "FULL", "NORMAL"
#: Events after which the log is carried over, in some milliseconds.
CHECKPOINT_EVENTS = 1_000
#: How long, in seconds, a statement waits for another program that holds the file.
PATIENCE = 10.0
#: How long, in milliseconds, readers are waited for by who wants to empty the log.
SCRUB_PATIENCE = 100


class SystemFiles:
    """The files of this machine; tests put others in their place."""

    def connect(self, path: Path) -> sqlite3.Connection:
        """Open a database for any thread, without transactions that begin by themselves."""
        return sqlite3.connect(
            path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )

    def rewrite(self, path: Path) -> None:
        """Write a file over with what it holds, and sync it; do nothing if it does not exist.

        After a sync that has failed, Linux takes for synced what is in memory only, and to sync
        again changes nothing, until it is written again.
        """
        with suppress(FileNotFoundError), path.open("r+b") as file:
            content = file.read()
            file.seek(0)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())


class SqliteStore(Store):
    """A `Store` in a file.

    Args:
        path: of the file; it is made if it is not there.
        synchronous: `FULL`, or `NORMAL`: quicker, but a loss of power may take the last moves.
        checkpoint_events: events after which the log is carried over; 0 for never.
        files: opens the file.
    """

    def __init__(
        self,
        path: Path,
        synchronous: str = FULL,
        checkpoint_events: int = CHECKPOINT_EVENTS,
        files: SystemFiles | None = None,
    ) -> None:
        self._path = path
        # SQLite follows links, too: the log lies beside the file itself, and so does the lock.
        self._file = Path(os.path.realpath(path))
        self._synchronous = synchronous
        self._files = files or SystemFiles()
        self._checkpoint_events = checkpoint_events
        # Not `thread_local`, for `open` and `close` are called in different threads.
        self._lock = FileLock(f"{self._file}.lock", mode=PRIVATE, thread_local=False)
        self._readers = Pool(self._connect_reader)
        self._writer: sqlite3.Connection | None = None
        self._writing = threading.Lock()
        self._checkpointer: threading.Thread | None = None
        self._since_checkpoint = 0

    def open(self) -> None:
        """Open the file, and make its tables if it is new.

        What a killed server has left in the log, or one that could not sync, may be in the memory
        of this machine only. Readers rely on what they read: so first it is written again.
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
            # There may be a log already: the first commit has it carried over.
            self._since_checkpoint = self._checkpoint_events

    def close(self) -> None:
        """Carry the log over and let go of the file."""
        self._close_connections()
        self._lock.release()

    def upgrade(self) -> Upgraded:
        """Make a file of a former version one of this version; no server may use it."""
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
            with suppress(OSError):  # there is no log before the first commit
                sizes.append(self._file.with_name(name).stat().st_size)
        return sum(sizes)

    def commit(self, transactions: Sequence[Transaction]) -> list[bool]:
        """Write transactions in one commit, and return which of them are there."""
        written = super().commit(transactions)
        self._since_checkpoint += len(transactions)
        if self._since_checkpoint >= self._checkpoint_events > 0:
            self._checkpoint_soon()
        return written

    def checkpoint(self) -> None:
        """Carry the log over into the database; no reader is waited for."""
        with self._lent_writer() as writer:
            writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            self._since_checkpoint = 0

    def scrub(self) -> bool:
        """Empty the log, for what was removed still stands in it, unless a reader is in the way."""
        with self._lent_writer() as writer:
            writer.execute(f"PRAGMA busy_timeout = {SCRUB_PATIENCE}")
            try:
                ((is_hindered, *_),) = writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                writer.execute(f"PRAGMA busy_timeout = {int(1_000 * PATIENCE)}")
            self._since_checkpoint = 0
        return not is_hindered

    def _read(self, question: str, *values: object) -> list[Any]:
        if self._writer is None:
            raise StorageError(f"{self._path} is not open")
        with self._errors("read"), self._readers.lent() as reader:
            try:
                return self._ask(reader, question, *values)
            except sqlite3.OperationalError as error:
                if "decode to UTF-8" not in str(error):
                    raise
            # Some text is damaged: what else there is can still be read, and its checksum tells.
            reader.text_factory = text_of
            try:
                return self._ask(reader, question, *values)
            finally:
                reader.text_factory = str

    def _write(self, write: Callable[[sqlite3.Connection], Result]) -> Result:
        with self._lent_writer() as writer:
            writer.execute("BEGIN IMMEDIATE")
            result = write(writer)
            writer.execute("ROLLBACK" if result is None else "COMMIT")
        return result

    def _ask(self, session: sqlite3.Connection, statement: str, *values: object) -> list[Any]:
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
        """Lend the connection that writes; after an error it is gone until `open`.

        After a failed sync it is unknown what is on the disk, and to sync again would not tell.
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
            raise StorageError(f"cannot {doing} {self._path}: {error}") from error

    def _checkpoint_soon(self) -> None:
        """Begin a checkpoint, so that the last commit need not wait for its end."""
        if self._checkpointer is None or not self._checkpointer.is_alive():
            self._checkpointer = threading.Thread(
                target=self._checkpoint_quietly, name="checkpoint", daemon=True
            )
            self._checkpointer.start()

    def _checkpoint_quietly(self) -> None:
        with suppress(StorageError):  # the next commit is told that the file is not open
            self.checkpoint()

    def _lock_file(self, doing: str) -> None:
        """Keep other servers away, and make sure that what is in the log is on the disk."""
        try:
            if not self._lock.is_locked:
                self._file.parent.stat()  # a lock would make the folder
                check_name(self._file, doing)
                self._lock.acquire(blocking=False)
            make_private(self._file)
            self._files.rewrite(self._file.with_name(f"{self._file.name}-wal"))
        except OSError as error:
            reason = "a server uses it" if isinstance(error, Timeout) else reason_of(error)
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
        """Make a new connection ready to write, and the file ready if it is new."""
        version = version_of(writer, self._path, "open")
        if version not in (None, statements.SCHEMA_VERSION):
            upgrade = f"tic-tac-toe serve upgrade --data {shlex.quote(str(self._path))}"
            raise StorageError(
                f"cannot open {self._path}: an older version of this program wrote it;"
                f" to upgrade it: {upgrade}"
            )
        if writer.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
            raise StorageError(f"cannot open {self._path}: its file system has no shared memory")
        writer.execute(f"PRAGMA synchronous = {self._synchronous}")
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("PRAGMA cache_size = -32768")
        writer.execute("PRAGMA temp_store = MEMORY")
        writer.execute("PRAGMA secure_delete = ON")  # what is removed is written over
        if version is None:
            create_tables(writer)
            self.is_new = True
        for table in statements.ADDED_TABLES:
            writer.execute(table.format(**TYPES))

    def _upgrade_tables(self, writer: sqlite3.Connection, doing: str = "upgrade") -> Upgraded:
        """Make the tables of a file those of this version."""
        version = version_of(writer, self._path, doing)
        if version is None:
            raise StorageError(f"{self._path} is empty: it holds no games")
        if version == statements.SCHEMA_VERSION:
            return Upgraded(version)
        writer.text_factory = text_of
        writer.execute("PRAGMA synchronous = FULL")
        writer.execute("BEGIN IMMEDIATE")
        done = upgrade_from(
            version, TYPES, partial(self._ask, writer), partial(self._write_many, writer)
        )
        writer.execute(f"PRAGMA user_version = {statements.SCHEMA_VERSION}")
        writer.execute("COMMIT")
        return done
