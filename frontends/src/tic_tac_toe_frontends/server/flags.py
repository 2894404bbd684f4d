"""The timer for the moment when a player runs out of time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.judge import time_left

#: Seconds until a clock is checked again if it cannot be judged now.
FLAG_AGAIN = 0.25


class FlagTimer:
    """Calls `check` when the player to move has run out of time; that calls `set` or `wait`."""

    def __init__(self, check: Callable[[], None]) -> None:
        self._check = check
        self._timer: asyncio.TimerHandle | None = None

    def set(self, game: OnlineGame | None, now: int, pauses: Pauses) -> None:
        """Start the timer for the clock of a game, if one runs; `now` is in ms since 1970."""
        self.cancel()
        left = None if game is None else time_left(game, now, pauses)
        if left is not None:
            self.wait(left / 1000 + 0.01)

    def wait(self, seconds: float) -> None:
        """Start the timer for some seconds instead."""
        self.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._check)

    def cancel(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
