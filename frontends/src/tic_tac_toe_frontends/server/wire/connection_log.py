"""Logs the addresses of clients, if the operator has asked for that."""

from __future__ import annotations

from collections.abc import Callable

from .. import logs
from ..budgets import Bucket

#: Lines at once, and per second after that: clients that reconnect again and again fill no disk.
LINES_AT_ONCE, LINES_PER_SECOND = 500.0, 50.0


class ConnectionLog:
    """Logs which addresses connect, are refused, and disconnect.

    Args:
        clock: seconds since any start.
        is_logged: whether anything is logged at all.
    """

    def __init__(self, clock: Callable[[], float], *, is_logged: bool) -> None:
        self.is_logged = is_logged
        self._clock = clock
        self._bucket = Bucket(LINES_AT_ONCE, LINES_PER_SECOND)
        self._left_out = 0

    def log(self, event: str, address: str) -> None:
        """Log an event of a connection, and how many lines were left out before."""
        if not self.is_logged:
            return
        if self._bucket.spend(self._clock()):
            self._left_out += 1
            return
        if self._left_out:
            logs.log("connections left out", count=self._left_out)
            self._left_out = 0
        logs.log(event, address=address)
