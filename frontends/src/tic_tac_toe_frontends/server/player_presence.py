"""Which players are connected, to this server or to another, and which were a moment ago."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

#: Seconds for which a player counts as connected after a message or record of another server.
ELSEWHERE_SECONDS = 15.0
#: Seconds for which an open game is still shown and offered after its creator has disconnected.
AWAY_SECONDS = 30.0


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
