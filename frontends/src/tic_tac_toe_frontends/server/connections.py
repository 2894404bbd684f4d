"""Connections to a database that are lent to its readers, in any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    """What can be let go of."""

    def close(self) -> None:
        """Let go of it."""


ConnectionT = TypeVar("ConnectionT", bound=Closable)


class Pool(Generic[ConnectionT]):
    """Connections, each used by one thread at a time and kept for the next.

    Args:
        connect: opens one more.
        keep: the number of idle connections that are kept.
    """

    def __init__(self, connect: Callable[[], ConnectionT], keep: int = 8) -> None:
        self._connect = connect
        self._keep = keep
        self._idle: list[ConnectionT] = []
        self._lock = threading.Lock()
        self._generation = 0

    @contextmanager
    def lent(self) -> Iterator[ConnectionT]:
        """Lend a connection; after an error it is closed, because its state is not known."""
        with self._lock:
            generation = self._generation
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            connection = self._connect()
        try:
            yield connection
        except BaseException:
            _close(connection)
            raise
        with self._lock:
            if generation == self._generation and len(self._idle) < self._keep:
                self._idle.append(connection)
                return
        _close(connection)

    def close(self) -> None:
        """Close all that are idle; what is lent is closed when it comes back."""
        with self._lock:
            idle, self._idle = self._idle, []
            self._generation += 1
        for connection in idle:
            _close(connection)


def _close(connection: Closable) -> None:
    with suppress(Exception):  # what is broken already cannot break more
        connection.close()
