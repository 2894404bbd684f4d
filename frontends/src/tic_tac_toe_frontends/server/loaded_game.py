"""A game in memory, the answers that contain its events, and how it is loaded by threads."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.events import Accepted, Event, Said, details_of
from tic_tac_toe.protocols.online.game import (
    End,
    Gap,
    OnlineGame,
    Replaced,
    Replica,
    begin,
    rematch_of,
)
from tic_tac_toe.protocols.online.messages import EVENTS_AT_ONCE, PROTOCOL
from tic_tac_toe.protocols.online.replies import OK, UNKNOWN, Answer, RequestStatus, Welcome
from tic_tac_toe.protocols.online.requests import Events, Hello, Request, Seating

from .budgets import Budget
from .storage.game_rows import GameRow, Transaction, row_of
from .storage.store import DamagedGame, Result, Store

#: Bytes of the events in one answer, about; well below the limit of the send buffer.
MOST_BYTES = 24 * 1024
#: Bytes of an event without its text, and of each character of the text, at most.
EVENT_BYTES, CHARACTER_BYTES = 160, 12
#: Removed chat lines in the welcome to a client that returns.
MOST_REMOVED = 20


class LoadedGame(Replica):
    """A replica with the server's data about the game.

    Attributes:
        row: the game's row in the store; ``None`` if it has not been read.
        damage: why the log of the game cannot be replayed; empty if it can.
    """

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.row: GameRow | None = None
        self.damage = ""
        self._versions: dict[str, dict[str, int]] = {}  # by seat and message id

    @property
    def clock_runs(self) -> bool:
        """Whether a player's clock is running."""
        return self.game is not None and self.game.clock is not None and self.game.end is None

    @property
    def end(self) -> End | None:
        """How the game ended, if it has."""
        return None if self.game is None else self.game.end

    def clear(self) -> None:
        """Forget the game, to start over from its first event."""
        super().clear()
        self.row = None
        self._versions.clear()

    def take_over(self, other: LoadedGame) -> None:
        """Take the state of another copy, which has all events of the log."""
        self.game, self.events, self._versions = other.game, other.events, other._versions
        self.row = other.row

    def add(self, event: Event, game: OnlineGame) -> None:
        """Add the next event."""
        super().add(event, game)
        if event.id:
            self._versions.setdefault(event.asker, {})[event.id] = event.version

    def transaction(self, event: Event, game: OnlineGame, row: GameRow) -> Transaction:
        """Return the transaction that writes an event, its game and its row.

        An accepted rematch is written together with the game that it creates.
        """
        before = self.row
        rows = (row,) if row != before else ()
        if isinstance(event, Accepted) and event.follower:
            follower = rematch_of(game, event.follower, event.time)
            return Transaction((event, follower), (*rows, row_of(begin(follower))))
        if rows and before is not None and row == before._replace(deadline=row.deadline):
            return Transaction((event,), deadlines=((row.game, row.deadline),))
        return Transaction((event,), rows)

    def version_of(self, seat: str, message_id: str) -> int | None:
        """Return the event that a message from a seat has led to; ``None`` if there is none."""
        return self._versions.get(seat, {}).get(message_id) if seat else None

    def seat_of(self, token: str) -> str:
        """Return the seat that belongs to a token; empty if none does."""
        return self.game.seat_of(hash_of_token(token)) if self.game is not None and token else ""

    def done_answer(self, request: Request, status: str, version: int) -> Answer:
        """Return the answer to a request that led to an event; with the game if it takes a seat."""
        if not isinstance(request, Seating):
            return Answer(request.id, status, version)
        seat, head, events = self.seat_of(request.token), self.version, self._events_after(0)
        return Answer(
            request.id, status, version, self.address, seat, events=events, head=head, end=self.end
        )

    def events_answer(self, request: Events) -> Answer:
        """Return the answer with the events after a version."""
        events = self._events_after(request.after)
        return Answer(
            request.id, OK, game=self.address, events=events, head=self.version, end=self.end
        )

    def welcome(
        self, game: OnlineGame, hello: Hello, seat: str, now: int, pauses: Pauses
    ) -> Welcome:
        """Return the answer to a client that starts to follow the game."""
        fates, seen = [], hello.last_seen_version
        for message_id in hello.pending:
            version = self.version_of(seat, message_id)
            fates.append(RequestStatus(message_id, OK if version else UNKNOWN, version or 0))
        return Welcome(
            hello.id,
            PROTOCOL,
            self.address,
            seat,
            game.version,
            (*self._removed_until(seen), *self._events_after(seen)),
            tuple(fates),
            game.clock and game.clock.at(now, pauses),
            now,
            end=game.end,
        )

    def _removed_until(self, version: int) -> tuple[Event, ...]:
        """Return the last removed chat lines up to a version; the client may still show them."""
        events = self.events[:version]
        return tuple(
            [event for event in events if isinstance(event, Said) and event.removed][-MOST_REMOVED:]
        )

    def _events_after(self, after: int) -> tuple[Event, ...]:
        """Return the events after a version that fit into one answer; at least one if any."""
        part: list[Event] = []
        size = 0
        for event in self.events[after : after + EVENTS_AT_ONCE]:
            size += size_of(event)
            if part and size > MOST_BYTES:
                break
            part.append(event)
        return tuple(part)


def size_of(event: Event) -> int:
    """Return the size of an event in a message or in the log, in bytes; rather too large."""
    return EVENT_BYTES + CHARACTER_BYTES * len(details_of(event).get("text", ""))


#: Reads at once.
THREADS = 4
#: Games that are loaded at the same time: in all, and for one address. The server's own loads have
#: no limit for one address.
AT_ONCE, EACH = 4, 2
#: Events that an address pays for when it asks for a damaged game.
DAMAGED_EVENTS = 1_000


class Readers:
    """Threads that read the store."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="reader")

    def close(self) -> None:
        """Start no more reads; running ones are not waited for."""
        self._threads.shutdown(wait=False)

    async def run(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Return the result of a reading function of the store."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, function, *arguments)


class LoadRefused(Exception):
    """An address may load no games for some seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Loads:
    """The loads that wait, by the budgets of the addresses that ask for them.

    An owner pays for each event after the load; an owner in debt is refused.
    """

    def __init__(self, store: Store, readers: Readers, clock: Callable[[], float]) -> None:
        self._store = store
        self._readers = readers
        self._clock = clock
        self._waiting: dict[Budget | None, deque[asyncio.Future[None]]] = {}
        self._running: Counter[Budget | None] = Counter()

    def __len__(self) -> int:
        return self._running.total() + sum(map(len, self._waiting.values()))

    async def load(self, address: str, owner: Budget | None, pauses: Pauses) -> LoadedGame:
        """Return a game as the log has it; one that does not exist has no events.

        Args:
            owner: the budget that pays; ``None``: the server's own work.

        Raises:
            LoadRefused: the owner has to wait.
            StorageError: the log cannot be read.
        """
        place = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(place)
        self._start_next()
        try:
            await place
            loaded = await self._readers.run(read_game, self._store, address, pauses)
            if owner is not None:
                events = DAMAGED_EVENTS if loaded.damage else loaded.version
                owner.replays.charge(self._clock(), events)
        finally:
            if place.done() and not place.cancelled() and place.exception() is None:
                self._running[owner] -= 1
                if not self._running[owner]:
                    del self._running[owner]
                self._start_next()
        return loaded

    def _start_next(self) -> None:
        while self._running.total() < AT_ONCE:
            owners = [each for each in self._waiting if not each or self._running[each] < EACH]
            if not owners:
                return
            owner = owners[0]
            places = self._waiting.pop(owner)
            place = places.popleft()
            if places:  # to the end of the row: owners take turns
                self._waiting[owner] = places
            if place.done():  # its task was cancelled
                continue
            wait = 0.0 if owner is None else owner.replays.wait(self._clock())
            if wait:
                place.set_exception(LoadRefused(wait))
            else:
                self._running[owner] += 1
                place.set_result(None)


def read_game(store: Store, address: str, pauses: Pauses) -> LoadedGame:
    """Return a game as the log has it; a damaged one has no events.

    Raises:
        StorageError: the log cannot be read.
    """
    loaded = LoadedGame(address)
    try:
        for _ in loaded.learn(store.events(address), pauses):
            pass
    except (DamagedGame, Gap, Replaced, InvalidVariant) as error:
        # Without its last events the game is not what was played, so no part of it is used.
        loaded.damage = str(error) or f"event {loaded.version + 1} is missing"
        loaded.clear()
    if loaded.game is not None:
        loaded.row = row_of(loaded.game)
    return loaded
