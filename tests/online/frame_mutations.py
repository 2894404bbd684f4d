"""Frames with something wrong in them, for a real connection on a network that is not there."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from tests.online.guests import GENEROUS, opened, seated
from tests.online.mutations import REQUESTS, mutate
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.net.crowd import Crowd
from tic_tac_toe_frontends.server.net.web_socket import WebSocket
from tic_tac_toe_frontends.server.run import configuration

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: xxxxxxxxxxxxxxxxxxxxxx==\r\n\r\n"
)
#: Frames that are sent to one connection at most.
A_CONNECTION = 40


class Line(asyncio.Transport):
    """A transport that leads nowhere, and counts what is written."""

    def __init__(self) -> None:
        super().__init__({"peername": ("192.0.2.1", 1), "sockname": ("192.0.2.2", 2)})
        self.written = 0
        self.is_closed = False

    def write(self, data: Any) -> None:
        """Count bytes."""
        self.written += len(data)

    def get_write_buffer_size(self) -> int:
        """Return that all has been read."""
        return 0

    def pause_reading(self) -> None:
        """Do nothing: what comes is in the hands of the test."""

    def resume_reading(self) -> None:
        """Do nothing, likewise."""

    def is_closing(self) -> bool:
        """Whether it was closed."""
        return self.is_closed

    def close(self) -> None:
        """Close it."""
        self.is_closed = True

    def abort(self) -> None:
        """Close it at once."""
        self.is_closed = True


async def read_mutated_frames(folder: Path, count: int, seed: int = 1) -> dict[str, int]:
    """Send changed frames to connections of a server; return what became of them.

    Raises:
        AssertionError: something was raised, or a connection did not end.
    """
    rng = random.Random(seed)
    tally = {"frames": 0, "connections": 0, "closed by the server": 0}
    raised: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: raised.append(context))
    allowance = replace(GENEROUS, openings_at_once=1e9, refusals=10**9)
    async with opened(folder / "games.sqlite", allowance=allowance) as server:
        ann, bob, game = await seated(server)
        ann.leave()
        bob.leave()
        hello = json.dumps({"type": "hello", "id": "h", "protocol": 1, "game": game})
        texts = [*REQUESTS, hello]
        while tally["frames"] < count:
            frames = [_frame(rng, texts) for _ in range(min(A_CONNECTION, count - tally["frames"]))]
            sent = await _converse(server, rng, frames)
            tally["frames"] += sent
            tally["connections"] += 1
            tally["closed by the server"] += sent < len(frames)
            assert not raised, f"{raised[0]} came of {frames[:sent]}"
    return tally


async def _converse(server: GameServer, rng: random.Random, frames: Sequence[bytes]) -> int:
    """Send frames over a connection of their own until it is closed; return their number."""
    config = configuration(server)
    config.load()
    crowd = Crowd(server.limits, server.metrics, lambda _: False, 100)
    line = Line()
    socket = WebSocket(config, ServerState(), {"crowd": crowd})
    socket.connection_made(line)
    socket.data_received(HANDSHAKE)
    while socket.listener is None or not line.written:
        await asyncio.sleep(0)
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
            while socket.unread_bytes:
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
