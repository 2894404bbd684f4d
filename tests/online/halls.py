"""A hall in the test's own process, and guests who talk to it without a network."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from tic_tac_toe.protocols.online.addresses import new_token
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.limits import PROTOCOL
from tic_tac_toe.protocols.online.replies import Answer, Happened, Reply, Welcome, read_reply
from tic_tac_toe.protocols.online.requests import Create, Hello, Join, Move, Request, write_request
from tic_tac_toe_frontends.server.connection import Connection
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.rate_limits import Allowance
from tic_tac_toe_frontends.server.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.store import Store
from tic_tac_toe_frontends.server.web_socket import WebSocket

#: How long anything here may take on a slow machine that does other work, in seconds.
PATIENCE = 60.0
#: More than any test asks for, where credit is not what is tested.
GENEROUS = Allowance(messages=1e6, connections=10_000, address_messages=1e6, games=1_000_000)

Found = TypeVar("Found", bound=Reply)
Result = TypeVar("Result")


class FakeSocket:
    """Stands in for a `WebSocket`: keeps what the hall says, decoded, in order."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.texts: list[str] = []
        self.closed: tuple[int, str] | None = None
        self.disconnected = False
        self.changed = asyncio.Event()

    def say(self, frame: bytes) -> None:
        """Take a frame as a client does."""
        if self.closed is None and not self.disconnected:
            text = payload_of(frame).decode()
            self.texts.append(text)
            reply = read_reply(text)
            assert reply is not None
            self.replies.append(reply)
            self.changed.set()

    def end(self) -> None:
        """Cut nobody off: there is no network."""

    def close(self, code: int, reason: str) -> None:
        """Note why the hall closes."""
        if self.closed is None:
            self.closed = code, reason
            self.changed.set()


def payload_of(frame: bytes) -> bytes:
    """Return the payload of an unmasked frame."""
    start = {126: 4, 127: 10}.get(frame[1], 2)
    return frame[start:]


class Guest:
    """Somebody who is connected to a hall.

    Args:
        hall: the hall.
        address: where the guest comes from.
    """

    def __init__(self, hall: GameServer, address: str = "192.0.2.1") -> None:
        self.hall = hall
        self.socket = FakeSocket()
        self.token = new_token(random.SystemRandom())
        connection = hall.connect(cast(WebSocket, self.socket), address)
        assert connection is not None, "the hall lets nobody in from there"
        self.connection: Connection = connection
        self.count = 0

    def new_id(self) -> str:
        """Return an id that no message of this guest has had."""
        self.count += 1
        return f"g{id(self)}-{self.count}"

    def send(self, request: Request) -> str:
        """Send a request, and return its id."""
        self.connection.text(write_request(request))
        return request.id

    def answers(self, message_id: str) -> list[Answer | Welcome]:
        """Return all answers to a request that have come."""
        return [
            reply
            for reply in self.socket.replies
            if isinstance(reply, Answer | Welcome) and reply.id == message_id
        ]

    async def until(self, there: Callable[[], Any]) -> Any:
        """Wait until something is so, and return it; every message may make it so."""
        end = time.monotonic() + PATIENCE
        while not (found := there()):
            self.socket.changed.clear()
            left = end - time.monotonic()
            assert left > 0, f"not so: {there}; came: {self.socket.texts[-5:]}"
            try:
                await asyncio.wait_for(self.socket.changed.wait(), min(left, 0.5))
            except asyncio.TimeoutError:
                continue
        return found

    async def answer(self, message_id: str) -> Answer | Welcome:
        """Return the answer to a request as soon as it is there."""
        answers = await self.until(lambda: self.answers(message_id))
        return cast("Answer | Welcome", answers[-1])

    async def ask(self, request: Request) -> Answer:
        """Send a request, and return its answer."""
        answer = await self.answer(self.send(request))
        assert isinstance(answer, Answer), answer
        return answer

    async def ask_any(self, request: Request) -> Answer | Welcome:
        """Send a request, and return its answer, whatever it is."""
        return await self.answer(self.send(request))

    async def hello(self, game: str = "", token: str = "", **fields: Any) -> Answer | Welcome:
        """Greet, and return the answer."""
        request = Hello(self.new_id(), PROTOCOL, game, token, **fields)
        return await self.answer(self.send(request))

    async def create(self, variant: str = "tic-tac-toe", **fields: Any) -> str:
        """Create a game, and return its address."""
        fields.setdefault("seat", "X")
        answer = await self.ask(Create(self.new_id(), self.token, variant, **fields))
        assert answer.status == "ok", answer
        return answer.game

    async def join(self, game: str) -> Answer:
        """Ask for the free seat of a game."""
        return await self.ask(Join(self.new_id(), game, self.token, "Bob"))

    async def move(self, cell: int, version: int | None = None) -> Answer:
        """Ask to play a cell, as of the game's last event unless told otherwise."""
        if version is None:
            version = self.version
        return await self.ask(Move(self.new_id(), version, cell))

    @property
    def version(self) -> int:
        """The last event of the game where this guest is, as the hall has it."""
        game = self.game
        return 0 if game is None else game.version

    @property
    def game(self) -> OnlineGame | None:
        """The game where this guest is, as the server has it."""
        place = self.connection.place
        session = place and self.hall.sessions.get(place.address)
        return None if session is None else session.game

    @property
    def happened(self) -> list[Happened]:
        """All events that this guest was told of."""
        return [reply for reply in self.socket.replies if isinstance(reply, Happened)]

    def heard(self, kind: str, seat: str | None = None) -> list[Happened]:
        """Return the events of a kind that this guest was told of."""
        return [
            news
            for news in self.happened
            if news.event.kind == kind and seat in (None, news.event.seat)
        ]

    def last(self, kind: type[Found]) -> Found | None:
        """Return the last reply of a type that has come."""
        found = [reply for reply in self.socket.replies if isinstance(reply, kind)]
        return found[-1] if found else None

    def leave(self) -> None:
        """Be disconnected."""
        self.socket.disconnected = True
        self.hall.disconnect(self.connection)


@asynccontextmanager
async def opened(
    where: Path | Store, kind: type[GameServer] = GameServer, **settings: Any
) -> AsyncIterator[GameServer]:
    """Open a hall on a store or a file, and stop it in the end."""
    settings.setdefault("allowance", GENEROUS)
    hall = kind(SqliteStore(where) if isinstance(where, Path) else where, **settings)
    await hall.open()
    try:
        yield hall
    finally:
        if not hall.is_stopping:
            await hall.stop()


def play(story: Coroutine[Any, Any, Result]) -> Result:
    """Run a test's story to its end, and give it up if it has none."""
    return asyncio.run(asyncio.wait_for(story, 3 * PATIENCE))


def turn_clock(hall: GameServer, seconds: float) -> None:
    """Make it so many seconds later than it is for a hall; earlier, if below 0."""
    now = hall.now
    hall.uptime.awake_at += int(1000 * seconds)
    hall.now = lambda: now() + int(1000 * seconds)  # type: ignore[method-assign]


async def kill(hall: GameServer) -> None:
    """Let go of everything as a process does that is killed: nothing more is written or said."""
    hall.is_stopping = True
    hall.tasks.cancel()
    await asyncio.sleep(0)
    hall.store.close()
    hall.writer.failed = True
    hall.readers.close()
    await asyncio.to_thread(hall.computers.close)


async def seated(hall: GameServer, **fields: Any) -> tuple[Guest, Guest, str]:
    """Return two guests who play a game, X and O, and its address."""
    ann, bob = Guest(hall), Guest(hall)
    game = await ann.create(**fields)
    answer = await bob.join(game)
    assert answer.status == "ok", answer
    return ann, bob, game


async def rest(hall: GameServer) -> None:
    """Wait until nothing is under way: then who has no answer will never get one."""
    end = time.monotonic() + PATIENCE
    quiet = 0
    while quiet < 5:
        assert time.monotonic() < end, "the hall does not come to rest"
        await hall.writer.drain()
        await asyncio.sleep(0.001)
        under_way = any(room.is_at_work for room in hall.sessions.values())
        quiet = 0 if under_way or len(hall.writer) else quiet + 1
