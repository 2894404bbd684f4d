"""Nobody can make the server hold, do or send more than so much."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol

from tests.online.halls import GENEROUS, PATIENCE, Guest, opened, play, rest, seated
from tic_tac_toe.protocols.online.addresses import new_token
from tic_tac_toe.protocols.online.limits import (
    CHAT_IN_GAME,
    EVENTS_AT_ONCE,
    FRAME_BYTES,
    SUBPROTOCOL,
)
from tic_tac_toe.protocols.online.replies import Answer, Welcome
from tic_tac_toe.protocols.online.requests import (
    Chat,
    Create,
    Events,
    Hello,
    Join,
    Request,
    Resign,
    write_request,
)
from tic_tac_toe_frontends.server.app import App
from tic_tac_toe_frontends.server.connection import MOST_INVALID, MOST_REFUSED
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.http_protocol import HttpProtocol
from tic_tac_toe_frontends.server.rate_limits import AddressLimits, Allowance, Bucket
from tic_tac_toe_frontends.server.run import Server
from tic_tac_toe_frontends.server.session import GameSession
from tic_tac_toe_frontends.server.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.web_socket import MOST_BYTES, MOST_MESSAGES, WebSocket

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


def check_credit(tmp_path: Path) -> None:
    """Ask more than a connection may: it is told when to come again, and closed if it goes on."""

    async def run() -> None:
        async with opened(tmp_path / FILE, allowance=Allowance(messages=2)) as hall:
            hall.clock = hall.limits.clock = lambda: 0.0
            guest, other = Guest(hall), Guest(hall)
            requests: list[Request] = [Events(f"e{i}", 0) for i in range(20 + MOST_REFUSED + 5)]
            answers = answers_to(guest, requests)
            assert [answer.status for answer in answers[:20]] == ["ok"] * 20
            assert {answer.reason for answer in answers[20:]} == {"too_fast"}
            assert all(answer.retry >= 500 for answer in answers[20:])
            assert len(answers) == 20 + MOST_REFUSED + 1
            assert guest.socket.closed is not None
            assert guest.socket.closed[0] == 1008
            assert answers_to(other, [Events("e", 0)])[0].status == "ok"

    play(run())


def test_who_asks_too_much_is_told_when_to_come_again_and_closed_at_last(tmp_path: Path) -> None:
    check_credit(tmp_path)


def test_credit_without_an_end_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bucket, "spend", lambda *_: 0.0)
    with pytest.raises(AssertionError):
        check_credit(tmp_path)


def test_credit_comes_back_with_time() -> None:
    bucket = Bucket(size=10, rate=2, now=0)
    assert [bucket.spend(0) for _ in range(11)] == [0.0] * 10 + [0.5]
    assert bucket.spend(0.4) > 0
    assert bucket.spend(0.5) == 0
    assert bucket.spend(0.5) > 0
    assert bucket.is_full(100)
    assert [bucket.spend(100) for _ in range(11)] == [0.0] * 10 + [0.5]


def test_an_address_has_one_credit_for_all_its_connections(tmp_path: Path) -> None:
    async def run() -> None:
        allowance = Allowance(messages=1000, address_messages=3)
        async with opened(tmp_path / FILE, allowance=allowance) as hall:
            hall.clock = hall.limits.clock = lambda: 0.0
            guests = [Guest(hall, "192.0.2.7") for _ in range(10)]
            answers = [
                answer
                for number in range(10)
                for guest in guests
                for answer in answers_to(guest, [Events(f"e{number}", 0)])
            ]
            assert [answer.status for answer in answers] == ["ok"] * 30 + ["busy"] * 70
            elsewhere = Guest(hall, "192.0.2.8")
            assert answers_to(elsewhere, [Events("e", 0)])[0].status == "ok"

    play(run())


def test_all_addresses_of_one_ipv6_network_are_one() -> None:
    addresses = AddressLimits(Allowance(connections=2), lambda: 0.0)
    assert addresses.connect("2001:db8:1:2::1") is not None
    assert addresses.connect("2001:db8:1:2:ffff::9") is not None
    assert addresses.connect("2001:db8:1:2:3::") is None
    assert addresses.connect("2001:db8:1:3::1") is not None
    assert addresses.connect("::ffff:192.0.2.1") is addresses.connect("192.0.2.1")
    assert addresses.connect("") is not None
    assert addresses.connect("a name") is not None


def test_who_sends_what_is_no_request_again_and_again_is_closed(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            guest = Guest(hall)
            for _ in range(MOST_INVALID):
                guest.connection.text("{")
            assert guest.socket.closed is None
            guest.connection.text("{")
            assert guest.socket.closed is not None
            assert guest.socket.closed[0] == 1008

    play(run())


def test_an_address_holds_so_many_connections(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE, allowance=Allowance(connections=3)) as hall:
            guests = [Guest(hall, "192.0.2.7") for _ in range(3)]
            assert hall.connect(guests[0].connection.socket, "192.0.2.7") is None
            assert hall.registry.get_sample_value("tictactoe_connections") == 3
            Guest(hall, "192.0.2.8")
            guests[0].leave()
            Guest(hall, "192.0.2.7")
            assert hall.connect(guests[0].connection.socket, "192.0.2.7") is None

    play(run())


def test_accounts_of_who_is_gone_are_forgotten() -> None:
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


def test_the_server_holds_so_many_unfinished_games(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE, most_games=5) as hall:
            guest = Guest(hall)
            requests: list[Request] = [
                Create(f"c{i}", new_token(random.SystemRandom()), "tic-tac-toe") for i in range(20)
            ]
            for request in requests:
                guest.send(request)
            await rest(hall)
            answers = [guest.answers(request.id)[0] for request in requests]
            statuses = [answer.status for answer in answers if isinstance(answer, Answer)]
            assert statuses.count("ok") == 5 == hall.store.count_unfinished()
            assert statuses.count("busy") == 15
            refused = next(a for a in answers if isinstance(a, Answer) and a.status == "busy")
            assert refused.reason == "full"
            assert refused.retry >= 1000

    play(run())


def test_who_created_a_game_is_told_so_again_however_full_the_server_is(tmp_path: Path) -> None:
    async def run(most: int) -> None:
        async with opened(tmp_path / FILE, most_games=most) as hall:
            guest = Guest(hall)
            answer = await guest.ask(request)
            assert (answer.status, answer.seat) == ("ok" if most == 1 else "duplicate", "X")
            other = await guest.ask(Create("n", new_token(random.SystemRandom()), "tic-tac-toe"))
            assert (other.status, other.reason) == ("busy", "full")
            await rest(hall)
            assert len(hall.sessions) == 1

    request = Create("c", new_token(random.SystemRandom()), "tic-tac-toe", seat="X")
    play(run(1))
    play(run(0))


def test_a_game_that_ends_makes_room_for_another(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE, most_games=1) as hall:
            ann, bob, _ = await seated(hall)
            for cell, guest in zip((0, 3, 1, 4, 2), (ann, bob, ann, bob, ann), strict=True):
                assert (await guest.move(cell)).status == "ok"
            for number in range(600):
                answer = await bob.ask(Create(f"c{number}", bob.token, "tic-tac-toe"))
                if answer.status == "ok":
                    break
                await asyncio.sleep(0.05)
            assert answer.status == "ok"

    play(run())


def test_an_address_creates_so_many_games(tmp_path: Path) -> None:
    async def run() -> None:
        allowance = Allowance(games=3)
        async with opened(tmp_path / FILE, allowance=allowance) as hall:
            hall.clock = hall.limits.clock = lambda: 0.0
            guests = [Guest(hall) for _ in range(5)]
            answers = [await g.ask(Create("c", g.token, "tic-tac-toe")) for g in guests]
            assert [answer.reason for answer in answers] == ["", "", "", "too_fast", "too_fast"]
            hall.clock = lambda: 1300.0
            assert (await guests[4].ask(Create("d", guests[4].token, "tic-tac-toe"))).status == "ok"

    play(run())


class Keeping(GameSession):
    """A game that is never thought idle, so that it stays in memory."""

    @property
    def is_idle(self) -> bool:
        return False


def check_unknown_addresses(tmp_path: Path) -> None:
    """Ask for games that are not there, in every way."""

    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            guest = Guest(hall)
            for number in range(50):
                address = new_token(random.SystemRandom())
                for request in (
                    Hello(f"h{number}", 1, address),
                    Hello(f"t{number}", 1, address, guest.token),
                    Join(f"j{number}", address, guest.token),
                ):
                    assert (await guest.ask(request)).reason == "unknown_game"
            await rest(hall)
            assert len(hall.sessions) == 0
            assert list(hall.store.all_games()) == []

    play(run())


def test_unknown_addresses_leave_nothing_behind(tmp_path: Path) -> None:
    check_unknown_addresses(tmp_path)


def test_a_server_that_keeps_unknown_addresses_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tic_tac_toe_frontends.server.session.GameSession", Keeping)
    with pytest.raises(AssertionError):
        check_unknown_addresses(tmp_path)


def test_a_game_takes_so_many_lines_of_chat(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, bob, _ = await seated(hall)
            for start in range(0, CHAT_IN_GAME, 50):
                for number in range(start, start + 50):
                    ann.send(Chat(f"c{number}", "so"))
                await rest(hall)
            answer = await bob.ask(Chat("more", "so"))
            assert (answer.status, answer.reason) == ("illegal", "too_much_chat")
            assert (await ann.move(4)).status == "ok"
            told = await bob.ask(Events("e", 0))
            assert len(told.events) == EVENTS_AT_ONCE
            assert told.head == CHAT_IN_GAME + 3

    play(run())


def test_a_game_has_so_many_events_and_can_then_still_be_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tic_tac_toe.protocols.online.judge.EVENTS_IN_GAME", 5)

    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            ann, _, _ = await seated(hall)
            for number in range(3):
                assert (await ann.ask(Chat(f"c{number}", "so"))).status == "ok"
            assert (await ann.ask(Chat("c", "so"))).reason == "too_many_events"
            assert (await ann.move(0)).reason == "too_many_events"
            assert (await ann.ask(Resign("r"))).status == "ok"

    play(run())


# -- time ------------------------------------------------------------------------------------------


async def tidied(hall: GameServer) -> None:
    """Do what the hall does every few seconds, as often as it takes."""
    for _ in range(3):
        await hall.housekeeper.expire_games()
        await rest(hall)


def test_games_that_nobody_joins_and_nobody_plays_come_to_an_end(tmp_path: Path) -> None:
    async def run() -> None:
        ages: dict[str, Any] = {"forget_waiting": 100.0, "forget_playing": 1000.0}
        async with opened(tmp_path / FILE, **ages) as hall:
            later = 0
            hall.now = lambda now=hall.now: now() + 1000 * later  # type: ignore[method-assign,misc]
            waiting = await Guest(hall).create()
            ann, bob, playing = await seated(hall)
            hall.sessions.pop(waiting)
            later = 50
            await tidied(hall)
            assert hall.store.count_unfinished() == 2
            later = 200
            await tidied(hall)
            assert [event.kind for event in hall.store.events(waiting)] == ["create", "expire"]
            assert hall.store.count_unfinished() == 1
            assert (await ann.move(4)).status == "ok"
            later = 1100
            await tidied(hall)
            assert hall.store.count_unfinished() == 1
            later = 1300
            await tidied(hall)
            await bob.until(lambda: bob.heard("expire"))
            assert hall.store.count_unfinished() == 0
            assert (await bob.move(0)).reason == "game_over"
            assert len(hall.store.events(playing)) == 4

    play(run())


def test_many_games_that_are_played_slowly_keep_none_from_expiring(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        ages: dict[str, Any] = {"forget_waiting": 100.0, "forget_playing": 1e6}
        async with opened(tmp_path / FILE, **ages) as hall:
            later = 0
            hall.now = lambda now=hall.now: now() + 1000 * later  # type: ignore[method-assign,misc]
            guest = Guest(hall)
            for number in range(120):
                token = new_token(random.SystemRandom())
                guest.send(Create(f"c{number}", token, "tic-tac-toe", opponent="rules", seat="X"))
            await rest(hall)
            waiting = await guest.create()
            later = 300
            await tidied(hall)
            assert [event.kind for event in hall.store.events(waiting)] == ["create", "expire"]
            assert hall.store.count_unfinished() == 120

    play(run())


def test_games_that_nobody_follows_leave_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        honest = asyncio.sleep
        monkeypatch.setattr(
            "tic_tac_toe_frontends.server.housekeeping.asyncio.sleep",
            lambda seconds: honest(min(seconds, 0.01)),
        )
        async with opened(tmp_path / FILE) as hall:
            hall.housekeeper.idle_seconds = -1.0
            ann, bob, game = await seated(hall)
            timed = (await seated(hall, clock=(600, 0)))[2]
            ann.leave()
            await honest(0.1)
            assert game in hall.sessions
            bob.leave()
            for guest in [c for c in hall.connections if c.place]:
                hall.disconnect(guest)
            for _ in range(500):
                if game not in hall.sessions:
                    break
                await honest(0.02)
            assert {session.address for session in hall.sessions.values()} == {timed}
            assert isinstance(await Guest(hall).hello(game, ann.token), Welcome)

    play(run())


# -- sockets ---------------------------------------------------------------------------------------


@asynccontextmanager
async def listening(
    tmp_path: Path,
    wire: type[WebSocket] = WebSocket,
    door: type[H11Protocol] = HttpProtocol,
    **settings: Any,
) -> AsyncIterator[tuple[GameServer, int]]:
    """Serve a hall at a port of the loopback."""
    settings.setdefault("allowance", GENEROUS)
    hall = GameServer(SqliteStore(tmp_path / FILE), **settings)
    config = uvicorn.Config(
        App(hall),
        ws=wire,
        ws_max_size=FRAME_BYTES,
        ws_per_message_deflate=False,
        http=door,
        lifespan="off",
        log_config=None,
    )
    ready: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    server = Server(config, hall, ready.set_result)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        serving = asyncio.create_task(server._serve([listener]))
        try:
            yield hall, await asyncio.wait_for(ready, PATIENCE)
        finally:
            server.should_exit = True
            await asyncio.wait_for(serving, PATIENCE)


def to(port: int) -> connect:
    """Connect to the server at a port."""
    return connect(
        f"ws://127.0.0.1:{port}/ws",
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        ping_interval=None,
        open_timeout=PATIENCE,
        close_timeout=5,
        proxy=None,
    )


async def closing_code(client: ClientConnection) -> int:
    """Return the code with which the server closes."""
    with suppress(ConnectionClosed):
        while True:
            await asyncio.wait_for(client.recv(), PATIENCE)
    assert client.close_code is not None
    return client.close_code


def test_one_connection_too_many_is_closed_with_try_again_later(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            listening(tmp_path, allowance=Allowance(connections=2)) as (hall, port),
            to(port) as one,
            to(port),
        ):
            async with to(port) as three:
                assert await closing_code(three) == 1013
            await one.close()
            while len(hall.connections) > 1:
                await asyncio.sleep(0.01)
            async with to(port) as four:
                await four.send(write_request(Events("e", 0)))
                assert json.loads(await four.recv())["status"] == "ok"

    play(run())


class Impatient(HttpProtocol):
    """Waits for a request for half a second."""

    patience = 0.5


async def check_slow_requests(tmp_path: Path, door: type[H11Protocol]) -> None:
    """Send a request byte by byte, and nothing at all: both have to be closed."""
    async with listening(tmp_path, door=door) as (_, port):
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


def test_who_never_comes_to_the_end_of_a_request_is_sent_away(tmp_path: Path) -> None:
    play(check_slow_requests(tmp_path, Impatient))


def test_a_server_that_waits_for_requests_for_ever_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        play(check_slow_requests(tmp_path, H11Protocol))


def test_a_websocket_stays_open_longer_than_a_request_may_take(tmp_path: Path) -> None:
    async def run() -> None:
        async with listening(tmp_path, door=Impatient) as (_, port), to(port) as client:
            await asyncio.sleep(3 * Impatient.patience)
            await client.send(write_request(Events("e", 0)))
            assert json.loads(await client.recv())["status"] == "ok"

    play(run())


def test_a_flood_of_pings_is_closed(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            listening(tmp_path, allowance=Allowance(messages=1)) as (_, port),
            to(port) as client,
        ):
            for number in range(30):
                client.transport.write(
                    Frame(Opcode.PING, b"%d" % number).serialize(mask=True, extensions=[])
                )
            assert await closing_code(client) == 1008

    play(run())


def test_a_message_in_endless_empty_parts_is_closed(tmp_path: Path) -> None:
    async def run() -> None:
        async with listening(tmp_path) as (_, port), to(port) as client:
            parts = [Frame(Opcode.TEXT, b"{", fin=False)]
            parts += [Frame(Opcode.CONT, b"", fin=False)] * 1000
            for part in parts:
                client.transport.write(part.serialize(mask=True, extensions=[]))
            assert await closing_code(client) == 1009

    play(run())


class Patient(WebSocket):
    """A wire that keeps everything for slow readers."""

    def say(self, frame: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(frame)


async def slow_reader_is_cut(
    tmp_path: Path, wire: type[WebSocket], text: Callable[[int], str]
) -> tuple[bool, int]:
    """Let one client read nothing while much is said, and return whether it was cut off.

    And how much, in bytes, the server kept for it at most.
    """
    async with listening(tmp_path, wire) as (hall, port):
        ann, bob, game = await seated(hall)
        loop = asyncio.get_running_loop()
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.setblocking(False)
            await loop.sock_connect(deaf, ("127.0.0.1", port))
            request = (
                f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            ).encode()
            hello = write_request(Hello("h", 1, game)).encode()
            await loop.sock_sendall(deaf, request)
            await asyncio.wait_for(loop.sock_recv(deaf, 1000), PATIENCE)
            await loop.sock_sendall(
                deaf, Frame(Opcode.TEXT, hello).serialize(mask=True, extensions=[])
            )
            await ann.until(lambda: len(hall.sessions[game].followers) == 3)
            (connection,) = hall.connections - {ann.connection, bob.connection}
            kept = 0
            for number in range(499):
                if (await ann.ask(Chat(f"c{number}", text(number)))).status != "ok":
                    break
                if connection not in hall.connections:
                    break
                kept = max(kept, connection.socket.transport.get_write_buffer_size())
            for _ in range(100):
                if connection not in hall.connections:
                    break
                await asyncio.sleep(0.01)
            return connection not in hall.connections, kept


@pytest.mark.slow
@pytest.mark.parametrize(("length", "most"), [(1, MOST_MESSAGES * 200), (200, MOST_BYTES)])
def test_who_does_not_read_is_cut_off(length: int, most: int, tmp_path: Path) -> None:
    def text(number: int) -> str:
        return chr(0x1F600) * length

    is_cut, kept = play(slow_reader_is_cut(tmp_path, WebSocket, text))
    assert is_cut
    assert 0 < kept <= most


@pytest.mark.slow
def test_a_server_that_waits_for_slow_readers_is_found(tmp_path: Path) -> None:
    is_cut, kept = play(slow_reader_is_cut(tmp_path, Patient, lambda number: "\U0001f600" * 200))
    assert not is_cut
    assert kept > MOST_BYTES
