"""Draining: a server that creates no new games for a time, and the notices about it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tic_tac_toe.protocols.online.replies import REASONS, Notice

from .logs import log
from .moderation import Moderation

#: The notices to all clients when draining starts and ends.
DRAINING = Notice(str(REASONS["draining"]), "draining")
REOPENED = Notice(str(REASONS["reopened"]), "reopened")


class Draining:
    """Stops and resumes the creation of games; `notify` tells all clients and counts them."""

    def __init__(self, moderation: Moderation, notify: Callable[[Notice], int]) -> None:
        self._moderation = moderation
        self._notify = notify
        self._timer: asyncio.TimerHandle | None = None

    def start(self, seconds: float) -> int:
        """Create no games for some seconds (0: until `end`); return how many clients were told.

        Nobody is told again if the server is draining already.
        """
        is_known = self._moderation.is_draining
        self._moderation.drain(seconds)
        self.cancel()
        if seconds:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._check_end)
        return 0 if is_known else self._notify(DRAINING)

    def end(self) -> int:
        """Create games again; return how many clients were told, 0 if it was not draining."""
        was_draining = self._moderation.is_draining
        self._moderation.end_drain()
        self.cancel()
        return self._notify(REOPENED) if was_draining else 0

    def cancel(self) -> None:
        """Cancel the timer of the end."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_end(self) -> None:
        if self._moderation.is_draining:  # `call_later` may fire a little early
            self._timer = asyncio.get_running_loop().call_later(0.1, self._check_end)
            return
        self._timer = None
        log("drain ended")
        self._notify(REOPENED)
