"""A pool of connections to a database, for readers in any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, Protocol, TypeVar

#: Idle connections that are kept.
MOST_IDLE = 8


class Closable(Protocol):
    """Something that can be closed."""

    def close(self) -> None:
        """Close it."""


ConnectionT = TypeVar("ConnectionT", bound=Closable)


class Pool(Generic[ConnectionT]):
    """Connections that are each used by one thread at a time, and kept for the next."""

    def __init__(self, connect: Callable[[], ConnectionT]) -> None:
        self._connect = connect
        self._idle: list[ConnectionT] = []
        self._lock = threading.Lock()

    @contextmanager
    def lent(self) -> Iterator[ConnectionT]:
        """Lend a connection; after an error it is closed, because its state is unknown."""
        with self._lock:
            idle = self._idle
            connection = idle.pop() if idle else None
        if connection is None:
            connection = self._connect()
        try:
            yield connection
        except BaseException:
            _close(connection)
            raise
        with self._lock:
            if idle is self._idle and len(idle) < MOST_IDLE:
                idle.append(connection)
                return
        _close(connection)

    def close(self) -> None:
        """Close all idle connections; lent ones are closed when they come back."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            _close(connection)


def _close(connection: Closable) -> None:
    with suppress(Exception):  # a broken connection may also fail to close
        connection.close()
