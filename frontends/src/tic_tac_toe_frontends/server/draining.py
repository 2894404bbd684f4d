"""A server that begins no new games for a time: who is told of it, and when it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tic_tac_toe.protocols.online.replies import REASONS, Notice

from .logs import say
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
        self._tell = tell
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, seconds: float) -> int:
        """Begin no new games for a number of seconds, 0: until `end`; return how many were told.

        Nobody is told again if it is so already.
        """
        is_known = self._moderation.is_draining
        self._moderation.drain(seconds)
        self.cancel()
        if seconds:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._look)
        return 0 if is_known else self._tell(DRAINING)

    def end(self) -> int:
        """Begin new games again; return how many clients were told, none if it was so already."""
        was_draining = self._moderation.is_draining
        self._moderation.end_drain()
        self.cancel()
        return self._tell(REOPENED) if was_draining else 0

    def cancel(self) -> None:
        """Wait no longer for the end of the time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """Tell that the time is over."""
        if self._moderation.is_draining:  # the clocks differ by a little
            self._timer = asyncio.get_running_loop().call_later(0.1, self._look)
            return
        self._timer = None
        say("drain ended")
        self._tell(REOPENED)
