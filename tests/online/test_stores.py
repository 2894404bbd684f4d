"""What the server relies on in a database, the same for each of them, and what is one's own."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.machine import needs
from tests.online.logs import START, Writer, created, leave_a_log, moved, opened
from tests.online.machines import Cluster
from tests.protocols.games import happening
from tic_tac_toe.protocols.online.addresses import new_token
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Event, details_of
from tic_tac_toe.protocols.online.game import OnlineGame, begin, replay
from tic_tac_toe_frontends.command.cli import main as tic_tac_toe
from tic_tac_toe_frontends.server.nodes import postgres_store
from tic_tac_toe_frontends.server.nodes.postgres_store import PostgresStore
from tic_tac_toe_frontends.server.storage import game_rows, statements
from tic_tac_toe_frontends.server.storage.backup import backup
from tic_tac_toe_frontends.server.storage.game_rows import GameRow, Transaction, row_of
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.statements import OVER, PLAYING, WAITING
from tic_tac_toe_frontends.server.storage.store import DamagedGame, StorageError, Store

on_posix = pytest.mark.skipif(os.name != "posix", reason="links and modes as POSIX has them")
on_postgres = needs("postgres")
GAME, OTHER = "game-------------------A", "other------------------A"
#: Of the first row below: with another, no database of this version could be read any more.
CHECKSUM = -2481888240942676577


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=on_postgres)])
def making(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Makes stores of one and the same database."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "games.sqlite")
    url = request.getfixturevalue("postgres_url")
    return lambda: PostgresStore(url)


@pytest.fixture
def store(making: Callable[[], Store]) -> Iterator[Store]:
    with opened(making()) as store:
        yield store


def row(game: str, stage: str = PLAYING, time: int = START, **others: object) -> GameRow:
    first = GameRow(game, stage, True, time, None, "tic-tac-toe", "Ann", "Zoë", "X")
    return first._replace(**others)  # type: ignore[arg-type]


def keep(store: Store, *rows: GameRow) -> None:
    """Write games, of which only the rows matter, and their first events."""
    store.commit([Transaction((created(each.game),), (each,)) for each in rows])


def replayed(store: Store, address: str) -> OnlineGame:
    game = replay(store.events(address))
    assert game is not None
    return game


def test_an_empty_store_knows_nothing(store: Store) -> None:
    assert store.events(GAME) == []
    assert store.heads([GAME]) == {}
    assert store.heads([]) == {}
    assert store.row(GAME) is None
    assert store.open_games(9) == store.finished_games(9) == []
    assert store.running_clocks() == store.forgotten(PLAYING, START, 9) == []
    assert list(store.all_games()) == []
    assert store.count_unfinished() == 0
    assert store.pauses() == ()
    assert store.commit([]) == []


def test_what_is_written_is_read_again_the_same(store: Store, making: Callable[[], Store]) -> None:
    writer = Writer(random.Random(1))
    units = [writer.unit() for _ in range(400)]
    for start in range(0, len(units), 50):
        assert store.commit(units[start : start + 50]) == [True] * 50
    store.close()
    events = [event for unit in units for event in unit.events]
    games = {event.game for event in events}
    with opened(making()) as again:
        assert list(again.all_games()) == sorted(games)
        for game in games:
            of_game = [event for event in events if event.game == game]
            assert again.events(game) == of_game
            assert again.events(game, after=2) == of_game[2:]
        assert again.heads([*games, GAME]) == {event.game: event.version for event in events}
        rows = {row.game: row for unit in units for row in unit.rows}
        assert {game: again.row(game) for game in games} == rows
        for game in games:
            for player in replayed(again, game).players:
                assert player is None or rows[game] in again.games_of(player.key, 99)


def test_a_version_is_taken_once(store: Store) -> None:
    first = Transaction((created(GAME),))
    assert store.commit([first, Transaction((moved(GAME, 2, cell=1),))]) == [True, True]
    again = Transaction((moved(GAME, 2, cell=5, message="another"),), (row(GAME, result="X"),))
    following = Transaction((moved(GAME, 3),), (row(GAME),))
    assert store.commit([again, following]) == [False, True]
    assert [details_of(event)["cell"] for event in store.events(GAME, after=1)] == [1, 4]
    assert store.row(GAME) == row(GAME)
    one, two = (Transaction((moved(OTHER, 1, cell, str(cell)),)) for cell in (1, 2))
    assert store.commit([one, two]) == [True, False]
    assert [event.id for event in store.events(OTHER)] == ["1"]


def test_a_message_is_obeyed_once(store: Store) -> None:
    assert store.commit([Transaction((moved(GAME, 1, message="m"),))]) == [True]
    again, elsewhere = moved(GAME, 2, message="m"), moved(OTHER, 1, message="m")
    assert store.commit([Transaction((again,)), Transaction((elsewhere,))]) == [False, True]
    assert [event.unique_id for event in store.events(GAME)] == ["X:m"]
    assert store.heads([GAME, OTHER]) == {GAME: 1, OTHER: 1}


def test_events_that_no_message_asked_for_do_not_collide(store: Store) -> None:
    units = [Transaction((replace(moved(GAME, version), id=""),)) for version in (1, 2)]
    assert store.commit(units) == [True, True]


def test_a_unit_is_written_whole_or_not_at_all(store: Store) -> None:
    assert store.commit([Transaction((moved(OTHER, 1),), (row(OTHER),))]) == [True]
    torn = Transaction(
        (moved(GAME, 1), moved(OTHER, 1, message="again")), (row(GAME), row(OTHER, result="X"))
    )
    whole = Transaction((moved("third", 1), moved("fourth", 1)), (row("third"), row("fourth")))
    assert store.commit([torn, whole]) == [False, True]
    assert store.events(GAME) == []
    assert store.row(GAME) is None
    assert store.row(OTHER) == row(OTHER)
    assert store.heads(["third", "fourth"]) == {"third": 1, "fourth": 1}


def test_games_are_found_by_what_is_asked_for(store: Store) -> None:
    rows = [
        *(row(f"wait{n}", WAITING, START + n, naughts=None) for n in range(3)),
        row("wait-hidden", WAITING, is_open=False),
        *(row(f"play{n}", time=START + n, crosses_key="ann", naughts_key="bob") for n in range(3)),
        row("play3", time=START + 9, crosses_key="bob"),
        *(row(f"over{n}", OVER, START + n, result="draw") for n in range(3)),
        row("over-hidden", OVER, START + 9, is_open=False, result="X"),
        *(row(f"void{n}", OVER, START + n) for n in range(3)),
    ]
    keep(store, *rows)
    known = {each.game: each for each in rows}

    def found(names: str) -> list[GameRow]:
        return [known[name] for name in names.split()]

    assert store.open_games(2) == found("wait2 wait1")
    assert store.open_games(9) == found("wait2 wait1 wait0")
    assert store.finished_games(2) == found("over2 over1")
    assert store.finished_games(9) == found("over2 over1 over0")
    assert store.games_of("bob", 3) == found("play3 play2 play1")
    assert store.games_of("ann", 9) == found("play2 play1 play0")
    assert store.games_of("carl", 9) == store.games_of("", 9) == []
    unfinished = {name for name in known if name.startswith(("wait", "play"))}
    assert store.unfinished([*known, "unknown"]) == unfinished
    assert store.unfinished(["over0"]) == store.unfinished([]) == set()
    assert store.count_unfinished() == len(unfinished)
    assert store.over_before(START + 2, 9, unplayed=False) == ["over0", "over1"]
    assert store.over_before(START + 2, 9, unplayed=True) == ["void0", "void1"]
    assert store.over_before(START + 9, 1, unplayed=True) == ["void0"]
    assert store.over_before(START, 9, unplayed=True) == []
    store.commit([Transaction((), (row("wait2", PLAYING),))])
    assert store.open_games(9) == found("wait1 wait0")


def test_clocks_that_run_are_found(store: Store) -> None:
    clock = Clock(300, 5)
    ticking = row(GAME, deadline=START + 5, clock=clock)
    begun = Transaction((created(GAME, clock=clock),), (ticking,))
    store.commit([begun, Transaction((), (row(OTHER),))])
    assert store.running_clocks() == store.running_clocks(START + 5) == [GAME]
    assert store.running_clocks(START + 4) == []
    assert store.row(GAME) == ticking
    store.commit([Transaction((moved(GAME, 2),), deadlines=((GAME, START + 9),))])
    assert store.row(GAME) == ticking._replace(deadline=START + 9)
    assert store.running_clocks(START + 8) == []
    over = ticking._replace(deadline=None, stage=OVER)
    store.commit([Transaction((), (), ((GAME, START + 99),)), Transaction((), (over,))])
    assert store.row(GAME) == over
    store.commit([Transaction((), (ticking,)), Transaction((), (), ((GAME, None),))])
    assert store.row(GAME) == ticking._replace(deadline=None)
    assert store.running_clocks() == []


def test_games_are_forgotten_by_their_last_event(store: Store) -> None:
    for game, stage, end in (("old", PLAYING, 10), ("new", PLAYING, 99), ("over", OVER, 0)):
        events = moved(game, 1), moved(game, 2, time=START + end)
        store.commit([Transaction(events, (row(game, stage),))])
    assert store.forgotten(PLAYING, START + 11, 9) == ["old"]
    assert store.forgotten(PLAYING, START + 10, 9) == []
    assert store.forgotten(PLAYING, START + 100, 1) in (["old"], ["new"])
    assert sorted(store.forgotten(PLAYING, START + 100, 9)) == ["new", "old"]


def test_all_games_are_more_than_one_page(store: Store) -> None:
    names = [new_token(random.Random(seed)) for seed in range(1_203)]
    store.commit([Transaction((created(name), moved(name, 2))) for name in names])
    assert list(store.all_games()) == sorted(names)
    assert store.heads(names) == dict.fromkeys(names, 2)


def test_time_without_a_server_is_a_pause(store: Store) -> None:
    store.record_start(1_000, grace=100)
    store.beat(1_500)
    store.record_start(1_600, grace=100)
    assert store.pauses() == ()
    store.record_start(2_000, grace=100)
    store.beat(1_900)  # a clock that was turned back
    store.record_start(3_000, grace=100)
    assert store.pauses() == ((1_600, 2_000), (2_000, 3_000))


def test_a_closed_store_refuses_until_it_is_opened(store: Store) -> None:
    assert store.commit([Transaction((moved(GAME, 1),))]) == [True]
    store.close()
    with pytest.raises(StorageError, match="not open"):
        store.commit([Transaction((moved(GAME, 2),))])
    with pytest.raises(StorageError, match="not open"):
        store.events(GAME)
    store.open()
    assert store.commit([Transaction((moved(GAME, 2),))]) == [True]
    assert store.heads([GAME]) == {GAME: 2}


@pytest.mark.slow
def test_it_is_read_from_many_threads_while_it_is_written(store: Store) -> None:
    problems: list[object] = []
    done = threading.Event()

    def read() -> None:
        seen = 0
        while not done.is_set():
            events = store.events(GAME)
            if len(events) < seen or [e.version for e in events] != list(range(1, len(events) + 1)):
                problems.append(events)
            seen = len(events)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for version in range(1, 60):
        assert store.commit([Transaction((moved(GAME, version),))]) == [True]
        assert store.heads([GAME]) == {GAME: version}
    done.set()
    for reader in readers:
        reader.join()
    assert not problems


def test_players_at_other_servers_are_told_until_the_record_is_old(store: Store) -> None:
    store.record_presence("one", {(GAME, "X"), (OTHER, "O")}, START, START - 9)
    store.record_presence("two", {(GAME, "O")}, START + 5, START - 9)
    assert sorted(store.presence_elsewhere("two", START)) == sorted([(GAME, "X"), (OTHER, "O")])
    assert store.presence_elsewhere("one", START) == [(GAME, "O")]
    assert store.presence_elsewhere("one", START + 6) == []
    store.record_presence("one", {(GAME, "X")}, START + 10, START + 1)
    assert store.presence_elsewhere("two", START) == [(GAME, "X")]
    assert sorted(store.presence_elsewhere("three", START)) == [(GAME, "O"), (GAME, "X")]


def test_an_erased_game_leaves_nothing_and_others_stay(store: Store) -> None:
    for game in (GAME, OTHER):
        seated = row(game, crosses_key="ann")
        store.commit([Transaction((created(game), moved(game, 2)), (seated,))])
        store.record_presence("one", {(game, "X")}, START, START)
    assert store.erase(GAME)
    assert not store.erase(GAME)
    assert store.events(GAME) == []
    assert store.row(GAME) is None
    assert list(store.all_games()) == [each.game for each in store.games_of("ann", 9)] == [OTHER]
    assert store.presence_elsewhere("two", START) == [(OTHER, "X")]
    assert store.commit([Transaction((created(GAME),))]) == [True]


def test_a_game_is_rewritten_only_as_it_was_read(store: Store) -> None:
    old = created(GAME), happening(GAME, 2, "chat", "X", START, "line", text="rude"), moved(GAME, 3)
    new = old[0], happening(GAME, 2, "chat", "X", START, "line", text="-"), old[2]
    store.commit([Transaction(old, (row(GAME),)), Transaction((created(OTHER),), (row(OTHER),))])
    assert store.rewrite(GAME, new, row(GAME, crosses="-"))
    assert store.events(GAME) == list(new)
    assert store.row(GAME) == row(GAME, crosses="-")
    for events in (new[:2], [*new, moved(GAME, 4)], []):
        assert not store.rewrite(GAME, events, row(GAME))
    assert not store.rewrite("unknown", [], row("unknown"))
    assert store.events(GAME) == list(new)
    assert store.row(GAME) == row(GAME, crosses="-")
    assert store.events(OTHER) == [created(OTHER)]
    assert store.commit([Transaction((moved(GAME, 3),)), Transaction((moved(GAME, 4),))]) == [
        False,
        True,
    ]


def test_its_size_grows_with_what_is_written(store: Store) -> None:
    before = store.size()
    assert before > 0
    for start in range(0, 4_000, 500):
        store.commit([Transaction((moved(GAME, start + n + 1),)) for n in range(500)])
    assert store.size() > before


def test_an_event_that_is_not_as_it_was_written_is_found(store: Store) -> None:
    store.commit([Transaction((created(GAME), moved(GAME, 2, cell=4)))])
    change = "UPDATE events SET cell = 5 WHERE version = 2"
    store._write(lambda session: (store._execute(session, change), True))
    assert store.events(OTHER) == []
    with pytest.raises(DamagedGame, match=r"event 2 cannot .* checksum"):
        store.events(GAME)


def test_each_column_of_an_event_changes_its_checksum() -> None:
    """Also where a letter, or nothing, goes from one column to the next."""
    rows = [
        ("game", 1, "kind", "X", None, "X:m", 1, None),
        ("gam", 1, "ekind", "X", None, "X:m", 1, None),
        ("game", 2, "kind", "X", None, "X:m", 1, None),
        ("game", 1, "kin", "dX", None, "X:m", 1, None),
        ("game", 1, "kind", "", None, "XX:m", 1, None),
        ("game", 1, "kind", "X", 0, "X:m", 1, None),
        ("game", 1, "kind", "X", None, None, 1, "X:m"),
        ("game", 1, "kind", "X", None, "X:m", 11, None),
        ("game", 1, "kind", "X", None, "X:m", 1, ""),
        ("game", 1, "kind", "X", None, "X:m", 1, "None"),
        ("game", 1, "kind", "X", None, "X:mNone", 1, ""),
    ]
    checksums = {game_rows.checksum_of(row) for row in rows}
    assert len(checksums) == len(rows)
    assert all(-(2**63) <= checksum < 2**63 for checksum in checksums)
    assert game_rows.checksum_of(rows[0]) == CHECKSUM


# -- SQLite: one file, which one server has --------------------------------------------------------


def chat(game: str, version: int, text: str) -> Event:
    """Return what X says in a game."""
    return happening(game, version, "chat", "X", START, f"line-{version}", text=text)


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
    leave_a_log(path)
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
def test_the_log_warns_of_a_file_that_everybody_can_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.sqlite"
    path.write_text("these are no games\n" * 100)
    for mode, is_public in ((0o640, False), (0o644, True)):
        path.chmod(mode)
        assert tic_tac_toe(["serve", "--data", str(path), "--port", "0", "--lang", "en"]) == 1
        said = capsys.readouterr().err
        assert ("everybody on this machine can read the games" in said) == is_public


@pytest.mark.medium
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
        ("PRAGMA user_version = 0", "version 0 of its tables is not known"),
        ("PRAGMA application_id = 1", "another program"),
    ],
)
def test_a_file_of_another_version_or_program_is_refused(
    tmp_path: Path, statement: str, words: str
) -> None:
    path = tmp_path / "games.sqlite"
    with opened(SqliteStore(path)):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
    before = path.read_bytes()
    with closing(SqliteStore(path)) as store:
        for doing in (store.open, store.upgrade):
            with pytest.raises(StorageError, match=words):
                doing()
    assert path.read_bytes() == before


def test_what_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.write_text("these are no games\n" * 100)
    with pytest.raises(StorageError, match="not a database"):
        SqliteStore(path).open()
    assert path.read_text() == "these are no games\n" * 100


def test_a_file_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        SqliteStore(tmp_path / "nowhere" / "games.sqlite").open()
    with pytest.raises(StorageError, match="it is a folder"):
        SqliteStore(tmp_path).open()
    with pytest.raises(StorageError, match=r"cannot upgrade .* it is a folder"):
        SqliteStore(tmp_path).upgrade()


@pytest.mark.medium
def test_the_log_is_carried_over_while_games_are_played(tmp_path: Path) -> None:
    log = tmp_path / "games.sqlite-wal"
    writer = Writer(random.Random(2))
    with opened(SqliteStore(tmp_path / "games.sqlite", checkpoint_events=50)) as store:
        for _ in range(300):
            store.commit([writer.unit() for _ in range(10)])
        assert log.stat().st_size < 4_000_000
    assert not log.exists()


# -- PostgreSQL: several servers, and a database that goes away ------------------------------------


@pytest.fixture
def database(postgres_url: str) -> Iterator[PostgresStore]:
    """A store of an empty database."""
    with opened(PostgresStore(postgres_url)) as store:
        yield store


@on_postgres
def test_many_servers_can_open_an_empty_database_at_once(postgres_url: str) -> None:
    stores = [PostgresStore(postgres_url) for _ in range(4)]
    with ThreadPoolExecutor() as threads:
        list(threads.map(PostgresStore.open, stores))
    for store in stores:
        assert store.events(GAME) == []
        store.close()


@on_postgres
def test_what_is_acknowledged_is_on_the_disk_where_a_database_is_set_not_to_wait_for_it(
    postgres_url: str,
) -> None:
    waits = set[Any]()

    class Asked(PostgresStore):
        def _execute(self, session: Any, statement: str, *values: object) -> list[Any]:
            waits.update(session.execute("SHOW synchronous_commit"))
            return super()._execute(session, statement, *values)

    with psycopg.connect(postgres_url, autocommit=True) as session:
        session.execute(f'ALTER DATABASE "{session.info.dbname}" SET synchronous_commit = off')
    with opened(Asked(postgres_url)) as store:
        assert store.commit([Transaction((moved(GAME, 1),))]) == [True]
    assert waits == {("on",)}


@on_postgres
def test_after_a_crash_of_the_database_it_is_opened_anew(
    postgres: Cluster, database: PostgresStore
) -> None:
    assert database.commit([Transaction((moved(GAME, 1),))]) == [True]
    postgres.stop("immediate")
    try:
        with pytest.raises(StorageError, match="cannot write"):
            database.commit([Transaction((moved(GAME, 2),))])
        with pytest.raises(StorageError, match="not open"):
            database.commit([Transaction((moved(GAME, 2),))])
        with pytest.raises(StorageError, match="cannot open"):
            database.open()
    finally:
        postgres.start()
    database.open()
    assert database.commit([Transaction((moved(GAME, 2),))]) == [True]
    assert database.heads([GAME]) == {GAME: 2}


@on_postgres
def test_a_database_that_hangs_is_given_up_and_opened_anew(
    postgres: Cluster, database: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert database.commit([Transaction((moved(GAME, 1),))]) == [True]
    monkeypatch.setattr(postgres_store, "ANSWER_SECONDS", 1.0)
    monkeypatch.setattr(postgres_store, "CONNECT_SECONDS", 2)
    with postgres.frozen():
        with pytest.raises(StorageError, match=r"cannot read .* said nothing for 1 seconds"):
            database.events(GAME)
        with pytest.raises(StorageError, match="cannot write"):
            database.commit([Transaction((moved(GAME, 2),))])
        with pytest.raises(StorageError, match="cannot open"):
            database.open()
    monkeypatch.undo()
    database.open()
    assert database.heads([GAME])[GAME] in (1, 2)
    assert database.commit([Transaction((moved(GAME, 3),))]) == [True]


@on_postgres
def test_a_database_of_another_version_is_refused(
    database: PostgresStore, postgres_url: str
) -> None:
    database.close()
    with psycopg.connect(postgres_url) as session:
        session.execute("UPDATE tictactoe_schema SET version = 99")
    with pytest.raises(StorageError, match="a newer version"):
        database.open()


class Raced(PostgresStore):
    """Lets another server write when the versions of a game have been read."""

    other: PostgresStore

    def _execute(self, session: Any, statement: str, *values: object) -> list[Any]:
        found = super()._execute(session, statement, *values)
        if statement == statements.VERSIONS:
            self.other.commit([Transaction((moved(GAME, 3),))])
        return found


@on_postgres
def test_what_another_server_writes_while_a_game_is_rewritten_stays(
    database: PostgresStore, postgres_url: str
) -> None:
    events = created(GAME), moved(GAME, 2)
    kept = row_of(begin(events[0]))
    database.commit([Transaction(events, (kept,))])
    raced = Raced(postgres_url)
    raced.other = database
    with opened(raced):
        assert raced.rewrite(GAME, events, kept)
    assert database.events(GAME) == [*events, moved(GAME, 3)]
