"""A server that begins no new games for a time: who is told of it, and when it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tic_tac_toe.protocols.online.reasons import REASONS
from tic_tac_toe.protocols.online.replies import Notice

from .logs import log
from .moderation import Moderation

#: What whoever is connected is told while it is so, and when it is over.
DRAINING = Notice(str(REASONS["draining"]), "draining")
REOPENED = Notice(str(REASONS["reopened"]), "reopened")


class Draining:
    """Lets a server begin no new games, and tells the clients when that begins and when it ends.

    Args:
        moderation: says whether it is so.
        tell: tells all clients, and returns their number.
    """

    def __init__(self, moderation: Moderation, tell: Callable[[Notice], int]) -> None:
        self._moderation = moderation
        self._notify = tell
        self._timer: asyncio.TimerHandle | None = None

    def start(self, seconds: float) -> int:
        """Begin no new games for a number of seconds, 0: until `end`; return how many were told.

        Nobody is told again if it is so already.
        """
        is_known = self._moderation.is_draining
        self._moderation.drain(seconds)
        self.cancel()
        if seconds:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._check_end)
        return 0 if is_known else self._notify(DRAINING)

    def end(self) -> int:
        """Begin new games again; return how many clients were told, none if it was so already."""
        was_draining = self._moderation.is_draining
        self._moderation.end_drain()
        self.cancel()
        return self._notify(REOPENED) if was_draining else 0

    def cancel(self) -> None:
        """Wait no longer for the end of the time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_end(self) -> None:
        """Tell that the time is over."""
        if self._moderation.is_draining:  # the clocks differ by a little
            self._timer = asyncio.get_running_loop().call_later(0.1, self._check_end)
            return
        self._timer = None
        log("drain ended")
        self._notify(REOPENED)
