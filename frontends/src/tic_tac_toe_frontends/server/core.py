"""What all parts of one server share: the store, the ways to it, the time, and the limits."""

from __future__ import annotations

import time
from logging import ERROR

from .attendance import Attendance
from .blocks import Blocks
from .hints import Hints
from .holdings import Holdings
from .loading import Loads
from .logs import say
from .metrics import Metrics
from .moderation import Moderation
from .net.crowd import Crowd
from .page_cache import PageCache
from .rate_limits import AddressLimits, Allowance
from .readers import Readers
from .reporters import Reporters
from .storage.store import Store
from .tasks import Tasks
from .uptime import Uptime
from .writer import Writer


class ServerCore:
    """The parts of a server that know nothing of games and clients.

    Args:
        store: where the log is.
        allowance: what one client may do.
        hints: tell other servers of news, if there are others.
        node: the name of this server among them; empty if it is alone.
        grace: milliseconds without any server that count as no pause.

    Attributes:
        is_stopping: whether nothing new is begun.
        damaged: the addresses of games that are known to be no games any more.
    """

    def __init__(
        self, store: Store, allowance: Allowance, hints: Hints, node: str, grace: int
    ) -> None:
        self.store = store
        self.allowance = allowance
        self.hints = hints
        self.node = node
        self.metrics = Metrics()
        self.clock = time.monotonic
        self.limits = AddressLimits(allowance, self.clock)
        self.crowd = Crowd(self.limits, self.metrics)
        self.pages = PageCache()
        self.tasks = Tasks()
        self.writer = Writer(store, self.metrics)
        self.readers = Readers(store, self.writer.check)
        self.loads = Loads(self.readers, lambda: self.clock())
        self.attendance = Attendance(self.clock)
        self.holdings = Holdings(allowance, self.attendance)
        self.blocks = Blocks(store, self.readers, self.tasks.start, bool(node), self.clock)
        self.uptime = Uptime(self.writer, self.readers, grace, lambda: self.now())
        self.moderation = Moderation(store, lambda: self.clock(), lambda: self.now())
        self.reporters = Reporters()
        self.is_stopping = False
        self.damaged: set[str] = set()

    @property
    def is_shared(self) -> bool:
        """Whether other servers write to the same log."""
        return bool(self.node)

    def found_damaged(self, address: str, problem: str) -> None:
        """Log once what is wrong with a game, however often it is asked for."""
        if address not in self.damaged:
            self.damaged.add(address)
            say("a game cannot be replayed", level=ERROR, game=address, problem=problem)

    def now(self) -> int:
        """Return the time of day, in milliseconds since 1970."""
        return time.time_ns() // 1_000_000
