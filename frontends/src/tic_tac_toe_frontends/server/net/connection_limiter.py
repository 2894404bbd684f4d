"""The connections of all clients: how many there may be, and which go when there are too many.

They are counted from `accept` to the end of the socket, whatever is spoken on them. A server that
has no file left for a connection can neither answer nor refuse: so the number of connections stays
below the limit of the process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from logging import ERROR, WARNING
from pathlib import Path
from socket import socket
from typing import Protocol

from ..budgets import AddressBudget, Addresses
from ..logs import log
from ..metrics import Metrics
from .read_scheduler import ReadScheduler

#: Open files that are left to the storage, the log, and the processes that think.
RESERVE = 64
#: The fewest connections, however few files there may be.
FEWEST = 16
#: Connections that are accepted before others get a turn.
TURN = 8
#: Seconds until the next attempt where none can be accepted.
PAUSE = 0.5

#: What is sent before a connection is closed that is one too many.
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"Retry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)


class IdleConnection(Protocol):
    """A connection that waits for a request, or for the rest of one."""

    def dismiss(self) -> None:
        """Close it to make room for another."""


class CountedSocket(socket):
    """A client's connection, which is counted until it is closed."""

    def __init__(self, connection: socket, left: Callable[[], None]) -> None:
        family, kind, protocol = connection.family, connection.type, connection.proto
        super().__init__(family, kind, protocol, connection.detach())
        self.setblocking(False)
        self._left: Callable[[], None] | None = left

    def close(self) -> None:
        """Close it, and count it no longer."""
        super().close()
        left, self._left = self._left, None
        if left is not None:
            left()


class ConnectionLimiter:
    """All connections of a server.

    Args:
        limits: the accounts of addresses.
        metrics: count who is turned away.
        is_proxy: whether a peer speaks for many others: its connections have no limit of their own.
        most: connections at once.

    Attributes:
        reading: what clients have sent, and waits for being read.
        refused: called with the address of each connection that is closed as it comes.
    """

    def __init__(
        self,
        limits: Addresses,
        metrics: Metrics,
        is_proxy: Callable[[str], bool] = lambda _: False,
        most: int = 1_000_000,
    ) -> None:
        self.limits, self.metrics, self.is_proxy, self.most = limits, metrics, is_proxy, most
        self.count = 0
        self.read_scheduler = ReadScheduler()
        self.refused: Callable[[str], None] = lambda address: None
        self._idle: dict[IdleConnection, None] = {}  # in the order in which they began to wait
        self._idle_of: dict[AddressBudget, dict[IdleConnection, None]] = {}

    def budget_of(self, address: str) -> AddressBudget | None:
        """Return the account of a peer; ``None`` for a proxy."""
        return None if self.is_proxy(address) else self.limits.budget_of(address)

    def admit(self, connection: socket, budget: AddressBudget | None) -> CountedSocket | None:
        """Return a new connection as a visit; or close it and return ``None``: it is too many."""
        if reason := self._refusal_reason(budget):
            self.metrics.turned_away(reason)
            with suppress(OSError):
                connection.send(REFUSAL)
            connection.close()
            return None
        self.count += 1
        if budget is not None:
            budget.sockets += 1
        return CountedSocket(connection, lambda: self._count_closed(budget))

    def _refusal_reason(self, budget: AddressBudget | None) -> str:
        """Return why one more connection cannot be; empty if it can, as the oldest idle one goes.

        An address never holds more than half of all, so that others get in whatever it does.
        """
        if budget is not None:
            most = min(self.limits.budgets.sockets, self.most // 2)
            if budget.arrivals.spend(self.limits.clock()):
                return "arrivals"
            if budget.sockets >= most and not self._dismiss_oldest(self._idle_of.get(budget)):
                return "sockets"
        return "full" if self.count >= self.most and not self._dismiss_oldest(self._idle) else ""

    def _count_closed(self, budget: AddressBudget | None) -> None:
        self.count -= 1
        if budget is not None:
            budget.sockets -= 1

    # -- who waits -----------------------------------------------------------------------------

    def mark_idle(self, idle: IdleConnection, budget: AddressBudget | None) -> None:
        """Remember that a connection is idle, if it was not."""
        self._idle.setdefault(idle)
        if budget is not None:
            self._idle_of.setdefault(budget, {}).setdefault(idle)

    def mark_busy(self, idle: IdleConnection, budget: AddressBudget | None) -> None:
        """Remember that a connection is idle no longer, or gone."""
        self._idle.pop(idle, None)
        if budget is not None and (others := self._idle_of.get(budget)) is not None:
            others.pop(idle, None)
            if not others:
                del self._idle_of[budget]

    def _dismiss_oldest(self, idle: dict[IdleConnection, None] | None) -> bool:
        """Close the connection that has been idle for longest; return whether there was one."""
        if not idle:
            return False
        next(iter(idle)).dismiss()
        return True


async def listen(
    listener: socket,
    limiter: ConnectionLimiter,
    protocol_for: Callable[[AddressBudget | None], asyncio.BaseProtocol],
) -> None:
    """Accept clients until this is cancelled.

    The event loop's own server would accept thousands before it looks at one of them, and where no
    file is left it writes a line to the log for each that it cannot accept.
    """
    loop = asyncio.get_running_loop()
    tasks: set[asyncio.Task[object]] = set()
    accepted = 0
    while True:
        try:
            connection, (address, *_) = await loop.sock_accept(listener)
        except ConnectionAbortedError:
            continue
        except OSError as error:
            log("no connection can be accepted", level=WARNING, problem=str(error))
            await asyncio.sleep(PAUSE)
            continue
        try:
            budget = limiter.budget_of(address)
            if (visit := limiter.admit(connection, budget)) is not None:
                task = loop.create_task(
                    _attach_protocol(loop, visit, partial(protocol_for, budget))
                )
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            else:
                limiter.refused(address)
        except Exception as error:  # one that is to be mended, and keeps nobody else out
            log("a connection cannot begin", level=ERROR, error=error)
            connection.close()
        accepted += 1
        if accepted % TURN == 0:
            await asyncio.sleep(0)


async def _attach_protocol(
    loop: asyncio.AbstractEventLoop, visit: CountedSocket, make: Callable[[], asyncio.BaseProtocol]
) -> None:
    """Let a protocol speak on a new connection."""
    try:
        await loop.connect_accepted_socket(make, visit)
    except OSError:  # it is gone already
        visit.close()


def most_sockets() -> int:
    """Return how many connections the process may have at once."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 100_000
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return 1_000_000
    try:
        taken = len(list(Path("/proc/self/fd").iterdir()))
    except OSError:
        taken = 32
    return max(FEWEST, soft - taken - RESERVE)
