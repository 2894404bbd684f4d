"""How much of the limits is used up, and how long the next compiled call may be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tic_tac_toe.limits import Limits, Progress, shortest
from tic_tac_toe.logic.exceptions import Message, SearchLimitReached, message
from tic_tac_toe.logic.search.evaluation import result_of, too_many_positions
from tic_tac_toe.solver.scale import Scale

#: About the seconds that a compiled call lasts: limits are looked at in between.
SLICE_SECONDS = 0.01
FIRST_SLICE, LONGEST_SLICE = 1 << 13, 1 << 24
PROGRESS_SECONDS = 0.2


class Meter:
    """Watches the limits of a search between its slices.

    Args:
        limits: what may be used, by the clock that they name.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._clock = limits.clock
        self._started = self._told = self._slice_began = self._clock()
        self._slice = FIRST_SLICE

    @property
    def seconds(self) -> float:
        """How long the search has taken."""
        return self._clock() - self._started

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Let something happen that is not the search, such as making its machine code."""
        since = self._clock()
        yield
        self._started += self._clock() - since

    @property
    def seconds_left(self) -> float:
        """How much time is left, without end unless there is a limit."""
        return self.limits.seconds - self.seconds

    def limit_reached(self, nodes: int, seconds_after: float = 0.0) -> Message | None:
        """Return the limit that has been reached, as a message, or ``None``.

        Args:
            seconds_after: how much of the time is needed for what follows the search.
        """
        limits = self.limits
        if limits.node_limit is not None and nodes >= limits.node_limit:
            return too_many_positions(limits.node_limit)
        if limits.time_limit is not None and self.seconds_left <= seconds_after:
            if limits.time_limit == 1:
                return message("no answer after 1 second", "time_limit")
            seconds = shortest(limits.time_limit)
            return message("no answer after {count} seconds", "time_limit", count=seconds)
        if limits.cancelled is not None and limits.cancelled():
            return message("the search was cancelled", "cancelled")
        return None

    def look(self, nodes: int) -> Message | None:
        """Tell the progress if the last report is a while ago; return the limit that is reached."""
        if self.may_tell() and self.limits.progress is not None:
            self.limits.progress(Progress(nodes, self.seconds))
        return self.limit_reached(nodes)

    def next_slice(self, nodes: int) -> int:
        """Return how many nodes may be looked at now, from those looked at so far."""
        now = self._clock()
        seconds, self._slice_began = now - self._slice_began, now
        if seconds < SLICE_SECONDS / 2:
            self._slice = min(self._slice * 2, LONGEST_SLICE)
        elif seconds > SLICE_SECONDS * 2:
            self._slice = max(self._slice // 2, FIRST_SLICE)
        if self.limits.node_limit is None:
            return self._slice
        return min(self._slice, self.limits.node_limit - nodes)

    def start_slices(self) -> None:
        """Forget how long ago the last slice was: a new question begins."""
        self._slice_began = self._clock()
        self._slice = FIRST_SLICE

    def may_tell(self) -> bool:
        """Return whether progress is reported and the last report is a while ago."""
        now = self._clock()
        if self.limits.progress is None or now - self._told < PROGRESS_SECONDS:
            return False
        self._told = now
        return True


def limit_error(reason: Message, scale: Scale, low: int, high: int) -> SearchLimitReached:
    """Return the exception that names the limit and what was proved; its code is the limit's."""
    return SearchLimitReached(
        "{reason}; {known}",
        reason.code,
        bounds=scale.to_bounds(low, high),
        reason=reason,
        known=_proved(low, high),
    )


def _proved(low: int, high: int) -> Message:
    """Return a sentence about bounds on a score."""
    at_least, at_most = result_of(low), result_of(high)
    if at_least == at_most == "win":
        return message("a win, but not how soon", "known_win")
    if at_least == at_most:
        return message("a loss, but not how late", "known_loss")
    if at_least == "draw":
        return message("at least a draw", "known_at_least_draw")
    if at_most == "draw":
        return message("at most a draw", "known_at_most_draw")
    return message("the outcome is open", "known_nothing")
