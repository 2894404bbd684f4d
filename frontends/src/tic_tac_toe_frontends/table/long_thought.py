"""A computer's thought that takes so long that people are told how far it has come."""

from __future__ import annotations

from tic_tac_toe.limits import Progress

from .driver import Driver

#: How often a screen looks, and after how much time a thought is long, in seconds.
LOOK_SECONDS, LONG_SECONDS = 0.2, 0.8


class LongThought:
    """Tells long thoughts from those that end at once, which a screen does not show.

    Attributes:
        progress: how far a long thought has come; ``None`` while there is none.
    """

    def __init__(self, driver: Driver) -> None:
        self.progress: Progress | None = None
        self._driver = driver
        self._seconds = 0.0

    @property
    def share(self) -> float | None:
        """Which part of a long thought is done, from 0 to 1; ``None`` while there is none."""
        return None if self.progress is None else self.progress.share

    def look(self) -> bool:
        """Look after `LOOK_SECONDS`; return whether a long thought has begun or ended."""
        progress, was_long = self._driver.progress, self.progress is not None
        self._seconds = 0.0 if progress is None else self._seconds + LOOK_SECONDS
        self.progress = progress if self._seconds >= LONG_SECONDS else None
        return was_long is not (self.progress is not None)
