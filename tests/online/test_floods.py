"""A flood from one address is read in small parts, charged to the address, and cut off."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode

from tests.online.world import Guest, opened, until
from tests.online.processes import PATIENCE, closing_code, web_socket
from tests.online.test_bounds import answers_to, listening
from tic_tac_toe.protocols.online.requests import Events
from tic_tac_toe_frontends.server.connection import Connection
from tic_tac_toe_frontends.server.net import reading
from tic_tac_toe_frontends.server.net.http_protocol import HttpProtocol
from tic_tac_toe_frontends.server.net.reading import SLICE, TURN
from tic_tac_toe_frontends.server.net.web_socket import WebSocket
from tic_tac_toe_frontends.server.rate_limits import Allowance

pytestmark = pytest.mark.anyio

#: More bytes than are taken from the network at once.
ONCE = 300_000
#: Requests that may be begun in one turn, each of which has a second event: its end.
BEGUN = 2 * (1 + TURN // SLICE)
PONG = Frame(Opcode.PONG, b"").serialize(mask=True)


async def largest_turn(world: World, monkeypatch: pytest.MonkeyPatch) -> int:
    """Send many small frames at once; return how many of them were read at once at most."""
    counts: list[int] = []

    def framed(_: Connection, count: int) -> bool:
        counts.append(count)
        return True

    monkeypatch.setattr(Connection, "framed", framed)
    _, url = await world.listen()
    async with web_socket(url) as client:
        client.transport.write(PONG * 10_000)
        await until(lambda: sum(counts) >= 10_000, "all frames are read")
    return max(counts)


async def test_of_many_frames_few_are_read_in_one_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await largest_turn(tmp_path, monkeypatch) <= 1 + SLICE // len(PONG)


async def raw_web_socket(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a WebSocket of which no more is read than what opens it."""
    streams = await asyncio.open_connection("127.0.0.1", urlsplit(url).port, limit=1024)
    streams[1].write(
        b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: xxxxxxxxxxxxxxxxxxxxxx==\r\n\r\n"
    )
    await streams[0].readuntil(b"\r\n\r\n")
    return streams


async def read_after_close(world: World) -> int:
    """Send five million bytes after the server has closed; return how many of them it took."""
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
    return taken


async def test_reading_stops_once_the_server_has_closed(tmp_path: Path) -> None:
    assert await read_after_close(tmp_path) < ONCE


async def test_refusals_are_charged_to_the_address(world: World) -> None:
    allowance = Allowance(messages=0.1, refusals=50)
    server = await world.open(allowance=allowance)
    server.clock = server.limits.clock = lambda: 0.0
    guests = [Guest(server, "192.0.2.7") for _ in range(11)]
    elsewhere = Guest(server, "192.0.2.8")
    for guest in (*guests, elsewhere):
        answers_to(guest, [Events(f"e{number}", 0) for number in range(7)])
    closed = [guest.socket.closed is not None for guest in guests]
    assert closed == [False] * 8 + [True] * 3
    assert guests[-1].socket.closed == (1008, "too many messages")
    assert elsewhere.socket.closed is None


async def test_frames_are_charged_to_the_address(world: World) -> None:
    server = await world.open(allowance=Allowance(address_messages=1))
    server.clock = server.limits.clock = lambda: 0.0
    guests = [Guest(server, "192.0.2.7") for _ in range(5)]
    elsewhere = Guest(server, "192.0.2.8")
    assert [each.connection.framed(10) for each in guests] == [True] * 4 + [False]
    assert elsewhere.connection.framed(10)


async def test_an_address_opens_a_limited_number_of_websockets_at_once(world: World) -> None:
    allowance = Allowance(openings_at_once=3, openings=0.01)
    _, url = await world.listen(allowance=allowance)
    for _ in range(3):
        async with web_socket(url):
            pass
    with pytest.raises(InvalidStatus) as refused:
        async with web_socket(url):
            pass
    assert refused.value.response.status_code == 429
    assert 0 < int(refused.value.response.headers["Retry-After"]) <= 101
    async with web_socket(url, local_addr=("127.0.0.9", 0)):
        pass


async def test_a_client_that_closes_in_the_midst_of_a_flood_is_let_go(world: World) -> None:
    close = Frame(Opcode.CLOSE, b"").serialize(mask=True)
    server, url = await world.listen(allowance=Allowance(messages=1))
    async with web_socket(url) as client:
        client.transport.write(PONG * 100 + close)
        assert await closing_code(client) is not None
        await until(lambda: not server.connections, "the client is let go")


async def most_requests_in_a_turn(world: World) -> int:
    """Send a request on each of forty connections; return how many were begun in one turn."""
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
    return max(turns)


async def test_few_requests_of_an_address_are_begun_in_one_turn(tmp_path: Path) -> None:
    assert await most_requests_in_a_turn(tmp_path) <= BEGUN


async def is_let_go(world: World, wire: type[WebSocket], patience: float) -> bool:
    """Answer the close of the server, and read nothing; return whether the server lets go."""
    server, url = await world.listen(wire)
    _, writer = await raw_web_socket(url)
    await until(lambda: server.connections, "the connection")
    (connection,) = server.connections
    connection.socket.transport.write(bytes(5_000_000))  # which nobody reads
    connection.socket.close(1008, "enough")
    writer.write(Frame(Opcode.CLOSE, b"").serialize(mask=True))
    try:
        await until(lambda: not server.connections, "the connection ends", patience)
    except AssertionError:
        return False
    finally:
        writer.transport.abort()
    return True


async def test_a_client_that_answers_a_close_and_reads_nothing_is_cut_off(tmp_path: Path) -> None:
    assert await is_let_go(tmp_path, WebSocket, PATIENCE)


async def test_a_handshake_costs_an_opening_wherever_it_leads(world: World) -> None:
    allowance = Allowance(openings_at_once=2, openings=0.01)
    _, url = await world.listen(allowance=allowance)
    statuses = []
    for _ in range(3):
        with pytest.raises(InvalidStatus) as refused:
            async with web_socket(url.replace("/ws", "/nowhere")):
                pass
        statuses.append(refused.value.response.status_code)
    assert statuses == [403, 403, 429]
