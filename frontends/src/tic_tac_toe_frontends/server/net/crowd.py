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

from ..logs import say
from ..metrics import Metrics
from ..rate_limits import Account, AddressLimits
from .reading import Reading

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


class Idle(Protocol):
    """A connection that waits for a request, or for the rest of one."""

    def dismiss(self) -> None:
        """Close it to make room for another."""


class Visit(socket):
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


class Crowd:
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
        limits: AddressLimits,
        metrics: Metrics,
        is_proxy: Callable[[str], bool] = lambda _: False,
        most: int = 1_000_000,
    ) -> None:
        self.limits, self.metrics, self.is_proxy, self.most = limits, metrics, is_proxy, most
        self.count = 0
        self.reading = Reading()
        self.refused: Callable[[str], None] = lambda address: None
        self._idle: dict[Idle, None] = {}  # in the order in which they began to wait
        self._idle_of: dict[Account, dict[Idle, None]] = {}

    def account_of(self, address: str) -> Account | None:
        """Return the account of a peer; ``None`` for a proxy."""
        return None if self.is_proxy(address) else self.limits.account_of(address)

    def admit(self, connection: socket, account: Account | None) -> Visit | None:
        """Return a new connection as a visit; or close it and return ``None``: it is too many."""
        if reason := self._objection(account):
            self.metrics.turned_away(reason)
            with suppress(OSError):
                connection.send(REFUSAL)
            connection.close()
            return None
        self.count += 1
        if account is not None:
            account.sockets += 1
        return Visit(connection, lambda: self._left(account))

    def _objection(self, account: Account | None) -> str:
        """Return why one more connection cannot be; empty if it can, as the oldest idle one goes.

        An address never holds more than half of all, so that others get in whatever it does.
        """
        if account is not None:
            most = min(self.limits.allowance.sockets, self.most // 2)
            if account.arrivals.spend(self.limits.clock()):
                return "arrivals"
            if account.sockets >= most and not self._dismiss(self._idle_of.get(account)):
                return "sockets"
        return "full" if self.count >= self.most and not self._dismiss(self._idle) else ""

    def _left(self, account: Account | None) -> None:
        self.count -= 1
        if account is not None:
            account.sockets -= 1

    # -- who waits -----------------------------------------------------------------------------

    def waits(self, idle: Idle, account: Account | None) -> None:
        """Remember that a connection is idle, if it was not."""
        self._idle.setdefault(idle)
        if account is not None:
            self._idle_of.setdefault(account, {}).setdefault(idle)

    def is_busy(self, idle: Idle, account: Account | None) -> None:
        """Remember that a connection is idle no longer, or gone."""
        self._idle.pop(idle, None)
        if account is not None and (others := self._idle_of.get(account)) is not None:
            others.pop(idle, None)
            if not others:
                del self._idle_of[account]

    def _dismiss(self, idle: dict[Idle, None] | None) -> bool:
        """Close the connection that has been idle for longest; return whether there was one."""
        if not idle:
            return False
        next(iter(idle)).dismiss()
        return True


async def listen(
    listener: socket,
    crowd: Crowd,
    protocol_for: Callable[[Account | None], asyncio.BaseProtocol],
) -> None:
    """Accept clients until this is cancelled.

    The event loop's own server would accept thousands before it looks at one of them, and where no
    file is left it writes a line to the log for each that it cannot accept.
    """
    loop = asyncio.get_running_loop()
    visits: set[asyncio.Task[object]] = set()
    accepted = 0
    while True:
        try:
            connection, (address, *_) = await loop.sock_accept(listener)
        except ConnectionAbortedError:
            continue
        except OSError as error:
            say("no connection can be accepted", level=WARNING, problem=str(error))
            await asyncio.sleep(PAUSE)
            continue
        try:
            account = crowd.account_of(address)
            if (visit := crowd.admit(connection, account)) is not None:
                task = loop.create_task(_begin(loop, visit, partial(protocol_for, account)))
                visits.add(task)
                task.add_done_callback(visits.discard)
            else:
                crowd.refused(address)
        except Exception as error:  # one that is to be mended, and keeps nobody else out
            say("a connection cannot begin", level=ERROR, error=error)
            connection.close()
        accepted += 1
        if accepted % TURN == 0:
            await asyncio.sleep(0)


async def _begin(
    loop: asyncio.AbstractEventLoop, visit: Visit, make: Callable[[], asyncio.BaseProtocol]
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
