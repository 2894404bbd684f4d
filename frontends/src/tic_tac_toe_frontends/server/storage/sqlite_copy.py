"""A file of games that is only read: a backup, or the games while no server runs."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ...program.process import reason_of
from . import statements
from .data_files import check_name
from .sqlite_store import SqliteStore, SystemFiles
from .sqlite_tables import version_of
from .store import StorageError


class UnchangedFiles(SystemFiles):
    """Opens files without writing to them or beside them."""

    def connect(self, path: Path) -> sqlite3.Connection:
        """Open a database as immutable; a log beside it is not read."""
        address = f"{path.as_uri()}?mode=ro&immutable=1"
        return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)


class SqliteCopy(SqliteStore):
    """The `Store` of a file that no server uses, and that stays unchanged.

    Reading a log beside the file, or tables of a former version, requires writing; that happens in
    a
    copy in a temporary folder.

    Args:
        path: of the file, which may be on a read-only disk.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, files=UnchangedFiles())
        self._original = self._file
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def open(self) -> None:
        """Open the file, which has to exist."""
        self.close()
        if not self._original.exists():
            raise StorageError(f"cannot read {self._path}: there is no such file")
        check_name(self._path, "read")
        try:
            with self._not_in_use(), self._errors("read"):
                if _has_log(self._original) or self._version() != statements.SCHEMA_VERSION:
                    self._copy()
                self._writer = self._connect_reader()
        except OSError as error:
            raise StorageError(f"cannot read {self._path}: {reason_of(error)}") from error

    def close(self) -> None:
        """Close the file."""
        self._close_connections()
        self._file = self._original
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _copy(self) -> None:
        """Use a copy in place of the file, with its log applied and its tables upgraded."""
        self._folder = tempfile.TemporaryDirectory()
        self._file = Path(self._folder.name) / "copy.sqlite"
        for ending in ("", "-wal", "-journal"):
            part = Path(f"{self._original}{ending}")
            if part.exists():
                shutil.copyfile(part, f"{self._file}{ending}")
        with closing(SystemFiles().connect(self._file)) as writer:
            self._upgrade_tables(writer, "read")

    def _version(self) -> int:
        with closing(self._connect_reader()) as reader:
            version = version_of(reader, self._path, "read")
        if version is None:
            raise StorageError(f"{self._path} is empty: it holds no games")
        return version

    @contextmanager
    def _not_in_use(self) -> Iterator[None]:
        lock = FileLock(f"{self._original}.lock", thread_local=False)
        try:
            if Path(lock.lock_file).exists():
                lock.acquire(blocking=False)
        except Timeout as error:
            problem = f"cannot read {self._path}: a server uses it; make a backup and verify that"
            raise StorageError(problem) from error
        except OSError:
            pass  # nobody can write here, so no server holds the lock
        try:
            yield
        finally:
            lock.release()


def _has_log(path: Path) -> bool:
    logs = [Path(f"{path}{ending}") for ending in ("-wal", "-journal")]
    return any(log.exists() and log.stat().st_size for log in logs)
