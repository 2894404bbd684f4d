"""What is special about PostgreSQL: several servers, and a database that goes away."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from tests.machine import needs
from tests.online.logs import moved
from tests.online.postgres import Cluster
from tic_tac_toe.protocols.online.events import details_of
from tic_tac_toe_frontends.server import postgres_store
from tic_tac_toe_frontends.server.postgres_store import PostgresStore, TimedConnection
from tic_tac_toe_frontends.server.store import StorageError, Transaction

on_postgres = needs("postgres")

GAME = "game-------------------A"


@on_postgres
def test_of_servers_that_race_for_a_version_one_has_it(postgres_url: str) -> None:
    assert race(PostgresStore, postgres_url) == []


@on_postgres
def test_a_store_that_asks_before_it_writes_is_caught(postgres_url: str) -> None:
    assert race(Asking, postgres_url) != []


@on_postgres
def test_many_servers_can_open_an_empty_database_at_once(postgres_url: str) -> None:
    stores = [PostgresStore(postgres_url) for _ in range(4)]
    with ThreadPoolExecutor() as threads:
        list(threads.map(PostgresStore.open, stores))
    for store in stores:
        assert store.events(GAME) == []
        store.close()


@on_postgres
def test_after_a_crash_of_the_database_it_is_opened_anew(
    postgres: Cluster, postgres_url: str
) -> None:
    store = PostgresStore(postgres_url)
    store.open()
    assert store.commit([Transaction((moved(GAME, 1),))]) == [True]
    postgres.stop("immediate")
    try:
        with pytest.raises(StorageError, match="cannot write"):
            store.commit([Transaction((moved(GAME, 2),))])
        with pytest.raises(StorageError, match="not open"):
            store.commit([Transaction((moved(GAME, 2),))])
        with pytest.raises(StorageError, match="cannot open"):
            store.open()
    finally:
        postgres.start()
    store.open()
    assert store.commit([Transaction((moved(GAME, 2),))]) == [True]
    assert store.heads([GAME]) == {GAME: 2}
    store.close()


@on_postgres
def test_a_database_that_hangs_is_given_up_and_opened_anew(
    postgres: Cluster, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = PostgresStore(postgres_url)
    store.open()
    assert store.commit([Transaction((moved(GAME, 1),))]) == [True]
    monkeypatch.setattr(postgres_store, "ANSWER_SECONDS", 1.0)
    monkeypatch.setattr(postgres_store, "CONNECT_SECONDS", 2)
    with postgres.frozen():
        with pytest.raises(StorageError, match=r"cannot read .* said nothing for 1 seconds"):
            store.events(GAME)
        with pytest.raises(StorageError, match="cannot write"):
            store.commit([Transaction((moved(GAME, 2),))])
        with pytest.raises(StorageError, match="cannot open"):
            store.open()
    monkeypatch.undo()
    store.open()
    assert store.heads([GAME])[GAME] in (1, 2)
    assert store.commit([Transaction((moved(GAME, 3),))]) == [True]
    store.close()


@on_postgres
def test_a_store_that_waits_for_a_database_that_hangs_is_found(
    postgres: Cluster, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "ANSWER_SECONDS", 1.0)
    monkeypatch.setattr(TimedConnection, "wait", psycopg.Connection.wait)
    store = PostgresStore(postgres_url)
    store.open()
    thread = threading.Thread(target=store.events, args=(GAME,))
    with postgres.frozen():
        thread.start()
        thread.join(4)
        assert thread.is_alive()
    thread.join()
    store.close()


@on_postgres
def test_a_database_of_another_version_is_refused(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    store.open()
    store.close()
    with psycopg.connect(postgres_url) as session:
        session.execute("UPDATE tictactoe_schema SET version = 99")
    with pytest.raises(StorageError, match="a newer version"):
        store.open()


def test_the_password_is_in_no_error(tmp_path: Path) -> None:
    store = PostgresStore(f"postgresql://me:secret@/games?host={tmp_path}")
    with pytest.raises(StorageError) as caught:
        store.open()
    assert "secret" not in str(caught.value)


class Asking(PostgresStore):
    """Asks whether a version is free and then overwrites it, as if nobody could come between."""

    def commit(self, units: Sequence[Transaction]) -> list[bool]:
        free = [unit.events[0].version > len(self.events(unit.events[0].game)) for unit in units]
        super().commit([unit for unit, is_free in zip(units, free) if is_free])
        return free


def race(kind: type[PostgresStore], url: str, rounds: int = 100, games: int = 5) -> list[object]:
    """Let two servers write the same versions of the same games; return what is not as it ought."""
    stores = [kind(url), kind(url)]
    for store in stores:
        store.open()
    barrier = threading.Barrier(2)
    won: list[dict[tuple[str, int], bool]] = [{}, {}]

    def play(side: int) -> None:
        for version in range(1, rounds + 1):
            names = [f"g{number}" for number in range(games)]
            random.Random(f"{side} {version}").shuffle(names)
            units = [
                Transaction((moved(name, version, side, f"{side}-{version}"),)) for name in names
            ]
            barrier.wait(60)
            for name, is_there in zip(names, stores[side].commit(units)):
                won[side][name, version] = is_there

    with ThreadPoolExecutor() as threads:
        list(threads.map(play, (0, 1)))
    wrong = _wrong_in(stores[0], won, rounds, games)
    for store in stores:
        store.close()
    return wrong


def _wrong_in(
    store: PostgresStore, won: list[dict[tuple[str, int], bool]], rounds: int, games: int
) -> list[object]:
    """Return the versions that not just one server has won, or that hold the other's move."""
    wrong: list[object] = []
    for number in range(games):
        cells = {event.version: details_of(event)["cell"] for event in store.events(f"g{number}")}
        for version in range(1, rounds + 1):
            winners = [side for side in (0, 1) if won[side][f"g{number}", version]]
            if winners != [cells.get(version)]:
                wrong.append((number, version, winners, cells.get(version)))
    return wrong
