"""Which players are connected, to this server or to another, and which were a moment ago."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

#: Players of whom another server has told count as connected for this many seconds.
ELSEWHERE_SECONDS = 15.0
#: An open game is shown and offered for this many seconds after its creator has gone.
AWAY_SECONDS = 30.0


class PlayerPresence:
    """The players who are connected, by game and seat.

    Args:
        clock: seconds from any start.

    Attributes:
        away_seconds: see `AWAY_SECONDS`.
        read_at: when this server last read what others have recorded, by the clock.
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
        """Take note that a connection has ended."""
        self._here[game, seat] -= 1
        if not self._here[game, seat]:
            del self._here[game, seat]
        self._left[game, seat] = self._clock()

    def seen_elsewhere(self, game: str, seat: str) -> None:
        """Take note that a player is connected to another server."""
        self._elsewhere[game, seat] = self._clock()

    def is_here(self, game: str, seat: str) -> bool:
        """Whether a player is connected to this server."""
        return (game, seat) in self._here

    def is_connected(self, game: str, seat: str) -> bool:
        """Whether a player is connected to any server, as far as this one knows."""
        return self.is_here(game, seat) or self.is_elsewhere(game, seat)

    def is_elsewhere(self, game: str, seat: str) -> bool:
        """Whether another server has told of a player lately."""
        told = self._elsewhere.get((game, seat))
        return told is not None and self._clock() - told <= ELSEWHERE_SECONDS

    def is_around(self, game: str, seat: str) -> bool:
        """Whether a player is connected, or was a moment ago and may come back.

        When a server has just started, everybody may.
        """
        latest = max(
            self._elsewhere.get((game, seat), self._started_at), self._left.get((game, seat), 0.0)
        )
        return self.is_here(game, seat) or self._clock() - latest <= self.away_seconds

    @property
    def is_fresh(self) -> bool:
        """Whether this server would know of a player who is connected to another one."""
        return self._clock() - self.read_at <= ELSEWHERE_SECONDS

    def forget(self) -> None:
        """Forget the players who have been gone for long."""
        recent = self._clock() - max(self.away_seconds, ELSEWHERE_SECONDS)
        for known in (self._elsewhere, self._left):
            for place in [place for place, at in known.items() if at < recent]:
                del known[place]
