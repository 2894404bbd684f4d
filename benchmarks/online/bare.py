"""A bare loop beside the server: the same frames and syncs, and nothing else.

Where it is slow too, the machine is busy. ``python -m benchmarks.online.bare FILE --port NUMBER``
is its process: it takes what comes in while a sync goes on, appends it to the file, syncs once, and
then sends to each mover an answer and to both players an event, of the usual length.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
from collections import defaultdict
from pathlib import Path

from benchmarks.online.moves import Game, quiet_cells
from benchmarks.online.serving import Setting
from benchmarks.online.sockets import connect

ANSWER = b'{"type":"answer","id":"m100","status":"ok","version":101}'
EVENT = (
    b'{"type":"event","game":"VakKTmPgF-G8D3pKbh5M_Q","version":101,"kind":"move","seat":"X",'
    b'"time":1795369501685,"cell":100}'
)
#: The frames of servers: a text that is whole and not masked.
ANSWERED = bytes((0x81, len(ANSWER))) + ANSWER
HAPPENED = bytes((0x81, len(EVENT))) + EVENT
OPENED = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"


class Bare(Setting):
    """What the bare loop is started with."""

    @property
    def command(self) -> list[str]:
        """What starts it, all but the port."""
        return [sys.executable, "-m", "benchmarks.online.bare", str(self.folder / "log")]


async def begin(port: int, sockets: int, seed: int) -> list[Game]:
    """Return games at the bare loop, which asks no more of a player than a first text."""
    games = []
    for number in range(sockets // 2):
        game = Game(number, random.Random(seed + number))
        game.cells = quiet_cells(game.rng)
        for seat in range(2):
            socket = await connect(port, lambda _socket, _text: None, 2 * number + seat)
            socket.say(f"{seed}-{number}")
            game.sockets.append(socket)
        games.append(game)
    return games


class Loop:
    """Appends what comes in to a file, in as few syncs as there is time for."""

    def __init__(self, path: Path) -> None:
        self.players: defaultdict[bytes, list[Player]] = defaultdict(list)
        self.waiting: list[tuple[Player, bytes]] = []
        self._file = path.open("ab", buffering=0)
        self._syncing: asyncio.Future[None] | None = None

    def take(self, player: Player, text: bytes) -> None:
        """Let a move wait for the next sync."""
        self.waiting.append((player, text))
        if self._syncing is None:
            self._sync()

    def _sync(self) -> None:
        moves, self.waiting = self.waiting, []
        loop = asyncio.get_running_loop()
        self._syncing = loop.run_in_executor(None, self._write, [text for _, text in moves])
        self._syncing.add_done_callback(lambda done: self._synced(moves))

    def _write(self, texts: list[bytes]) -> None:
        self._file.write(b"\n".join((*texts, b"")))
        os.fsync(self._file.fileno())

    def _synced(self, moves: list[tuple[Player, bytes]]) -> None:
        self._syncing = None
        for mover, _ in moves:
            mover.transport.write(ANSWERED)
            for player in self.players[mover.game]:
                player.transport.write(HAPPENED)
        if self.waiting:
            self._sync()


class Player(asyncio.Protocol):
    """One connection; its first text names its game, and every other is a move."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.game = b""
        self._is_open = False
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what is written to."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Open the WebSocket, or cut what comes into texts of less than 126 bytes."""
        data = self._buffer + data
        if not self._is_open and b"\r\n\r\n" in data:
            data = data.partition(b"\r\n\r\n")[2]
            self._is_open = True
            self.transport.write(OPENED)
        while self._is_open and len(data) >= 6 and len(data) >= 6 + (data[1] & 127):
            end = 6 + (data[1] & 127)
            mask = int.from_bytes(data[2:6] * (end // 4), "big")
            padded = data[6:end].ljust(4 * (end // 4), b"\0")
            text = (int.from_bytes(padded, "big") ^ mask).to_bytes(len(padded), "big")[: end - 6]
            data = data[end:]
            if self.game:
                self.loop.take(self, text)
            else:
                self.game = text
                self.loop.players[text].append(self)
        self._buffer = data


async def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    options = parser.parse_args()
    moves = Loop(options.file)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Player(moves), options.host, options.port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
