"""Where the storage fails nothing is acknowledged, everybody is told, and nothing is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from http import HTTPStatus
from logging import ERROR
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from tests.online.asking import ask_async
from tests.online.broken import sabotage
from tests.online.guests import Guest, begun, opened, play_moves, rest, seated, turn_clock, until
from tests.protocols.games import happening
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.requests import Chat, Create, Join, Move
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.storage.game_rows import Transaction
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.store import StorageError
from tic_tac_toe_frontends.server.web.http import routes

pytestmark = pytest.mark.anyio

BEFORE, AFTER = "before", "after"


class Faulty(SqliteStore):
    """A store whose commits fail when told to: before anything is written, or after all is.

    Attributes:
        fault: what goes wrong from now on; empty for nothing.
        stays_shut: whether it cannot be opened again either.
    """

    fault = ""
    stays_shut = False
    reads_fail = False

    def open(self) -> None:
        if self.stays_shut:
            raise StorageError("the disk is gone")
        super().open()

    def commit(self, units: Sequence[Transaction]) -> list[bool]:
        if self.fault == BEFORE:
            self._break()
        written = super().commit(units)
        if self.fault == AFTER:
            self._break()
        return written

    def events(self, game: str, after: int = 0) -> list[Event]:
        if self.reads_fail:
            raise StorageError("a sector cannot be read")
        return super().events(game, after)

    def _break(self) -> None:
        self.close()
        raise StorageError("the disk is full")


@asynccontextmanager
async def faulty(tmp_path: Path, **settings: Any) -> AsyncIterator[tuple[GameServer, Faulty]]:
    """Open a server on a store that can be broken."""
    store = Faulty(tmp_path / "games.sqlite")
    async with opened(store, **settings) as server:
        server.writer.reopen_after = 0.02
        try:
            yield server, store
        finally:
            store.fault, store.stays_shut, store.reads_fail = "", False, False


async def mended(server: GameServer) -> None:
    """Wait until the server writes again."""
    await until(lambda: not server.writer.failed, "the storage is open again")


async def test_nothing_is_acknowledged_that_could_not_be_written(tmp_path: Path) -> None:
    """Break the storage under a move, a chat, a creation and a join."""
    async with faulty(tmp_path) as (server, store):
        ann, bob, _ = await seated(server)
        waiting = await Guest(server).create()
        store.fault, store.stays_shut = BEFORE, True
        carl, dora = Guest(server), Guest(server)
        asked: list[tuple[Guest, Any]] = [
            (ann, Move("m", ann.version, 4)),
            (bob, Chat("c", "are you there?")),
            (carl, Create("n", carl.token, "tic-tac-toe")),
            (dora, Join("j", waiting, dora.token)),
        ]
        for guest, request in asked:
            guest.send(request)
        await rest(server)
        for guest, request in asked:
            (answer,) = guest.answers(request.id)
            assert (answer.status, answer.reason) == ("busy", "storage")
            assert answer.retry > 0
        assert not server.is_ready
        assert not bob.heard("move")
        assert not ann.heard("chat")
        assert server.metrics.unanswered == 0


async def test_a_server_that_acknowledges_first_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sabotage("acknowledges-early", monkeypatch.setattr)
    with pytest.raises(AssertionError):
        await test_nothing_is_acknowledged_that_could_not_be_written(tmp_path)


@pytest.mark.parametrize("fault", [BEFORE, AFTER])
async def test_a_message_whose_fate_was_unknown_is_done_once_when_sent_again(
    fault: str, tmp_path: Path
) -> None:
    async with faulty(tmp_path) as (server, store):
        ann, bob, game = await seated(server)
        store.fault = fault
        answer = await ann.ask(Move("m", ann.version, 4))
        assert (answer.status, answer.reason) == ("busy", "storage")
        assert not server.is_ready
        store.fault = ""
        await mended(server)
        assert server.is_ready
        ann.socket.replies.clear()
        answer = await ann.ask(Move("m", 2, 4))
        assert (answer.status, answer.version) == (
            "ok" if fault == BEFORE else "duplicate",
            3,
        )
        await bob.until(lambda: bob.heard("move"))
        await rest(server)
        assert len(bob.heard("move")) == len(ann.heard("move")) == 1
        assert [event.kind for event in store.events(game)] == ["create", "join", "move"]
        assert (await bob.move(0)).status == "ok"


@pytest.mark.parametrize("fault", [BEFORE, AFTER])
@pytest.mark.parametrize("kind", ["create", "join"])
async def test_a_creation_and_a_join_of_unknown_fate_are_done_once(
    kind: str, fault: str, tmp_path: Path
) -> None:
    async with faulty(tmp_path) as (server, store):
        ann, bob = Guest(server), Guest(server)
        game = await ann.create()
        request: Any = Create("n", bob.token, "tic-tac-toe", seat="O")
        if kind == "join":
            request = Join("n", game, bob.token)
        store.fault = fault
        assert (await bob.ask(request)).reason == "storage"
        store.fault = ""
        await mended(server)
        bob.socket.replies.clear()
        answer = await bob.ask(request)
        assert answer.status == ("ok" if fault == BEFORE else "duplicate")
        assert answer.seat == "O" == bob.connection.seat
        assert len(list(store.all_games())) == (2 if kind == "create" else 1)
        assert sum(event.kind == kind for event in store.events(answer.game)) == 1


async def test_a_log_that_cannot_be_read_makes_the_server_busy_and_no_game_unknown(
    tmp_path: Path,
) -> None:
    async with faulty(tmp_path) as (server, store):
        ann, _, game = await seated(server)
        ann.leave()
        server.sessions.pop(game)
        store.reads_fail = True
        guest = Guest(server)
        answer = await guest.ask(guest.greeting(game, ann.token))
        assert (answer.status, answer.reason) == ("busy", "storage")
        store.reads_fail = False
        await guest.hello(game, ann.token)


@pytest.mark.parametrize("clock", [None, (600, 0)])
async def test_a_failure_beside_the_games_is_found_and_mended_by_the_server_itself(
    clock: tuple[int, int] | None, tmp_path: Path
) -> None:
    """A store that shuts itself outside a commit would else be shut until somebody writes."""

    async with faulty(tmp_path) as (server, store):
        ann, _, game = await seated(server, clock=clock)
        store.close()
        server.sessions.pop(game)
        guest = Guest(server)
        answer = await guest.ask(guest.greeting(game, ann.token))
        assert answer.reason == "storage"
        failures = partial(server.registry.get_sample_value, "tictactoe_storage_errors_total")
        await until(failures, "the failure is found")
        await mended(server)
        assert server.is_ready
        await guest.hello(game, ann.token)


async def test_while_nothing_can_be_written_nobody_is_charged_time(tmp_path: Path) -> None:
    async with faulty(tmp_path) as (server, store):
        ann, bob, _ = await begun(server, clock=(5, 0))
        store.beat(server.now())
        store.fault, store.stays_shut = BEFORE, True
        assert (await ann.move(8)).reason == "storage"
        turn_clock(server, 60)
        store.fault, store.stays_shut = "", False
        await mended(server)
        assert (await ann.move(8)).status == "ok"
        news = (await bob.until(lambda: bob.heard("move", "X")[1:]))[0]
        assert news.clock is not None
        assert news.clock[0] > 3_000


async def test_a_flag_that_could_not_be_written_falls_as_soon_as_it_can(tmp_path: Path) -> None:
    async with faulty(tmp_path) as (server, store):
        ann, bob, game = await begun(server, clock=(5, 0))
        server.uptime.arrive_now = lambda: None  # type: ignore[method-assign]
        server.writer.reopened = None
        store.fault = BEFORE
        turn_clock(server, 6)
        server.sessions[game].check_flag()
        await rest(server)
        assert not ann.heard("flag")
        store.fault = ""
        await mended(server)
        await bob.until(lambda: bob.heard("flag"))
        assert [event.kind for event in store.events(game)][4:] == ["flag"]


async def test_what_comes_while_the_storage_is_shut_does_not_wait_for_it(tmp_path: Path) -> None:
    async with faulty(tmp_path) as (server, store):
        ann, _, _ = await seated(server)
        store.fault, store.stays_shut = BEFORE, True
        for _ in range(20):
            assert (await ann.say()).reason == "storage"
        assert len(server.writer) == 0


#: Statements that damage one event of a game, whose address they are given.
DAMAGES = {
    "another legal move": "UPDATE events SET cell = 8 WHERE game = ? AND version = 3",
    "an illegal move": "UPDATE events SET cell = 99 WHERE game = ? AND version = 3",
    "another player's message": "UPDATE events SET message_id = 'O:x' WHERE game = ? AND version=3",
    "no text": "UPDATE events SET kind = CAST(x'ff' AS TEXT) WHERE game = ? AND version = 3",
    "no setup": "UPDATE events SET data = '{' WHERE game = ? AND version = 1",
    "a hole": "DELETE FROM events WHERE game = ? AND version = 3",
}


def damage(path: Path, game: str, statement: str) -> None:
    """Change the file of games by a statement about one of them."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, (game,))


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what is in the log of errors."""
    return [record.getMessage() for record in caplog.records if record.levelno >= ERROR]


@pytest.mark.parametrize("statement", DAMAGES.values(), ids=DAMAGES)
async def test_a_damaged_game_is_no_game_and_troubles_no_other(
    statement: str, server: GameServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob, game = await seated(server)
    carl, _, _ = await seated(server)
    await play_moves((ann, 4), (bob, 0))
    for guest in (ann, bob):
        guest.leave()
    server.sessions.pop(game)
    damage(tmp_path / "games.sqlite", game, statement)
    app = Starlette(routes=routes(server, None))
    again = Guest(server)
    for _ in range(2):
        answer = await again.ask(again.greeting(game, ann.token))
        assert (answer.status, answer.reason) == ("illegal", "unknown_game")
        assert len(again.answers(answer.id)) == 1
        again.socket.replies.clear()
        for path in ("", "/record.txt"):
            page = await ask_async(app, f"/games/{game}{path}")
            assert page.status == HTTPStatus.GONE
            assert "This game is damaged" in page.text
    assert (await carl.move(4)).status == "ok"
    await rest(server)
    assert server.is_ready
    assert server.metrics.unanswered == 0
    assert game not in server.sessions
    assert complaints(caplog) == ["a game cannot be replayed"]


async def test_damage_in_the_news_of_another_server_ends_the_game_in_memory(
    server: GameServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ann, _, game = await seated(server)
    event = happening(game, 3, "move", "X", server.now(), "elsewhere", cell=4)
    server.store.commit([Transaction((event,))])
    damage(tmp_path / "games.sqlite", game, DAMAGES["another legal move"])
    server.sessions[game].look_for_news()
    await rest(server)
    answer = await ann.ask(Move("m", 2, 0))
    assert (answer.status, answer.reason) == ("illegal", "unknown_game")
    assert server.is_ready
    assert complaints(caplog) == ["a game cannot be replayed"]


async def test_a_damaged_game_whose_time_has_run_out_is_read_once_by_the_server_itself(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reads: list[str] = []

    class Counting(SqliteStore):
        def events(self, game: str, after: int = 0) -> list[Event]:
            reads.append(game)
            return super().events(game, after)

    async with opened(Counting(tmp_path / "games.sqlite")) as server:
        ann, bob, game = await begun(server, clock=(5, 0))
        for guest in (ann, bob):
            guest.leave()
        server.sessions.pop(game)
        damage(tmp_path / "games.sqlite", game, DAMAGES["another legal move"])
        turn_clock(server, 100 * 24 * 3600)
        reads.clear()
        for _ in range(5):
            await server.housekeeper.expire_games()
            await server.housekeeper.take_up_overdue_games()
            await rest(server)
        assert reads == [game]
        assert complaints(caplog) == ["a game cannot be replayed"]


async def test_events_that_cannot_follow_each_other_are_no_game_either(
    server: GameServer, caplog: pytest.LogCaptureFixture
) -> None:
    ann, _, game = await seated(server)
    ann.leave()
    server.sessions.pop(game)
    event = happening(game, 3, "move", "X", server.now(), "wrong", cell=99)
    server.store.commit([Transaction((event,))])
    page = await ask_async(Starlette(routes=routes(server, None)), f"/games/{game}")
    assert page.status == HTTPStatus.GONE
    again = Guest(server)
    assert (await again.ask(again.greeting(game))).reason == "unknown_game"
    assert complaints(caplog) == ["a game cannot be replayed"]
