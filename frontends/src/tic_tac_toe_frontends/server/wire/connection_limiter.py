"""Limits the connections of all clients, closes idle ones where there are too many, and logs them.

Connections are counted from `accept` until the socket is closed, whatever protocol is spoken. A
server without a free file descriptor could neither answer nor refuse, so the number of connections
stays below the limit of the process.
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

from .. import logs
from ..budgets import Addresses, Bucket, Budget
from ..logs import log
from ..metrics import Metrics
from .read_scheduler import ReadScheduler

#: File descriptors that are left to the storage, the log and the search processes.
RESERVE = 64
#: Connections that are allowed at least, however low the limit of the process is.
FEWEST = 16
#: Connections that are accepted before other tasks run.
TURN = 8
#: Seconds until the next attempt after `accept` has failed.
PAUSE = 0.5

#: The response on a connection that is one too many: RFC 9110, section 15.6.4.
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"Retry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)


class IdleConnection(Protocol):
    """A connection that waits for a request, or for the rest of one."""

    def dismiss(self) -> None:
        """Close it to make room for another."""


class CountedSocket(socket):
    """A client's socket, which is counted until it is closed."""

    def __init__(self, connection: socket, left: Callable[[], None]) -> None:
        family, kind, protocol = connection.family, connection.type, connection.proto
        super().__init__(family, kind, protocol, connection.detach())
        self.setblocking(False)
        self._left: Callable[[], None] | None = left

    def close(self) -> None:
        """Close it, and count it no longer."""
        super().close()
        self._count_closed()

    def detach(self) -> int:
        """Give it to an event loop that closes it; uvloop does so at the end of the connection."""
        number = super().detach()
        self._count_closed()
        return number

    def _count_closed(self) -> None:
        left, self._left = self._left, None
        if left is not None:
            left()


class ConnectionLimiter:
    """Counts all connections of a server, and refuses those that are too many.

    Args:
        addresses: the budgets of addresses.
        metrics: counts what is turned away.
        is_proxy: whether a peer is a proxy, whose connections have no limit of their own.
        most: connections at a time.

    Attributes:
        read_scheduler: reads what clients have sent, in fair slices.
        refused: called with the address of each refused connection.
    """

    def __init__(
        self,
        addresses: Addresses,
        metrics: Metrics,
        is_proxy: Callable[[str], bool] = lambda _: False,
        most: int = 1_000_000,
    ) -> None:
        self.addresses, self.metrics, self.is_proxy, self.most = addresses, metrics, is_proxy, most
        self.count = 0
        self.read_scheduler = ReadScheduler()
        self.refused: Callable[[str], None] = lambda address: None
        self._idle: dict[IdleConnection, None] = {}  # the longest idle first
        self._idle_of: dict[Budget, dict[IdleConnection, None]] = {}

    def budget_of(self, address: str) -> Budget | None:
        """Return the budget of a peer; ``None`` for a proxy."""
        return None if self.is_proxy(address) else self.addresses.budget_of(address)

    def admit(self, connection: socket, budget: Budget | None) -> CountedSocket | None:
        """Count a new connection; or refuse it, close it and return ``None``."""
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

    def _refusal_reason(self, budget: Budget | None) -> str:
        """Return why a connection is refused; empty if not, which may close an idle one.

        An address never holds more than half of all, so that others can always connect.
        """
        if budget is not None:
            most = min(self.addresses.limits.sockets.number, self.most // 2)
            if budget.arrivals.spend(self.addresses.clock()):
                return "arrivals"
            if budget.sockets >= most and not self._dismiss_oldest(self._idle_of.get(budget)):
                return "sockets"
        return "full" if self.count >= self.most and not self._dismiss_oldest(self._idle) else ""

    def _count_closed(self, budget: Budget | None) -> None:
        self.count -= 1
        if budget is not None:
            budget.sockets -= 1

    def mark_idle(self, idle: IdleConnection, budget: Budget | None) -> None:
        """Record that a connection is idle, unless it is recorded already."""
        self._idle.setdefault(idle)
        if budget is not None:
            self._idle_of.setdefault(budget, {}).setdefault(idle)

    def mark_busy(self, idle: IdleConnection, budget: Budget | None) -> None:
        """Record that a connection is no longer idle, or is closed."""
        self._idle.pop(idle, None)
        if budget is not None and (others := self._idle_of.get(budget)) is not None:
            others.pop(idle, None)
            if not others:
                del self._idle_of[budget]

    def _dismiss_oldest(self, idle: dict[IdleConnection, None] | None) -> bool:
        if not idle:
            return False
        next(iter(idle)).dismiss()
        return True


async def listen(
    listener: socket,
    limiter: ConnectionLimiter,
    protocol_for: Callable[[Budget | None], asyncio.BaseProtocol],
) -> None:
    """Accept clients until this is cancelled.

    The event loop's own server accepts thousands of connections before it serves one, and logs a
    line for each that it cannot accept when no file descriptor is free.
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
            if (client := limiter.admit(connection, budget)) is not None:
                task = loop.create_task(
                    _attach_protocol(loop, client, partial(protocol_for, budget))
                )
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            else:
                limiter.refused(address)
        except Exception as error:  # a bug, which must not keep others out
            log("a connection cannot begin", level=ERROR, error=error)
            connection.close()
        accepted += 1
        if accepted % TURN == 0:
            await asyncio.sleep(0)


async def _attach_protocol(
    loop: asyncio.AbstractEventLoop, client: CountedSocket, make: Callable[[], asyncio.BaseProtocol]
) -> None:
    try:
        await loop.connect_accepted_socket(make, client)
    except OSError:  # the client has gone already
        client.close()


def most_sockets() -> int:
    """Return how many connections the process may have at a time."""
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
