"""Whatever comes in is read or refused, by readers and by a connection, and breaks nothing."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from tests.online.mutations import REPLIES, REQUESTS, mutate
from tests.online.world import GENEROUS, Guest, limited, opened, rest, seated
from tic_tac_toe.protocols.online.messages import FRAME_BYTES
from tic_tac_toe.protocols.online.replies import Answer, InvalidReply, Welcome, read_reply
from tic_tac_toe.protocols.online.requests import TYPES, InvalidRequest, read_request, write_request
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.web.app import App
from tic_tac_toe_frontends.server.wire.connection_limiter import ConnectionLimiter
from tic_tac_toe_frontends.server.wire.http import Edge, HttpProtocol
from tic_tac_toe_frontends.server.wire.web_socket import WebSocket

pytestmark = pytest.mark.anyio

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: xxxxxxxxxxxxxxxxxxxxxx==\r\n\r\n"
)
#: Frames that are sent to one connection at most.
A_CONNECTION = 40


class Line(asyncio.Transport):
    """A transport that leads nowhere, and counts what is written; all has been read at once."""

    def __init__(self) -> None:
        super().__init__({"peername": ("192.0.2.1", 1), "sockname": ("192.0.2.2", 2)})
        self.written = 0
        self.is_closed = False

    def write(self, data: Any) -> None:
        self.written += len(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self.protocol

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(2_000, marks=pytest.mark.medium),
        pytest.param(100_000, marks=pytest.mark.nightly),
    ],
)
async def test_mutated_frames_end_no_connection_but_their_own(tmp_path: Path, count: int) -> None:
    rng = random.Random(1)
    frames_sent = closed = 0
    raised: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: raised.append(context))
    limits = limited(GENEROUS, openings=(1e9, 1.0), refusals=(1e9, 1.0))
    async with opened(tmp_path / "games.sqlite", limits=limits) as server:
        ann, bob, game = await seated(server)
        ann.leave()
        bob.leave()
        texts = [*REQUESTS, json.dumps({"type": "hello", "id": "h", "protocol": 1, "game": game})]
        while frames_sent < count:
            frames = [_frame(rng, texts) for _ in range(A_CONNECTION)]
            sent = await _converse(server, rng, frames)
            frames_sent += sent
            closed += sent < A_CONNECTION
            assert not raised, f"{raised[0]} came of {frames[:sent]}"
    assert closed > count / 80


async def _converse(server: GameServer, rng: random.Random, frames: Sequence[bytes]) -> int:
    """Send frames over a connection of their own until it is closed; return their number."""
    app = App(server)
    limiter = ConnectionLimiter(server.addresses, server.metrics, lambda _: False, 100)
    line = Line()
    door = HttpProtocol(Edge(app, app.greet, limiter), server.addresses.budget_of("192.0.2.1"))
    line.set_protocol(door)
    door.connection_made(line)
    door.data_received(HANDSHAKE)
    socket = line.get_protocol()
    assert isinstance(socket, WebSocket)
    assert socket.listener is not None
    sent = 0
    for frame in frames:
        if line.is_closed or socket.close_sent:
            break
        sent += 1
        at = 0
        while at < len(frame):
            size = rng.choice((1, 7, 100, 5000))
            socket.data_received(frame[at : at + size])
            at += size
            while len(limiter.read_scheduler):
                await asyncio.sleep(0)
    socket.connection_lost(None)
    while server.connections:
        await asyncio.sleep(0)
    return sent


def _frame(rng: random.Random, texts: Sequence[str]) -> bytes:
    """Return a frame with something wrong in its payload, or in its head."""
    has_bad_head = rng.random() < 0.08
    text = rng.choice(texts) if has_bad_head else mutate(rng, texts)
    content = text[: rng.choice((30, 1000))].encode(errors="replace")
    # The library makes no frame with a fault, so that only what follows the first byte is its own.
    data = bytearray(Frame(Opcode.BINARY, content).serialize(mask=True))
    data[0] = 0x80 | rng.choice((Opcode.PING, Opcode.PONG) if len(content) < 30 else (Opcode.TEXT,))
    if has_bad_head:
        for _ in range(rng.choice((1, 1, 2))):
            data[rng.randrange(min(len(data), 8))] = rng.randrange(256)
    return bytes(data[: rng.randrange(len(data))] if rng.random() < 0.01 else data)


@pytest.mark.parametrize("count", [6_000, pytest.param(1_000_000, marks=pytest.mark.nightly)])
def test_mutated_messages_are_read_or_refused(count: int) -> None:
    rng = random.Random(1)
    read = 0
    for number in range(count):
        of_client = number % 4 > 0
        text = mutate(rng, REQUESTS if of_client else REPLIES)
        complaint = "read"
        try:
            if of_client:
                request = read_request(text)
                assert len(text) <= FRAME_BYTES
                assert read_request(write_request(request)) == request
            else:
                read_reply(text)
            read += 1
        except (InvalidRequest, InvalidReply) as error:
            complaint = str(error)
        except Exception as error:
            raise AssertionError(f"{error!r} came of {text!r}") from error
        # What is said of it goes to its sender, and into logs.
        assert 0 < len(complaint.encode()) < 2_000, text
    assert count / 40 < read < count / 2
    assert {type(read_request(text)) for text in REQUESTS} == {*TYPES.values()}


async def test_every_mutated_message_to_a_connection_has_one_answer(
    server: GameServer, caplog: pytest.LogCaptureFixture
) -> None:
    rng, sent = random.Random(7), 0
    ann, _, game = await seated(server)
    hello = json.dumps({"type": "hello", "id": "h", "protocol": 1, "game": game})
    guest = Guest(server)
    for _ in range(1_200):
        text = mutate(rng, [*REQUESTS, hello])
        try:
            text.encode()
        except UnicodeEncodeError:
            continue  # no frame can bring it
        guest.connection.receive(text)
        sent += 1
        if sent > _answers(guest):
            await rest(server)
        assert sent == _answers(guest), text
        if guest.socket.closed is not None:
            assert guest.socket.closed[0] == 1008
            guest.leave()
            guest, sent = Guest(server), 0
    assert (await ann.move(4)).status == "ok"
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def _answers(guest: Guest) -> int:
    return sum(isinstance(reply, Answer | Welcome) for reply in guest.socket.replies)
