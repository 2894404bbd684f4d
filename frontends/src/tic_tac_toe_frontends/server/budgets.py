"""Rate limits: the budgets of connections and addresses, as token buckets."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network

#: Frames per request that are allowed, for requests in fragments and control frames.
FRAMES = 4
#: Bytes of events that an address may write per second, and at once, for each request per second of
#: its budget: a quarter of what its requests can write, once it has sent them for half an hour.
STORED, STORED_AT_ONCE = 40, 80_000
#: In multiples of `ClientLimits.requests`: the requests that an address may make at once, because a
#: school class that opens the page loads a thousand files; and the requests in one second above
#: which they are delayed, so that moves are not.
AT_ONCE, PROMPT = 40, 6
#: Addresses that are looked at in one step: it takes about 2 ms.
SLICE = 1_000


@dataclass(slots=True)
class Bucket:
    """A token bucket: requests spend tokens, which come back with time.

    Args:
        size: tokens that it holds; it starts full.
        rate: tokens that come back per second.
        now: seconds since any start.
    """

    size: float
    rate: float
    now: float
    left: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.size

    def spend(self, now: float, amount: float = 1.0) -> float:
        """Spend tokens and return 0; or return the seconds until there are enough.

        Args:
            amount: the tokens; a full bucket with fewer goes into debt.
        """
        self._fill(now)
        needed = min(amount, self.size)
        if self.left >= needed:
            self.left -= amount
            return 0.0
        return (needed - self.left) / self.rate

    def charge(self, now: float, amount: float) -> None:
        """Spend tokens for work that is done already, even if that means debt."""
        self._fill(now)
        self.left -= amount

    def wait(self, now: float) -> float:
        """Return the seconds until a debt is paid; 0 if there is none."""
        self._fill(now)
        return max(0.0, -self.left / self.rate)

    def left_at(self, now: float) -> float:
        """Return the tokens that are left; below 0 is a debt."""
        self._fill(now)
        return self.left

    def has(self, now: float, amount: float = 0.0) -> bool:
        """Whether any tokens are left, and at least an amount."""
        self._fill(now)
        return self.left >= amount and self.left > 0

    def _fill(self, now: float) -> None:
        self.left = min(self.size, self.left + (now - self.now) * self.rate)
        self.now = now

    def is_full(self, now: float) -> bool:
        """Whether no tokens are missing."""
        return self.left + (now - self.now) * self.rate >= self.size


@dataclass(frozen=True)
class ClientLimits:
    """What one connection and one address may do.

    Args:
        messages: requests per second of one connection; ten times as many at once.
        connections: connections of one address.
        address_messages: requests per second of all connections of one address.
        games: games that one address may create per hour.
        pages, pages_at_once: pages that one address may request per second, and at once: making one
            takes time from the moves of all games.
        openings, openings_at_once: WebSockets that one address may open per second, and at once.
        refusals: refused requests of one address, a hundredth of them in each second, before its
            connections are closed.
        thinking, thinking_at_once: seconds of search per second, and at once, that computers spend
            on the moves of one address before others take precedence.
        analysing, analysing_at_once: seconds of search per second, and at once, that the pages of
            one address may ask for.
        replays, replays_at_once: events per second, and at once, that one address may have replayed
            to load games into memory.
        reports, blocks: lines and names that one address may report, and players it may block, per
            hour.
        talk, talk_at_once: lines that the watchers of one address may send per second, and at once.
        requests: HTTP requests of one address per second, and connections that it opens; `AT_ONCE`
            times as many at once, of which those beyond `PROMPT` times as many are delayed.
        sockets: connections of one address, of any protocol.

    The number of games that an address may hold follows from the number that it may create.
    """

    messages: float = 10.0
    connections: int = 100
    address_messages: float = 100.0
    games: int = 120
    pages: float = 5.0
    pages_at_once: float = 60.0
    openings: float = 10.0
    openings_at_once: float = 300.0
    refusals: int = 500
    thinking: float = 0.5
    thinking_at_once: float = 120.0
    analysing: float = 0.1
    analysing_at_once: float = 60.0
    replays: float = 2_000.0
    replays_at_once: float = 20_000.0
    reports: int = 10
    blocks: int = 60
    talk: float = 1.0
    talk_at_once: float = 10.0
    requests: float = 50.0
    sockets: int = 300

    @property
    def followed(self) -> int:
        """Events of the games that one address may follow: 60,000 with 100 connections."""
        return 600 * self.connections

    @property
    def open_games(self) -> int:
        """Open games of one address in the lobby: 5 of 120."""
        return max(1, self.games // 24)

    @property
    def unfinished(self) -> int:
        """Unfinished games of one address: 300 of 120."""
        return max(1, self.games * 5 // 2)

    @property
    def unmoved(self) -> int:
        """Strangers that may wait for the first move of one address: 10 of 120."""
        return max(1, self.games // 12)

    @property
    def own_unmoved(self) -> int:
        """Strangers that may wait for the first move of one connection: 2 of 120."""
        return max(1, self.games // 60)

    def joins(self, now: float) -> Bucket:
        """Return the bucket for joins of one address: 40 at once, and one per second."""
        return Bucket(max(1.0, self.games / 3), self.games / 120, now)

    def own_joins(self, now: float) -> Bucket:
        """Return the bucket for joins of one connection: 5 at once, and one in five seconds."""
        return Bucket(max(1.0, self.games / 24), self.games / 600, now)


@dataclass(slots=True)
class SeatUsage:
    """The seats that one address, or one connection, holds in unfinished games.

    Attributes:
        seats: games and seats.
        unmoved: those for whose first move a stranger waits, or will wait after their own.
        to_reply: those of `unmoved` in games that were opened here, in which the stranger is to
            move.
        waiting: open games that wait for a player: the creator's seat, whether the creator wants to
            play now, and since when.
        coming: games that are being created: whether the creator wants to play now; ``None`` if the
            game is not open.
        joining: unanswered requests for seats in games of other players.
    """

    seats: set[tuple[str, str]] = field(default_factory=set)
    unmoved: set[tuple[str, str]] = field(default_factory=set)
    to_reply: set[tuple[str, str]] = field(default_factory=set)
    waiting: dict[str, tuple[str, bool, int]] = field(default_factory=dict)
    creating: dict[str, bool | None] = field(default_factory=dict)
    joining: int = 0

    @property
    def held(self) -> int:
        """Strangers that wait for a first move, or will if all requests succeed."""
        return len(self.unmoved) + self.joining

    def forget(self, seat: tuple[str, str]) -> None:
        """Remove a seat that is not held here any more."""
        for seats in (self.seats, self.unmoved, self.to_reply):
            seats.discard(seat)
        self.waiting.pop(seat[0], None)


class Addresses:
    """The budgets of all addresses that are connected or were a moment ago.

    Args:
        clock: seconds since any start.
        most: unconnected addresses that are remembered; a forgotten one starts with a full budget.
    """

    def __init__(
        self, limits: ClientLimits, clock: Callable[[], float], most: int = 100_000
    ) -> None:
        self.limits = limits
        self.clock = clock
        self.most = most
        self._known: OrderedDict[str, Budget] = OrderedDict()  # used the longest ago first

    def __len__(self) -> int:
        return len(self._known)

    def connect(self, address: str) -> Budget | None:
        """Return the budget of an address for one more connection; ``None`` if it has too many."""
        budget = self.budget_of(address)
        if budget.connections >= self.limits.connections:
            return None
        budget.connections += 1
        return budget

    def budget_of(self, address: str) -> Budget:
        """Return the budget of an address; a new one unless it is remembered."""
        network = network_of(address)
        if (known := self._known.get(network)) is not None:
            self._known.move_to_end(network)
            return known
        if len(self._known) >= self.most:
            self._make_room()
        self._known[network] = budget = Budget(self.limits, self.clock())
        return budget

    def forget(self) -> None:
        """Drop the budgets of unconnected addresses that are full, of the next `SLICE`."""
        now = self.clock()
        for _ in range(min(SLICE, len(self._known))):
            network, budget = self._known.popitem(last=False)
            if not budget.is_idle(now):
                self._known[network] = budget  # as if it had just been used

    def _make_room(self) -> None:
        """Forget the address that was used the longest ago and now has no seat and no connection.

        Only this one gets its credit back.
        """
        for _ in range(min(SLICE, len(self._known))):
            network, budget = self._known.popitem(last=False)
            if not (budget.is_in_use or budget.usage.seats):
                return
            self._known[network] = budget


def network_of(address: str) -> str:
    """Return an IPv4 address as it is, or the /64 network of an IPv6 address."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return address
    return str(known.ipv4_mapped or ip_network((int(known) >> 64 << 64, 64)))


class Budget:
    """What one address has left; the buckets are named after fields of `ClientLimits`."""

    def __init__(self, limits: ClientLimits, now: float) -> None:
        self.connections = 0
        #: Events of the games that its connections keep in memory by following them.
        self.followed = 0
        self.usage = SeatUsage()
        rate = limits.address_messages
        self.messages = Bucket(10 * rate, rate, now)
        self.frames = Bucket(FRAMES * 10 * rate, FRAMES * rate, now)
        self.games = Bucket(limits.games, limits.games / 3600, now)
        self.pages = Bucket(limits.pages_at_once, limits.pages, now)
        self.openings = Bucket(limits.openings_at_once, limits.openings, now)
        self.refusals = Bucket(limits.refusals, limits.refusals / 100, now)
        self.thinking = Bucket(limits.thinking_at_once, limits.thinking, now)
        self.replays = Bucket(limits.replays_at_once, limits.replays, now)
        self.reports = Bucket(limits.reports, limits.reports / 3600, now)
        self.blocks = Bucket(limits.blocks, limits.blocks / 3600, now)
        self.analysing = Bucket(limits.analysing_at_once, limits.analysing, now)
        self.talk = Bucket(limits.talk_at_once, limits.talk, now)
        self.stored = Bucket(STORED_AT_ONCE * rate, STORED * rate, now)
        self.joins = limits.joins(now)

        #: Connections of any kind, unless the address is a proxy; and requests under way.
        self.sockets = self.under_way = 0
        rate = limits.requests
        self.requests = Bucket(AT_ONCE * rate, rate, now)
        self.arrivals = Bucket(AT_ONCE * rate, rate, now)
        self.prompt = Bucket(PROMPT * rate, PROMPT * rate, now)

    @property
    def is_in_use(self) -> bool:
        """Whether the address has connections or requests under way."""
        return bool(self.connections or self.sockets or self.under_way)

    def is_idle(self, now: float) -> bool:
        """Whether a new budget would be the same."""
        buckets = (each for each in vars(self).values() if isinstance(each, Bucket))
        is_used = self.is_in_use or self.usage.seats
        return not is_used and all(bucket.is_full(now) for bucket in buckets)
