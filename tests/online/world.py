"""One world for online play: servers in the test's own process, and whoever comes to them."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, MutableMapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast
from weakref import WeakKeyDictionary

from starlette.types import ASGIApp

from tests.online.processes import PATIENCE
from tic_tac_toe.protocols.online.addresses import hash_of_token, new_token
from tic_tac_toe.protocols.online.events import REMATCH
from tic_tac_toe.protocols.online.game import OnlineGame, replay
from tic_tac_toe.protocols.online.messages import PROTOCOL
from tic_tac_toe.protocols.online.replies import (
    Answer,
    Happened,
    OpenGames,
    Reply,
    Welcome,
    read_reply,
)
from tic_tac_toe.protocols.online.requests import (
    Accept,
    Chat,
    Create,
    Hello,
    Join,
    Lobby,
    Move,
    Offer,
    Pair,
    Request,
    Resign,
    write_request,
)
from tic_tac_toe_frontends.server.budgets import ClientLimits
from tic_tac_toe_frontends.server.connection import Connection
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.run import Server
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.store import Store
from tic_tac_toe_frontends.server.web.app import App
from tic_tac_toe_frontends.server.wire.http import HttpProtocol
from tic_tac_toe_frontends.server.wire.web_socket import WebSocket

USUAL = ClientLimits()
MANY = 1_000_000


def limited(usual: ClientLimits = USUAL, /, **rows: tuple[float, float]) -> ClientLimits:
    """Return limits with other sizes, and rates per second, in some rows."""
    changed = {
        name: usual.rows[name]._replace(size=size, rate=rate) for name, (size, rate) in rows.items()
    }
    return usual._replace(**changed)


#: More than any test asks for, where limits are not what is tested.
GENEROUS = limited(
    ClientLimits.of(messages=MANY, connections=10_000, games=MANY, requests=MANY),
    reports=(MANY, MANY),
    blocks=(MANY, MANY),
)

Found = TypeVar("Found", bound=Reply)


class FakeSocket:
    """Stands in for a `WebSocket`: keeps what the server says, decoded, in order."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.texts: list[str] = []
        self.closed: tuple[int, str] | None = None
        self.disconnected = False
        self.changed = asyncio.Event()

    def send_frame(self, frame: bytes) -> None:
        """Take a frame as a client does."""
        if self.closed is None and not self.disconnected:
            text = payload_of(frame).decode()
            self.texts.append(text)
            reply = read_reply(text)
            assert reply is not None
            self.replies.append(reply)
            self.changed.set()

    def abort_soon(self) -> None:
        """Cut nobody off: there is no network."""

    def close(self, code: int, reason: str) -> None:
        """Note why the server closes."""
        if self.closed is None:
            self.closed = code, reason
            self.changed.set()


def payload_of(frame: bytes) -> bytes:
    """Return the payload of an unmasked frame."""
    start = {126: 4, 127: 10}.get(frame[1], 2)
    return frame[start:]


class Guest:
    """Somebody who is connected to a server.

    Args:
        server: the server.
        address: where the guest comes from.
        patience: the longest wait for anything, in seconds.
    """

    def __init__(
        self, server: GameServer, address: str = "192.0.2.1", patience: float = PATIENCE
    ) -> None:
        self.server = server
        self.patience = patience
        self.socket = FakeSocket()
        self.token = any_token()
        connection = server.connect(cast(WebSocket, self.socket), address)
        assert connection is not None, "the server lets nobody in from there"
        self.connection: Connection = connection
        self.count = 0

    def new_id(self) -> str:
        """Return an id that no message of this guest has had."""
        self.count += 1
        return f"g{id(self)}-{self.count}"

    def send(self, request: Request) -> str:
        """Send a request, and return its id."""
        self.connection.receive(write_request(request))
        return request.id

    def answers(self, message_id: str) -> list[Any]:
        """Return each `Answer` or `Welcome` to a request that has come."""
        return [
            reply
            for reply in self.socket.replies
            if isinstance(reply, Answer | Welcome) and reply.id == message_id
        ]

    async def until(self, there: Callable[[], Any]) -> Any:
        """Wait until something is so, and return it; every message may make it so."""
        end = time.monotonic() + self.patience
        while not (found := there()):
            self.socket.changed.clear()
            left = end - time.monotonic()
            assert left > 0, f"not so: {there}; came: {self.socket.texts[-5:]}"
            try:
                await asyncio.wait_for(self.socket.changed.wait(), min(left, 0.5))
            except asyncio.TimeoutError:
                continue
        return found

    async def answer(self, message_id: str) -> Any:
        """Return the `Answer` or `Welcome` to a request as soon as it is there."""
        return (await self.until(lambda: self.answers(message_id)))[-1]

    async def ask(self, request: Request) -> Answer:
        """Send a request, and return its answer."""
        before = len(self.answers(request.id))
        self.send(request)
        answer = (await self.until(lambda: self.answers(request.id)[before:]))[0]
        assert isinstance(answer, Answer), answer
        return answer

    def greeting(self, game: str = "", token: str = "", **fields: Any) -> Hello:
        """Return a new greeting."""
        return Hello(self.new_id(), PROTOCOL, game, token, **fields)

    async def hello(self, game: str = "", token: str = "", **fields: Any) -> Welcome:
        """Greet, and be welcome."""
        welcome = await self.answer(self.send(self.greeting(game, token, **fields)))
        assert isinstance(welcome, Welcome), welcome
        return welcome

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

    async def say(self, text: str = "hello") -> Answer:
        """Ask to write a line of chat."""
        return await self.ask(Chat(self.new_id(), text))

    async def resign(self) -> Answer:
        """Ask to resign."""
        return await self.ask(Resign(self.new_id()))

    async def offer(self, what: str) -> Answer:
        """Ask to offer something, as of the game's last event."""
        return await self.ask(Offer(self.new_id(), self.version, what))

    async def accept(self, what: str) -> Answer:
        """Ask to accept an offer, as of the game's last event."""
        return await self.ask(Accept(self.new_id(), self.version, what))

    @property
    def version(self) -> int:
        """The last event of the game where this guest is, as the server has it."""
        game = self.game
        return 0 if game is None else game.version

    @property
    def game(self) -> OnlineGame | None:
        """The game where this guest is, as the server has it."""
        place = self.connection.session
        session = place and self.server.sessions.get(place.address)
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
        self.server.disconnect(self.connection)


def crowd(server: GameServer, count: int, address: str) -> list[Guest]:
    """Return guests who all come from one address."""
    return [Guest(server, address) for _ in range(count)]


def strangers(server: GameServer, count: int) -> list[Guest]:
    """Return guests who come from an address each."""
    return [Guest(server, f"192.0.2.{number}") for number in range(count)]


def answers_to(guest: Guest, requests: Sequence[Request]) -> list[Answer]:
    """Return the answers to requests that are answered at once."""
    return [
        answer
        for request in requests
        for answer in guest.answers(guest.send(request))
        if isinstance(answer, Answer)
    ]


async def watching(server: GameServer, game: str, address: str = "192.0.2.1") -> Guest:
    """Return a guest who watches a game."""
    guest = Guest(server, address)
    await guest.hello(game)
    return guest


@asynccontextmanager
async def opened(
    where: Path | Store,
    kind: type[GameServer] = GameServer,
    *,
    tidy: float | None = None,
    **settings: Any,
) -> AsyncIterator[GameServer]:
    """Open a server on a store or a file, and stop it in the end."""
    settings.setdefault("limits", GENEROUS)
    server = kind(SqliteStore(where) if isinstance(where, Path) else where, **settings)
    if tidy is not None:
        server.housekeeper.tidy_seconds = tidy
    under_way()
    await server.open()
    try:
        yield server
    finally:
        if not server.is_stopping:
            await asyncio.wait_for(server.stop(), PATIENCE)


class World:
    """The servers of one data file, one after the other.

    Attributes:
        path: the data file.
        seconds: what the clock of limits shows of a server that was opened as ``still``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds = 0.0
        self._open = AsyncExitStack()

    async def open(
        self,
        store: Store | None = None,
        kind: type[GameServer] = GameServer,
        *,
        still: bool = False,
        **settings: Any,
    ) -> GameServer:
        """Open a server in place of the one before; see `opened`.

        Args:
            still: whether time passes for its limits only when `seconds` are added.
        """
        await self.close()
        manager = opened(store or self.path, kind, **settings)
        server: GameServer = await self._open.enter_async_context(manager)
        if still:
            server.clock = server.addresses.clock = lambda: self.seconds
        return server

    async def listen(
        self,
        wire: type[WebSocket] = WebSocket,
        door: type[HttpProtocol] = HttpProtocol,
        *,
        most: int | None = None,
        proxies: Sequence[str] = (),
        origins: Sequence[str] = (),
        hosts: Sequence[str] = (),
        still: bool = False,
        **settings: Any,
    ) -> tuple[GameServer, str]:
        """Open a server that listens at the loopback, and return it with its WebSocket's address.

        Args:
            most, proxies, origins, hosts: see `Server` and `App`.
            still: as in `open`.
        """
        await self.close()
        settings.setdefault("limits", GENEROUS)
        server = GameServer(SqliteStore(self.path), **settings)
        if still:
            server.clock = server.addresses.clock = lambda: self.seconds
        protocol = type("Door", (door,), {"web_socket": wire})
        ready: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        process = Server(
            App(server, origins, hosts),
            ready.set_result,
            most=most,
            proxies=proxies,
            protocol=protocol,
        )
        listener = self._open.enter_context(socket.create_server(("127.0.0.1", 0)))
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        serving = asyncio.create_task(process.serve([listener]))

        async def stop() -> None:
            process.ask_to_end()
            await asyncio.wait_for(serving, PATIENCE)

        self._open.push_async_callback(stop)
        return server, f"ws://127.0.0.1:{await asyncio.wait_for(ready, PATIENCE)}/ws"

    async def close(self) -> None:
        """Stop the server that is open, if there is one."""
        await self._open.aclose()
        self._open = AsyncExitStack()


def turn_clock(server: GameServer, seconds: float) -> None:
    """Turn a server's clock on by a number of seconds; back, if it is below 0."""
    now = server.now
    server.uptime.awake_at += int(1000 * seconds)
    server.now = lambda: now() + int(1000 * seconds)  # type: ignore[method-assign]


async def kill(server: GameServer) -> None:
    """Let go of everything as a process does that is killed: nothing more is written or said."""
    server.is_stopping = server.writer.failed = True
    await server.writer.run(server.store.close)
    server.tasks.cancel()
    server.readers.close()
    await asyncio.to_thread(server.computers.close)


class Still(GameServer):
    """A server whose time of day stands still unless it is turned."""

    def now(self) -> int:
        return 1_800_000_000_000


def outcome(server: GameServer, game: str) -> tuple[str, str, int | None]:
    """Return the stage, the result and the deadline that are kept of a game."""
    row = server.store.row(game)
    assert row is not None
    return row.stage, row.result, row.deadline


async def seated(server: GameServer, **fields: Any) -> tuple[Guest, Guest, str]:
    """Return two guests who play a game, X and O, and its address."""
    ann, bob = Guest(server), Guest(server)
    game = await ann.create(**fields)
    answer = await bob.join(game)
    assert answer.status == "ok", answer
    return ann, bob, game


async def begun(server: GameServer, **fields: Any) -> tuple[Guest, Guest, str]:
    """Return two guests who have made a move each, in cells 4 and 0, so that X's clock runs."""
    ann, bob, game = await seated(server, **fields)
    await play_moves((ann, 4), (bob, 0))
    return ann, bob, game


async def play_moves(*moves: tuple[Guest, int]) -> None:
    """Let guests play cells, each of which is free and theirs to play."""
    for guest, cell in moves:
        assert (await guest.move(cell)).status == "ok"


async def agree_on_rematch(ann: Guest, bob: Guest) -> str:
    """Let Ann resign and offer a rematch, which Bob accepts; return the address of the new game."""
    await ann.resign()
    await ann.offer(REMATCH)
    await bob.accept(REMATCH)
    (news,) = await ann.until(lambda: ann.heard("accept"))
    return str(news.event.follower)


def any_token() -> str:
    """Return a token that nobody has had."""
    return new_token(random.SystemRandom())


async def until(holds: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait for something that has to come.

    Raises:
        AssertionError: it did not come within `seconds`.
    """
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"waited in vain: {what}"
        await asyncio.sleep(0.02)


#: What each event loop has handed to threads and not got back.
UNDER_WAY: WeakKeyDictionary[asyncio.AbstractEventLoop, set[asyncio.Future[Any]]] = (
    WeakKeyDictionary()
)


def under_way() -> set[asyncio.Future[Any]]:
    """Return the work that threads do for the running loop, from the first call on."""
    loop = asyncio.get_running_loop()
    if loop not in UNDER_WAY:
        futures = UNDER_WAY[loop] = set()
        honest = loop.run_in_executor

        def run_in_executor(*arguments: Any) -> asyncio.Future[Any]:
            future = honest(*arguments)
            futures.add(future)
            future.add_done_callback(futures.discard)
            return future

        loop.run_in_executor = run_in_executor  # type: ignore[method-assign,assignment]
    return UNDER_WAY[loop]


async def rest(server: GameServer) -> None:
    """Wait until nothing is under way: a request without an answer will never get one."""
    end = time.monotonic() + PATIENCE
    turns = 0
    while turns < 10:  # more than any result takes to where it is waited for
        assert time.monotonic() < end, "the server does not come to rest"
        await asyncio.wait_for(server.writer.drain(), PATIENCE)
        at_work = any(room.is_at_work for room in server.sessions.values())
        is_quiet = not (at_work or under_way() or len(server.writer))
        turns = turns + 1 if is_quiet else 0
        await asyncio.sleep(0 if is_quiet else 0.001)


# -- the lobby, and who wants to play at once --------------------------------------------------


def shown(guest: Guest) -> set[str]:
    """Return the addresses that the lobby shows to a guest."""
    games = guest.last(OpenGames)
    return {game.game for game in games.games} if games else set()


async def listener(server: GameServer) -> Guest:
    """Return a guest who listens to the lobby."""
    guest = Guest(server)
    assert (await guest.ask(Lobby("on", True))).status == "ok"
    await guest.until(lambda: guest.last(OpenGames))
    return guest


def wish(guest: Guest, variant: str = "gomoku", **fields: Any) -> str:
    """Ask to play now, and return the id of the request."""
    return guest.send(Pair(guest.new_id(), guest.token, variant, **fields))


async def pair(guest: Guest, variant: str = "gomoku", **fields: Any) -> str:
    """Ask to play now, and return the game where the guest waits."""
    answer = await guest.answer(wish(guest, variant, **fields))
    assert answer.status == "ok"
    return str(answer.game)


def opponents(server: GameServer, guests: list[Guest]) -> dict[str, list[str]]:
    """Return the tokens' hashes at each game that has two players, and check each log."""
    found: dict[str, list[str]] = defaultdict(list)
    for address in server.store.all_games():
        game = replay(server.store.events(address))
        assert game is not None
        if None not in game.players:
            found[address] = [player.key for player in game.players if player is not None]
    known = {hash_of_token(guest.token) for guest in guests}
    assert {key for keys in found.values() for key in keys} <= known
    return found


async def paired_as_far_as_can_be(server: GameServer) -> None:
    """Let the server look once more for people who want the same game."""
    await server.lobby.refresh()
    await rest(server)


# -- pages -------------------------------------------------------------------------------------


class Page(NamedTuple):
    """What an application answers; header names in small letters."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


def ask(app: ASGIApp, path: str, *, method: str = "GET", **headers: str) -> Page:
    """Return what an application says to a request; underscores in headers' names are hyphens."""
    return asyncio.run(ask_async(app, path, method=method, **headers))


async def ask_async(app: ASGIApp, path: str, *, method: str = "GET", **headers: str) -> Page:
    """Return what `ask` does, in an event loop that runs already."""
    address, _, query = path.partition("?")
    sent = [(b"host", b"play.example:8765")]
    sent += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": address,
        "raw_path": address.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": sent,
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8765),
        "state": {},
    }
    started: dict[str, Any] = {}
    body = bytearray()

    messages: list[dict[str, object]] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, object]:
        if not messages:
            await asyncio.Event().wait()  # the client stays
        return messages.pop()

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            started.update(message)
        else:
            body.extend(message.get("body", b""))

    await app(scope, receive, send)
    pairs = {name.decode(): value.decode() for name, value in started["headers"]}
    return Page(started["status"], pairs, bytes(body))
