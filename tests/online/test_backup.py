"""Backups are of one moment, and the drill notices what is not as the events made it."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.machine import needs
from tests.online.logs import Writer, all_events, opened
from tests.protocols.games import happening
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe_frontends.server.cli import main
from tic_tac_toe_frontends.server.storage.backup import backup, compare, verify
from tic_tac_toe_frontends.server.storage.game_rows import Transaction
from tic_tac_toe_frontends.server.storage.postgres_store import PostgresStore
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
    with pytest.raises(StorageError, match="cannot back up"):
        backup(path, tmp_path / "nowhere" / "copy")
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
