"""Whatever comes over a network, little is read at once, little is kept, and others get in."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.http11 import Response

from tests.online.processes import PATIENCE, closing_code, web_socket
from tests.online.visitors import figure
from tests.online.world import Guest, World, answers_to, limited, seated, until
from tic_tac_toe.protocols.online.messages import PROTOCOL
from tic_tac_toe.protocols.online.requests import Events, Hello, write_request
from tic_tac_toe_frontends.server.budgets import ClientLimits
from tic_tac_toe_frontends.server.connection import Connection
from tic_tac_toe_frontends.server.wire import web_socket as web_socket_module
from tic_tac_toe_frontends.server.wire.http import HttpProtocol
from tic_tac_toe_frontends.server.wire.read_scheduler import SLICE, TURN, ReadScheduler
from tic_tac_toe_frontends.server.wire.web_socket import MOST_BYTES, MOST_MESSAGES, WebSocket

pytestmark = pytest.mark.anyio

#: More bytes than are taken from the network at once.
ONCE = 300_000
#: Requests that may be begun in one turn, each of which has a second event: its end.
BEGUN = 2 * (1 + TURN // SLICE)
PONG = Frame(Opcode.PONG, b"").serialize(mask=True)


async def test_of_many_frames_few_are_read_in_one_turn(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []

    def framed(_: Connection, count: int) -> bool:
        counts.append(count)
        return True

    monkeypatch.setattr(Connection, "count_frames", framed)
    _, url = await world.listen()
    async with web_socket(url) as client:
        client.transport.write(PONG * 10_000)
        await until(lambda: sum(counts) >= 10_000, "all frames are read")
    assert max(counts) <= 1 + SLICE // len(PONG)


async def raw_web_socket(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a WebSocket of which no more is read than what opens it."""
    streams = await asyncio.open_connection("127.0.0.1", urlsplit(url).port, limit=1024)
    streams[1].write(
        b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: xxxxxxxxxxxxxxxxxxxxxx==\r\n\r\n"
    )
    await streams[0].readuntil(b"\r\n\r\n")
    return streams


@pytest.mark.medium
async def test_reading_stops_once_the_server_has_closed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_socket_module, "CLOSE_SECONDS", 0.5)
    taken = 0

    class Counting(WebSocket):
        def data_received(self, data: bytes) -> None:
            nonlocal taken
            taken += len(data) if self.close_sent else 0
            super().data_received(data)

    server, url = await world.listen(Counting)
    _, writer = await raw_web_socket(url)
    writer.write(Frame(Opcode.BINARY, b"").serialize(mask=True))
    await until(lambda: any(each.socket.close_sent for each in server.connections), "a close")
    try:
        writer.write(PONG * (5_000_000 // len(PONG)))
        await asyncio.wait_for(writer.drain(), PATIENCE)
    except ConnectionError:
        pass
    await until(lambda: not server.connections, "the client is cut off")
    writer.transport.abort()
    assert taken < ONCE


async def test_refusals_are_charged_to_the_address(world: World) -> None:
    limits = limited(messages=(1, 0.1), refusals=(50, 0.5))
    server = await world.open(limits=limits, still=True)
    guests = [Guest(server, "192.0.2.7") for _ in range(11)]
    elsewhere = Guest(server, "192.0.2.8")
    for guest in (*guests, elsewhere):
        answers_to(guest, [Events(f"e{number}", 0) for number in range(7)])
    closed = [guest.socket.closed is not None for guest in guests]
    assert closed == [False] * 8 + [True] * 3
    assert guests[-1].socket.closed == (1008, "too many messages")
    assert elsewhere.socket.closed is None


async def test_frames_are_charged_to_the_address(world: World) -> None:
    server = await world.open(limits=limited(frames=(40, 4)), still=True)
    guests = [Guest(server, "192.0.2.7") for _ in range(5)]
    elsewhere = Guest(server, "192.0.2.8")
    assert [each.connection.count_frames(10) for each in guests] == [True] * 4 + [False]
    assert elsewhere.connection.count_frames(10)


@pytest.mark.parametrize(("path", "status"), [("/ws", 101), ("/nowhere", 403)])
async def test_an_address_opens_a_limited_number_of_websockets_at_once_wherever_they_lead(
    path: str, status: int, world: World
) -> None:
    _, url = await world.listen(limits=limited(openings=(3, 0.01)))

    async def opened(address: str = "127.0.0.1") -> Response:
        try:
            async with web_socket(url.replace("/ws", path), local_addr=(address, 0)) as client:
                assert client.response is not None
                return client.response
        except InvalidStatus as refused:
            return refused.response

    answers = [await opened() for _ in range(4)]
    assert [answer.status_code for answer in answers] == [status] * 3 + [429]
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 101
    assert (await opened("127.0.0.9")).status_code == status


async def test_a_client_that_closes_in_the_midst_of_a_flood_is_let_go(world: World) -> None:
    close = Frame(Opcode.CLOSE, b"").serialize(mask=True)
    server, url = await world.listen(limits=ClientLimits.of(messages=1))
    async with web_socket(url) as client:
        client.transport.write(PONG * 100 + close)
        assert await closing_code(client) is not None
        await until(lambda: not server.connections, "the client is let go")


async def test_few_requests_of_an_address_are_begun_in_one_turn(world: World) -> None:
    turns: list[int] = [0]

    class Counting(HttpProtocol):
        def handle_events(self) -> None:
            if not turns[-1]:
                self.loop.call_soon(turns.append, 0)
            turns[-1] += 1
            super().handle_events()

    _, url = await world.listen(door=Counting)
    where = "127.0.0.1", urlsplit(url).port
    streams = [await asyncio.open_connection(*where) for _ in range(40)]
    for _, writer in streams:
        writer.write(b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n")
    for reader, writer in streams:
        assert (await asyncio.wait_for(reader.readline(), PATIENCE)).split()[1] == b"200"
        writer.close()
    assert max(turns) <= BEGUN


async def test_a_client_that_answers_a_close_and_reads_nothing_is_cut_off(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_socket_module, "CLOSE_SECONDS", 0.1)
    server, url = await world.listen()
    _, writer = await raw_web_socket(url)
    await until(lambda: server.connections, "the connection")
    (connection,) = server.connections
    connection.socket.transport.write(bytes(5_000_000))  # which nobody reads
    connection.socket.close(1008, "enough")
    writer.write(Frame(Opcode.CLOSE, b"").serialize(mask=True))
    await until(lambda: not server.connections, "the connection ends")
    writer.transport.abort()


# -- reading ------------------------------------------------------------------------------------


class Flood:
    """A connection with many slices that wait; notes each that is read."""

    def __init__(self, name: str, slices: int, read: list[str]) -> None:
        self.name, self.left, self.read = name, slices, read

    def read_slice(self) -> bool:
        """Read a slice."""
        self.read.append(self.name)
        self.left -= 1
        return self.left > 0

    def give_up(self) -> None:
        """Note that the connection is cut."""
        self.read.append(f"no more of {self.name}")


class Faulty(Flood):
    """A connection that cannot be read."""

    def read_slice(self) -> bool:
        """Fail."""
        raise ZeroDivisionError


async def turn() -> None:
    """Let the event loop go round once."""
    await asyncio.sleep(0)


async def test_an_address_has_little_read_at_once_in_one_turn() -> None:
    reading = ReadScheduler()
    assert [reading.reserve("a", SLICE) for _ in range(4)] == [True] * (TURN // SLICE) + [False] * 2
    assert reading.reserve("b", SLICE)
    await turn()
    assert reading.reserve("a", SLICE)


async def test_what_is_more_than_a_slice_waits() -> None:
    assert not ReadScheduler().reserve("a", SLICE + 1)


async def test_one_slice_is_read_in_a_turn_and_the_addresses_take_turns() -> None:
    reading, read = ReadScheduler(), list[str]()
    for _ in range(100):
        reading.schedule("attacker", Flood("attacker", 256, read))
    reading.schedule("other", Flood("other", 2, read))
    for number in range(1, 9):
        await turn()
        assert len(read) == number
    assert read == ["attacker", "other", "attacker", "other", *["attacker"] * 4]


async def test_what_comes_behind_waiting_bytes_of_the_address_waits_as_well() -> None:
    reading, read = ReadScheduler(), list[str]()
    reading.schedule("a", Flood("a", 1, read))
    assert not reading.reserve("a", 1)
    assert reading.reserve("b", 1)
    await turn()
    await turn()
    assert read == ["a"]
    assert reading.reserve("a", 1)


async def test_a_connection_that_cannot_be_read_is_cut_and_keeps_nobody_waiting() -> None:
    reading, read = ReadScheduler(), list[str]()
    reading.schedule("a", Faulty("faulty", 1, read))
    reading.schedule("a", Flood("sound", 1, read))
    reading.schedule("b", Flood("other", 1, read))
    for _ in range(4):
        await turn()
    assert read == ["no more of faulty", "other", "sound"]


# -- sockets ---------------------------------------------------------------------------------------


async def test_one_connection_too_many_is_closed_with_try_again_later(world: World) -> None:
    server, url = await world.listen(limits=limited(connections=(2, 0)))
    async with web_socket(url) as one, web_socket(url):
        async with web_socket(url) as three:
            assert await closing_code(three) == 1013
        assert figure(server, "turned_away_total", reason="connections") == 1
        async with web_socket(url, local_addr=("127.0.0.9", 0)):
            assert figure(server, "connections") == 3
        await one.close()
        await until(lambda: len(server.connections) == 1, "the connection is closed")
        async with web_socket(url) as four:
            await four.send(write_request(Events("e", 0)))
            assert json.loads(await four.recv())["status"] == "ok"


class Impatient(HttpProtocol):
    """Waits for a request for a fifth of a second."""

    patience = 0.2


async def test_a_client_that_never_ends_its_request_or_sends_none_is_sent_away(
    world: World,
) -> None:
    _, url = await world.listen(door=Impatient)
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


async def test_a_websocket_stays_open_longer_than_a_request_may_take(world: World) -> None:
    _, url = await world.listen(door=Impatient)
    async with web_socket(url) as client:
        silent, writer = await asyncio.open_connection("127.0.0.1", urlsplit(url).port)
        await silent.read()  # which is closed as soon as its time is up
        writer.close()
        await client.send(write_request(Events("e", 0)))
        assert json.loads(await client.recv())["status"] == "ok"


@pytest.mark.slow
@pytest.mark.parametrize(("length", "most"), [(1, MOST_MESSAGES * 200), (200, MOST_BYTES)])
async def test_a_client_that_does_not_read_is_cut_off(length: int, most: int, world: World) -> None:
    server, url = await world.listen()
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
        await until(lambda: connection not in server.connections, "it is cut off")
    assert 0 < kept <= most


async def test_a_websocket_whose_handshake_had_to_wait_is_heard(world: World) -> None:
    _, url = await world.listen()
    async with contextlib.AsyncExitStack() as stack:
        opening = (stack.enter_async_context(web_socket(url)) for _ in range(5 * BEGUN))
        clients = await asyncio.gather(*opening)
        for client in clients:
            await client.send(write_request(Hello("h", PROTOCOL)))
        answers = [json.loads(await asyncio.wait_for(each.recv(), PATIENCE)) for each in clients]
    assert {answer["type"] for answer in answers} == {"welcome"}


async def test_a_client_that_sends_no_more_is_not_pinged(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Unread(WebSocket):
        """One whose replies are not read: it stays open at the end of what the client sends."""

        def eof_received(self) -> bool:  # type: ignore[override]
            super().eof_received()
            return True

    monkeypatch.setattr(web_socket_module, "PING_SECONDS", 0.1)
    _, url = await world.listen(Unread)
    reader, writer = await raw_web_socket(url)
    writer.write_eof()
    await asyncio.sleep(0.3)
    assert caplog.messages == []
    writer.close()
    assert reader.exception() is None
