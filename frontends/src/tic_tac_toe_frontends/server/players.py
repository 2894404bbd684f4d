"""What is known of players: who is connected, who has blocked whom, and who has reported what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from .reading import Readers
from .storage.store import Store

#: Seconds for which a player counts as connected after a message or record of another server.
ELSEWHERE_SECONDS = 15.0
#: Seconds for which an open game is still shown and offered after its creator has disconnected.
AWAY_SECONDS = 30.0
#: Players whose blocks are cached.
MOST_KNOWN = 10_000
#: Seconds until they are read again, if other servers write blocks, too.
FRESH_SECONDS = 10.0
#: The number of reports that are remembered, the newest ones.
MOST_REPORTS = 10_000


class PlayerPresence:
    """The presence of players, by game and seat.

    Args:
        clock: seconds since any start.

    Attributes:
        read_at: when this server last read the records of the other servers, by the clock.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.away_seconds = AWAY_SECONDS
        self.read_at = float("-inf")
        self._clock = clock
        self._here: Counter[tuple[str, str]] = Counter()
        self._elsewhere: dict[tuple[str, str], float] = {}
        self._left: dict[tuple[str, str], float] = {}
        self._started_at = clock()

    def add(self, game: str, seat: str) -> None:
        """Count a connection of a player to this server."""
        self._here[game, seat] += 1

    def remove(self, game: str, seat: str) -> None:
        """Count a connection no longer, and remember when the player left."""
        self._here[game, seat] -= 1
        if not self._here[game, seat]:
            del self._here[game, seat]
        self._left[game, seat] = self._clock()

    def seen_elsewhere(self, game: str, seat: str) -> None:
        """Record that a player is connected to another server."""
        self._elsewhere[game, seat] = self._clock()

    def is_here(self, game: str, seat: str) -> bool:
        """Whether a player is connected to this server."""
        return (game, seat) in self._here

    def is_connected(self, game: str, seat: str) -> bool:
        """Whether a player is connected to any server, as far as this one knows."""
        return self.is_here(game, seat) or self.is_elsewhere(game, seat)

    def is_elsewhere(self, game: str, seat: str) -> bool:
        """Whether a player is connected to another server, as of the last `ELSEWHERE_SECONDS`."""
        seen_at = self._elsewhere.get((game, seat))
        return seen_at is not None and self._clock() - seen_at <= ELSEWHERE_SECONDS

    def is_around(self, game: str, seat: str) -> bool:
        """Whether a player is connected, or was a moment ago and may come back.

        Right after the start of the server this is true of everybody.
        """
        latest = max(
            self._elsewhere.get((game, seat), self._started_at), self._left.get((game, seat), 0.0)
        )
        return self.is_here(game, seat) or self._clock() - latest <= self.away_seconds

    @property
    def is_fresh(self) -> bool:
        """Whether this server has read the records of the others lately."""
        return self._clock() - self.read_at <= ELSEWHERE_SECONDS

    def forget(self) -> None:
        """Forget the players who left long ago."""
        recent = self._clock() - max(self.away_seconds, ELSEWHERE_SECONDS)
        for known in (self._elsewhere, self._left):
            for place in [place for place, at in known.items() if at < recent]:
                del known[place]


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


class ReportSenders:
    """Remembers reports by id and sender."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, object], None] = {}

    def add(self, report: str, sender: object) -> bool:
        """Remember a report; return whether it is new."""
        if (report, sender) in self._known:
            return False
        self._known[report, sender] = None
        if len(self._known) > MOST_REPORTS:
            del self._known[next(iter(self._known))]
        return True

    def drop(self, report: str, sender: object) -> None:
        """Forget a report that could not be stored."""
        self._known.pop((report, sender), None)
