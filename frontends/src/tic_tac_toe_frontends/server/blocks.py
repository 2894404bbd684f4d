"""Which players have blocked each other."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from .readers import Readers
from .storage.store import StorageError, Store

#: Players whose blocks are cached.
MOST_KNOWN = 10_000
#: Seconds until they are read again, if other servers write blocks, too.
FRESH_SECONDS = 10.0


class Blocks:
    """Caches whom a player has blocked and by whom they are blocked, for players who are here.

    Players are identified by the hashes of their tokens.

    Args:
        start: starts a task.
        is_shared: whether other servers use the same store.
        clock: seconds since any start.
    """

    def __init__(
        self,
        store: Store,
        readers: Readers,
        start: Callable[[Coroutine[Any, Any, None]], None],
        is_shared: bool,
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._readers = readers
        self._start = start
        self._is_shared = is_shared
        self._clock = clock
        self._known: dict[str, tuple[frozenset[str], float]] = {}  # the oldest entry first
        self._waiting: dict[str, list[Callable[[bool], None]]] = {}
        self._changes = 0

    def is_known(self, key: str) -> bool:
        """Whether the blocks of a player are in memory."""
        known = self._known.get(key)
        if known is None:
            return False
        return not self._is_shared or self._clock() - known[1] < FRESH_SECONDS

    def are_blocked(self, one: str, other: str) -> bool:
        """Whether one of two players has blocked the other; one of them has to be in memory."""
        return any(
            theirs in self._known[key][0]
            for key, theirs in ((one, other), (other, one))
            if key in self._known
        )

    def load(self, key: str, then: Callable[[bool], None]) -> None:
        """Load the blocks of a player, and call back with whether it worked; at once if in memory.

        Requests for the same player share one read.
        """
        if self.is_known(key):
            then(True)
        elif key in self._waiting:
            self._waiting[key].append(then)
        else:
            self._waiting[key] = [then]
            self._start(self._read(key))

    def forget(self, one: str, other: str) -> None:
        """Drop what is known of two players, because it has changed."""
        self._changes += 1
        for key in (one, other):
            self._known.pop(key, None)

    async def _read(self, key: str) -> None:
        there, changes = False, -1
        try:
            while changes != self._changes:  # a change during the read makes it stale
                changes = self._changes
                found = await self._readers.run(self._store.blocked_keys, key)
            self._known[key] = found, self._clock()
            if len(self._known) > MOST_KNOWN:
                del self._known[next(iter(self._known))]
            there = True
        except StorageError:
            pass  # the callbacks report it
        finally:
            for then in self._waiting.pop(key):
                then(there)
