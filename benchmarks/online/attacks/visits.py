"""Attacks over plain HTTP, and by sockets that say nothing or only half of something."""

from __future__ import annotations

import asyncio
import os
import socket as sockets
from contextlib import ExitStack, suppress
from typing import Any

from benchmarks.online.attacks.hostile import ADDRESS, MOST_WAITING, PATIENCE, Hostile
from benchmarks.online.serving import Setting
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe_frontends.program.page_files import CACHE_VARIABLE, MANIFEST, SITE, Manifest
from tic_tac_toe_frontends.table.served_values import query_of

#: The largest file of a page: that of CPython for browsers has some ten megabytes.
LARGEST = "largest.wasm"
LARGEST_BYTES = 10_000_000
#: Open files of a server that was not allowed more.
FEW_FILES = 256


class Line(asyncio.Protocol):
    """A plain connection of the attacker.

    Args:
        hostile: counts what comes of it.
        reads: whether it reads what comes.
    """

    def __init__(self, hostile: Hostile, reads: bool = True) -> None:
        self.hostile = hostile
        self.reads = reads
        self.bytes = 0
        self.is_lost = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what is written to."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if not self.reads:
            transport.pause_reading()

    def data_received(self, data: bytes) -> None:
        """Count the answers that begin in what has come."""
        self.bytes += len(data)
        at = data.find(b"HTTP/1.1 ")
        while at >= 0:
            self.hostile.counts[f"HTTP {data[at + 9 : at + 12].decode('latin-1')}"] += 1
            at = data.find(b"HTTP/1.1 ", at + 1)

    def connection_lost(self, error: Exception | None) -> None:
        """Record that it is gone."""
        if not self.hostile.is_over:
            self.hostile.counts["connections ended"] += 1
        self.is_lost.set()


async def line(hostile: Hostile, *, reads: bool = True, buffer: int = 0) -> Line | None:
    """Return a plain connection; ``None`` if there is none.

    Args:
        buffer: bytes that the system may keep of what is not read; 0 for its own choice.
    """
    loop = asyncio.get_running_loop()
    own = sockets.socket()
    own.setblocking(False)
    try:
        if buffer:
            own.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, buffer)
        own.bind((ADDRESS, 0))
        await asyncio.wait_for(loop.sock_connect(own, ("127.0.0.1", hostile.port)), PATIENCE)
        _, made = await loop.create_connection(lambda: Line(hostile, reads), sock=own)
    except (OSError, asyncio.TimeoutError):
        own.close()
        hostile.counts["refused no answer"] += 1
        return None
    hostile.counts["opened"] += 1
    return made


def get(path: str, close: bool = False) -> bytes:
    """Return a request for a path."""
    end = "Connection: close\r\n" if close else ""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{end}\r\n".encode()


async def fetch(hostile: Hostile, path: str) -> None:
    """Ask for a page over a connection of its own, and read it."""
    made = await line(hostile)
    if made is None:
        return
    made.transport.write(get(path, close=True))
    hostile.counts["asked"] += 1
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(made.is_lost.wait(), 10 * PATIENCE)
    made.transport.abort()


def with_page(setting: Setting, _: ExitStack, scale: float) -> dict[str, Any]:
    """Put a page in place with one large file, which does not get smaller by being packed."""
    folder = setting.folder / "page" / SITE
    folder.mkdir(parents=True)
    contents = {
        "index.html": b"<!doctype html><title>Page</title>",
        LARGEST: os.urandom(round(LARGEST_BYTES * scale)),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    (folder / MANIFEST).write_text(Manifest.of(contents, "attack").text())
    setting.environment[CACHE_VARIABLE] = str(folder.parent)
    return {}


async def slow_readers(hostile: Hostile) -> None:
    """Ask for the largest file over a hundred connections, and do not read it."""
    await _hold(hostile, 100, get(f"/{LARGEST}"), reads=False, buffer=4096)


async def silent(hostile: Hostile) -> None:
    """Hold as many connections as one can get, and say nothing."""
    await _hold(hostile, 2000, b"")


def with_few_files(setting: Setting, _: ExitStack, scale: float) -> dict[str, Any]:
    """Let the server have few files open."""
    setting.most_files = FEW_FILES
    return {}


async def halves(hostile: Hostile) -> None:
    """Send halves of requests over as many connections as one can get."""
    await _hold(hostile, 400, b"GET / HTTP/1.1\r\nHost:")


async def _hold(
    hostile: Hostile, number: int, said: bytes, *, reads: bool = True, buffer: int = 0
) -> None:
    """Hold `number` connections, each of which says something once; open each lost one again."""

    async def one(turn: int) -> None:
        await asyncio.sleep(turn / 1000)
        while not hostile.is_over:
            made = await line(hostile, reads=reads, buffer=buffer)
            if made is not None:
                made.transport.write(said)
                await made.is_lost.wait()
            await asyncio.sleep(0.5)

    await hostile.at_once(hostile.some(number), one)


async def short_pages(hostile: Hostile) -> None:
    """Ask for pages of the honest players' games, each after another number of moves."""

    async def one(turn: int) -> None:
        while not hostile.is_over:
            game = hostile.rng.choice(hostile.games)
            await fetch(hostile, f"/games/{game}?ply={hostile.rng.randrange(12)}")
            await asyncio.sleep(0)

    await hostile.at_once(hostile.some(20), one)


async def values(hostile: Hostile) -> None:
    """Ask what moves are worth, over twenty connections."""

    async def one(turn: int) -> None:
        while not hostile.is_over:
            state = GameState.new(CONNECT_FOUR)
            for _ in range(6):  # too few moves for anybody to have won
                state = hostile.rng.choice(state.possible_moves).after_state
            await fetch(hostile, f"/values?{query_of(state)}")
            await hostile.pace(0.05)

    await hostile.at_once(hostile.some(20), one)


async def health(hostile: Hostile) -> None:
    """Ask whether the server is alive as often as it answers, over a hundred connections."""
    await _ask_on(hostile, get("/health") * 20)


async def metrics(hostile: Hostile) -> None:
    """Ask for the figures as often as the server answers, over a hundred connections."""
    await _ask_on(hostile, get("/metrics") * 20)


async def _ask_on(hostile: Hostile, asked: bytes) -> None:

    async def one(_: int) -> None:
        while not hostile.is_over:
            made = await line(hostile)
            while made is not None and not (made.is_lost.is_set() or hostile.is_over):
                if made.transport.get_write_buffer_size() < MOST_WAITING // 8:
                    made.transport.write(asked)
                await asyncio.sleep(0.02)
            if made is not None:
                made.transport.abort()
            await asyncio.sleep(0.1)

    await hostile.at_once(hostile.some(100), one)


async def handshakes(hostile: Hostile) -> None:
    """Open WebSockets and cut them, as fast as one can."""

    async def one(_: int) -> None:
        while not hostile.is_over:
            foe = await hostile.open()
            if foe is not None:
                foe.close()
            await asyncio.sleep(0)

    await hostile.at_once(hostile.some(20), one)
