"""Backups of all games, and their verification by replay."""

from __future__ import annotations

import heapq
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant
from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import OnlineGame, begin

from ...program.process import reason_of
from .data_files import check_name, give_away
from .game_rows import GameRow, row_of
from .sqlite_tables import version_of
from .store import StorageError, Store

#: What a damaged log of a game raises.
DAMAGE = (InvalidGameState, InvalidVariant, StorageError)
#: Seconds that SQLite waits for the file.
PATIENCE = 10.0
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
        sync_folder(target.parent)
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
        if version_of(reading, source, "back up") is None:
            raise StorageError(f"{source} is empty: it holds no games")
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


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder survive a loss of power, where that is possible."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
