"""Backups and upgrades are whole, and what is not as the events made it is noticed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.machine import needs
from tests.online.bots import Acknowledged, Caller, Table
from tests.online.evidence import find_faults, games_of, read_log
from tests.online.logs import Writer, all_events, leave_a_log, opened
from tests.online.processes import PATIENCE, Server
from tests.protocols.games import happening
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe.protocols.online.requests import Hello
from tic_tac_toe_frontends.command.cli import main as tic_tac_toe
from tic_tac_toe_frontends.server.cli import main
from tic_tac_toe_frontends.server.nodes.postgres_store import PostgresStore
from tic_tac_toe_frontends.server.storage import statements
from tic_tac_toe_frontends.server.storage.backup import SqliteCopy, backup, compare, verify
from tic_tac_toe_frontends.server.storage.game_rows import Transaction
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.statements import SCHEMA_VERSION
from tic_tac_toe_frontends.server.storage.store import StorageError, Store, Upgraded

PROG = "tic-tac-toe serve"
#: A user who is not root.
NOBODY = 65534
#: Damage to one game, and what the drill says of it.
DAMAGES = [
    ("DELETE FROM events WHERE version = 3 AND game = ?", "event 4 of a game that is at"),
    ("UPDATE events SET cell = 99 WHERE kind = 'move' AND game = ?", "event "),
    ("UPDATE events SET cell = 8 - cell WHERE kind = 'move' AND game = ?", "checksum"),
    ("UPDATE events SET time = time + 1 WHERE version = 2 AND game = ?", "checksum"),
    ("UPDATE events SET data = '{' WHERE version = 1 AND game = ?", "cannot be read"),
    ("UPDATE games SET stage = 'over', result = 'X' WHERE game = ?", "its row is"),
    ("UPDATE games SET time = time + 999999 WHERE game = ?", "its row is"),
    ("DELETE FROM games WHERE game = ?", "its row is None"),
]


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


@pytest.mark.medium
@pytest.mark.parametrize("checkpoint_events", [0, 500])
def test_a_backup_of_a_server_at_work_has_all_that_was_committed(
    tmp_path: Path, checkpoint_events: int
) -> None:
    path, target = tmp_path / "live.sqlite", tmp_path / "copy.sqlite"
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
        backup(path, target)
        ended.set()
        playing.join()
    with opened(SqliteStore(target)) as store:
        assert verify(store).problems == ()
        assert {event for unit in first for event in unit.events} <= {*all_events(store)}
    assert sorted(entry.name for entry in tmp_path.iterdir() if "copy" in entry.name) == [
        "copy.sqlite",
        "copy.sqlite.lock",
    ]


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
    for statement, words in (("application_id", "another program"), ("user_version", "a newer")):
        backup(path, other := tmp_path / "other.sqlite", overwrite=True)
        with closing(sqlite3.connect(other)) as connection:
            connection.execute(f"PRAGMA {statement} = 99")
        with pytest.raises(StorageError, match=words):
            backup(other, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_file_that_is_there_is_replaced_only_when_that_is_wanted(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "copy.sqlite"
    target.write_text("of another day")
    command = ["backup", "--data", str(path), str(target), "--lang", "en"]
    assert main(command, PROG) == 1
    assert f"{target} exists already; --overwrite replaces it" in capsys.readouterr().err
    assert target.read_text() == "of another day"
    assert main([*command, "--overwrite"], PROG) == 0
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

    monkeypatch.setattr("tic_tac_toe_frontends.server.storage.backup.copy_games", fail)
    with pytest.raises(StorageError, match="the disk is full"):
        backup(path, target, overwrite=overwrite)
    assert [entry.name for entry in target.parent.iterdir()] == ["copy.sqlite"] * overwrite
    assert not overwrite or target.read_text() == "of another day"


@pytest.mark.medium
@pytest.mark.usefixtures("step")
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
    before = {entry.name: entry.read_bytes() for entry in folder.iterdir()}

    with closing(SqliteCopy(copy)) as store:
        store.open()
        report = verify(store)
        assert (store.row("game") is not None) == (kind == "with a log")
    backup(copy, tmp_path / "copy-of-copy.sqlite")

    assert report.problems == ()
    assert report.games > 20
    after = {entry.name: entry.read_bytes() for entry in folder.iterdir()}
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
    target = tmp_path / "copy.sqlite"
    for command in (["verify", str(path)], ["backup", "--data", str(path), str(target)]):
        assert main([*command, "--lang", "en"], PROG) == 1
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


@pytest.mark.parametrize(("damage", "words"), DAMAGES)
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
    assert main(["backup", "--data", str(path), str(target), "--lang", "en"], PROG) == 0
    assert f"tic-tac-toe serve verify {target}" in capsys.readouterr().out
    assert main(["verify", str(target), "--against", str(path), "--lang", "en"], PROG) == 0
    assert "every replay matches" in capsys.readouterr().out
    with closing(sqlite3.connect(target)) as connection, connection:
        connection.execute("DELETE FROM events WHERE version = 1")
        connection.execute("UPDATE events SET version = 1 WHERE version = 2")
    assert main(["verify", str(target), "--lang", "en"], PROG) == 1
    assert "problems in" in capsys.readouterr().err


def restore(copy: Path, path: Path, *options: str) -> int:
    return main(["restore", str(copy), "--data", str(path), "--lang", "en", *options], PROG)


def test_a_restore_keeps_what_was_there_beside_the_games_and_takes_the_old_log_away(
    path: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite"
    backup(path, copy)
    leave_a_log(path)
    path.chmod(0o640)

    assert restore(copy, path) == 0

    assert (path.stat().st_mode & 0o777, sorted(each.name for each in tmp_path.iterdir())) == (
        0o640,
        ["copy.sqlite", "games.sqlite", "games.sqlite.lock", "games.sqlite.replaced"],
    )
    for file, more in (path, []), (path.with_name("games.sqlite.replaced"), ["game"]):
        with opened(SqliteCopy(copy)) as one, opened(SqliteCopy(file)) as other:
            assert [problem.game for problem in compare(one, other)] == more


def test_a_restore_is_refused_while_a_server_runs_and_from_a_damaged_copy(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.sqlite"
    backup(path, copy)
    with opened(SqliteStore(path)):
        assert restore(copy, path) == 1
    assert "a server uses it" in capsys.readouterr().err

    before = path.read_bytes()
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE events SET time = time + 1 WHERE version = 2")
    assert restore(copy, path) == 1
    assert "nothing has been replaced" in capsys.readouterr().err
    assert restore(path, path) == 1
    assert path.read_bytes() == before
    assert restore(copy, path, "--damaged") == 0
    assert "31 problems in 31 games" in capsys.readouterr().err
    assert path.read_bytes() == copy.read_bytes()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root alone gives away")
def test_what_root_restores_and_upgrades_can_be_used_by_the_server_s_user(
    path: Path, tmp_path: Path
) -> None:
    """Let the games be those of another user, and root do what the operator's page says."""
    copy = tmp_path / "copy.sqlite"
    backup(path, copy)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chown(folder, NOBODY, NOBODY)
        there = folder / "games.sqlite"
        for _ in range(2):  # into an empty folder, and over the games of the other user
            assert restore(copy, there) == 0
            assert main(["upgrade", "--data", str(there), "--lang", "en"], PROG) == 0
            os.seteuid(NOBODY)
            try:
                with opened(SqliteStore(there)) as store:
                    store.commit(units(2, 3))
            finally:
                os.seteuid(0)
        assert {each.stat().st_uid for each in folder.iterdir()} == {NOBODY}

        os.chown(there, 0, 0)
        os.seteuid(NOBODY)
        try:
            with pytest.raises(StorageError, match="sqlite belongs to root, and this"):
                SqliteStore(there).open()
        finally:
            os.seteuid(0)


# -- upgrades --------------------------------------------------------------------------------------


#: A made-up step from version 1 to 2, and what undoes it.
STEP = statements.INDEXES[-2:]
UNDONE = tuple(f"DROP INDEX {index.split()[2]}" for index in STEP)

#: Ends itself by SIGKILL before the last statement of a step.
KILLED = """
import os, signal, sys
from pathlib import Path
from tic_tac_toe_frontends.server.storage import statements
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore

class Killed(SqliteStore):
    def _execute(self, session, statement, *values):
        if statement == sys.argv[-1]:
            os.kill(os.getpid(), signal.SIGKILL)
        return super()._execute(session, statement, *values)

statements.STEPS[1] = tuple(sys.argv[2:])
Killed(Path(sys.argv[1])).upgrade()
"""


@pytest.fixture
def step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(statements.STEPS, 1, STEP)


def make_file_old(path: Path) -> None:
    """Turn a file that no server uses into one of the made-up version 1."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in (*UNDONE, "PRAGMA user_version = 1"):
            connection.execute(statement)


def make_database_old(url: str) -> None:
    """Turn the tables of a PostgreSQL database into those of the made-up version 1."""
    with psycopg.connect(url) as session:
        for statement in (*UNDONE, "UPDATE tictactoe_schema SET version = 1"):
            session.execute(statement.encode())


def schema_of(path: Path) -> list[Any]:
    """Return the statements that make the tables and indexes of a file."""
    with closing(sqlite3.connect(path)) as connection:
        question = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
        return connection.execute(question).fetchall()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=needs("postgres"))])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store of version 1 with games; closed, and not to be opened before an upgrade."""
    if request.param == "sqlite":
        store: Store = SqliteStore(tmp_path / "games.sqlite")
        make_old = partial(make_file_old, tmp_path / "games.sqlite")
    else:
        url = request.getfixturevalue("postgres_url")
        store, make_old = PostgresStore(url), partial(make_database_old, url)
    with opened(store):
        store.commit(units(7, 400))
    make_old()
    yield store
    store.close()


@pytest.fixture
def old_path(path: Path) -> Path:
    """A file of version 1."""
    make_file_old(path)
    return path


@pytest.mark.usefixtures("step")
def test_a_step_is_carried_out_once_and_keeps_all_games(old: Store) -> None:
    done = old.upgrade()
    with opened(old) as store:
        assert done == Upgraded(1, store.count_games(), len(all_events(store)))
        assert done.events > 400
        assert verify(store).problems == ()
    assert old.upgrade() == Upgraded(SCHEMA_VERSION)


@pytest.mark.usefixtures("step")
def test_old_tables_are_refused_with_the_command_that_upgrades_them(old: Store) -> None:
    with pytest.raises(StorageError, match=r"an older version .* tic-tac-toe serve upgrade --data"):
        old.open()


def test_a_version_from_which_no_step_leads_is_refused(old: Store) -> None:
    for doing in (old.open, old.upgrade):
        with pytest.raises(StorageError, match="version 1 of its tables is not known"):
            doing()


@pytest.mark.usefixtures("step")
def test_an_upgraded_file_has_the_tables_and_indexes_of_a_new_one(old_path: Path) -> None:
    new = old_path.with_name("new.sqlite")
    with opened(SqliteStore(new)):
        assert schema_of(old_path) != schema_of(new)
    SqliteStore(old_path).upgrade()
    assert schema_of(old_path) == schema_of(new)


@pytest.mark.medium
@pytest.mark.usefixtures("step")
def test_an_upgrade_that_is_killed_leaves_a_file_that_can_be_upgraded(old_path: Path) -> None:
    before = schema_of(old_path)
    killed = subprocess.run([sys.executable, "-c", KILLED, old_path, *STEP], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert schema_of(old_path) == before
    assert SqliteStore(old_path).upgrade().before == 1
    with opened(SqliteStore(old_path)) as store:
        assert verify(store).problems == ()


def test_a_server_at_work_is_not_upgraded_under_its_hands(path: Path) -> None:
    with opened(SqliteStore(path)), pytest.raises(StorageError, match="a server uses it"):
        SqliteStore(path).upgrade()


@needs("postgres")
@pytest.mark.usefixtures("step")
def test_a_database_is_not_upgraded_while_a_server_is_connected(postgres_url: str) -> None:
    with opened(PostgresStore(postgres_url)):
        make_database_old(postgres_url)
        with pytest.raises(StorageError, match="a server uses it"):
            PostgresStore(postgres_url).upgrade()
    assert PostgresStore(postgres_url).upgrade().before == 1


@pytest.mark.usefixtures("step")
def test_the_command_says_what_it_has_done(
    old_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["upgrade", "--data", str(old_path), "--lang", "en"]
    assert main(command, PROG) == 0
    assert "of version 2 now" in capsys.readouterr().out
    old_path.chmod(0o644)
    assert main(command, PROG) == 0
    told = capsys.readouterr()
    assert "nothing to do" in told.out
    assert "everybody on this machine can read" in told.err
    assert main([*command[:2], str(old_path.with_name("none")), "--lang", "en"], PROG) == 1
    assert "there is no such file" in capsys.readouterr().err
    assert not old_path.with_name("none").exists()


@pytest.mark.usefixtures("step")
def test_serving_an_old_file_names_the_command_with_the_file(
    old_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tic_tac_toe(["serve", "--data", str(old_path), "--port", "0", "--lang", "en"]) == 1
    assert f"tic-tac-toe serve upgrade --data {old_path}" in capsys.readouterr().err


# -- the drill -------------------------------------------------------------------------------------


def restored(copy: Path, folder: Path) -> Server:
    """Return a server, which does not run yet, on a backup that is put into a new place."""
    folder.mkdir()
    server = Server(folder)
    assert main(["restore", str(copy), "--data", str(server.data), "--lang", "en"], PROG) == 0
    return server


def page_of(server: Server, path: str) -> str:
    """Return a page; where the server limits requests, ask until it sends the page."""
    end = time.monotonic() + PATIENCE
    while True:
        status, text = server.get(path)
        if status != 429:
            assert status == 200, f"{path}: {status}"
            return text
        assert time.monotonic() < end
        time.sleep(0.2)


def pages_of(server: Server, games: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the page and the record of each game."""
    return {
        game: tuple(page_of(server, f"/games/{game}{end}") for end in ("", "/record.txt"))
        for game in games
    }


@pytest.mark.slow
def test_backups_of_a_server_at_work_are_restored_without_a_loss(tmp_path: Path) -> None:
    (tmp_path / "live").mkdir()
    backups: list[tuple[Path, list[Acknowledged]]] = []
    with Server(tmp_path / "live").running() as live:
        table = Table([live.url], random.Random(18))

        def back_up() -> None:
            target = tmp_path / f"{len(backups)}.sqlite"
            backups.append((target, list(table.acknowledged)))
            command = ["backup", "--data", str(live.data), str(target), "--lang", "en"]
            assert main(command, PROG) == 0

        asyncio.run(table.play(*[(60, back_up)] * 3))
        back_up()
        games = games_of(read_log(backups[-1][0]))
        assert any((known := replay(log)) and known.end for log in games.values())
        shown = pages_of(live, games)

    for copy, acknowledged in backups[:-1]:
        assert acknowledged
        assert main(["verify", str(copy), "--lang", "en"], PROG) == 0
        with restored(copy, tmp_path / f"place-{copy.stem}").running() as server:
            assert server.get("/ready")[0] == 200
        assert find_faults(read_log(server.data), acknowledged) == []
        earlier = games_of(read_log(copy))
        assert all(log == games[game][: len(log)] for game, log in earlier.items())

    async def come_back(server: Server) -> None:
        """Let both players find their seats again, with all that they had seen."""
        for client in (bot.client for bot in table.bots[:2]):
            caller = await Caller.at(server)
            seen = client.replica.version
            hello = Hello("back", 1, client.address, client.token, last_seen_version=seen)
            welcome = await caller.ask(hello)
            assert (welcome["seat"], welcome["head"]) == (client.seat, seen)
            await caller.close()

    copy, acknowledged = backups[-1]
    with restored(copy, tmp_path / "new").running() as new:
        assert pages_of(new, games) == shown
        assert find_faults(read_log(copy), acknowledged, table.bots) == []
        asyncio.run(come_back(new))
