"""How much is read of what clients send: a little in each turn of the event loop.

Whoever sends much waits for himself: what an address may have read at once in one turn is bounded,
however many connections it has, and the rest is read in slices, of one address after the other.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Hashable
from logging import ERROR
from typing import Protocol

from ..logs import log

#: Bytes that are read of one connection at once, and of one address in one turn of the event loop.
#: As many frames as can be in a slice take about a millisecond.
SLICE, TURN = 1024, 2048


class Reader(Protocol):
    """A connection with bytes that have come and have not been read."""

    def read_slice(self) -> bool:
        """Read a slice; return whether there is more."""

    def give_up(self) -> None:
        """Cut the connection, for reading it has failed."""


class ReadScheduler:
    """What has come and waits for being read, by the owners of the connections."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, deque[Reader]] = {}
        self._read: dict[Hashable, int] = {}  # in this turn, at once
        self._is_due = False

    def try_read(self, owner: Hashable, size: int) -> bool:
        """Whether `size` bytes of an owner may be read at once, in this turn of the event loop."""
        read = self._read.get(owner, 0) + size
        if size > SLICE or read > TURN or owner in self._waiting:
            return False
        self._read[owner] = read
        self._schedule_turn()
        return True

    def schedule(self, owner: Hashable, reader: Reader) -> None:
        """Let a connection wait until it can be read."""
        self._waiting.setdefault(owner, deque()).append(reader)
        self._schedule_turn()

    def _schedule_turn(self) -> None:
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._read_next)

    def _read_next(self) -> None:
        """Begin a turn, with a slice of what waits."""
        self._is_due = False
        self._read.clear()
        if not self._waiting:
            return
        owner = next(iter(self._waiting))
        readers = self._waiting.pop(owner)
        reader = readers.popleft()
        try:
            if reader.read_slice():
                readers.append(reader)
        except Exception as error:  # a fault that one connection leads to touches no other
            log("a connection cannot be read", level=ERROR, error=error)
            reader.give_up()
        if readers:
            self._waiting[owner] = readers
        if self._waiting:
            self._schedule_turn()
