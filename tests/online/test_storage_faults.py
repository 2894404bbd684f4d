"""Disks that fail: an error is said, and nothing is acknowledged until it is opened again."""

from __future__ import annotations

import itertools
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

from tests.online.disk import DELETE, SYNC, TRUNCATE, WRITE, Disk, Step, failure
from tests.online.logs import Writer, all_events
from tests.online.power_cuts import MEMORY, NAME, PendingRequest, There, events_of, images_at, play
from tic_tac_toe_frontends.server.storage.game_rows import Transaction
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.store import StorageError

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


def trial(fault: Fault, seed: int, kind: type[SqliteStore] = SqliteStore) -> list[str]:
    """Play until the disk fails, mend it, open again and play on; return what is wrong."""
    disk = Disk()
    disk.before = fault
    rng = random.Random(seed)
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="faults-", dir=MEMORY) as folder:
        store = kind(Path(folder) / NAME, checkpoint_events=0, files=disk)
        writer = Writer(rng, 4)
        try:
            store.open()
            for _ in range(6):
                play(rng, store, writer, disk)
        except StorageError:
            unit = writer.unit()
            disk.mark(PendingRequest(unit.events))
            try:
                disk.mark(There(events_of([unit][: store.commit([unit])[0]])))
                problems.append("acknowledged before it was opened again")
            except StorageError:
                pass
        fault.is_mended = True
        store.open()
        disk.mark(There(all_events(store)))
        reopened = len(disk.log)
        play(rng, store, Writer(rng, 4), disk)
        store.close()
    disk.remove()
    for likelihood in (0.0, 1.0):
        for image in images_at(disk.log, [reopened, len(disk.log)], rng, likelihood):
            problems += image.problems()
    return problems


def trials(
    kinds: Sequence[str], code: int, kind: type[SqliteStore] = SqliteStore
) -> tuple[int, list[str]]:
    """Let each step fail in its turn, once and for longer; return their number and the problems."""
    count = 0
    problems: list[str] = []
    for lasts in (False, True):
        for number in itertools.count(1):
            fault = Fault(kinds, code, number, lasts)
            said = trial(fault, number, kind)
            problems += [f"fault {number}, lasts {lasts}: {text}" for text in said]
            if not fault.happened:
                break
            count += 1
    return count, problems


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_disk_that_fails_loses_nothing_that_was_acknowledged(name: str) -> None:
    count, problems = trials(*FAULTS[name])
    assert count > 0
    assert problems == []


class Stubborn(SqliteStore):
    """Acknowledges whatever the disk says."""

    def commit(self, units: Sequence[Transaction]) -> list[bool]:
        try:
            return super().commit(units)
        except StorageError:
            return [True] * len(units)


class Hasty(SqliteStore):
    """Opens itself again after an error, and does not tell."""

    def commit(self, units: Sequence[Transaction]) -> list[bool]:
        try:
            return super().commit(units)
        except StorageError:
            self.open()
            return super().commit(units)


@pytest.mark.parametrize(
    ("kind", "complaint"), [(Stubborn, "lost"), (Hasty, "before it was opened")]
)
def test_a_store_that_hides_an_error_is_caught(kind: type[SqliteStore], complaint: str) -> None:
    _, problems = trials(*FAULTS["EIO at a sync"], kind)
    assert any(complaint in problem for problem in problems)


def test_a_store_that_syncs_again_what_could_not_be_synced_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Disk, "rewrite", lambda disk, path: None)
    _, problems = trials(*FAULTS["EIO at a sync"])
    assert any("lost" in problem for problem in problems)
