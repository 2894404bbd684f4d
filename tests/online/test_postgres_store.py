"""What is special about PostgreSQL: several servers, and a database that goes away."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.machine import needs
from tests.online.logs import created, moved, opened
from tests.online.postgres import Cluster
from tic_tac_toe.protocols.online.game import begin
from tic_tac_toe_frontends.server import postgres_store, statements
from tic_tac_toe_frontends.server.game_rows import Transaction, row_of
from tic_tac_toe_frontends.server.postgres_store import PostgresStore, TimedConnection
from tic_tac_toe_frontends.server.store import StorageError

on_postgres = needs("postgres")

GAME = "game-------------------A"


@pytest.fixture
def store(postgres_url: str) -> Iterator[PostgresStore]:
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
def test_after_a_crash_of_the_database_it_is_opened_anew(
    postgres: Cluster, store: PostgresStore
) -> None:
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


@on_postgres
def test_a_database_that_hangs_is_given_up_and_opened_anew(
    postgres: Cluster, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@on_postgres
def test_a_store_that_waits_for_a_database_that_hangs_is_found(
    postgres: Cluster, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_store, "ANSWER_SECONDS", 1.0)
    monkeypatch.setattr(TimedConnection, "wait", psycopg.Connection.wait)
    thread = threading.Thread(target=store.events, args=(GAME,))
    with postgres.frozen():
        thread.start()
        thread.join(4)
        assert thread.is_alive()
    thread.join()


@on_postgres
def test_a_database_of_another_version_is_refused(store: PostgresStore, postgres_url: str) -> None:
    store.close()
    with psycopg.connect(postgres_url) as session:
        session.execute("UPDATE tictactoe_schema SET version = 99")
    with pytest.raises(StorageError, match="a newer version"):
        store.open()


class Raced(PostgresStore):
    """Lets another server write when the versions of a game have been read."""

    other: PostgresStore

    def _ask(self, session: Any, statement: str, *values: object) -> list[Any]:
        found = super()._ask(session, statement, *values)
        if statement == statements.VERSIONS:
            self.other.commit([Transaction((moved(GAME, 3),))])
        return found


@on_postgres
def test_what_another_server_writes_while_a_game_is_rewritten_stays(
    store: PostgresStore, postgres_url: str
) -> None:
    events = created(GAME), moved(GAME, 2)
    kept = row_of(begin(events[0]))
    store.commit([Transaction(events, (kept,))])
    raced = Raced(postgres_url)
    raced.other = store
    with opened(raced):
        assert raced.rewrite(GAME, events, kept)
    assert store.events(GAME) == [*events, moved(GAME, 3)]


def test_the_password_is_in_no_error(tmp_path: Path) -> None:
    store = PostgresStore(f"postgresql://me:secret@/games?host={tmp_path}")
    with pytest.raises(StorageError) as caught:
        store.open()
    assert "secret" not in str(caught.value)
