"""Backups are of one moment, and the drill notices what is not as the events made it."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.machine import needs
from tests.online.former import make_file_old
from tests.online.logs import Writer, all_events, opened
from tests.protocols.games import happening
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe_frontends.server.cli import main
from tic_tac_toe_frontends.server.storage.backup import backup, compare, verify
from tic_tac_toe_frontends.server.storage.game_rows import Transaction
from tic_tac_toe_frontends.server.storage.postgres_store import PostgresStore
from tic_tac_toe_frontends.server.storage.sqlite_copy import SqliteCopy
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.store import StorageError


def units(seed: int, count: int) -> list[Transaction]:
    writer = Writer(random.Random(seed), 20)
    return [writer.unit() for _ in range(count)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a few games, after its server has ended."""
    path = tmp_path / "games.sqlite"
    with opened(SqliteStore(path)) as store:
        store.commit(units(1, 300))
    return path


def lost_by(
    copy: Callable[[Path, Path], object], folder: Path, checkpoint_events: int = 500
) -> set[Event]:
    """Copy a file while it is written to; return what was committed before, and is not there."""
    path, target = folder / "live.sqlite", folder / "copy.sqlite"
    all_units = units(2, 6_000)
    first = all_units[:3_000]
    with opened(SqliteStore(path, checkpoint_events=checkpoint_events)) as store:
        store.commit(first)
        goes_on = threading.Event()
        ended = threading.Event()

        def play() -> None:
            for unit in all_units[len(first) :]:
                store.commit([unit])
                goes_on.set()
                if ended.is_set():
                    return

        playing = threading.Thread(target=play)
        playing.start()
        assert goes_on.wait(60)
        copy(path, target)
        ended.set()
        playing.join()
    with opened(SqliteStore(target)) as store:
        assert verify(store).problems == ()
        found = set(all_events(store))
    return {event for unit in first for event in unit.events} - found


def test_a_backup_of_a_server_at_work_has_all_that_was_committed(tmp_path: Path) -> None:
    assert lost_by(backup, tmp_path) == set()
    assert sorted(entry.name for entry in tmp_path.iterdir() if "copy" in entry.name) == [
        "copy.sqlite",
        "copy.sqlite.lock",
    ]


def test_a_backup_that_copies_the_file_alone_is_caught(tmp_path: Path) -> None:
    assert lost_by(shutil.copyfile, tmp_path, checkpoint_events=0) != set()


def test_what_cannot_be_copied_is_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no such file"):
        backup(tmp_path / "nothing", tmp_path / "copy")
    with pytest.raises(StorageError, match="to itself"):
        backup(path, path)
    with pytest.raises(StorageError, match="there is no folder"):
        backup(path, tmp_path / "nowhere" / "copy")
    for overwrite in (False, True):
        with pytest.raises(StorageError, match="is a folder; name the file to write"):
            backup(path, tmp_path, overwrite=overwrite)
    with pytest.raises(StorageError, match="it is a folder"):
        backup(tmp_path, tmp_path / "copy")
    for statement, words in (("application_id", "another program"), ("user_version", "a newer")):
        backup(path, other := tmp_path / "other.sqlite", overwrite=True)
        with closing(sqlite3.connect(other)) as connection:
            connection.execute(f"PRAGMA {statement} = 99")
        with pytest.raises(StorageError, match=words):
            backup(other, tmp_path / "copy")
    (tmp_path / "text").write_text("no games\n" * 100)
    with pytest.raises(StorageError, match="not a database"):
        backup(tmp_path / "text", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_file_that_is_there_is_replaced_only_when_that_is_wanted(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "copy.sqlite"
    target.write_text("of another day")
    command = ["backup", "--data", str(path), str(target), "--lang", "en"]
    assert main(command, "tic-tac-toe serve") == 1
    assert f"{target} exists already; --overwrite replaces it" in capsys.readouterr().err
    assert target.read_text() == "of another day"
    assert main([*command, "--overwrite"], "tic-tac-toe serve") == 0
    with opened(SqliteStore(target)) as store:
        assert verify(store).problems == ()


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_copy_that_fails_on_the_way_leaves_what_was_there(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overwrite: bool
) -> None:
    target = tmp_path / "folder" / "copy.sqlite"
    target.parent.mkdir()
    if overwrite:
        target.write_text("of another day")

    def fail(source: Path, partial: Path) -> None:
        partial.write_bytes(b"half of it")
        raise OSError("the disk is full")

    monkeypatch.setattr("tic_tac_toe_frontends.server.storage.backup._copy", fail)
    with pytest.raises(StorageError, match="the disk is full"):
        backup(path, target, overwrite=overwrite)
    assert [entry.name for entry in target.parent.iterdir()] == ["copy.sqlite"] * overwrite
    assert not overwrite or target.read_text() == "of another day"


def content_of(folder: Path) -> dict[str, bytes]:
    """Return the names and the bytes of all files in a folder."""
    return {entry.name: entry.read_bytes() for entry in folder.iterdir()}


def leave_a_log(path: Path) -> None:
    """Let a server that is killed write a game into the log beside a file."""
    script = (
        "import os; from pathlib import Path; from tests.online.logs import created;"
        "from tic_tac_toe_frontends.server.storage.game_rows import Transaction, row_of;"
        "from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore;"
        "from tic_tac_toe.protocols.online.game import begin;"
        f"store = SqliteStore(Path({str(path)!r}), checkpoint_events=0); store.open();"
        "event = created('game');"
        "store.commit([Transaction((event,), (row_of(begin(event)),))]); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("kind", ["backup", "with a log", "of a former version"])
def test_a_file_that_is_checked_or_copied_stays_as_it_is_and_nothing_is_laid_beside_it(
    path: Path, tmp_path: Path, kind: str
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    backup(path, copy := folder / "copy.sqlite")
    if kind == "with a log":
        leave_a_log(copy)
    elif kind == "of a former version":
        make_file_old(copy)
    before = content_of(folder)

    with closing(SqliteCopy(copy)) as store:
        store.open()
        report = verify(store)
        assert (store.row("game") is not None) == (kind == "with a log")
    backup(copy, tmp_path / "copy-of-copy.sqlite")

    assert report.problems == ()
    assert report.games > 20
    after = content_of(folder)
    assert after.keys() == before.keys()
    assert after["copy.sqlite"] == before["copy.sqlite"]
    with closing(SqliteCopy(tmp_path / "copy-of-copy.sqlite")) as store:
        store.open()
        assert verify(store) == report


def test_a_copy_on_a_disk_that_cannot_be_written_is_checked_and_copied(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    path.with_name("games.sqlite-wal").symlink_to("nowhere/wal")  # so SQLite can make no log
    with closing(SqliteCopy(path)) as store:
        store.open()
        assert verify(store).problems == ()
    backup(path, tmp_path / "copy.sqlite")
    monkeypatch.undo()
    with pytest.raises(StorageError, match="unable to open"):
        backup(path, tmp_path / "another.sqlite")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.touch(), "is empty: it holds no games"),
        (lambda path: path.mkdir(), "it is a folder"),
        (lambda path: path.write_text("no games" * 100), "not a database"),
    ],
)
def test_what_holds_no_games_is_neither_checked_nor_copied(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    make: Callable[[Path], object],
    words: str,
) -> None:
    make(path := tmp_path / "no.sqlite")
    prog, target = "tic-tac-toe serve", tmp_path / "copy.sqlite"
    for command in (["verify", str(path)], ["backup", "--data", str(path), str(target)]):
        assert main([*command, "--lang", "en"], prog) == 1
        assert words in capsys.readouterr().err
    assert [entry.name for entry in tmp_path.iterdir()] == ["no.sqlite"]
    assert path.is_dir() or path.stat().st_size in (0, 800)


def test_games_that_a_server_uses_are_not_checked(path: Path) -> None:
    with opened(SqliteStore(path)), pytest.raises(StorageError, match="a server uses it; make a b"):
        SqliteCopy(path).open()


@pytest.mark.skipif(os.name != "posix", reason="hard links")
def test_a_second_name_of_the_games_is_not_copied(path: Path, tmp_path: Path) -> None:
    """What is in the log would be missing."""
    os.link(path, tmp_path / "other.sqlite")
    with pytest.raises(StorageError, match="hard links"):
        backup(tmp_path / "other.sqlite", tmp_path / "copy.sqlite")


def test_games_that_are_as_they_were_pass_the_drill(path: Path) -> None:
    with opened(SqliteStore(path)) as store:
        report = verify(store)
    assert report.problems == ()
    assert report.games > 20
    assert report.events >= 300


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("DELETE FROM events WHERE version = 3 AND game = ?", "event 4 of a game that is at"),
        ("UPDATE events SET cell = 99 WHERE kind = 'move' AND game = ?", "event "),
        ("UPDATE events SET cell = 8 - cell WHERE kind = 'move' AND game = ?", "checksum"),
        ("UPDATE events SET time = time + 1 WHERE version = 2 AND game = ?", "checksum"),
        ("UPDATE events SET data = '{' WHERE version = 1 AND game = ?", "cannot be read"),
        ("UPDATE games SET stage = 'over', result = 'X' WHERE game = ?", "its row is"),
        ("UPDATE games SET time = time + 999999 WHERE game = ?", "its row is"),
        ("DELETE FROM games WHERE game = ?", "its row is None"),
    ],
)
def test_the_drill_notices_damage(path: Path, damage: str, words: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        [(game,)] = connection.execute(
            "SELECT game FROM games JOIN events USING (game) WHERE stage = 'playing'"
            " GROUP BY game HAVING max(version) > 3 AND sum(kind = 'move') > 0 LIMIT 1"
        ).fetchall()
        connection.execute(damage, (game,))
    with opened(SqliteStore(path)) as store:
        [problem] = verify(store).problems
    assert problem.game == game
    assert words in problem.text


def test_copies_are_compared_game_by_game(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite"
    backup(path, target)
    with opened(SqliteStore(path)) as one, opened(SqliteStore(target)) as two:
        assert list(compare(one, two)) == []
        game = next(one.all_games())
        writer = Writer(random.Random(5))
        one.commit([extra := writer.unit()])
        head = two.heads([game])[game]
        two.commit(
            [Transaction((happening(game, head + 1, "chat", "X", 2**41, "extra", text="!"),))]
        )
        problems = {problem.game: problem.text for problem in compare(one, two)}
    assert problems.keys() == {game, extra.events[0].game}
    assert "only the first has it" in problems[extra.events[0].game]
    assert "its digests are" in problems[game]


@needs("postgres")
def test_games_moved_to_postgresql_are_the_same_games(path: Path, postgres_url: str) -> None:
    with opened(SqliteStore(path)) as one, opened(PostgresStore(postgres_url)) as two:
        for game in one.all_games():
            row = one.row(game)
            assert row is not None
            assert two.commit([Transaction(tuple(one.events(game)), (row,))]) == [True]
        assert list(compare(one, two)) == []
        assert verify(one) == verify(two)


def test_the_command_copies_and_verifies(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "copy.sqlite"
    prog = "tic-tac-toe serve"
    assert main(["backup", "--data", str(path), str(target), "--lang", "en"], prog) == 0
    assert f"tic-tac-toe serve verify {target}" in capsys.readouterr().out
    assert main(["verify", str(target), "--against", str(path), "--lang", "en"], prog) == 0
    assert "every replay matches" in capsys.readouterr().out
    with closing(sqlite3.connect(target)) as connection, connection:
        connection.execute("DELETE FROM events WHERE version = 1")
        connection.execute("UPDATE events SET version = 1 WHERE version = 2")
    assert main(["verify", str(target), "--lang", "en"], prog) == 1
    assert "problems in" in capsys.readouterr().err
