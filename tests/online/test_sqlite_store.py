"""What is special about SQLite: one file, which one server has."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from tests.online.logs import Writer
from tic_tac_toe_frontends.server.sqlite_store import SqliteStore, SystemFiles
from tic_tac_toe_frontends.server.store import StorageError


def test_a_file_serves_one_server(tmp_path: Path) -> None:
    first, second = (SqliteStore(tmp_path / "games.sqlite") for _ in range(2))
    first.open()
    with pytest.raises(StorageError, match="another server uses it"):
        second.open()
    first.close()
    second.open()
    second.close()


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("PRAGMA user_version = 99", "a newer version"),
        ("PRAGMA user_version = 0", "an older version"),
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
