"""Durable moves a second: how soon moves are acknowledged that are asked for at given rates."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchmarks.online.serving import Serving
from benchmarks.online.sockets import Socket, connect, frame_of
from tic_tac_toe.protocols.online.addresses import new_token

Begin = Callable[[int, int, int], Awaitable[list["Game"]]]

#: All cells of this board but one can be played so that neither side has three in a row.
VARIANT, SIDE = "gomoku", 15


class Point(NamedTuple):
    """What happened at one rate.

    Attributes:
        asked: moves a second that were asked for.
        done: moves a second that were acknowledged.
        delays: of each, the seconds from when it was due to when its acknowledgement was there.
        cpu: seconds of the server's CPU time for each move.
        load: the share of its core that the load took.
    """

    asked: int
    done: float
    delays: Sequence[float]
    cpu: float
    load: float


def percentiles(delays: Sequence[float], digits: int) -> str:
    """Return the delays in milliseconds that half and 99 % of them stayed below."""
    ordered = sorted(delays)
    return ", ".join(
        f"p{percent} {1000 * ordered[len(ordered) * percent // 100]:.{digits}f} ms"
        for percent in (50, 99)
    )


def quiet_cells(rng: random.Random) -> tuple[list[int], list[int]]:
    """Return the cells of X and those of O, of which no five are in a line."""
    sides: tuple[list[int], list[int]] = ([], [])
    for cell in range(SIDE * SIDE):
        row, column = divmod(cell, SIDE)
        sides[(column + 2 * row) % 4 // 2].append(cell)
    for cells in sides:
        rng.shuffle(cells)
    return sides


@dataclass
class Game:
    """Two sockets that play each other, one move after the other.

    Attributes:
        cells: of both sides, those not yet played.
        due: when the move that is on its way was to be made.
    """

    number: int
    rng: random.Random
    sockets: list[Socket] = field(default_factory=list)
    cells: tuple[list[int], list[int]] = ([], [])
    version: int = 2
    turn: int = 0
    due: float = 0.0
    events: int = 0

    async def begin(self, port: int) -> str:
        """Create the game, let the other side join, and return where it is."""
        self.cells = quiet_cells(self.rng)
        address = ""
        for seat in range(2):
            answers: asyncio.Queue[dict[str, object]] = asyncio.Queue()

            socket = await connect(port, _keeper(answers), 2 * self.number + seat)
            self.sockets.append(socket)
            token = new_token(self.rng)
            socket.say(json.dumps({"type": "hello", "id": "h", "protocol": 1}))
            request: dict[str, object] = {"id": f"c{seat}", "token": token}
            if seat == 0:
                request |= {"type": "create", "variant": VARIANT, "seat": "X"}
            else:
                request |= {"type": "join", "game": address}
            socket.say(json.dumps(request))
            while True:
                answer = await asyncio.wait_for(answers.get(), 60)
                if answer.get("id") == f"c{seat}":
                    break
            if answer["status"] != "ok":
                raise RuntimeError(f"the server does not let us play: {answer}")
            address = str(answer["game"])
        return address

    def move(self, due: float) -> None:
        """Send the next move."""
        self.due = due
        cell = self.cells[self.turn].pop()
        self.sockets[self.turn].write(
            frame_of(
                f'{{"type":"move","id":"m{self.version}","version":{self.version},"cell":{cell}}}'
            )
        )


def _keeper(answers: asyncio.Queue[dict[str, object]]) -> Callable[[Socket, bytes], None]:
    """Return what keeps all that a socket receives, decoded."""
    return lambda _socket, text: answers.put_nowait(json.loads(text))


class Load:
    """Games that are played at a given rate."""

    def __init__(self, games: Sequence[Game]) -> None:
        self.games = games
        self.idle = deque(games)
        self.delays: list[float] = []
        self.refused: list[bytes] = []
        for game in games:
            for socket in game.sockets:
                socket.received = self._listener(game)

    def _listener(self, game: Game) -> Callable[[Socket, bytes], None]:
        delays, idle, clock = self.delays, self.idle, time.perf_counter

        def received(socket: Socket, text: bytes) -> None:
            if text.startswith(b'{"type":"answer"'):
                if b'"status":"ok"' not in text:
                    self.refused.append(text)
                    return
                delays.append(clock() - game.due)
                game.version += 1
                game.turn = 1 - game.turn
                idle.append(game)
            else:
                game.events += 1

        return received

    async def run(self, rate: int, seconds: float) -> tuple[float, list[float]]:
        """Ask for ``rate`` moves a second; return the moves a second done, and their delays."""
        self.delays.clear()
        start = time.perf_counter()
        sent, total = 0, int(rate * seconds)
        while sent < total:
            wanted = min(total, int((time.perf_counter() - start) * rate))
            while sent < wanted and self.idle:
                game = self.idle.popleft()
                if game.cells[game.turn]:
                    game.move(start + sent / rate)
                    sent += 1
            if self.refused:
                raise RuntimeError(f"a move was refused: {self.refused[0]!r}")
            await asyncio.sleep(0.0005)
        patience = time.perf_counter() + 30
        while len(self.delays) < total and time.perf_counter() < patience:
            await asyncio.sleep(0.002)
        if len(self.delays) < total or self.refused:
            raise RuntimeError(
                f"{total - len(self.delays)} moves have no answer: {self.refused[:1]}"
            )
        return total / (time.perf_counter() - start), list(self.delays)


async def begin_games(port: int, sockets: int, seed: int) -> list[Game]:
    """Return new games with ``sockets`` sockets altogether."""
    games = [Game(number, random.Random(seed + number)) for number in range(sockets // 2)]
    for first in range(0, len(games), 20):
        await asyncio.gather(*(game.begin(port) for game in games[first : first + 20]))
    return games


async def measure(
    server: Serving, rate: int, begin: Begin = begin_games, *, sockets: int, seconds: float
) -> Point:
    """Return what happens at a rate.

    Args:
        begin: returns the games that are played, see `begin_games`.
    """
    games = await begin(server.port, sockets, rate)
    load = Load(games)
    await load.run(min(rate, 500), 1.0)
    used, own = server.seconds, time.process_time()
    begun = time.perf_counter()
    done, delays = await load.run(rate, seconds)
    passed = time.perf_counter() - begun
    cpu = (server.seconds - used) / len(delays)
    for game in games:
        for socket in game.sockets:
            socket.close()
    return Point(rate, done, delays, cpu, (time.process_time() - own) / passed)
