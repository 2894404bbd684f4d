"""Disks that fail, and what is left after the power does: nothing acknowledged is lost.

What a program has written and not synced may have reached the disk in parts, in any order, or not
at all. A recording is what a store did to its files while games were played; an image is what may
be left of them if the power fails at some step of it. In half of the recordings the server is
killed on the way, and started again while what it had not synced is still in memory only.
"""

from __future__ import annotations

import itertools
import random
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from tests.online.disk import ASKED, DELETE, LOSE, SYNC, THERE, TRUNCATE, WRITE, Disk, Step, failure
from tests.online.logs import Writer, all_events
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe_frontends.server.storage.backup import verify
from tic_tac_toe_frontends.server.storage.game_rows import Transaction
from tic_tac_toe_frontends.server.storage.sqlite_store import NORMAL, SqliteStore
from tic_tac_toe_frontends.server.storage.store import StorageError

#: The bytes that disks write whole, or so it is hoped; the likelihood that a sector is torn.
SECTOR = 512
TORN = 0.02
#: How likely it is that what was not synced has reached the disk: all alike in one image.
LIKELIHOODS = (0.0, 0.1, 0.5, 0.9, 1.0)
#: The number of images that are made from one recording.
IMAGES_OF_A_RECORDING = 50
#: Files in memory, where there are such.
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
NAME = "games.sqlite"


class Files:
    """Files as steps have left them: what is on the disk, and what is in memory only."""

    def __init__(self) -> None:
        self.on_disk: dict[str, bytes] = {}
        self.in_memory: dict[str, bytearray] = {}
        self._unsynced: dict[str, list[Step]] = {}
        self._deleted: set[str] = set()

    def do(self, step: Step) -> None:
        """Follow one more step."""
        name = step.file
        if step.kind == SYNC:
            if name not in self.on_disk and name != NAME:
                # SQLite syncs the folder with a new log or journal: what was deleted is gone now.
                for deleted in list(self._deleted):
                    self._vanish(deleted)
            content = bytearray(self.on_disk.get(name, b""))
            for written in self._unsynced.pop(name, ()):
                _apply(content, written)
            self.on_disk[name] = bytes(content)
        elif step.kind == LOSE:
            self._unsynced.pop(name, None)
        elif step.kind == DELETE:
            self.in_memory.pop(name, None)
            self._deleted.add(name)
            if step.offset:
                self._vanish(name)
        elif step.kind in (WRITE, TRUNCATE):
            if name in self._deleted:
                self._vanish(name)
            content = self.in_memory.setdefault(name, bytearray())
            _apply(content, step)
            self._unsynced.setdefault(name, []).append(step)

    def _vanish(self, name: str) -> None:
        self._deleted.discard(name)
        self.on_disk.pop(name, None)
        self._unsynced.pop(name, None)

    def after_power_cut(self, rng: random.Random, likelihood: float) -> dict[str, bytes]:
        """Return what may be left of the files; `likelihood` is that of what was not synced."""
        left: dict[str, bytes] = {}
        for name in sorted({*self.on_disk, *self._unsynced}):
            if name in self._deleted and rng.random() < likelihood:
                continue
            if name not in self.on_disk and rng.random() >= likelihood:
                continue
            content = bytearray(self.on_disk.get(name, b""))
            for step in self._unsynced.get(name, ()):
                for part in _parts(step, rng):
                    if rng.random() < likelihood:
                        _apply(content, part)
            left[name] = bytes(content)
        return left


def _parts(step: Step, rng: random.Random) -> Iterator[Step]:
    """Yield what reaches the disk by itself: the sectors of a write, torn ones among them."""
    if step.kind != WRITE:
        yield step
        return
    start, data = step.offset, step.data
    while data:
        length = SECTOR - start % SECTOR
        part = data[:length]
        if rng.random() < TORN:
            part = part[: rng.randrange(len(part) + 1)]
        yield step._replace(offset=start, data=part)
        start, data = start + length, data[length:]


def _apply(content: bytearray, step: Step) -> None:
    if step.kind == TRUNCATE:
        del content[step.offset :]
        return
    if len(content) < step.offset:
        content.extend(bytes(step.offset - len(content)))
    content[step.offset : step.offset + len(step.data)] = step.data


def record(rng: random.Random, **settings: Any) -> list[Step]:
    """Let games be played on a disk, and return what was done to it."""
    writer = Writer(rng, count=rng.randrange(1, 12))
    steps = _run(rng, writer, Files(), **settings)
    if rng.random() < 0.5:
        return steps
    killed = steps[: rng.randrange(len(steps))]
    files = Files()
    for step in killed:
        files.do(step)
    return killed + _run(rng, Writer(rng, count=3), files, **settings)


def _run(rng: random.Random, writer: Writer, files: Files, **settings: Any) -> list[Step]:
    """Open a store on files as the system remembers them, play on, and return the steps."""
    disk = Disk()
    with tempfile.TemporaryDirectory(prefix="power-", dir=MEMORY) as folder:
        _write_files(Path(folder), files.in_memory)
        # Checkpoints are made when the recording says so.
        store = SqliteStore(Path(folder) / NAME, **settings, checkpoint_events=0, files=disk)
        store.open()
        disk.note(THERE, all_events(store))
        for _ in range(rng.randrange(5, 30)):
            play(rng, store, writer, disk)
        store.close()
    disk.remove()
    return disk.log


def play(rng: random.Random, store: SqliteStore, writer: Writer, disk: Disk) -> None:
    """Do one of the things that a server does to its store."""
    choice = rng.random()
    if choice < 0.05:
        store.close()
        store.open()
    elif choice < 0.1:
        store.beat(rng.randrange(10_000))
    elif choice < 0.3:
        store.checkpoint()
    units = [writer.unit() for _ in range(rng.choice((1, 2, 5, 20)))]
    if rng.random() < 0.1:
        units.append(units[0])  # sent twice: is there once
    disk.note(ASKED, events_of(units))
    there = store.commit(units)
    disk.note(THERE, events_of(itertools.compress(units, there)))


def events_of(units: Iterable[Transaction]) -> Iterator[Event]:
    return (event for unit in units for event in unit.events)


def _write_files(folder: Path, files: Mapping[str, bytes | bytearray]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def images_at(
    steps: Sequence[Step], cuts: Sequence[int], rng: random.Random, likelihood: float | None = None
) -> Iterator[Image]:
    """Yield what may be left after power cuts.

    Args:
        cuts: the numbers of steps after which the power fails, ascending.
        likelihood: that what was not synced is there; ``None`` for one of `LIKELIHOODS`.
    """
    files, asked, there = Files(), set[Event](), set[Event]()
    done = 0
    for cut in cuts:
        for step in steps[done:cut]:
            files.do(step)
            asked.update(step.events if step.kind == ASKED else ())
            there.update(step.events if step.kind == THERE else ())
        done = cut
        kept = rng.choice(LIKELIHOODS) if likelihood is None else likelihood
        yield Image(files.after_power_cut(rng, kept), frozenset(there), frozenset(asked))


class Image(NamedTuple):
    """Files after a power cut, the events that must be in them, and those that may be."""

    files: dict[str, bytes]
    there: frozenset[Event]
    asked: frozenset[Event]

    def problems(self) -> list[str]:
        """Open the files as a server does, and return what is lost, invented or corrupt."""
        with tempfile.TemporaryDirectory(prefix="image-", dir=MEMORY) as folder:
            path = Path(folder) / NAME
            _write_files(Path(folder), self.files)
            store = SqliteStore(path)
            try:
                store.open()
                found = set(all_events(store))
                damaged = verify(store).problems
            except StorageError as error:
                return [f"corrupt: {error}"]
            finally:
                store.close()
            with closing(sqlite3.connect(path)) as connection:
                [(integrity,)] = connection.execute("PRAGMA integrity_check(1)").fetchall()
        problems = [f"corrupt: {problem.text}" for problem in damaged]
        if integrity != "ok":
            problems.append(f"corrupt: {integrity}")
        if lost := self.there - found:
            problems.append(f"lost: {len(lost)} events that were acknowledged")
        if invented := found - self.asked:
            problems.append(f"invented: {len(invented)} events that nobody asked for")
        return problems


def cut_power(count: int, **settings: Any) -> list[str]:
    """Look into `count` images, and return what is wrong with them."""
    looked = 0
    problems: list[str] = []
    while looked < count and len(problems) < 20:
        rng = random.Random(f"1 {looked}")
        steps = record(rng, **settings)
        cuts = sorted(rng.randrange(len(steps) + 1) for _ in range(IMAGES_OF_A_RECORDING))
        for image in images_at(steps, cuts, rng):
            problems += [f"image {looked}: {text}" for text in image.problems()]
            looked += 1
    return problems


@pytest.mark.parametrize(
    "images",
    [
        pytest.param(150, marks=pytest.mark.medium),
        pytest.param(2_500, marks=pytest.mark.slow),
        pytest.param(50_000, marks=pytest.mark.nightly),
    ],
)
def test_no_power_cut_loses_what_was_acknowledged(images: int) -> None:
    assert cut_power(images) == []


@pytest.mark.medium
def test_a_store_that_syncs_less_loses_moves_and_nothing_else() -> None:
    problems = cut_power(2_000, synchronous=NORMAL)
    assert problems
    assert all("lost" in problem for problem in problems)


# -- disks that fail -------------------------------------------------------------------------------


#: What fails, and with which error.
FAULTS = {
    "EIO at a write": ((WRITE, TRUNCATE), apsw.SQLITE_IOERR_WRITE),
    "ENOSPC at a write": ((WRITE, TRUNCATE), apsw.SQLITE_FULL),
    "EIO at a sync": ((SYNC,), apsw.SQLITE_IOERR_FSYNC),
    "ENOSPC at a sync": ((SYNC,), apsw.SQLITE_FULL),
    "EIO at a deletion": ((DELETE,), apsw.SQLITE_IOERR_DELETE),
}


@dataclass
class Fault:
    """Makes step `number` of some kinds fail, or all from there on."""

    kinds: Sequence[str]
    code: int
    number: int
    lasts: bool
    happened: bool = False
    is_mended: bool = False

    def __call__(self, step: Step) -> None:
        if step.kind not in self.kinds or self.is_mended:
            return
        self.number -= 1
        if self.number == 0 or (self.number < 0 and self.lasts):
            self.happened = True
            raise failure(self.code)


def trial(fault: Fault, seed: int) -> list[str]:
    """Play until the disk fails, mend it, open again and play on; return what is wrong."""
    disk = Disk()
    disk.before = fault
    rng = random.Random(seed)
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="faults-", dir=MEMORY) as folder:
        store = SqliteStore(Path(folder) / NAME, checkpoint_events=0, files=disk)
        writer = Writer(rng, 4)
        try:
            store.open()
            for _ in range(6):
                play(rng, store, writer, disk)
        except StorageError:
            unit = writer.unit()
            disk.note(ASKED, unit.events)
            try:
                disk.note(THERE, events_of(itertools.compress([unit], store.commit([unit]))))
                problems.append("acknowledged before it was opened again")
            except StorageError:
                pass
        fault.is_mended = True
        store.open()
        disk.note(THERE, all_events(store))
        reopened = len(disk.log)
        play(rng, store, Writer(rng, 4), disk)
        store.close()
    disk.remove()
    for likelihood in (0.0, 1.0):
        for image in images_at(disk.log, [reopened, len(disk.log)], rng, likelihood):
            problems += image.problems()
    return problems


@pytest.mark.slow
@pytest.mark.parametrize(("kinds", "code"), FAULTS.values(), ids=FAULTS)
def test_a_disk_that_fails_loses_nothing_that_was_acknowledged(
    kinds: Sequence[str], code: int
) -> None:
    """Each step fails in its turn, once and for longer."""
    for lasts in (False, True):
        for number in itertools.count(1):
            fault = Fault(kinds, code, number, lasts)
            assert trial(fault, number) == [], (number, lasts)
            if not fault.happened:
                break
        assert number > 1
