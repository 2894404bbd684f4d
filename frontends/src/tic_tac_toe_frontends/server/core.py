"""What all parts of one server share: the store, access to it, the clock and the budgets."""

from __future__ import annotations

import time
from logging import ERROR

from .budgets import Addresses, ClientLimits
from .logs import log
from .metrics import Metrics
from .moderation import Moderation
from .nodes import Nodes
from .page_cache import PageCache
from .players import Blocks, PlayerPresence, ReportSenders
from .quotas import Quotas
from .reading import Loads, Readers
from .storage.store import Store
from .tasks import Tasks
from .uptime import TimeOfDay, Uptime
from .wire.connection_limiter import ConnectionLimiter
from .writer import Writer


class ServerCore:
    """The parts of a server that know nothing of games and clients.

    Args:
        store: keeps the log.
        limits: what one client may do.
        nodes: the other servers, if there are any.

    Attributes:
        is_stopping: whether the server is shutting down and accepts no new requests.
        damaged: the addresses of games whose log is known to be damaged.
    """

    def __init__(self, store: Store, limits: ClientLimits, nodes: Nodes) -> None:
        self.store = store
        self.limits = limits
        self.nodes = nodes
        self.metrics = Metrics()
        self.clock = time.monotonic
        self.time_of_day = TimeOfDay()
        self.addresses = Addresses(limits, self.clock)
        self.limiter = ConnectionLimiter(self.addresses, self.metrics)
        self.pages = PageCache()
        self.tasks = Tasks()
        self.writer = Writer(store, self.metrics)
        self.readers = Readers()
        self.loads = Loads(store, self.readers, lambda: self.clock())
        self.presence = PlayerPresence(self.clock)
        self.quotas = Quotas(limits, self.presence)
        self.blocks = Blocks(store, self.readers, self.is_shared, self.clock)
        self.uptime = Uptime(self.writer, self.readers, nodes.grace, lambda: self.now())
        self.moderation = Moderation(store, lambda: self.clock(), lambda: self.now())
        self.report_senders = ReportSenders()
        self.is_stopping = False
        self.damaged: set[str] = set()

    @property
    def is_shared(self) -> bool:
        """Whether other servers write to the same log."""
        return self.nodes.is_shared

    def report_damaged(self, address: str, problem: str) -> None:
        """Log that a game is damaged, once per game."""
        if address not in self.damaged:
            self.damaged.add(address)
            log("a game cannot be replayed", level=ERROR, game=address, problem=problem)

    def now(self) -> int:
        """Return the time of day, in milliseconds since 1970."""
        return self.time_of_day.now()
