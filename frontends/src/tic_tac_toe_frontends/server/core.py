"""What all parts of one server share: the store, access to it, the clock and the budgets."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Hashable
from logging import ERROR
from typing import NamedTuple

from .budgets import Addresses, ClientLimits
from .loaded_game import Loads, Readers
from .logs import log
from .metrics import Metrics
from .moderation import Moderation
from .nodes import Nodes
from .players import Blocks, PlayerPresence, Quotas, ReportSenders
from .storage.store import Store
from .tasks import Tasks
from .uptime import TimeOfDay, Uptime
from .wire.connection_limiter import ConnectionLimiter
from .writer import Writer

#: Bytes that are cached.
MOST_BYTES = 16 * 1024 * 1024
#: Bytes of a page beside its body, about.
OVERHEAD = 1_000


class CachedPage(NamedTuple):
    """A page or file of a game, ready to be sent.

    Attributes:
        tag: the ``ETag``, which differs if any byte differs (RFC 9110, section 8.8.3).
    """

    body: bytes
    headers: dict[str, str]
    tag: str


class PageCache:
    """Pages by the addresses of their games and what else they depend on; `most` bytes at most."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._pages: OrderedDict[tuple[str, Hashable], CachedPage] = OrderedDict()
        self.size = 0
        #: Calls of `forget`: a page whose making began before one may be outdated.
        self.era = 0

    def __len__(self) -> int:
        return len(self._pages)

    def find(self, address: str, about: Hashable) -> CachedPage | None:
        """Return a page of a game; ``None`` if it is not cached."""
        made = self._pages.get((address, about))
        if made is not None:
            self._pages.move_to_end((address, about))
        return made

    def add(self, address: str, about: Hashable, made: CachedPage, era: int) -> None:
        """Cache a page, in place of the least recently used ones.

        `era` is the cache's when the making began: a page of an earlier era is not cached.
        """
        if era != self.era:
            return
        self._drop((address, about))
        self._pages[address, about] = made
        self.size += len(made.body) + OVERHEAD
        while self.size > self._most:
            self._drop(next(iter(self._pages)))

    def forget(self, address: str) -> None:
        """Drop all pages of a game, because its events have been changed."""
        self.era += 1
        for key in [key for key in self._pages if key[0] == address]:
            self._drop(key)

    def _drop(self, key: tuple[str, Hashable]) -> None:
        made = self._pages.pop(key, None)
        if made is not None:
            self.size -= len(made.body) + OVERHEAD


class ServerCore:
    """The parts of a server that know nothing of games and clients.

    Args:
        store: keeps the log.
        limits: what one client may do.
        nodes: the other servers, if there are any.

    Attributes:
        is_shared: whether other servers write to the same log.
        is_stopping: whether the server is shutting down and accepts no new requests.
        damaged: the addresses of games whose log is known to be damaged.
    """

    def __init__(self, store: Store, limits: ClientLimits, nodes: Nodes) -> None:
        self.store = store
        self.limits = limits
        self.nodes = nodes
        self.is_shared = nodes.is_shared
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

    def report_damaged(self, address: str, problem: str) -> None:
        """Log that a game is damaged, once per game."""
        if address not in self.damaged:
            self.damaged.add(address)
            log("a game cannot be replayed", level=ERROR, game=address, problem=problem)

    def now(self) -> int:
        """Return the time of day, in milliseconds since 1970."""
        return self.time_of_day.now()
