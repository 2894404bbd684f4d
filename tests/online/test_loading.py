"""Games that are not in memory are loaded beside the event loop, in turns, and at a price."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.online.guests import GENEROUS, Guest, any_token, opened, play_moves, seated, until
from tests.online.processes import PATIENCE
from tic_tac_toe.protocols.online.events import Created, Event, GameSetup, Player
from tic_tac_toe.protocols.online.game import OnlineGame, begin
from tic_tac_toe.protocols.online.requests import Create
from tic_tac_toe_frontends.server import housekeeping, loading
from tic_tac_toe_frontends.server.game_rows import Transaction, row_of
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.rate_limits import Allowance
from tic_tac_toe_frontends.server.readers import Readers
from tic_tac_toe_frontends.server.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.store import Store

pytestmark = pytest.mark.anyio

FILE = "games.sqlite"


class SlowStore(SqliteStore):
    """Reads the games named in `held` only once `go` is set."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.held: set[str] = set()
        self.go = threading.Event()

    def events(self, game: str, after: int = 0) -> list[Event]:
        if game in self.held:
            assert self.go.wait(PATIENCE)
        return super().events(game, after)


def written(store: Store, count: int) -> list[str]:
    """Write games that nobody has in memory, and return their addresses."""
    addresses = [any_token() for _ in range(count)]
    for address in addresses:
        setup = GameSetup("tic-tac-toe", players=(Player("Ann"), Player("Bob")))
        event = Created(address, 1, "", 1, setup=setup)
        assert store.commit([Transaction((event,), (row_of(begin(event)),))]) == [True]
    return addresses


@asynccontextmanager
async def slow_server(tmp_path: Path) -> AsyncIterator[tuple[GameServer, SlowStore]]:
    """Open a server whose store can be held up."""
    store = SlowStore(tmp_path / FILE)
    async with opened(store) as server:
        try:
            yield server, store
        finally:
            store.go.set()


async def check_that_nobody_waits_behind_one_address(tmp_path: Path, patience: float) -> None:
    """Let one address ask for sixty games that are read slowly, and another for one that is not."""
    async with slow_server(tmp_path) as (server, store):
        addresses = written(store, 61)
        store.held = set(addresses[:60])
        greedy = [Guest(server, "192.0.2.66") for _ in range(60)]
        for guest, address in zip(greedy, addresses):
            guest.send(guest.greeting(address))
        assert len(server.loads) == 60
        other = Guest(server, "192.0.2.2", patience)
        await other.hello(addresses[60])
        assert len(server.loads) == 60
        store.go.set()
        await until(lambda: len(server.loads) == 0, "all games are loaded")


async def test_nobody_waits_behind_the_games_that_one_address_has_loaded(tmp_path: Path) -> None:
    await check_that_nobody_waits_behind_one_address(tmp_path, PATIENCE)


async def test_a_server_that_loads_first_what_was_asked_first_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "EACH", 60)
    with pytest.raises(AssertionError, match="not so"):
        await check_that_nobody_waits_behind_one_address(tmp_path, 2.0)


async def replay_while_others_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patience: float
) -> bool:
    """Hold up the replay of a game until another game goes on; return whether it did."""
    held, go = "", threading.Event()
    went_on: list[bool] = []
    apply = OnlineGame.apply

    def slow_apply(game: OnlineGame, *arguments: Any) -> OnlineGame:
        if game.address == held:
            went_on.append(go.wait(patience))
        return apply(game, *arguments)

    async with opened(tmp_path / FILE, allowance=GENEROUS) as server:
        ann, bob = Guest(server), Guest(server)
        game = await ann.create()
        await bob.join(game)
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
    return all(went_on)


async def test_others_play_on_while_a_game_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await replay_while_others_play(tmp_path, monkeypatch, PATIENCE)


async def test_a_replay_in_the_event_loop_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def call(readers: Readers, read: Any, *arguments: Any, then: Callable[[Any], None]) -> None:
        then(read(readers.store, *arguments))

    monkeypatch.setattr(Readers, "call", call)
    assert not await replay_while_others_play(tmp_path, monkeypatch, 1.0)


async def test_an_address_has_a_limited_number_of_events_replayed(tmp_path: Path) -> None:
    allowance = Allowance(replays_at_once=2, replays=0.1)
    async with opened(tmp_path / FILE, allowance=allowance) as server:
        server.clock = server.limits.clock = lambda: 0.0
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
        server.clock = server.limits.clock = lambda: 11.0
        await guest.hello(addresses[3])


async def test_who_may_load_a_game_is_not_put_off_with_who_may_not(tmp_path: Path) -> None:
    async with slow_server(tmp_path) as (server, store):
        addresses = written(store, 5)
        store.held = set(addresses[:4])
        busy = [Guest(server, f"192.0.2.{10 + number}") for number in range(4)]
        for guest, address in zip(busy, addresses):
            guest.send(guest.greeting(address))  # nothing else can be loaded now
        debtor, other = Guest(server, "192.0.2.7"), Guest(server, "192.0.2.8")
        debtor.connection.account.replays.charge(server.clock(), 1e6)
        refused = debtor.send(debtor.greeting(addresses[4]))
        welcomed = other.send(other.greeting(addresses[4]))
        store.go.set()
        assert (await debtor.answer(refused)).reason == "too_fast"
        assert (await other.answer(welcomed)).game == addresses[4]


async def test_a_refused_request_to_create_a_game_pays_for_the_game_that_it_loads(
    tmp_path: Path,
) -> None:
    allowance = Allowance(games=1)
    async with opened(tmp_path / FILE, allowance=allowance) as server:
        guest = Guest(server, "192.0.2.7")
        created = Create("c", guest.token, "tic-tac-toe")
        assert (await guest.ask(created)).status == "ok"
        await guest.hello()
        await until(lambda: all(each.is_idle for each in server.sessions.values()), "rest")
        for session in tuple(server.sessions.values()):
            server.sessions.drop(session)
        account = guest.connection.account
        before = account.replays.left
        guest.socket.replies.clear()
        assert (await guest.ask(created)).status == "duplicate"
        assert account.replays.left < before
        account.followed = allowance.followed
        guest.socket.replies.clear()
        assert (await guest.ask(created)).status == "busy"


async def test_an_address_follows_games_of_a_limited_number_of_events(tmp_path: Path) -> None:
    allowance = Allowance(connections=1)
    async with opened(tmp_path / FILE, allowance=allowance) as server:
        addresses = written(server.store, 2)
        guest = Guest(server, "192.0.2.7")
        guest.connection.account.followed = allowance.followed - 1
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
        server.clock = server.limits.clock = lambda: now + 20
        await until(lambda: long not in server.sessions, "the long game is dropped")
        assert short in server.sessions
