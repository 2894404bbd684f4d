"""Which players have blocked each other."""

from __future__ import annotations

from collections.abc import Callable

from .reading import Readers
from .storage.store import Store

#: Players whose blocks are cached.
MOST_KNOWN = 10_000
#: Seconds until they are read again, if other servers write blocks, too.
FRESH_SECONDS = 10.0


class Blocks:
    """Caches whom a player has blocked and by whom they are blocked, for players who are here.

    Players are identified by the hashes of their tokens.

    Args:
        is_shared: whether other servers use the same store.
        clock: seconds since any start.
    """

    def __init__(
        self, store: Store, readers: Readers, is_shared: bool, clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._readers = readers
        self._is_shared = is_shared
        self._clock = clock
        self._known: dict[str, tuple[frozenset[str], float]] = {}  # the oldest entry first
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

    async def load(self, key: str) -> None:
        """Load the blocks of a player, unless they are in memory.

        Raises:
            StorageError: they cannot be read.
        """
        while not self.is_known(key):
            changes = self._changes
            found = await self._readers.run(self._store.blocked_keys, key)
            if changes == self._changes:  # a change during the read makes it stale
                self._known[key] = found, self._clock()
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]

    def forget(self, one: str, other: str) -> None:
        """Drop what is known of two players, because it has changed."""
        self._changes += 1
        for key in (one, other):
            self._known.pop(key, None)
