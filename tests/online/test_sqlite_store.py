"""What is special about SQLite: one file, which one server has."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.frontends.programs import run
from tests.online.logs import START, Writer, created, opened
from tests.protocols.games import happening
from tic_tac_toe.protocols.online.addresses import new_token
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import begin
from tic_tac_toe_frontends.server.storage import sqlite_store
from tic_tac_toe_frontends.server.storage.backup import backup
from tic_tac_toe_frontends.server.storage.game_rows import Transaction, row_of
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore, SystemFiles
from tic_tac_toe_frontends.server.storage.store import StorageError


def chat(game: str, version: int, text: str) -> Event:
    """Return what X says in a game."""
    return happening(game, version, "chat", "X", START, f"line-{version}", text=text)


on_posix = pytest.mark.skipif(os.name != "posix", reason="links and modes as POSIX has them")


def test_a_file_serves_one_server(tmp_path: Path) -> None:
    first, second = (SqliteStore(tmp_path / "games.sqlite") for _ in range(2))
    first.open()
    with pytest.raises(StorageError, match="a server uses it"):
        second.open()
    first.close()
    second.open()
    second.close()


@on_posix
@pytest.mark.parametrize("link", [os.symlink, os.link])
@pytest.mark.parametrize("folder", ["", "elsewhere"])
def test_a_file_serves_one_server_by_whatever_name(
    tmp_path: Path, link: Callable[[Path, Path], None], folder: str
) -> None:
    path, other = tmp_path / "games.sqlite", tmp_path / folder / "other.sqlite"
    other.parent.mkdir(exist_ok=True)
    unit = Transaction((created("game"),))
    with opened(SqliteStore(path)) as first:
        link(path, other)
        for doing in (SqliteStore.open, SqliteStore.upgrade):
            with pytest.raises(StorageError, match=r"a server uses it|hard links"):
                doing(SqliteStore(other))
        assert first.commit([unit]) == [True]


@on_posix
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_store_that_goes_by_names_alone_is_found(
    tmp_path: Path, link: Callable[[Path, Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os.path, "realpath", lambda path: path)
    monkeypatch.setattr(sqlite_store, "check_name", lambda path, doing: None)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        test_a_file_serves_one_server_by_whatever_name(tmp_path, link, "")


@on_posix
def test_a_file_is_the_same_behind_a_symbolic_link(tmp_path: Path) -> None:
    path, other = tmp_path / "games.sqlite", tmp_path / "other.sqlite"
    other.symlink_to(path)
    with opened(SqliteStore(other)) as store:
        store.commit([Transaction((created("game"),))])
        assert {entry.name for entry in tmp_path.iterdir()} == {
            *("games.sqlite", "games.sqlite-shm", "games.sqlite-wal", "games.sqlite.lock"),
            "other.sqlite",
        }
        assert store.size() > path.stat().st_size
    with opened(SqliteStore(path)) as store:
        assert list(store.all_games()) == ["game"]


@on_posix
def test_a_hard_link_is_refused_after_its_server_was_killed_too(tmp_path: Path) -> None:
    """Its log lies beside the name that it was opened by."""
    path, other = tmp_path / "games.sqlite", tmp_path / "other.sqlite"
    script = (
        "import os; from pathlib import Path; from tests.online.logs import created;"
        "from tic_tac_toe_frontends.server.storage.game_rows import Transaction;"
        "from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore;"
        f"store = SqliteStore(Path({str(path)!r})); store.open();"
        "store.commit([Transaction((created('game'),))]); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    os.link(path, other)
    for name in (path, other):
        with pytest.raises(StorageError, match="2 names"):
            SqliteStore(name).open()
    other.unlink()
    with opened(SqliteStore(path)) as store:
        assert list(store.all_games()) == ["game"]


@on_posix
def test_a_second_name_given_while_it_is_used_is_no_trouble_for_its_server(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with opened(SqliteStore(path)) as store:
        os.link(path, tmp_path / "other.sqlite")
        store.open()
        assert store.commit([Transaction((created("game"),))]) == [True]


@on_posix
def test_nobody_else_can_read_the_files(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    before = os.umask(0)
    try:
        with opened(SqliteStore(path)) as store:
            store.commit([Transaction((created("game"),))])
            backup(path, tmp_path / "backup.sqlite")
            modes = {entry.name: entry.stat().st_mode & 0o777 for entry in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(
        (
            *("games.sqlite", "games.sqlite-shm", "games.sqlite-wal", "games.sqlite.lock"),
            "backup.sqlite",
        ),
        0o600,
    )


@on_posix
def test_the_log_warns_of_a_file_that_everybody_can_read(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.write_text("these are no games\n" * 100)
    for mode, is_public in ((0o640, False), (0o644, True)):
        path.chmod(mode)
        said = run("serve", "--data", str(path), "--port", "0").stderr
        assert ("everybody on this machine can read the games" in said) == is_public


def test_what_is_erased_or_rewritten_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    rng = random.Random(8)
    rude = "rude-words-of-a-guest"
    with opened(SqliteStore(path)) as store:
        games = [new_token(rng) for _ in range(200)]
        for game in games:
            count = rng.randrange(2, 40)
            lines = [
                chat(game, version + 2, rude * rng.randrange(1, 9)) for version in range(count)
            ]
            store.commit([Transaction((created(game), *lines))])
        store.checkpoint()
        before = path.read_bytes().count(rude.encode())
        for game in games:
            events = store.events(game)
            if rng.random() < 0.5:
                store.erase(game)
            else:
                shorter = [events[0], *(chat(game, event.version, "-") for event in events[1:])]
                assert store.rewrite(game, shorter, row_of(begin(events[0])))
    assert not path.with_name("games.sqlite-wal").exists()
    # SQLite overwrites what it deletes, and not what it has moved to another place before.
    assert path.read_bytes().count(rude.encode()) < before / 1_000


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("PRAGMA user_version = 99", "a newer version"),
        ("PRAGMA user_version = 0", "version 0 of the tables is not known"),
        ("PRAGMA application_id = 1", "another program"),
    ],
)
def test_a_file_of_another_version_or_program_is_refused(
    tmp_path: Path, statement: str, words: str
) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    store.open()
    store.close()
    connection = sqlite3.connect(tmp_path / "games.sqlite")
    connection.execute(statement)
    connection.close()
    with pytest.raises(StorageError, match=words):
        store.open()
    store.close()


def test_what_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.write_text("these are no games\n" * 100)
    store = SqliteStore(path)
    with pytest.raises(StorageError, match="not a database"):
        store.open()
    store.close()
    assert path.read_text() == "these are no games\n" * 100


def test_a_file_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        SqliteStore(tmp_path / "nowhere" / "games.sqlite").open()
    with pytest.raises(StorageError, match="it is a folder"):
        SqliteStore(tmp_path).open()
    with pytest.raises(StorageError, match=r"cannot upgrade .* it is a folder"):
        SqliteStore(tmp_path).upgrade()


def test_the_log_is_carried_over_while_games_are_played(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite", checkpoint_events=50)
    store.open()
    writer = Writer(random.Random(2))
    units = [writer.unit() for _ in range(3_000)]
    for start in range(0, len(units), 10):
        store.commit(units[start : start + 10])
    assert (tmp_path / "games.sqlite-wal").stat().st_size < 4_000_000
    store.close()
    assert not (tmp_path / "games.sqlite-wal").exists()


def test_it_syncs_fully_unless_told_otherwise(tmp_path: Path) -> None:
    said: list[str] = []

    class Listening(SystemFiles):
        def connect(self, path: Path) -> sqlite3.Connection:
            connection = super().connect(path)
            connection.set_trace_callback(said.append)
            return connection

    for synchronous in ("FULL", "NORMAL"):
        store = SqliteStore(tmp_path / f"{synchronous}.sqlite", synchronous, files=Listening())
        store.open()
        store.close()
        assert f"PRAGMA synchronous = {synchronous}" in said
