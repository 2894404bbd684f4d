"""Many sockets at once: idle ones, watchers of one game, and everybody coming back."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from benchmarks.online.moves import Game
from benchmarks.online.serving import Serving
from benchmarks.online.sockets import Socket, connect
from tic_tac_toe.protocols.online.client import Client

#: How many connections are opened at a time.
AT_A_TIME = 50
PATIENCE = 120.0
HELLO = '{"type":"hello","id":"h","protocol":1}'


class Idle(NamedTuple):
    """What idle sockets cost: how many, KiB of the server's memory for each, seconds to open."""

    sockets: int
    kibibytes: float
    seconds: float
    cpu: float


async def measure_idle(server: Serving, sockets: int, seconds: float = 5.0) -> Idle:
    """Return what clients cost that have said hello and then nothing."""
    opened: list[Socket] = []
    welcome = Countdown(100)
    # What the first ones cost once and for all is not counted.
    opened += await _open(server.port, range(100), welcome)
    await welcome.wait()
    before, start = server.kibibytes, time.perf_counter()
    welcome = Countdown(sockets - 100)
    opened += await _open(server.port, range(100, sockets), welcome)
    await welcome.wait()
    taken = time.perf_counter() - start
    used = server.seconds
    await asyncio.sleep(seconds)
    idle = Idle(
        sockets,
        (server.kibibytes - before) / (sockets - 100),
        taken,
        (server.seconds - used) / seconds,
    )
    assert not any(socket.is_lost for socket in opened)
    for socket in opened:
        socket.close()
    return idle


class Countdown:
    """Waits for ``count`` texts that are not news."""

    def __init__(self, count: int) -> None:
        self.left = count
        self.done = asyncio.Event()

    def received(self, socket: Socket, text: bytes) -> None:
        """Count an answer."""
        if text.startswith((b'{"type":"welcome"', b'{"type":"answer"')):
            self.left -= 1
            if self.left <= 0:
                self.done.set()

    async def wait(self) -> None:
        """Return once all were counted."""
        await asyncio.wait_for(self.done.wait(), PATIENCE)


async def _open(
    port: int, numbers: Iterable[int], welcome: Countdown, hello: str = HELLO
) -> list[Socket]:
    sockets: list[Socket] = []
    numbers = list(numbers)
    for first in range(0, len(numbers), AT_A_TIME):
        part = numbers[first : first + AT_A_TIME]
        opened = await asyncio.gather(*(connect(port, welcome.received, each) for each in part))
        for socket in opened:
            socket.say(hello)
        sockets += opened
    return sockets


class Watched(NamedTuple):
    """How soon watchers are told of moves: seconds from the sending of each, for every watcher."""

    watchers: int
    moves: int
    delays: list[float]


async def measure_watchers(server: Serving, watchers: int, moves: int, pause: float) -> Watched:
    """Return how soon the watchers of one game hear of its moves."""
    game = Game(0, random.Random(1))
    address = await game.begin(server.port)
    hello = HELLO[:-1] + f',"game":"{address}"}}'
    welcome = Countdown(watchers)
    sockets = await _open(server.port, range(200, 200 + watchers), welcome, hello)
    await welcome.wait()
    await asyncio.sleep(3 * pause)  # who is there is told to everybody
    delays: list[float] = []
    told = asyncio.Event()
    sent = 0.0

    def received(socket: Socket, text: bytes) -> None:
        if text.startswith(b'{"type":"event"'):
            delays.append(time.perf_counter() - sent)
            if len(delays) % watchers == 0:
                told.set()

    for socket in sockets:
        socket.received = received
    for _ in range(moves):
        told.clear()
        sent = time.perf_counter()
        game.move(sent)
        game.version, game.turn = game.version + 1, 1 - game.turn
        await asyncio.wait_for(told.wait(), PATIENCE)
        await asyncio.sleep(pause)
    for socket in (*sockets, *game.sockets):
        socket.close()
    return Watched(watchers, moves, delays)


class Returned(NamedTuple):
    """How everybody came back after a restart.

    Attributes:
        clients: how many.
        seconds: from when the server was started until the last had the same state as before.
        listening: from then until it listened.
        attempts: how many connections were tried.
        same: how many have exactly the state that they had, and that their opponent has.
    """

    clients: int
    seconds: float
    listening: float
    attempts: int
    same: int


class Person:
    """A `Client` on a cheap socket."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.client = Client(random.Random(number), time.monotonic)
        self.socket: Socket | None = None
        self.welcome = asyncio.Event()
        self.attempts = 0

    @property
    def state(self) -> Any:
        """A hash of the game; ``None`` if none is known."""
        return self.client.game and self.client.game.digest

    async def connect(self, port: int) -> None:
        """Open a connection and greet; try again as clients do."""
        while True:
            self.attempts += 1
            try:
                self.socket = await connect(port, self.received, self.number)
            except OSError:
                await asyncio.sleep(self.client.disconnected())
                continue
            self.client.connected()
            self.flush()
            return

    def received(self, socket: Socket, text: bytes) -> None:
        """Let the client know, and send what it wants to say."""
        self.client.received(text.decode())
        self.flush()
        if self.client.connection == "online" and not self.client.pending:
            self.welcome.set()

    def flush(self) -> None:
        """Send what the client wants to say."""
        assert self.socket is not None
        for text in self.client.take_outgoing():
            self.socket.say(text)

    async def settled(self) -> None:
        """Return once everything asked for is answered."""
        await asyncio.wait_for(self.welcome.wait(), PATIENCE)

    async def do(self, act: Any) -> None:
        """Ask for something, and wait for the answer."""
        self.welcome.clear()
        act()
        self.flush()
        await self.settled()


async def measure_return(server: Serving, clients: int, moves: int = 4) -> Returned:
    """Return how long it takes until everybody is back after the server was killed."""
    people = [Person(number) for number in range(clients)]
    pairs = list(zip(people[::2], people[1::2]))

    async def play(first: Person, second: Person) -> None:
        await first.connect(server.port)
        await second.connect(server.port)
        await first.settled()
        await second.settled()
        await first.do(lambda: first.client.create("gomoku", name="Ann", seat="X"))
        await second.do(lambda: second.client.join(first.client.address, "Bob"))
        version = 2
        for ply in range(moves):
            mover = (first, second)[ply % 2]
            while mover.client.game is None or mover.client.game.version < version:
                await asyncio.sleep(0.001)
            await mover.do(lambda cell=20 * ply, mover=mover: mover.client.move(cell))
            version += 1

    for first in range(0, len(pairs), AT_A_TIME // 2):
        await asyncio.gather(*(play(*pair) for pair in pairs[first : first + AT_A_TIME // 2]))
    await asyncio.sleep(1.0)
    before = [person.state for person in people]
    for person in people:
        person.welcome.clear()
        person.attempts = 0
    server.kill()
    start = time.perf_counter()
    coming = [asyncio.create_task(_return(person, server.port)) for person in people]
    await asyncio.to_thread(server.start)
    listening = time.perf_counter() - start
    await asyncio.gather(*coming)
    seconds = time.perf_counter() - start
    same = sum(
        state is not None and pair[0].state == pair[1].state == state
        for pair, state in zip(pairs, before[::2])
    )
    attempts = sum(person.attempts for person in people)
    for person in people:
        if person.socket is not None:
            person.socket.close()
    return Returned(clients, seconds, listening, attempts, 2 * same)


async def _return(person: Person, port: int) -> None:
    await asyncio.sleep(person.client.disconnected())
    while True:
        await person.connect(port)
        socket = person.socket
        assert socket is not None
        while not person.welcome.is_set() and not socket.is_lost:
            await asyncio.sleep(0.02)
        if person.welcome.is_set():
            return
        await asyncio.sleep(person.client.disconnected())
