"""How long a brain may think, by what its manager has said."""

from __future__ import annotations

import math
from typing import NamedTuple

from .texts import NO_LIMIT

#: Seconds that a brain thinks if its manager sets no limit for a move.
USUAL_SECONDS = 1.0
#: Of the time that is left for the game a move takes one part in this number.
MOVES_TO_COME = 25
#: The share of the time until the deadline in which a search ends by itself.
SEARCH_SHARE = 0.9
#: What is left of a limit unused, for the way of the answer: seconds, and a share of the limit.
SPARE_SECONDS, SPARE_SHARE = 0.03, 0.05


class Limits(NamedTuple):
    """The limits of ``INFO``, in milliseconds and bytes; ``None`` where nothing was said.

    Attributes:
        timeout_turn: for a move; 0: as fast as possible.
        timeout_match: for all moves of a game; 0: none.
        time_left: what is left of that, negative where it is used up.
        max_memory: 0: none.
    """

    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None
    max_memory: int | None = None

    def after(self, seconds: float) -> Limits:
        """Return the limits that remain once a move has taken a number of seconds."""
        left = self._match - 1000 * seconds
        return self if math.isinf(left) else self._replace(time_left=math.floor(left))

    @property
    def deadline(self) -> float:
        """Seconds from the request after which the answer is due, infinite without a limit."""
        milliseconds = min(
            self._match, math.inf if not self.timeout_turn else max(0, self.timeout_turn)
        )
        return max(0.0, _without_spare(milliseconds / 1000))

    @property
    def seconds(self) -> float:
        """Seconds that a move should take: 0 for as fast as possible, at most `deadline`."""
        if self.timeout_turn is not None and self.timeout_turn <= 0:
            return 0.0
        wanted = USUAL_SECONDS if self.timeout_turn is None else math.inf
        return min(
            SEARCH_SHARE * self.deadline, max(0.0, self._match / 1000 / MOVES_TO_COME), wanted
        )

    @property
    def _match(self) -> float:
        """The milliseconds that are left for the game."""
        if self.time_left is not None:
            return math.inf if self.time_left >= NO_LIMIT else self.time_left
        return self.timeout_match or math.inf


def _without_spare(seconds: float) -> float:
    """Return a limit without what is left unused of it, which is never more than half."""
    if math.isinf(seconds):
        return seconds
    return seconds - min(seconds / 2, SPARE_SECONDS + SPARE_SHARE * seconds)
