"""What a former version has written becomes what this one reads, whole or not at all."""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.frontends.programs import run
from tests.machine import needs
from tests.online.former import make_database_old, make_file_old, schema_of
from tests.online.logs import Writer, all_events, opened
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe_frontends.server.cli import main
from tic_tac_toe_frontends.server.storage.backup import verify
from tic_tac_toe_frontends.server.storage.game_rows import GameRow
from tic_tac_toe_frontends.server.storage.postgres_store import PostgresStore
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.store import StorageError, Store, Upgraded

PROG = "tic-tac-toe serve"
#: Ends itself by SIGKILL before it writes the checksums of the third part.
KILLED = """
import itertools, os, signal, sys
from pathlib import Path
from tic_tac_toe_frontends.server.storage import upgrades
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore

class Killed(SqliteStore):
    parts = itertools.count(1)

    def _write_many(self, *arguments):
        if next(self.parts) == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        super()._write_many(*arguments)

upgrades.EVENTS_AT_ONCE = 50
Killed(Path(sys.argv[1])).upgrade()
"""


class Old:
    """Tables of version 1, and what was written into them.

    Args:
        store: whose tables these are; closed, and not to be opened before an upgrade.
    """

    def __init__(self, store: Store, events: tuple[Event, ...], rows: list[GameRow]) -> None:
        self.store = store
        self.events = events
        self.rows = rows


def filled(store: Store) -> Old:
    """Fill the tables of a store, and close it."""
    writer = Writer(random.Random(7), count=20)
    with opened(store):
        store.commit([writer.unit() for _ in range(400)])
        events = all_events(store)
        rows = [row for game in store.all_games() if (row := store.row(game)) is not None]
    return Old(store, events, rows)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=needs("postgres"))])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Old]:
    if request.param == "sqlite":
        old = filled(SqliteStore(tmp_path / "games.sqlite"))
        make_file_old(tmp_path / "games.sqlite")
    else:
        url = request.getfixturevalue("postgres_url")
        old = filled(PostgresStore(url))
        make_database_old(url)
    yield old
    old.store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of version 1."""
    path = tmp_path / "games.sqlite"
    filled(SqliteStore(path))
    make_file_old(path)
    return path


def test_old_tables_have_after_an_upgrade_all_that_new_ones_would_have(old: Old) -> None:
    done = old.store.upgrade()
    assert done == Upgraded(1, len(old.rows), len(old.events))
    assert done.events > 400
    with opened(old.store) as store:
        assert all_events(store) == old.events
        assert [store.row(row.game) for row in old.rows] == old.rows
        assert verify(store).problems == ()
    assert old.store.upgrade() == Upgraded(2)


def test_old_tables_are_refused_with_the_command_that_upgrades_them(old: Old) -> None:
    with pytest.raises(StorageError, match=r"an older version .* tic-tac-toe serve upgrade --data"):
        old.store.open()


def test_an_event_that_cannot_be_read_stops_no_upgrade_and_is_still_found(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        [(game,)] = connection.execute("SELECT min(game) FROM events").fetchall()
        damage = "UPDATE events SET data = '{' WHERE version = 1 AND game = ?"
        connection.execute(damage, (game,))
    SqliteStore(path).upgrade()
    with opened(SqliteStore(path)) as store:
        assert [problem.game for problem in verify(store).problems] == [game]


def test_an_upgraded_file_has_the_tables_and_indexes_of_a_new_one(path: Path) -> None:
    SqliteStore(path).upgrade()
    new = path.with_name("new.sqlite")
    with opened(SqliteStore(new)):
        pass
    with opened(SqliteStore(path)):
        pass
    assert schema_of(path) == schema_of(new)


def test_an_upgrade_that_is_killed_leaves_a_file_that_can_be_upgraded(path: Path) -> None:
    before = schema_of(path)
    killed = subprocess.run([sys.executable, "-c", KILLED, path], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert schema_of(path) == before
    assert SqliteStore(path).upgrade().before == 1
    with opened(SqliteStore(path)) as store:
        assert verify(store).problems == ()


def test_an_upgrade_that_commits_part_by_part_is_found(path: Path) -> None:
    before = schema_of(path)
    write = "super()._write_many(*arguments)"
    commit = "arguments[0].execute('COMMIT'); arguments[0].execute('BEGIN')"
    script = KILLED.replace(write, f"{write}; {commit}")
    subprocess.run([sys.executable, "-c", script, path], check=False)
    assert schema_of(path) != before


def test_a_server_at_work_is_not_upgraded_under_its_hands(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "copy.sqlite"
    shutil.copyfile(path, other)
    SqliteStore(other).upgrade()
    with opened(SqliteStore(other)), pytest.raises(StorageError, match="a server uses it"):
        SqliteStore(other).upgrade()


@needs("postgres")
def test_a_database_is_not_upgraded_while_a_server_is_connected(postgres_url: str) -> None:
    old = filled(PostgresStore(postgres_url))
    with opened(old.store):
        make_database_old(postgres_url)
        with pytest.raises(StorageError, match="a server uses it"):
            PostgresStore(postgres_url).upgrade()
    assert PostgresStore(postgres_url).upgrade().before == 1


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("PRAGMA user_version = 99", "a newer version"),
        ("PRAGMA user_version = 0", "version 0 of the tables is not known"),
        ("PRAGMA application_id = 1", "another program"),
    ],
)
def test_what_is_of_no_known_version_is_left_as_it_is(
    path: Path, statement: str, words: str
) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)
    before = schema_of(path)
    with pytest.raises(StorageError, match=words):
        SqliteStore(path).upgrade()
    assert schema_of(path) == before


def test_the_command_says_what_it_has_done(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["upgrade", "--data", str(path), "--lang", "en"]
    assert main(command, PROG) == 0
    assert "of version 2 now" in capsys.readouterr().out
    path.chmod(0o644)
    assert main(command, PROG) == 0
    told = capsys.readouterr()
    assert "nothing to do" in told.out
    assert "everybody on this machine can read" in told.err
    assert main([*command[:2], str(path.with_name("none")), "--lang", "en"], PROG) == 1
    assert "there is no such file" in capsys.readouterr().err
    assert not path.with_name("none").exists()


def test_serving_an_old_file_names_the_command_with_the_file(path: Path) -> None:
    ended = run("serve", "--data", str(path), "--port", "0", "--lang", "en")
    assert ended.returncode == 1
    assert f"tic-tac-toe serve upgrade --data {path}" in ended.stderr
