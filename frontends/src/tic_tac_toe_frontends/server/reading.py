"""Reads of the store, in threads, and the loading of games, with a fair share for each address."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.game import Gap, Replaced

from .budgets import Budget
from .loaded_game import LoadedGame
from .storage.game_rows import row_of
from .storage.store import DamagedGame, Result, Store

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
        await place
        try:
            loaded = await self._readers.run(read_game, self._store, address, pauses)
            if owner is not None:
                events = DAMAGED_EVENTS if loaded.damage else loaded.version
                owner.replays.charge(self._clock(), events)
        finally:
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
