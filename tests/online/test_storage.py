"""Where the storage fails nothing is acknowledged or lost; games are loaded from it in turns."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from http import HTTPStatus
from logging import ERROR
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette

from tests.online.processes import PATIENCE
from tests.online.world import (
    GENEROUS,
    Guest,
    any_token,
    ask_async,
    begun,
    limited,
    opened,
    play_moves,
    rest,
    seated,
    turn_clock,
    until,
)
from tests.protocols.games import happening
from tic_tac_toe.protocols.online.events import Created, Event, GameSetup, Player
from tic_tac_toe.protocols.online.game import OnlineGame, begin
from tic_tac_toe.protocols.online.requests import Chat, Create, Join, Move, Request
from tic_tac_toe_frontends.server import housekeeping
from tic_tac_toe_frontends.server.budgets import ClientLimits
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.nodes import Nodes
from tic_tac_toe_frontends.server.storage.game_rows import Transaction, row_of
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.store import StorageError, Store
from tic_tac_toe_frontends.server.web.http import routes

pytestmark = pytest.mark.anyio

FILE = "games.sqlite"
BEFORE, AFTER = "before", "after"


class Faulty(SqliteStore):
    """A store that fails or waits when told to.

    Attributes:
        fault: where commits fail: before anything is written, after all is, or not at all.
        stays_shut: whether it cannot be opened again either.
        reads_fail: whether games cannot be read.
        held: the games that are read only once `go` is set.
        reads: the games that were read.
    """

    fault = ""
    stays_shut = False
    reads_fail = False

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.held: set[str] = set()
        self.go = threading.Event()
        self.reads: list[str] = []

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
        self.reads.append(game)
        if game in self.held:
            assert self.go.wait(PATIENCE)
        return super().events(game, after)

    def _break(self) -> None:
        self.close()
        raise StorageError("the disk is full")


@asynccontextmanager
async def faulty(tmp_path: Path, **settings: Any) -> AsyncIterator[tuple[GameServer, Faulty]]:
    """Open a server on a store that can be broken and held up."""
    store = Faulty(tmp_path / FILE)
    async with opened(store, **settings) as server:
        server.writer.reopen_after = 0.02
        try:
            yield server, store
        finally:
            store.fault, store.stays_shut, store.reads_fail = "", False, False
            store.go.set()


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


@pytest.mark.parametrize("fault", [BEFORE, AFTER])
@pytest.mark.parametrize("kind", ["create", "join", "move"])
async def test_a_request_whose_fate_was_unknown_is_done_once_when_sent_again(
    kind: str, fault: str, tmp_path: Path
) -> None:
    async with faulty(tmp_path) as (server, store):
        ann, bob, game = await seated(server)
        waiting, carl = await Guest(server).create(), Guest(server)
        cases: dict[str, tuple[Guest, Request, str]] = {
            "create": (carl, Create("n", carl.token, "tic-tac-toe", seat="O"), ""),
            "join": (carl, Join("n", waiting, carl.token), waiting),
            "move": (ann, Move("n", ann.version, 4), game),
        }
        asker, request, where = cases[kind]
        store.fault = fault
        answer = await asker.ask(request)
        assert (answer.status, answer.reason) == ("busy", "storage")
        assert not server.is_ready
        store.fault = ""
        await mended(server)
        assert server.is_ready
        asker.socket.replies.clear()
        answer = await asker.ask(request)
        assert answer.status == ("ok" if fault == BEFORE else "duplicate")
        if kind != "move":
            assert answer.seat == "O" == carl.connection.seat
        assert len(list(store.all_games())) == (3 if kind == "create" else 2)
        events = store.events(where or answer.game)
        assert [event.id for event in events if event.kind == kind] == ["n"]
        assert answer.version == events[-1].version
        if kind == "move":
            await bob.until(lambda: bob.heard("move"))
            await rest(server)
            assert len(bob.heard("move")) == len(ann.heard("move")) == 1
            assert (await bob.move(0)).status == "ok"


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


@pytest.mark.medium
async def test_a_flag_that_could_not_be_written_falls_as_soon_as_it_can(tmp_path: Path) -> None:
    async with faulty(tmp_path) as (server, store):
        ann, bob, game = await begun(server, clock=(5, 0))
        server.uptime.record_start_now = lambda: None  # type: ignore[method-assign]
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
    "an event that cannot follow": "",
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
    if statement:
        damage(tmp_path / FILE, game, statement)
    else:
        event = happening(game, 5, "move", "X", server.now(), "wrong", cell=99)
        server.store.commit([Transaction((event,))])
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
    damage(tmp_path / FILE, game, DAMAGES["another legal move"])
    server.sessions[game].read_log()
    await rest(server)
    answer = await ann.ask(Move("m", 2, 0))
    assert (answer.status, answer.reason) == ("illegal", "unknown_game")
    assert server.is_ready
    assert complaints(caplog) == ["a game cannot be replayed"]


async def test_a_damaged_game_whose_time_has_run_out_is_read_once_by_the_server_itself(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with faulty(tmp_path) as (server, store):
        ann, bob, game = await begun(server, clock=(5, 0))
        for guest in (ann, bob):
            guest.leave()
        server.sessions.pop(game)
        damage(tmp_path / FILE, game, DAMAGES["another legal move"])
        turn_clock(server, 100 * 24 * 3600)
        store.reads.clear()
        for _ in range(5):
            await server.housekeeper.expire_games()
            await server.housekeeper.load_overdue_games()
            await rest(server)
        assert store.reads == [game]
        assert complaints(caplog) == ["a game cannot be replayed"]


# -- games that are not in memory ------------------------------------------------------------------


def written(store: Store, count: int) -> list[str]:
    """Write games that nobody has in memory, and return their addresses."""
    addresses = [any_token() for _ in range(count)]
    for address in addresses:
        setup = GameSetup("tic-tac-toe", players=(Player("Ann"), Player("Bob")))
        event = Created(address, 1, "", 1, setup=setup)
        assert store.commit([Transaction((event,), (row_of(begin(event)),))]) == [True]
    return addresses


async def test_nobody_waits_behind_the_games_that_one_address_has_loaded(tmp_path: Path) -> None:
    async with faulty(tmp_path) as (server, store):
        addresses = written(store, 61)
        store.held = set(addresses[:60])
        for address in addresses[:60]:
            guest = Guest(server, "192.0.2.66")
            guest.send(guest.greeting(address))
        await until(lambda: len(server.loads) == 60, "all games wait for the store")
        await Guest(server, "192.0.2.2").hello(addresses[60])
        assert len(server.loads) == 60
        store.go.set()
        await until(lambda: len(server.loads) == 0, "all games are loaded")


async def test_others_play_on_while_a_game_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The replay is held up until another game has gone on."""
    held, go = "", threading.Event()
    went_on: list[bool] = []
    apply = OnlineGame.apply

    def slow_apply(game: OnlineGame, *arguments: Any) -> OnlineGame:
        if game.address == held:
            went_on.append(go.wait(PATIENCE))
        return apply(game, *arguments)

    async with opened(tmp_path / FILE, limits=GENEROUS) as server:
        ann, bob, game = await seated(server)
        ann.leave()
        bob.leave()
        await until(lambda: server.sessions[game].is_idle, "nothing is under way")
        server.sessions.drop(server.sessions[game])
        monkeypatch.setattr(OnlineGame, "apply", slow_apply)
        held = game
        watcher, other = Guest(server), Guest(server)
        asked = watcher.send(watcher.greeting(game))
        await other.create(opponent="rules")
        await play_moves((other, 0))
        go.set()
        await watcher.answer(asked)
    assert set(went_on) == {True}


async def test_an_address_has_a_limited_number_of_events_replayed(tmp_path: Path) -> None:
    limits = limited(replays=(2, 0.1))
    async with opened(tmp_path / FILE, limits=limits) as server:
        server.clock = server.addresses.clock = lambda: 0.0
        addresses = written(server.store, 5)
        guest = Guest(server, "192.0.2.7")
        for address in addresses[:3]:
            await guest.hello(address)
        await guest.hello(addresses[0])  # it is in memory, which costs nothing
        refused = await guest.ask(guest.greeting(addresses[3]))
        assert (refused.status, refused.reason) == ("busy", "too_fast")
        assert refused.retry == 10_001
        assert addresses[3] not in server.sessions
        await Guest(server, "192.0.2.8").hello(addresses[4])
        server.clock = server.addresses.clock = lambda: 11.0
        await guest.hello(addresses[3])


async def test_who_may_load_a_game_is_not_put_off_with_who_may_not(tmp_path: Path) -> None:
    async with faulty(tmp_path) as (server, store):
        addresses = written(store, 5)
        store.held = set(addresses[:4])
        busy = [Guest(server, f"192.0.2.{10 + number}") for number in range(4)]
        for guest, address in zip(busy, addresses):
            guest.send(guest.greeting(address))  # nothing else can be loaded now
        debtor, other = Guest(server, "192.0.2.7"), Guest(server, "192.0.2.8")
        debtor.connection.budget.replays.charge(server.clock(), 1e6)
        refused = debtor.send(debtor.greeting(addresses[4]))
        welcomed = other.send(other.greeting(addresses[4]))
        store.go.set()
        assert (await debtor.answer(refused)).reason == "too_fast"
        assert (await other.answer(welcomed)).game == addresses[4]


async def test_a_refused_request_to_create_a_game_pays_for_the_game_that_it_loads(
    tmp_path: Path,
) -> None:
    limits = ClientLimits.of(games=1)
    async with opened(tmp_path / FILE, limits=limits) as server:
        guest = Guest(server, "192.0.2.7")
        created = Create("c", guest.token, "tic-tac-toe")
        assert (await guest.ask(created)).status == "ok"
        await guest.hello()
        await until(lambda: all(each.is_idle for each in server.sessions.values()), "rest")
        for session in tuple(server.sessions.values()):
            server.sessions.drop(session)
        budget = guest.connection.budget
        before = budget.replays.left
        guest.socket.replies.clear()
        assert (await guest.ask(created)).status == "duplicate"
        assert budget.replays.left < before
        budget.followed = limits.followed.number
        guest.socket.replies.clear()
        assert (await guest.ask(created)).status == "busy"


async def test_an_address_follows_games_of_a_limited_number_of_events(tmp_path: Path) -> None:
    limits = ClientLimits.of(connections=1)
    async with opened(tmp_path / FILE, limits=limits) as server:
        addresses = written(server.store, 2)
        guest = Guest(server, "192.0.2.7")
        guest.connection.budget.followed = limits.followed.number - 1
        await guest.hello(addresses[0])
        refused = await guest.ask(guest.greeting(addresses[1]))
        assert (refused.status, refused.reason) == ("busy", "too_fast")
        guest.leave()
        await Guest(server, "192.0.2.7").hello(addresses[1])


async def test_a_game_without_followers_leaves_the_memory_the_sooner_the_longer_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "LONG_GAME", 2)
    async with opened(tmp_path / FILE, tidy=0.05) as server:
        (short,) = written(server.store, 1)
        ann, bob, long = await seated(server)
        for number in range(16):
            assert (await ann.say(str(number))).status == "ok"
        watcher = Guest(server)
        await watcher.hello(short)
        for guest in (ann, bob, watcher):
            guest.leave()
        now = server.clock()
        server.clock = server.addresses.clock = lambda: now + 20
        await until(lambda: long not in server.sessions, "the long game is dropped")
        assert short in server.sessions


async def test_the_requests_that_wait_at_a_shared_log_need_one_read_of_it(tmp_path: Path) -> None:
    reads: list[str] = []

    class Counted(SqliteStore):
        def events(self, game: str, after: int = 0) -> list[Event]:
            reads.append(game)
            return super().events(game, after)

    async with opened(Counted(tmp_path / FILE), nodes=Nodes("one")) as server:
        ann, _, game = await seated(server)
        guests = [Guest(server) for _ in range(20)]
        reads.clear()
        for guest in guests:
            guest.send(guest.greeting(game))
        assert (await ann.move(4)).status == "ok"
        assert len(reads) == 1
