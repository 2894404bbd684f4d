"""Nobody can make the server hold, do or send more than its limits."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol

from tests.online.world import (
    GENEROUS,
    Guest,
    any_token,
    opened,
    play_moves,
    rest,
    seated,
    turn_clock,
    until,
)
from tests.online.processes import PATIENCE, closing_code, web_socket
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.limits import EVENTS_AT_ONCE
from tic_tac_toe.protocols.online.replies import Answer
from tic_tac_toe.protocols.online.requests import (
    Chat,
    Create,
    Events,
    Hello,
    Join,
    Request,
    write_request,
)
from tic_tac_toe_frontends.server.connection import MOST_INVALID, MOST_REFUSED
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.net.http_protocol import HttpProtocol
from tic_tac_toe_frontends.server.net.web_socket import MOST_BYTES, MOST_MESSAGES, WebSocket
from tic_tac_toe_frontends.server.rate_limits import AddressLimits, Allowance, Bucket
from tic_tac_toe_frontends.server.run import Server, configuration
from tic_tac_toe_frontends.server.session import GameSession
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.statements import PLAYING, WAITING

pytestmark = pytest.mark.anyio

FILE = "games.sqlite"


def answers_to(guest: Guest, requests: list[Request]) -> list[Answer]:
    """Return the answers to requests that are answered at once."""
    return [
        answer
        for request in requests
        for answer in guest.answers(guest.send(request))
        if isinstance(answer, Answer)
    ]


# -- credit ----------------------------------------------------------------------------------------


async def test_a_client_that_asks_too_fast_is_told_when_to_come_again_and_closed_at_last(
    world: World,
) -> None:
    server = await world.open(allowance=Allowance(messages=2))
    server.clock = server.limits.clock = lambda: 0.0
    guest, other = Guest(server), Guest(server)
    requests: list[Request] = [Events(f"e{i}", 0) for i in range(20 + MOST_REFUSED + 5)]
    answers = answers_to(guest, requests)
    assert [answer.status for answer in answers[:20]] == ["ok"] * 20
    assert {answer.reason for answer in answers[20:]} == {"too_fast"}
    assert all(answer.retry >= 500 for answer in answers[20:])
    assert len(answers) == 20 + MOST_REFUSED + 1
    assert guest.socket.closed is not None
    assert guest.socket.closed[0] == 1008
    assert answers_to(other, [Events("e", 0)])[0].status == "ok"


def test_credit_comes_back_with_time() -> None:
    bucket = Bucket(size=10, rate=2, now=0)
    assert [bucket.spend(0) for _ in range(11)] == [0.0] * 10 + [0.5]
    assert bucket.spend(0.4) > 0
    assert bucket.spend(0.5) == 0
    assert bucket.spend(0.5) > 0
    assert bucket.is_full(100)
    assert [bucket.spend(100) for _ in range(11)] == [0.0] * 10 + [0.5]


async def test_an_address_has_one_credit_for_all_its_connections(world: World) -> None:
    allowance = Allowance(messages=1000, address_messages=3)
    server = await world.open(allowance=allowance)
    server.clock = server.limits.clock = lambda: 0.0
    guests = [Guest(server, "192.0.2.7") for _ in range(10)]
    answers = [
        answer
        for number in range(10)
        for guest in guests
        for answer in answers_to(guest, [Events(f"e{number}", 0)])
    ]
    assert [answer.status for answer in answers] == ["ok"] * 30 + ["busy"] * 70
    elsewhere = Guest(server, "192.0.2.8")
    assert answers_to(elsewhere, [Events("e", 0)])[0].status == "ok"


async def test_an_address_has_a_limited_number_of_bytes_written(world: World) -> None:
    server = await world.open(allowance=Allowance(messages=1e6))
    server.clock = server.limits.clock = lambda: 0.0
    ann, bob, game = await seated(server)
    stored = ann.connection.account.stored
    stored.charge(0.0, stored.left - 200)
    assert (await ann.say("a")).status == "ok"
    refused = await ann.say("b")
    assert (refused.status, refused.reason) == ("busy", "too_fast")
    assert [event.kind for event in server.store.events(game)].count("chat") == 1
    elsewhere = Guest(server, "192.0.2.8")
    await elsewhere.hello(game, bob.token)
    assert (await elsewhere.say("c")).status == "ok"


def test_all_addresses_of_one_ipv6_network_are_one() -> None:
    addresses = AddressLimits(Allowance(connections=2), lambda: 0.0)
    assert addresses.connect("2001:db8:1:2::1") is not None
    assert addresses.connect("2001:db8:1:2:ffff::9") is not None
    assert addresses.connect("2001:db8:1:2:3::") is None
    assert addresses.connect("2001:db8:1:3::1") is not None
    assert addresses.connect("::ffff:192.0.2.1") is addresses.connect("192.0.2.1")
    assert addresses.connect("") is not None
    assert addresses.connect("a name") is not None


async def test_a_client_that_goes_on_sending_invalid_requests_is_closed(server: GameServer) -> None:
    guest = Guest(server)
    for _ in range(MOST_INVALID):
        guest.connection.text("{")
    assert guest.socket.closed is None
    guest.connection.text("{")
    assert guest.socket.closed is not None
    assert guest.socket.closed[0] == 1008


async def test_an_address_holds_a_limited_number_of_connections(world: World) -> None:
    server = await world.open(allowance=Allowance(connections=3))
    guests = [Guest(server, "192.0.2.7") for _ in range(3)]
    assert server.connect(guests[0].connection.socket, "192.0.2.7") is None
    assert server.registry.get_sample_value("tictactoe_connections") == 3
    Guest(server, "192.0.2.8")
    guests[0].leave()
    Guest(server, "192.0.2.7")
    assert server.connect(guests[0].connection.socket, "192.0.2.7") is None


def test_accounts_of_addresses_that_are_gone_are_forgotten() -> None:
    now = 0.0
    addresses = AddressLimits(Allowance(), lambda: now)
    for number in range(100):
        account = addresses.connect(f"192.0.2.{number}")
        assert account is not None
        account.messages.spend(0)
        account.connections -= number != 7
    now = 60.0
    addresses.forget()
    assert len(addresses) == 1


# -- games -----------------------------------------------------------------------------------------


async def test_the_server_holds_a_limited_number_of_unfinished_games(world: World) -> None:
    server = await world.open(most_games=5)
    guest = Guest(server)
    requests: list[Request] = [Create(f"c{i}", any_token(), "tic-tac-toe") for i in range(20)]
    for request in requests:
        guest.send(request)
    await rest(server)
    answers = [guest.answers(request.id)[0] for request in requests]
    refused = [answer for answer in answers if answer.status == "busy"]
    assert len(answers) - len(refused) == 5 == server.store.count_unfinished()
    assert {answer.reason for answer in refused} == {"full"}
    assert all(answer.retry >= 1000 for answer in refused)


async def test_a_creator_is_told_of_the_game_again_however_full_the_server_is(
    world: World,
) -> None:
    request = Create("c", any_token(), "tic-tac-toe", seat="X")
    for most, status in ((1, "ok"), (0, "duplicate")):
        server = await world.open(most_games=most)
        guest = Guest(server)
        answer = await guest.ask(request)
        assert (answer.status, answer.seat) == (status, "X")
        other = await guest.ask(Create("n", any_token(), "tic-tac-toe"))
        assert (other.status, other.reason) == ("busy", "full")
        await rest(server)
        assert len(server.sessions) == 1


async def test_a_game_that_ends_makes_room_for_another(world: World) -> None:
    server = await world.open(most_games=1)
    ann, bob, _ = await seated(server)
    await play_moves((ann, 0), (bob, 3), (ann, 1), (bob, 4), (ann, 2))
    await until(lambda: not server.lobby.is_full, "a game that has ended is not counted")
    assert (await bob.ask(Create("c", bob.token, "tic-tac-toe"))).status == "ok"


async def test_an_address_creates_a_limited_number_of_games(world: World) -> None:
    allowance = Allowance(games=3)
    server = await world.open(allowance=allowance)
    server.clock = server.limits.clock = lambda: 0.0
    guests = [Guest(server) for _ in range(5)]
    answers = [await g.ask(Create("c", g.token, "tic-tac-toe")) for g in guests]
    assert [answer.reason for answer in answers] == ["", "", "", "too_fast", "too_fast"]
    server.clock = lambda: 1300.0
    assert (await guests[4].ask(Create("d", guests[4].token, "tic-tac-toe"))).status == "ok"


class Counting(SqliteStore):
    """Counts how often the events of a game are read."""

    reads = 0

    def events(self, game: str, after: int = 0) -> list[Event]:
        self.reads += 1
        return super().events(game, after)


async def test_what_a_watcher_must_not_do_is_refused_without_a_look_into_a_shared_log(
    world: World, tmp_path: Path,
) -> None:
    store = Counting(tmp_path / FILE)
    server = await world.open(store, node="n1")
    ann, _, game = await seated(server)
    watcher = Guest(server)
    await watcher.hello(game)
    await rest(server)
    before = store.reads
    for cell in range(9):
        assert (await watcher.move(cell)).reason == "not_seated"
        assert (await watcher.say()).reason == "not_seated"
    assert store.reads == before
    assert (await ann.move(0)).status == "ok"


async def test_unknown_addresses_leave_nothing_behind(server: GameServer) -> None:
    guest = Guest(server)
    for number in range(50):
        address = any_token()
        for request in (
            Hello(f"h{number}", 1, address),
            Hello(f"t{number}", 1, address, guest.token),
            Join(f"j{number}", address, guest.token),
        ):
            assert (await guest.ask(request)).reason == "unknown_game"
    await rest(server)
    assert len(server.sessions) == 0
    assert list(server.store.all_games()) == []


async def test_of_many_events_a_limited_number_is_told_at_once(server: GameServer) -> None:
    ann, bob, _ = await seated(server)
    for start in range(0, EVENTS_AT_ONCE, 50):
        for number in range(start, start + 50):
            ann.send(Chat(f"c{number}", "so"))
        await rest(server)
    told = await bob.ask(Events("e", 0))
    assert (len(told.events), told.head) == (EVENTS_AT_ONCE, EVENTS_AT_ONCE + 2)


# -- time ------------------------------------------------------------------------------------------


async def tidied(server: GameServer) -> None:
    """Do what the server does every few seconds, as often as it takes."""
    for _ in range(3):
        await server.housekeeper.expire_games()
        await rest(server)


async def test_games_that_nobody_joins_and_nobody_plays_come_to_an_end(world: World) -> None:
    server = await world.open(forget_after={WAITING: 100.0, PLAYING: 1000.0})
    waiting = await Guest(server).create()
    ann, bob, playing = await seated(server)
    server.sessions.pop(waiting)
    turn_clock(server, 50)
    await tidied(server)
    assert server.store.count_unfinished() == 2
    turn_clock(server, 150)
    await tidied(server)
    assert [event.kind for event in server.store.events(waiting)] == ["create", "expire"]
    assert server.store.count_unfinished() == 1
    assert (await ann.move(4)).status == "ok"
    turn_clock(server, 900)
    await tidied(server)
    assert server.store.count_unfinished() == 1
    turn_clock(server, 200)
    await tidied(server)
    await bob.until(lambda: bob.heard("expire"))
    assert server.store.count_unfinished() == 0
    assert (await bob.move(0)).reason == "game_over"
    assert len(server.store.events(playing)) == 4


async def test_many_games_that_are_played_slowly_keep_none_from_expiring(
    world: World,
) -> None:
    server = await world.open(forget_after={WAITING: 100.0, PLAYING: 1e6})
    guest = Guest(server)
    for number in range(120):
        token = any_token()
        guest.send(Create(f"c{number}", token, "tic-tac-toe", opponent="rules", seat="X"))
    await rest(server)
    waiting = await guest.create()
    turn_clock(server, 300)
    await tidied(server)
    assert [event.kind for event in server.store.events(waiting)] == ["create", "expire"]
    assert server.store.count_unfinished() == 120


async def test_games_that_nobody_follows_leave_the_memory(world: World) -> None:
    server = await world.open(tidy=0.01)
    server.housekeeper.idle_seconds = -1.0
    ann, bob, game = await seated(server)
    timed = (await seated(server, clock=(600, 0)))[2]
    left = (await seated(server))[2]
    ann.leave()
    for connection in tuple(server.connections):
        if connection is not bob.connection:
            server.disconnect(connection)
    await until(lambda: left not in server.sessions, "games are looked through")
    assert game in server.sessions
    bob.leave()
    await until(lambda: game not in server.sessions, "the game leaves the memory")
    assert {session.address for session in server.sessions.values()} == {timed}
    await Guest(server).hello(game, ann.token)


# -- sockets ---------------------------------------------------------------------------------------


@asynccontextmanager
async def listening(
    tmp_path: Path,
    wire: type[WebSocket] = WebSocket,
    door: type[H11Protocol] = HttpProtocol,
    most: int | None = None,
    proxies: Sequence[str] = (),
    origins: Sequence[str] = (),
    **settings: Any,
) -> AsyncIterator[tuple[GameServer, str]]:
    """Open a game server at a port of the loopback; its WebSocket has the second of the two.

    Args:
        most, proxies, origins: see `Server` and `configuration`.
        settings: more for `GameServer`.
    """
    settings.setdefault("allowance", GENEROUS)
    server = GameServer(SqliteStore(tmp_path / FILE), **settings)
    config = configuration(server, proxies, origins)
    config.ws, config.http = wire, door
    ready: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    serving_process = Server(config, server, ready.set_result, most=most)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        serving = asyncio.create_task(serving_process.serve([listener]))
        try:
            yield server, f"ws://127.0.0.1:{await asyncio.wait_for(ready, PATIENCE)}/ws"
        finally:
            serving_process.should_exit = True
            await asyncio.wait_for(serving, PATIENCE)


async def test_one_connection_too_many_is_closed_with_try_again_later(world: World) -> None:
    server, url = await world.listen(allowance=Allowance(connections=2))
    async with web_socket(url) as one, web_socket(url):
        async with web_socket(url) as three:
            assert await closing_code(three) == 1013
        await one.close()
        await until(lambda: len(server.connections) == 1, "the connection is closed")
        async with web_socket(url) as four:
            await four.send(write_request(Events("e", 0)))
            assert json.loads(await four.recv())["status"] == "ok"


class Impatient(HttpProtocol):
    """Waits for a request for half a second."""

    patience = 0.5


async def check_slow_requests(world: World, door: type[H11Protocol]) -> None:
    """Send a request byte by byte, and nothing at all: both have to be closed."""
    _, url = await world.listen(door=door)
    port = urlsplit(url).port
    slow = await asyncio.open_connection("127.0.0.1", port)
    silent = await asyncio.open_connection("127.0.0.1", port)
    ends = [asyncio.create_task(reader.read()) for reader, _ in (slow, silent)]
    for byte in b"GET /health HTTP/1.1\r\nX-Long: " + b"x" * 60:
        if all(end.done() for end in ends):
            break
        slow[1].write(bytes((byte,)))
        await asyncio.sleep(0.05)
    is_closed = [end.done() for end in ends]
    for end in ends:
        end.cancel()
    await asyncio.gather(*ends, return_exceptions=True)
    for _, writer in (slow, silent):
        writer.transport.abort()
    assert all(is_closed)


async def test_a_client_that_never_ends_its_request_is_sent_away(tmp_path: Path) -> None:
    await check_slow_requests(tmp_path, Impatient)


async def test_a_websocket_stays_open_longer_than_a_request_may_take(world: World) -> None:
    _, url = await world.listen(door=Impatient)
    async with web_socket(url) as client:
        silent, writer = await asyncio.open_connection("127.0.0.1", urlsplit(url).port)
        await silent.read()  # which is closed as soon as its time is up
        writer.close()
        await client.send(write_request(Events("e", 0)))
        assert json.loads(await client.recv())["status"] == "ok"


async def slow_reader_is_cut(
    world: World, wire: type[WebSocket], length: int, patience: float = PATIENCE
) -> tuple[bool, int]:
    """Let one client read nothing while lines of chat of a length are said.

    Return whether it was cut off, and the largest number of bytes that the server kept for it.
    """
    server, url = await world.listen(wire)
    ann, bob, game = await seated(server)
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect(("127.0.0.1", urlsplit(url).port))
    async with web_socket(url, sock=link, max_queue=1) as deaf:
        await deaf.send(write_request(Hello("h", 1, game)))
        await ann.until(lambda: len(server.sessions[game].followers) == 3)
        (connection,) = set(server.connections) - {ann.connection, bob.connection}
        kept = 0
        for _ in range(499):
            if (await ann.say("😀" * length)).status != "ok":
                break
            if connection not in server.connections:
                break
            kept = max(kept, connection.socket.transport.get_write_buffer_size())
        with suppress(AssertionError):
            await until(lambda: connection not in server.connections, "it is cut off", patience)
        return connection not in server.connections, kept


@pytest.mark.slow
@pytest.mark.parametrize(("length", "most"), [(1, MOST_MESSAGES * 200), (200, MOST_BYTES)])
async def test_a_client_that_does_not_read_is_cut_off(
    length: int, most: int, tmp_path: Path
) -> None:
    is_cut, kept = await slow_reader_is_cut(tmp_path, WebSocket, length)
    assert is_cut
    assert 0 < kept <= most

