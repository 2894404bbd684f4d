"""A disk that remembers what was done to it, and fails when it is told to, under SQLite.

The files are real ones in a folder. APSW lets Python stand between SQLite and them; `connect` makes
its connections look enough like those of `sqlite3` for the store.
"""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from errno import EIO
from pathlib import Path
from typing import Any, NamedTuple, cast

import apsw

from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe_frontends.server.storage.sqlite_store import SystemFiles

#: What is done to files, in the log of a disk.
WRITE, SYNC, TRUNCATE, DELETE = "write", "sync", "truncate", "delete"
#: A sync that failed: what was to be synced is not tried again, and memory still shows it.
LOSE = "lose"
#: Notes: these events are about to be committed together; somebody was told that they are there.
ASKED, THERE = "asked", "there"

_numbers = itertools.count(1)


class Step(NamedTuple):
    """One thing that was done.

    Attributes:
        kind: of the constants above.
        file: the name of the file, without its folder.
        offset: where, or the new length; of `DELETE` whether the folder was synced too.
        data: what was written.
        events: of a note.
    """

    kind: str
    file: str = ""
    offset: int = 0
    data: bytes = b""
    events: tuple[Event, ...] = ()


class Disk(SystemFiles):
    """Files whose writes, syncs, truncations and deletions are logged, and can be made to fail.

    Attributes:
        log: what was done so far.
        before: called before each step, which fails with what this raises.
    """

    def __init__(self) -> None:
        self.log: list[Step] = []
        self.before: Callable[[Step], None] = lambda step: None
        self._name = f"disk-{next(_numbers)}"
        self._system = _System(self, self._name)

    def connect(self, path: Path) -> sqlite3.Connection:
        """Open a database on this disk."""
        return cast(sqlite3.Connection, _Connection(path, self._name))

    def rewrite(self, path: Path) -> None:
        """Write a file over with what it holds, and sync it."""
        if path.exists():
            content = path.read_bytes()
            try:
                self.do(Step(WRITE, path.name, 0, content), lambda: None)
                self.do(Step(SYNC, path.name), lambda: None)
            except apsw.Error as error:
                raise OSError(EIO, str(error)) from error

    def note(self, kind: str, events: Iterable[Event]) -> None:
        """Put a note into the log: `ASKED` or `THERE`."""
        self.log.append(Step(kind, events=tuple(events)))

    def do(self, step: Step, action: Callable[[], None]) -> None:
        """Do something to a file and remember it; it is remembered only if it was done."""
        try:
            self.before(step)
        except apsw.Error:
            if step.kind == SYNC:
                self.log.append(step._replace(kind=LOSE))
            raise
        action()
        self.log.append(step)

    def remove(self) -> None:
        """Forget the disk; no connection may be open."""
        self._system.unregister()


def failure(code: int) -> Exception:
    """Return the error by which a file says that something has failed: a number of SQLite."""
    error = apsw.exception_for(code)
    assert isinstance(error, Exception)
    return error


class _System(apsw.VFS):
    def __init__(self, disk: Disk, name: str) -> None:
        self._disk = disk
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _File(self._disk, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:  # noqa: N802
        step = Step(DELETE, Path(name).name, int(syncdir))
        self._disk.do(step, lambda: super(_System, self).xDelete(name, syncdir))


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = Path(path).name if path else ""
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        step = Step(WRITE, self._name, offset, bytes(data))
        self._disk.do(step, lambda: super(_File, self).xWrite(data, offset))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        step = Step(TRUNCATE, self._name, newsize)
        self._disk.do(step, lambda: super(_File, self).xTruncate(newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802
        # The files lie in memory, so that there is nothing to sync but the log.
        self._disk.do(Step(SYNC, self._name), lambda: None)


class _Rows(NamedTuple):
    """What a statement has returned."""

    rows: list[Any]
    rowcount: int

    def fetchone(self) -> Any:
        return self.rows[0]

    def fetchall(self) -> list[Any]:
        return self.rows


class _Connection:
    """The part of `sqlite3.Connection` that the store uses."""

    def __init__(self, path: Path, system: str) -> None:
        self._connection = self._checked(lambda: apsw.Connection(str(path), vfs=system))
        self._connection.set_busy_timeout(10_000)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> _Rows:
        return self._run(lambda: list(self._connection.execute(statement, tuple(values))))

    def executemany(self, statement: str, values: Iterable[Sequence[Any]]) -> _Rows:
        return self._run(lambda: list(self._connection.executemany(statement, values)))

    def close(self) -> None:
        self._checked(self._connection.close)

    def _run(self, action: Callable[[], list[Any]]) -> _Rows:
        before = self._connection.total_changes()
        rows = self._checked(action)
        return _Rows(rows, self._connection.total_changes() - before)

    @staticmethod
    def _checked(action: Callable[[], Any]) -> Any:
        try:
            return action()
        except apsw.Error as error:
            raise sqlite3.OperationalError(str(error)) from error
