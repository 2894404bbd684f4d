"""Clocks: the time that each side has left.

All times are whole milliseconds; times of day count from 1970 in UTC. No clock runs in a pause: a
span of time in which no server was running that could have taken a move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: The seconds for a first move with a quick clock; with a slow one it is a tenth of its time.
FIRST_MOVE_SECONDS = 60
#: How long a player must have been gone, in seconds: with a clock, at least and at most; without.
CLAIM_SECONDS = (15, 60)
CLAIM_SECONDS_WITHOUT_CLOCK = 300
#: A clock with more seconds than this is for games that are played while the players come and go.
SLOW_SECONDS = 3_600

#: Spans of time in which no clock runs: start and end of each, in order, without overlaps.
Pauses = Sequence[tuple[int, int]]


class Clock(NamedTuple):
    """The time of each side: seconds for the whole game, and seconds that each move adds."""

    seconds: int
    increment: int = 0


class ClockState(NamedTuple):
    """The time left.

    Attributes:
        left: milliseconds, of X and of O, when the clock was last touched.
        since: the time of that, in milliseconds since 1970.
        running: the side whose time runs, 0 or 1, or ``None``.
    """

    left: tuple[int, int]
    since: int
    running: int | None

    def at(self, now: int, pauses: Pauses = ()) -> tuple[int, int]:
        """Return the milliseconds that both sides have left now, 0 at least."""
        if self.running is None:
            return self.left
        left = list(self.left)
        left[self.running] = max(0, left[self.running] - elapsed(self.since, now, pauses))
        return left[0], left[1]

    def runs_out(self) -> int | None:
        """Return the time of day at which the running side has none left, unless it pauses."""
        return None if self.running is None else self.since + self.left[self.running]

    def turned(
        self, now: int, running: int | None, pauses: Pauses = (), bonus: int = 0
    ) -> ClockState:
        """Return the clock with another side's time running, after charging the side that ran.

        Args:
            bonus: milliseconds that the side that ran is given.
        """
        left = list(self.at(now, pauses))
        if self.running is not None:
            left[self.running] += bonus
        return ClockState((left[0], left[1]), now, running)


def first_move_seconds(clock: Clock | None) -> int:
    """Return the seconds that each side of a new game has for its first move; 0 without a clock."""
    return 0 if clock is None else max(FIRST_MOVE_SECONDS, clock.seconds // 10)


def claim_seconds(clock: Clock | None) -> int | None:
    """Return how long a player must have been gone before the other can claim the game.

    With a clock it is a fifth of its time, within limits. ``None``: the clock is slow, players come
    and go as they like, and nothing can be claimed.
    """
    if clock is None:
        return CLAIM_SECONDS_WITHOUT_CLOCK
    shortest, longest = CLAIM_SECONDS
    is_slow = clock.seconds > SLOW_SECONDS
    return None if is_slow else min(longest, max(shortest, clock.seconds // 5))


def elapsed(start: int, end: int, pauses: Pauses = ()) -> int:
    """Return the milliseconds between two times, without those of the pauses."""
    paused = sum(max(0, min(end, until) - max(start, since)) for since, until in pauses)
    return max(0, end - start - paused)
