"""Backups of all games: how one is made, verified by replay, and put into the games' place."""

from __future__ import annotations

import heapq
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant
from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import OnlineGame, begin

from ...program.process import reason_of
from . import statements
from .data_files import PRIVATE, check_name, closed_file, files_of, give_away, make_private
from .game_rows import GameRow, row_of
from .sqlite_store import PATIENCE, SqliteStore, SystemFiles, version_of
from .store import StorageError, Store

#: What is added to the name of a file whose games were replaced.
REPLACED = ".replaced"
#: What a damaged log of a game raises.
DAMAGE = (InvalidGameState, InvalidVariant, StorageError)
#: Pages that are copied in one step; the server writes between two steps.
PAGES_AT_ONCE = 1_000


class Problem(NamedTuple):
    """What is wrong with a game, as a sentence."""

    game: str
    text: str


class Report(NamedTuple):
    """The result of a verification: how many games and events there are, and all problems."""

    games: int
    events: int
    problems: tuple[Problem, ...]


def backup(source: Path, target: Path, *, overwrite: bool = False) -> None:
    """Copy the games of an SQLite file as they are at one moment, while a server may write to it.

    Args:
        target: the new file, which only its owner may read; it appears when the copy is complete
            and synced, or not at all.
        overwrite: whether an existing file is replaced.

    Raises:
        StorageError: it cannot be done.
    """
    if not source.exists():
        raise StorageError(f"cannot back up {source}: there is no such file")
    check_name(source, "back up")
    if target.exists() and target.samefile(source):
        raise StorageError(f"cannot back up {source} to itself")
    if target.is_dir():
        raise StorageError(f"{target} is a folder; name the file to write")
    if not target.parent.is_dir():
        raise StorageError(f"cannot back up to {target}: there is no folder {target.parent}")
    _check_free(target, overwrite)
    try:
        handle, name = tempfile.mkstemp(".partial", f"{target.name}.", target.parent)
        os.close(handle)
        partial = Path(name)
        give_away(partial, target.parent)
        try:
            copy_games(source, partial)
            _check_free(target, overwrite)
            partial.replace(target)
        finally:
            for ending in ("", "-journal"):
                Path(f"{partial}{ending}").unlink(missing_ok=True)
        _sync_folder(target.parent)
    except (sqlite3.Error, OSError) as error:
        reason = reason_of(error)
        raise StorageError(f"cannot back up {source} to {target}: {reason}") from error


def _check_free(target: Path, overwrite: bool) -> None:
    if target.exists() and not overwrite:
        raise StorageError(f"{target} exists already; --overwrite replaces it")


def copy_games(source: Path, target: Path) -> None:
    """Copy the games of a file into an empty one, as they are at one moment."""
    with closing(_connect(source)) as reading, closing(sqlite3.connect(target)) as writing:
        # Without a read transaction the copy would restart after every commit.
        reading.execute("BEGIN")
        version_of(reading, source, "back up")
        reading.backup(writing, pages=PAGES_AT_ONCE, sleep=0)
        reading.rollback()


def _connect(source: Path) -> sqlite3.Connection:
    """Open a file that a server may be using, without writing to it or leaving files beside it.

    SQLite needs a log beside a file in WAL mode even to read it, and removes it at the end. In a
    folder where no log can be created nobody writes either, so the file may be treated as
    immutable.
    """
    file = Path(os.path.realpath(source))
    if file.with_name(f"{file.name}-wal").exists():
        mode = "ro"
    else:
        mode = "rw" if os.access(file.parent, os.W_OK) else "ro&immutable=1"
    return sqlite3.connect(f"{file.as_uri()}?mode={mode}", uri=True, timeout=PATIENCE)


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
            return version_of(reader, self._path, "read")

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


def verify(store: Store) -> Report:
    """Replay every game of a store, and compare it with its row.

    Nothing may write to the store meanwhile.
    """
    pauses = store.pauses()
    games = events = 0
    problems: list[Problem] = []
    for address in store.all_games():
        games += 1
        try:
            log = store.events(address)
            events += len(log)
            game, row = _replayed(log, pauses)
        except DAMAGE as error:
            problems.append(Problem(address, str(error)))
            continue
        kept = store.row(address)
        # A restarted server may have taken the time of the last event it read as that of the stage.
        if (
            kept is None
            or not row.time <= kept.time <= game.time
            or kept[:3] + kept[4:] != (row[:3] + row[4:])
        ):
            problems.append(Problem(address, f"its row is {kept}, and its events make {row}"))
    return Report(games, events, tuple(problems))


def compare(store: Store, other: Store) -> Iterator[Problem]:
    """Replay every game of two stores, and yield the games that differ."""
    pauses = store.pauses(), other.pauses()
    for address, places in _paired(store.all_games(), other.all_games()):
        if places != {0, 1}:
            place = "first" if 0 in places else "second"
            yield Problem(address, f"only the {place} has it")
            continue
        logs = store.events(address), other.events(address)
        try:
            one, two = (_replayed(log, known)[0].digest for log, known in zip(logs, pauses))
        except DAMAGE as error:
            yield Problem(address, str(error))
            continue
        if one != two:
            yield Problem(address, f"its digests are {one} and {two}")


def _replayed(log: Sequence[Event], pauses: Pauses) -> tuple[OnlineGame, GameRow]:
    if not log:
        raise StorageError("it has no events")
    game = begin(log[0])
    row = row_of(game)
    for event in log[1:]:
        game = game.apply(event, pauses)
        row = row_of(game, row)
    return game, row


def _paired(ours: Iterator[str], theirs: Iterator[str]) -> Iterator[tuple[str, set[int]]]:
    """Yield every address of two sorted iterators, and which of them have it: 0, 1 or both."""
    named = heapq.merge(((name, 0) for name in ours), ((name, 1) for name in theirs))
    for name, places in groupby(named, key=itemgetter(0)):
        yield name, {place for _, place in places}


def restore(copy: Path, target: Path, *, damaged: bool = False) -> Report:
    """Replace the games of a file by those of a verified copy, while no server uses the file.

    The file keeps its owner and its mode; a new one gets the owner of its folder. What was there
    stays beside it, with the suffix `REPLACED`. After a failure the file is as it was before.

    Args:
        damaged: whether a copy with problems is restored, too.

    Returns:
        what the verification of the copy has found.

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
    if report.problems and not damaged:
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
                former = main.with_name(main.name + REPLACED)
                former.unlink(missing_ok=True)
                os.link(main, former)  # the file is there at every moment
            for part in beside:  # the log of the old file would be applied to the new one
                part.unlink(missing_ok=True)
            partial.replace(main)
            _sync_folder(file.parent)
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


def _sync_folder(folder: Path) -> None:
    """Make a new name in a folder survive a loss of power, where that is possible."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
