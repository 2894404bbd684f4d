"""Files of games that are only read: backups; and how one replaces the games of a server."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ...program.process import reason_of
from . import statements
from .backup import PATIENCE, Report, copy_games, sync_folder, verify
from .data_files import PRIVATE, check_name, closed_file, files_of, give_away, make_private
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
    a copy in a temporary folder.

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


def restore(copy: Path, target: Path) -> Report:
    """Replace the games of a file by those of a verified copy, while no server uses the file.

    The file keeps its owner and its mode; a new one gets the owner of its folder. After a failure
    the file is as it was before.

    Returns:
        what the verification of the copy has found; if there are problems nothing is replaced.

    Raises:
        StorageError: it cannot be done.
    """
    file = Path(os.path.realpath(target))
    check_name(file, "restore")
    if file.exists() and copy.exists() and file.samefile(copy):
        raise StorageError(f"cannot restore {target} from itself")
    if not file.parent.is_dir():
        raise StorageError(f"cannot restore {target}: there is no folder {file.parent}")
    with closing(SqliteCopy(copy)) as store:
        store.open()
        report = verify(store)
    if report.problems:
        return report
    main, *beside, lock_file = files_of(file)
    lock = FileLock(lock_file, mode=PRIVATE, thread_local=False)
    partial = file.with_name(f"{file.name}.restored")
    try:
        is_locked_before = lock_file.exists()
        with lock.acquire(blocking=False):
            if not is_locked_before:
                give_away(lock_file, file.parent)
            partial.unlink(missing_ok=True)
            make_private(partial)
            copy_games(copy, partial)
            if main.exists():
                partial.chmod(main.stat().st_mode & 0o777)
                give_away(partial, main)
                _empty_log(main)
            for part in beside:  # the log of the old file would be applied to the new one
                part.unlink(missing_ok=True)
            partial.replace(main)
            sync_folder(file.parent)
    except Timeout as error:
        raise StorageError(f"cannot restore {target}: a server uses it; stop it first") from error
    except (sqlite3.Error, OSError) as error:
        reason = closed_file(file) or reason_of(error)
        raise StorageError(f"cannot restore {target}: {reason}") from error
    finally:
        partial.unlink(missing_ok=True)
    return report


def _empty_log(file: Path) -> None:
    """Copy the log of a file into it, so that the file is whole without the log."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(file, timeout=PATIENCE)) as writer:
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _has_log(path: Path) -> bool:
    logs = [Path(f"{path}{ending}") for ending in ("-wal", "-journal")]
    return any(log.exists() and log.stat().st_size for log in logs)
