"""Limits how much is read from clients in each turn of the event loop.

A client that sends a lot is throttled alone; others are not delayed. Each address may have a little
read at once in a turn, however many connections it has. The rest is read in slices, from one
address after the other.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Hashable
from logging import ERROR
from typing import Protocol

from ..logs import log

#: Bytes that are read at once from one connection, and in one turn of the event loop from one
#: address. A slice full of the smallest frames takes about a millisecond.
SLICE, TURN = 1024, 2048


class Reader(Protocol):
    """A connection with bytes that have been received but not read."""

    def read_slice(self) -> bool:
        """Read a slice; return whether there is more."""

    def give_up(self) -> None:
        """Abort the connection, because reading it has failed."""


class ReadScheduler:
    """The connections with unread bytes, by their owners, which take turns."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, deque[Reader]] = {}
        self._read: dict[Hashable, int] = {}  # bytes read at once in this turn
        self._is_due = False

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def reserve(self, owner: Hashable, size: int) -> bool:
        """Whether an owner may have `size` bytes read at once in this turn; they are counted."""
        read = self._read.get(owner, 0) + size
        if size > SLICE or read > TURN or owner in self._waiting:
            return False
        self._read[owner] = read
        self._schedule_turn()
        return True

    def schedule(self, owner: Hashable, reader: Reader) -> None:
        """Queue a connection whose bytes may not be read at once."""
        self._waiting.setdefault(owner, deque()).append(reader)
        self._schedule_turn()

    def _schedule_turn(self) -> None:
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._read_next)

    def _read_next(self) -> None:
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
        except Exception as error:  # a bug that one connection runs into must not affect others
            log("a connection cannot be read", level=ERROR, error=error)
            reader.give_up()
        if readers:
            self._waiting[owner] = readers
        if self._waiting:
            self._schedule_turn()
