"""Clients over real WebSockets: some play by themselves, and some ask one thing after the other.

A bot looks at every text that comes and goes. What it finds wrong it notes as a sentence in
`Bot.faults`; what was acknowledged it notes too, to be compared with the log in the end.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import cycle
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.protocol import State

from tests.online.processes import PATIENCE, Server, web_socket
from tests.online.world import until
from tic_tac_toe.protocols.online.client import OFFLINE, ONLINE, Client
from tic_tac_toe.protocols.online.events import KINDS, REMATCH, TAKE_BACK, Event, details_of
from tic_tac_toe.protocols.online.news import Answered, GameLost
from tic_tac_toe.protocols.online.replies import DUPLICATE, ILLEGAL, OK
from tic_tac_toe.protocols.online.requests import (
    TYPES,
    Accept,
    Chat,
    Create,
    Decline,
    Join,
    Move,
    Offer,
    Request,
    write_request,
)

#: How much faster than people bots come back.
HASTE = 0.04
#: The kinds of the events that requests leave in the log.
KIND_OF = {kind: name for name, kind in TYPES.items() if name in KINDS}
#: The likelihood that a message is sent twice, and that a player chats instead of moving.
RESENT, CHATTY = 0.05, 0.1


class Acknowledged(NamedTuple):
    """What a server has said that it will never lose.

    Attributes:
        game, version: where it must be.
        seat: who did it.
        request: what was asked.
    """

    game: str
    version: int
    seat: str
    request: Request

    def is_told_by(self, event: Event) -> bool:
        """Whether an event is what was acknowledged."""
        request = self.request
        same = (event.game, event.version, event.seat) == (self.game, self.version, self.seat)
        kind = KIND_OF[type(request)]
        if isinstance(request, Offer) and request.what == REMATCH and event.kind == "accept":
            kind = "accept"  # the other side had offered it
        if not same or event.kind != kind:
            return False
        details = details_of(event)
        if isinstance(request, Move):
            return bool(details["cell"] == request.cell)
        if isinstance(request, Chat):
            return bool(details["text"] == request.text)
        if isinstance(request, Offer | Accept | Decline):
            return bool(details["text"] == request.what)
        return True


class Bot:
    """A client that goes on by itself.

    Args:
        url: of the WebSocket, or what tells it at each connecting.
        rng: the dice.
        act: is called whenever something may have changed, to ask for things by `client`.
        answered: is set at each answer.

    Attributes:
        client: the sans-IO client that does the talking.
        faults: the promises that the server has broken, a sentence each.
        acknowledged: everything that has been acknowledged.
        connections: the number of connections that it has opened.
        resends: whether it sends some messages a second time on purpose.
    """

    def __init__(
        self,
        url: str | Callable[[], str],
        rng: random.Random,
        act: Callable[[Bot], None],
        answered: asyncio.Event,
    ) -> None:
        self.url = url
        self.rng = rng
        self.act = act
        self.answered = answered
        self.client = Client(rng, time.monotonic)
        self.faults: list[str] = []
        self.acknowledged: list[Acknowledged] = []
        self.connections = 0
        self.resends = False
        self._unanswered: Counter[str] = Counter()
        self._live: set[tuple[str, int]] = set()
        self._seats: dict[tuple[str, str], str] = {}
        self._nudged = asyncio.Event()
        self._ended = False

    def __repr__(self) -> str:
        return f"Bot({self.client!r}, {self.client.pending}, {dict(+self._unanswered)})"

    async def run(self) -> None:
        """Connect again and again, until `end`."""
        while not self._ended:
            with suppress(OSError, asyncio.TimeoutError, WebSocketException):
                await self._connect()
            wait = self.client.disconnected()
            self._unanswered.clear()
            self._live.clear()
            if not self._ended:
                await asyncio.sleep(wait * HASTE)

    def nudge(self) -> None:
        """Make it act now, for something has changed elsewhere."""
        self._nudged.set()

    def end(self) -> None:
        """Make `run` return."""
        self._ended = True
        self._nudged.set()

    @property
    def is_quiet(self) -> bool:
        """Whether it is connected, and every request has been answered."""
        client = self.client
        return client.connection == ONLINE and not client.pending and not +self._unanswered

    def _remember_seat(self) -> None:
        """Take note of the seat that the token has now; from now on it must be this one."""
        client = self.client
        if client.address and client.token and client.seat:
            known = self._seats.setdefault((client.address, client.token), client.seat)
            if known != client.seat:
                self.faults.append(f"a token of seat {known} was given seat {client.seat}")

    async def _connect(self) -> None:
        url = self.url if isinstance(self.url, str) else self.url()
        async with web_socket(url) as socket:
            self.connections += 1
            self.client.connected()
            talking = asyncio.create_task(self._talk(socket))
            try:
                await self._send(socket)
                async for text in socket:
                    assert isinstance(text, str)
                    self._receive(text)
                    self._act()
                    await self._send(socket)
            finally:
                self._nudged.set()  # a cancellation can get lost in `wait_for`
                talking.cancel()
                await asyncio.gather(talking, return_exceptions=True)

    async def _talk(self, socket: ClientConnection) -> None:
        """Act when nudged, and now and then."""
        while not self._ended and socket.state is State.OPEN:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._nudged.wait(), 0.2)
            self.client.wake()
            self._nudged.clear()
            self._act()
            await self._send(socket)
        await socket.close()

    def _act(self) -> None:
        if not self._ended and self.client.connection != OFFLINE:
            self.act(self)

    async def _send(self, socket: ClientConnection) -> None:
        for text in self.client.take_outgoing():
            values = json.loads(text)
            may_repeat = self.resends and values["type"] != "hello"
            for _ in range(2 if may_repeat and self.rng.random() < RESENT else 1):
                self._unanswered[values["id"]] += 1
                await socket.send(text)

    def _receive(self, text: str) -> None:
        values = json.loads(text)
        kind = values["type"]
        if kind in ("answer", "welcome"):
            message_id = values["id"]
            if self._unanswered[message_id] < 1:
                self.faults.append(f"an answer that nobody waits for: {text[:200]}")
            self._unanswered[message_id] -= 1
        elif kind == "event":
            told = values["game"], values["version"]
            if told in self._live:
                self.faults.append(f"event {told[1]} was sent twice on one connection")
            self._live.add(told)
        news = self.client.received(text)
        events = self.client.events
        if self.client.game is not None and events[-1].version != len(events):
            self.faults.append(f"event {events[-1].version} was applied as number {len(events)}")
        for each in news:
            if isinstance(each, Answered):
                self._answered(each)
            elif isinstance(each, GameLost) and each.game:
                self.faults.append(f"the game {each.game} is lost")
        self._remember_seat()

    def _answered(self, news: Answered) -> None:
        request, answer, client = news.request, news.answer, self.client
        self.answered.set()
        if answer.status in (OK, DUPLICATE) and type(request) in KIND_OF:
            game = answer.game or client.address
            self.acknowledged.append(Acknowledged(game, answer.version, client.seat, request))
        elif answer.status == ILLEGAL:
            expected = ("game_over",) if isinstance(request, Move) else ()
            if isinstance(request, Move | Create | Join) and answer.reason not in expected:
                self.faults.append(f"{write_request(request)} was refused: {answer.reason}")


class Table:
    """Two bots who play one game after the other, and a third who watches them.

    Args:
        urls: of the WebSockets of the three, again from the first if there are fewer.
        rng: the dice.
        variants: what is played.

    Attributes:
        going_on: whether games and moves are begun; once it is false, everybody only comes to the
            game that was created last, and then falls silent.
        answered: is set at each answer to one of the three.
    """

    def __init__(
        self,
        urls: Sequence[str | Callable[[], str]],
        rng: random.Random,
        variants: Sequence[str] = ("tic-tac-toe", "connect-four", "gomoku", "4x4x3"),
    ) -> None:
        self.rng = rng
        self.variants = variants
        self.going_on = True
        self.games: list[str] = []
        self.answered = asyncio.Event()
        self.bots = [
            Bot(url, random.Random(rng.getrandbits(64)), act, self.answered)
            for url, act in zip(cycle(urls), (self._first, self._second, self._watch))
        ]
        for bot in self.bots[:2]:
            bot.resends = True
        self._rematches: set[str] = set()

    async def play(self, *steps: tuple[int, Callable[[], None]]) -> None:
        """Play until all agree on the games, and do each step after a number of acknowledgements.

        Raises:
            AssertionError: nothing more was acknowledged, or they never agreed.
        """
        running = [asyncio.create_task(bot.run()) for bot in self.bots]
        for count, step in steps:
            goal = len(self.acknowledged) + count
            await until(lambda goal=goal: len(self.acknowledged) >= goal, "games go on")  # type: ignore[misc]
            await asyncio.to_thread(step)
        self.going_on = False
        await until(lambda: self.is_quiet and self.agrees, "all have seen the same")
        for bot in self.bots:
            bot.end()
        await asyncio.wait(running)

    @property
    def address(self) -> str:
        """The game that is played now; empty before the first."""
        return self.games[-1] if self.games else ""

    @property
    def is_quiet(self) -> bool:
        """Whether nobody waits for anything."""
        return all(bot.is_quiet for bot in self.bots)

    @property
    def agrees(self) -> bool:
        """Whether all see the same game."""
        seen = {bot.client.game and bot.client.game.digest for bot in self.bots}
        return len(seen) == 1

    @property
    def faults(self) -> list[str]:
        """Every promise that was broken to one of these."""
        return [fault for bot in self.bots for fault in bot.faults]

    @property
    def acknowledged(self) -> list[Acknowledged]:
        """All that was acknowledged to these."""
        return [each for bot in self.bots for each in bot.acknowledged]

    def _first(self, bot: Bot) -> None:
        """Create games, and play in them."""
        client, game = bot.client, bot.client.game
        if client.pending:
            return
        is_over = game is not None and game.end is not None
        is_seated = game is not None and game.version and client.seat
        if is_seated and client.address not in self.games:
            self._announce(client.address)  # in any case: the others have to come to this game
        elif not self.going_on:
            return
        elif is_seated and not is_over:
            self._play(bot)
        elif not client.address or (is_seated and not self._go_on(bot)):
            client.create(self.rng.choice(self.variants), name="Ann", seat="random")

    def _announce(self, address: str) -> None:
        """Let the others come to a game of the first."""
        self.games.append(address)
        for other in self.bots[1:]:
            other.nudge()

    def _second(self, bot: Bot) -> None:
        """Join the game of the first, and play in it."""
        client = bot.client
        if client.pending or not self.address:
            return
        if client.address != self.address:
            if self.address not in self._rematches:
                client.join(self.address, "Bob")
            elif client.game is not None and client.game.follower == self.address:
                client.follow()  # as soon as it has been told
        elif self.going_on and client.game is not None and client.seat and not self._go_on(bot):
            self._play(bot)

    def _watch(self, bot: Bot) -> None:
        if self.address and bot.client.address != self.address:
            bot.client.watch(self.address)

    def _go_on(self, bot: Bot) -> bool:
        """Play a rematch once a game is over; return false if none is wanted."""
        client, game = bot.client, bot.client.game
        if game is None or game.end is None or ord(game.address[0]) % 2 == 0:
            return False
        if game.follower:
            if bot is self.bots[0]:
                self._rematches.add(game.follower)
                client.follow()
                self._announce(game.follower)
            return True
        return self._answer(bot) or (bot is self.bots[0] and self._offer_rematch(bot))

    def _offer_rematch(self, bot: Bot) -> bool:
        game = bot.client.game
        assert game is not None
        if None in game.players:
            return False
        if (bot.client.seat, REMATCH) not in game.offers:
            bot.client.offer(REMATCH)
        return True

    def _answer(self, bot: Bot) -> bool:
        """Answer what the other side has offered."""
        client, game = bot.client, bot.client.game
        if game is None:
            return False
        for seat, what in sorted(game.offers):
            if seat != client.seat:
                if what == REMATCH or self.rng.random() < 0.5:
                    client.accept(what)
                else:
                    client.decline(what)
                return True
        return False

    def _play(self, bot: Bot) -> None:
        client, game, rng = bot.client, bot.client.game, self.rng
        if game is None or game.end is not None or game.waiting or self._answer(bot):
            return
        if game.chats < 400 and rng.random() < CHATTY:
            client.chat(f"{rng.getrandbits(48):x}")
        elif game.turn == client.seat:
            client.move(rng.choice(game.rules.moves(game.position)))
        elif game.version > 3_000 or game.offers or rng.random() > 0.02:
            return
        elif game.ply_before_last_move_of(client.seat) is not None:
            client.offer(TAKE_BACK)


class Caller:
    """One connection.

    Attributes:
        heard: what has come, decoded.
        reading: ends when the connection does.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self.reading = asyncio.create_task(self._read())

    @classmethod
    async def at(cls, server: Server) -> Caller:
        """Return a connection to a server."""
        return cls(await web_socket(server.url))

    async def ask(self, request: Request) -> dict[str, Any]:
        """Return the answer to a request; one that is busy is asked again."""
        while True:
            future = asyncio.get_running_loop().create_future()
            self.waiting[request.id] = future
            await self.socket.send(write_request(request))
            answer: dict[str, Any] = await asyncio.wait_for(future, PATIENCE)
            if answer.get("status") != "busy":
                return answer
            await asyncio.sleep(answer.get("retry", 0) / 1000)

    async def close(self) -> None:
        """Let go of it."""
        await self.socket.close()
        await self.reading

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for text in self.socket:
                values = json.loads(text)
                self.heard.append(values)
                waiting = self.waiting.pop(values.get("id", ""), None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(values)
