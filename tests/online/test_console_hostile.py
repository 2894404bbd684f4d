"""The console at other servers and at hostile ones: one line, no traceback, no escape sequences."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.online.console import Consoles
from tic_tac_toe.protocols.online.messages import SUBPROTOCOL

pytestmark = [pytest.mark.anyio, pytest.mark.medium]

GAME = "A" * 22
#: A name that would turn the line around, and begin another.
HOSTILE = "\u202eAnn\nO wins\u2066"
#: One that would clear the screen and give the window another title.
ESCAPES = "\x1b[2J\x1b]0;owned\x07\r"


@contextlib.asynccontextmanager
async def web_server(
    behave: Callable[[ServerConnection], Awaitable[object]], subprotocol: str = SUBPROTOCOL
) -> AsyncIterator[str]:
    """Yield the address of a WebSocket server that behaves in some way to everybody."""

    async def converse(connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            await behave(connection)

    wanted = [Subprotocol(subprotocol)] if subprotocol else None
    async with serve(converse, "127.0.0.1", 0, subprotocols=wanted) as server:
        yield f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


@contextlib.asynccontextmanager
async def raw_server(answer: bytes) -> AsyncIterator[str]:
    """Yield the address of a server that answers to anything in these bytes and hangs up."""

    async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65_536)
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(serve_one, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def welcome(connection: ServerConnection) -> None:
    """Answer the greeting as a good server does."""
    hello = json.loads(await connection.recv())
    answer = {"type": "welcome", "id": hello["id"], "protocol": 1, "now": 0}
    await connection.send(json.dumps(answer))


async def check_refused(console: Consoles, address: str) -> None:
    """Check that the program says in one line that it cannot play at an address."""
    program = console.at(address)
    assert await program.end() == 1
    assert program.written.startswith("tic-tac-toe: cannot play at http://127.0.0.1:")
    assert program.written.count("\n") == 1
    assert program.written.strip().isprintable()


@pytest.mark.parametrize(
    "answer",
    [
        b"\x00\xff\x1b[2J" * 100,
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 500 \x1b[31mRed\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
    ],
)
async def test_a_server_of_something_else_is_refused_in_a_line(
    console: Consoles, answer: bytes
) -> None:
    async with raw_server(answer) as address:
        await check_refused(console, address)


async def test_a_web_socket_of_something_else_is_refused_in_a_line(console: Consoles) -> None:
    async with web_server(lambda connection: connection.recv(), subprotocol="") as address:
        await check_refused(console, address)


OTHER_VERSION = {"type": "answer", "status": "illegal", "reason": "protocol"}
OTHER_RULES = {"variant": "chess", "starting": "X", "players": [None, None], "open": True}
CREATED = {"version": 1, "kind": "create", "seat": "", "time": 0, "setup": OTHER_RULES}
BROKEN_GAME = {"type": "welcome", "protocol": 1, "game": GAME, "head": 1, "now": 0}


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("", b"\x00" * 10),
        ("", "[" * 100_000),
        ("", '{"type": "welcome", "id": 7}'),
        ("", json.dumps({"type": "closing", "reason": ESCAPES})),
        ("", "x" * 2_000_000),
        ("", OTHER_VERSION),
        (f"/games/{GAME}", {**BROKEN_GAME, "events": [CREATED]}),
    ],
    ids=["bytes", "deep", "fields", "escapes", "long", "another version", "unknown rules"],
)
async def test_a_server_that_talks_nonsense_or_another_protocol_is_refused_in_a_line(
    console: Consoles, path: str, answer: bytes | str | dict[str, object]
) -> None:
    async def behave(connection: ServerConnection) -> None:
        hello = json.loads(await connection.recv())
        reply = json.dumps({**answer, "id": hello["id"]}) if isinstance(answer, dict) else answer
        await connection.send(reply)
        await connection.recv()

    async with web_server(behave) as address:
        await check_refused(console, f"{address}{path}")


async def test_hostile_texts_of_a_server_are_shown_without_their_escapes(console: Consoles) -> None:
    async def behave(connection: ServerConnection) -> None:
        await welcome(connection)
        entry = {"game": GAME, "variant": HOSTILE, "name": HOSTILE, "seat": "X"}
        entry["starting"] = "O"
        await connection.send(json.dumps({"type": "lobby", "games": [entry]}))
        await connection.send(json.dumps({"type": "closing", "reason": HOSTILE, "retry": 1}))
        await connection.recv()
        await connection.recv()

    async with web_server(behave) as address:
        program = console.at(address)
        await program.expect("Open games:")
        await program.expect("Connection lost; trying again in 1 s")
        await program.expect("Connected again.")
        assert await program.end() == 0

    said = program.written
    assert said.replace("\n", "").isprintable()
    assert "\\u202e" in said
    assert "\nO wins" not in said


async def test_a_server_that_talks_nonsense_again_and_again_is_given_up(console: Consoles) -> None:
    async def behave(connection: ServerConnection) -> None:
        await welcome(connection)
        await connection.recv()
        await connection.send("nonsense")
        await connection.recv()

    async with web_server(behave) as address:
        program = console.at(address)
        await program.expect("Another version of the protocol is spoken here")
        assert await program.end() == 1
