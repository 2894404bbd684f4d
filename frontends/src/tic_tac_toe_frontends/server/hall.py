"""The service: all games in memory, the lobby, and what has to be done now and then."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from logging import ERROR
from typing import TYPE_CHECKING, TypeVar

from prometheus_client import CollectorRegistry

from tic_tac_toe.protocols.online.addresses import address_of_new_game, hash_of_token
from tic_tac_toe.protocols.online.events import (
    SEATS,
    Created,
    Declined,
    Event,
    GameSetup,
    Moved,
    Offered,
    Player,
    Said,
)
from tic_tac_toe.protocols.online.game import begin
from tic_tac_toe.protocols.online.judge import expire
from tic_tac_toe.protocols.online.limits import LOBBY_GAMES
from tic_tac_toe.protocols.online.replies import (
    DUPLICATE,
    Answer,
    Closing,
    OpenGames,
    Welcome,
    write_reply,
)
from tic_tac_toe.protocols.online.requests import PERSON, RANDOM_SEAT, Create

from .computers import Computers
from .connection import Connection
from .credit import Addresses, Allowance
from .hints import Hints, NoHints
from .logs import say
from .metrics import Metrics
from .room import FULL_RETRY, Asked, Room, busy
from .store import PLAYING, WAITING, StorageError, Store, Unit, row_of
from .wire import RESTART, Wire, text_frame
from .writer import Fate, Writer

if TYPE_CHECKING:
    from .store import GameRow

Result = TypeVar("Result")


class Hall:
    """One server's share of the service; without `open` it does nothing.

    Args:
        store: where the log is.
        metrics: told of everything.
        allowance: what one client may do.
        hints: how other servers are told of news, if there are others.
        node: the name of this server among them.
        most_games: how many games may be unfinished at once.
        forget_waiting, forget_playing: after how many seconds without an event the server ends a
            game that waits for a player, or that is being played.
        grace: milliseconds without any server that count as no pause.
        computers: who moves for strategies.
        rng: where seats are drawn from.
    """

    #: Who was heard of by another server counts as connected for so many seconds.
    PRESENCE_SECONDS = 15.0
    #: Who asked before the server stops is answered within so many seconds, or on coming back.
    FINISH_SECONDS = 1.5
    #: A game that nobody follows leaves the memory after so many seconds.
    IDLE_SECONDS = 60.0
    #: A server that has done nothing for so many seconds was asleep, or its machine was.
    SLEEP_SECONDS = 3.0
    #: What is not written within so many seconds when the server stops is not waited for.
    CLOSE_SECONDS = 0.5
    #: How often what is forgotten or overdue is looked for, in seconds.
    TIDY_SECONDS = 5.0

    def __init__(
        self,
        store: Store,
        metrics: Metrics | None = None,
        *,
        allowance: Allowance | None = None,
        hints: Hints | None = None,
        node: str = "",
        most_games: int = 10_000,
        forget_waiting: float = 24 * 3600.0,
        forget_playing: float = 30 * 24 * 3600.0,
        grace: int = 0,
        computers: Computers | None = None,
        rng: random.Random | None = None,
    ) -> None:
        self.store = store
        self.metrics = metrics or Metrics()
        self.allowance = allowance or Allowance()
        self.hints = hints or NoHints()
        self.node = node
        self.most_games = most_games
        self.forget_after = {WAITING: forget_waiting, PLAYING: forget_playing}
        self.grace = grace
        self.computers = Computers() if computers is None else computers
        self.rng = rng or random.SystemRandom()
        self.clock = time.monotonic
        self.addresses = Addresses(self.allowance, self.clock)
        self.writer = Writer(store, self.metrics, reopened=self._come_back)
        self.rooms: dict[str, Room] = {}
        self.connections: set[Connection] = set()
        self.listeners: set[Connection] = set()
        self.pauses: tuple[tuple[int, int], ...] = ()
        self.awake_at = self.now()
        self.is_stuck = False
        self.lobby_frame = text_frame(write_reply(OpenGames(())))
        self.is_stopping = False
        self.is_open = False
        self._is_shut = False
        self._unfinished = 0
        self._creating = 0
        self._lobby_timer: asyncio.TimerHandle | None = None
        self._looking = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._readers = ThreadPoolExecutor(4, thread_name_prefix="reader")
        self.metrics.watch("games", "Games in memory.", lambda: len(self.rooms))
        self.metrics.watch("unfinished", "Games that are not over.", lambda: self._unfinished)
        self.metrics.watch("thoughts", "Moves being thought of.", lambda: len(self.computers))

    def __repr__(self) -> str:
        return f"Hall(rooms={len(self.rooms)}, connections={len(self.connections)})"

    @property
    def registry(self) -> CollectorRegistry:
        """Where the metrics are read from."""
        return self.metrics.registry

    @property
    def is_ready(self) -> bool:
        """Whether players should be sent here."""
        return self.is_open and not self.is_stopping and not self.writer.failed

    @property
    def is_full(self) -> bool:
        """Whether there are as many unfinished games as there may be."""
        return self._unfinished + self._creating >= self.most_games

    @property
    def is_shared(self) -> bool:
        """Whether other servers write to the same log."""
        return bool(self.node)

    @property
    def has_slept(self) -> bool:
        """Whether this server was not there for a while, and nothing has been done about it yet."""
        return self.now() - self.awake_at > 1000 * self.SLEEP_SECONDS

    def now(self) -> int:
        """Return the time of day, in milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    # -- opening and closing -------------------------------------------------------------------

    async def open(self) -> None:
        """Open the store, and take up the games whose clocks are running.

        Raises:
            StorageError: the store cannot be opened.
        """
        await self.writer.run(self.store.open)
        await self.writer.run(self.store.arrive, self.now(), self.grace)
        self.pauses = await self._reading(self.store.pauses)
        self._unfinished = await self._reading(self.store.count_unfinished)
        for address in await self._reading(self.store.running_clocks):
            self.room(address).look_for_news()
        await self._refresh_lobby()
        await self.hints.open(self._hinted)
        for job in (self._beat(), self._tidy(), self._listen_for_news(), self._measure_lag()):
            self.keep(asyncio.get_running_loop().create_task(job))
        self.is_open = True

    def _arrive_again(self) -> None:
        """Charge nobody for the time in which nothing could be written."""
        self.store.arrive(self.now(), self.grace)
        self.pauses = self.store.pauses()

    async def _come_back(self) -> None:
        """Believe the log, after a failure, even if it has less than it had before."""
        await self.writer.run(self._arrive_again)
        known = {address: len(room.events) for address, room in self.rooms.items() if room.events}
        heads = await self._reading(self.store.heads, list(known))
        for address, head in known.items():
            if heads.get(address, 0) < head and (room := self.rooms.get(address)) is not None:
                say("the log has lost events", level=ERROR, game=address)
                room.start_over()

    async def stop(self) -> None:
        """Say that the server stops, finish what was begun, and close everything."""
        self.is_stopping = True
        notice = text_frame(write_reply(Closing("restart", 1000)))
        for connection in tuple(self.connections):
            connection.wire.say(notice)
        await self._finish()
        for connection in tuple(self.connections):
            connection.wire.close(RESTART, "the server stops")
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self.computers.close)
        await self.hints.close()
        await self._close_writer()
        self._is_shut = True
        self._readers.shutdown(wait=False)

    async def _close_writer(self) -> None:
        """Let go of the store; one that hangs is left as it is, for nothing in it is promised."""
        try:
            if self._clocks_run():
                beat = self.writer.run(self.store.beat, self.now())
                await asyncio.wait_for(beat, self.CLOSE_SECONDS)
        except StorageError as error:
            say("the last beat could not be written", level=ERROR, problem=str(error))
        except asyncio.TimeoutError:
            self.is_stuck = True
        try:
            await asyncio.wait_for(self.writer.close(), self.CLOSE_SECONDS)
        except asyncio.TimeoutError:
            self.is_stuck = True
        if self.is_stuck:
            say("the storage hangs, and is not waited for", level=ERROR)

    async def _finish(self) -> None:
        """Wait until what was asked before is answered, but not for ever."""
        end = self.clock() + self.FINISH_SECONDS
        while self.metrics.unanswered and self.clock() < end:
            await asyncio.sleep(0.005)

    def keep(self, task: asyncio.Task[None]) -> None:
        """Hold a task until it is done, and say so if it failed."""
        self._tasks.add(task)

        def done(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            if not task.cancelled() and (error := task.exception()) is not None:
                say("a task failed", level=ERROR, error=error)

        task.add_done_callback(done)

    # -- connections ---------------------------------------------------------------------------

    def connect(self, wire: Wire, address: str) -> Connection | None:
        """Return what deals with a new client; ``None`` if its address has too many already."""
        account = self.addresses.connect(address)
        if account is None:
            return None
        connection = Connection(self, wire, account)
        self.connections.add(connection)
        self.metrics.connected()
        return connection

    def disconnect(self, connection: Connection) -> None:
        """Let a client go."""
        self.connections.discard(connection)
        connection.gone()
        self.metrics.disconnected()

    # -- games ---------------------------------------------------------------------------------

    def room(self, address: str) -> Room:
        """Return the game in memory; the log is read when something is asked of it."""
        room = self.rooms.get(address)
        if room is None:
            room = self.rooms[address] = Room(self, address)
        return room

    def drop(self, room: Room) -> None:
        """Forget a game in memory; the log has it, if there is one."""
        if self.rooms.get(room.address) is room and room.is_idle:
            del self.rooms[room.address]

    def create(
        self,
        request: Create,
        connection: Connection,
        answer: Callable[[Answer | Welcome], None],
    ) -> None:
        """Create a game, or give the same answer again to who asks for it twice."""
        address = address_of_new_game(request.token, request.id)
        key = hash_of_token(request.token)
        if self.writer.failed:
            answer(busy(request.id, "storage"))
            return
        if self.is_full:
            refused = busy(request.id, "full", FULL_RETRY)
            self._answer_if_created(request, connection, answer, refused)
            return
        if wait := connection.account.games.spend(self.clock()):
            refused = busy(request.id, "too_fast", 1 + int(1000 * wait))
            self._answer_if_created(request, connection, answer, refused)
            return
        self._creating += 1
        setup = self._setup_of(request, key)
        event = Created(address, 1, "", self.now(), request.id, setup=setup)
        row = row_of(begin(event))

        def written(fate: Fate) -> None:
            self._creating -= 1
            if fate is Fate.UNKNOWN:
                answer(busy(request.id, "storage"))
                return
            room = self.room(address)
            if fate is Fate.WRITTEN and not room.events:
                self._unfinished += 1
                room.begin(event, row)
                seat = room.game.seat_of(key) if room.game else ""
                connection.take_place(room, seat, request.id)
                answer(room.created(request.id, seat))
                self.wrote(room, event)
            else:
                room.ask(Asked(request, "", answer, connection))

        self.writer.write(Unit((event,), (row,)), written)

    def _answer_if_created(
        self,
        request: Create,
        connection: Connection,
        answer: Callable[[Answer | Welcome], None],
        refused: Answer,
    ) -> None:
        """Give the same answer again to who has created the game; else refuse to create it."""

        def answered(reply: Answer | Welcome) -> None:
            there = isinstance(reply, Answer) and reply.status == DUPLICATE
            answer(reply if there else refused)

        address = address_of_new_game(request.token, request.id)
        self.room(address).ask(Asked(request, "", answered, connection))

    def _setup_of(self, request: Create, key: str) -> GameSetup:
        seat = self.rng.choice(SEATS) if request.seat == RANDOM_SEAT else request.seat
        creator = Player(request.name, key)
        other = None
        if request.opponent != PERSON:
            other = Player(request.opponent, strategy=request.opponent)
        players = (creator, other) if seat == SEATS[0] else (other, creator)
        return GameSetup(request.variant, request.starting, players, request.open, request.clock)

    def wrote(self, room: Room, event: Event) -> None:
        """Take note of an event that this server has written."""
        self.hints.news(room.address)
        is_over = room.game is not None and room.game.end is not None
        if isinstance(event, Moved) and is_over:
            self._lobby_changed()  # it shows no such game, but how many are not over is counted
        elif not isinstance(event, Moved | Said | Offered | Declined):
            self._lobby_changed()

    def report_damage(self, address: str, error: Exception) -> None:
        """Say that a game's log cannot be replayed."""
        say("a game cannot be replayed", level=ERROR, game=address, problem=str(error))

    def read(self, address: str, after: int, then: Callable[[list[Event] | None], None]) -> None:
        """Read a game's log in another thread, and call back; with ``None`` if that failed."""
        loop = asyncio.get_running_loop()
        if self._is_shut:
            loop.call_soon(then, None)
            return
        future = loop.run_in_executor(self._readers, self.store.events, address, after)

        def done(result: asyncio.Future[list[Event]]) -> None:
            if result.cancelled():
                return
            error = result.exception()
            if error is not None:
                say("the log cannot be read", level=ERROR, problem=str(error))
                self.writer.check()
            then(None if error is not None else result.result())

        future.add_done_callback(done)

    async def _reading(self, function: Callable[..., Result], *arguments: object) -> Result:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, function, *arguments)

    # -- the lobby -----------------------------------------------------------------------------

    def _lobby_changed(self) -> None:
        if self._lobby_timer is None:
            loop = asyncio.get_running_loop()
            delay = 0.1 + len(self.listeners) / 5000
            self._lobby_timer = loop.call_later(delay, self._look_at_lobby)

    def _look_at_lobby(self) -> None:
        self._lobby_timer = None
        if self.is_stopping:
            return
        self.hints.lobby()
        self.keep(asyncio.get_running_loop().create_task(self._refresh_lobby()))

    async def _refresh_lobby(self) -> None:
        async with self._looking:  # what was read first must not be shown last
            if not self.is_stopping:
                await self._read_lobby()

    async def _read_lobby(self) -> None:
        try:
            rows: list[GameRow] = await self._reading(self.store.open_games, LOBBY_GAMES)
            self._unfinished = await self._reading(self.store.count_unfinished)
        except StorageError as error:
            say("the lobby cannot be read", level=ERROR, problem=str(error))
            self.writer.check()
            return
        games = OpenGames(tuple(row.open_game for row in rows))
        frame = text_frame(write_reply(games))
        if frame != self.lobby_frame:
            self.lobby_frame = frame
            for connection in tuple(self.listeners):
                connection.wire.say(frame)

    # -- other servers -------------------------------------------------------------------------

    def presence_changed(self, room: Room) -> None:
        """Tell other servers who follows a game here."""
        seats, watchers = room.here()
        self.hints.presence(room.address, seats, watchers)

    def _hinted(self, kind: str, address: str, node: str, seats: str, watchers: int) -> None:
        room = self.rooms.get(address)
        if kind == "lobby":
            self.keep(asyncio.get_running_loop().create_task(self._refresh_lobby()))
        elif room is not None and kind == "news":
            room.look_for_news()
        elif room is not None and kind == "presence":
            room.heard_of(node, tuple(seats), watchers)

    async def _listen_for_news(self) -> None:
        """Look into the log for what no hint has told, and at the lobby."""
        while self.is_shared:
            await asyncio.sleep(1.0)
            followed = [address for address, room in self.rooms.items() if not room.is_idle]
            try:
                for start in range(0, len(followed), 1000):
                    part = followed[start : start + 1000]
                    heads = await self._reading(self.store.heads, part)
                    for address, head in heads.items():
                        room = self.rooms.get(address)
                        if room is not None and head > len(room.events):
                            room.look_for_news()
                pauses = await self._reading(self.store.pauses)
                # One that began to be read before this server wrote one knows less than the server.
                self.pauses = max(self.pauses, pauses, key=len)
            except StorageError as error:
                say("no news can be read", level=ERROR, problem=str(error))
            await self._refresh_lobby()

    # -- now and then --------------------------------------------------------------------------

    def _clocks_run(self) -> bool:
        return any(
            room.game is not None and room.game.clock is not None and room.game.end is None
            for room in self.rooms.values()
        )

    async def _beat(self) -> None:
        """Note that a server is there, while time is being charged to anybody.

        What passed while it slept is charged to nobody, unless another server was there.
        """
        while True:
            if not self.writer.failed and self._clocks_run():
                try:
                    if self.has_slept:
                        await self.writer.run(self._arrive_again)
                    else:
                        await self.writer.run(self.store.beat, self.now())
                except StorageError as error:
                    say("a beat could not be written", level=ERROR, problem=str(error))
                    self.writer.check()
            self.awake_at = self.now()
            await asyncio.sleep(1.0)

    async def _tidy(self) -> None:
        """Forget games in memory that nobody follows, and end those that nobody plays."""
        while True:
            await asyncio.sleep(self.TIDY_SECONDS)
            self.addresses.forget()
            recent = self.clock() - self.IDLE_SECONDS
            for room in tuple(self.rooms.values()):
                if room.touched < recent and room.is_idle:
                    self.drop(room)
                elif self.is_shared and room.members:
                    self.presence_changed(room)
            try:
                await self._expire_games()
                await self._take_up_overdue_games()
            except StorageError as error:
                say("no games can be looked through", level=ERROR, problem=str(error))

    async def _expire_games(self) -> None:
        now = self.now()
        for stage, longest in self.forget_after.items():
            before = now - int(1000 * longest)
            for address in await self._reading(self.store.forgotten, stage, before, 100):
                room = self.room(address)
                if room.game is None or room.row is None:
                    room.look_for_news()
                elif room.row.stage == stage and room.game.time < before:
                    room.expire(expire(room.game, now))

    async def _take_up_overdue_games(self) -> None:
        """Let flags fall that were another server's to see, which is no longer there."""
        overdue = self.now() - int(1000 * self.TIDY_SECONDS)
        for address in await self._reading(self.store.running_clocks, overdue):
            if address not in self.rooms:
                self.room(address).look_for_news()

    async def _measure_lag(self) -> None:
        """Measure how late the loop comes to what it was to do."""
        while True:
            before = self.clock()
            await asyncio.sleep(0.5)
            self.metrics.lagged(self.clock() - before - 0.5)
