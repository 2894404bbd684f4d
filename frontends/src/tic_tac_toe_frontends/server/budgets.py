"""What clients may do: one table of limits, and the token buckets of addresses that keep them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from ..words.translation import N_

#: Whom a limit holds for.
CONNECTION, ADDRESS, SERVER = "connection", "address", "server"
#: Seconds.
HOUR = 3_600
#: Addresses that are looked at in one step: it takes about 2 ms.
SLICE = 1_000


@dataclass(slots=True)
class Bucket:
    """A token bucket: requests spend tokens, which come back with time.

    Its methods take the time `now`, in seconds since any start.

    Args:
        size: tokens that it holds; it starts full.
        rate: tokens that come back per second.
    """

    size: float
    rate: float
    now: float = field(default=float("-inf"), init=False)
    left: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.size

    def spend(self, now: float, amount: float = 1.0) -> float:
        """Spend tokens and return 0; or return the seconds until there are enough.

        Args:
            amount: the tokens; a full bucket with fewer goes into debt.
        """
        needed = min(amount, self.size)
        if self.left_at(now) >= needed:
            self.left -= amount
            return 0.0
        return (needed - self.left) / self.rate

    def charge(self, now: float, amount: float) -> None:
        """Spend tokens for work that is done already, even if that means debt."""
        self.left = self.left_at(now) - amount

    def wait(self, now: float) -> float:
        """Return the seconds until a debt is paid; 0 if there is none."""
        return max(0.0, -self.left_at(now) / self.rate)

    def left_at(self, now: float) -> float:
        """Return the tokens that are left; below 0 is a debt."""
        self.left = min(self.size, self.left + (now - self.now) * self.rate)
        self.now = now
        return self.left

    def has(self, now: float, amount: float = 0.0) -> bool:
        """Whether any tokens are left, and at least an amount."""
        left = self.left_at(now)
        return left >= amount and left > 0

    def is_full(self, now: float) -> bool:
        """Whether no tokens are missing."""
        return self.left + (now - self.now) * self.rate >= self.size


class Limit(NamedTuple):
    """What may be used at once, and what comes back with time.

    Args:
        size: what may be used at once; or, without a rate, at one time.
        rate: what comes back per second.
        per: whom it holds for.
        help: what is limited, in one sentence; that of an option ends in parentheses.
        by: the option that it grows and shrinks with; an option grows by its own number.
        seconds: the time for which people are told the rate.
    """

    size: float
    rate: float
    per: str
    help: str
    by: str = ""
    seconds: int = 1

    @property
    def number(self) -> int:
        """The number of an option: how much per second, or per hour, or at one time."""
        return int(self.rate if self.rate and self.seconds == 1 else self.size)

    def bucket(self) -> Bucket:
        """Return a full bucket."""
        return Bucket(self.size, self.rate)

    def scaled(self, number: int, usual: int) -> Limit:
        """Return the limit for another number of its option; whole numbers stay whole."""
        size, rate = (
            each * number // usual if isinstance(each, int) else each * number / usual
            for each in (self.size, self.rate)
        )
        return self._replace(size=max(1, size), rate=rate)


class ClientLimits(NamedTuple):
    """The table of what clients may do: a row for each limit.

    A limit with a rate is kept by a `Bucket`; one without is compared with what is held now.
    """

    messages: Limit = Limit(
        100.0,
        10.0,
        CONNECTION,
        N_("requests that one connection may send in a second ({number} unless given)"),
        "messages",
    )
    own_frames: Limit = Limit(400.0, 40.0, CONNECTION, "frames of any kind", "messages")
    own_joins: Limit = Limit(5.0, 0.2, CONNECTION, "requests to join or to play now", "games")
    own_unmoved: Limit = Limit(2, 0, CONNECTION, "strangers who wait for a first move", "games")
    connections: Limit = Limit(
        100,
        0,
        ADDRESS,
        N_("connections that one address may hold ({number} unless given)"),
        "connections",
    )
    sockets: Limit = Limit(300, 0, ADDRESS, "connections of any kind", "connections")
    openings: Limit = Limit(300.0, 10.0, ADDRESS, "WebSockets that are opened", "connections")
    followed: Limit = Limit(60_000, 0, ADDRESS, "events of followed games", "connections")
    address_messages: Limit = Limit(1_000.0, 100.0, ADDRESS, "requests", "messages")
    frames: Limit = Limit(4_000.0, 400.0, ADDRESS, "frames of any kind", "messages")
    refusals: Limit = Limit(500.0, 5.0, ADDRESS, "refused requests, before connections are closed")
    stored: Limit = Limit(8e6, 4_000.0, ADDRESS, "bytes of new events", "messages")
    games: Limit = Limit(
        120.0,
        120 / HOUR,
        ADDRESS,
        N_("games that one address may create in an hour ({number} unless given)"),
        "games",
        HOUR,
    )
    unfinished: Limit = Limit(300, 0, ADDRESS, "unfinished games", "games")
    open_games: Limit = Limit(5, 0, ADDRESS, "open games in the lobby", "games")
    unmoved: Limit = Limit(10, 0, ADDRESS, "strangers who wait for a first move", "games")
    joins: Limit = Limit(40.0, 1.0, ADDRESS, "requests to join or to play now", "games")
    replays: Limit = Limit(20_000.0, 2_000.0, ADDRESS, "events that are read to load games")
    thinking: Limit = Limit(120.0, 0.5, ADDRESS, "seconds of search for moves of computers")
    analysing: Limit = Limit(60.0, 0.1, ADDRESS, "seconds of search for the values of moves")
    talk: Limit = Limit(10.0, 1.0, ADDRESS, "lines of watchers' talk")
    reports: Limit = Limit(10.0, 10 / HOUR, ADDRESS, "reports of a line or a name", seconds=HOUR)
    blocks: Limit = Limit(60.0, 60 / HOUR, ADDRESS, "players who are blocked", seconds=HOUR)
    most_games: Limit = Limit(
        10_000,
        0,
        SERVER,
        N_("games that may be unfinished at once ({number} unless given)"),
        "most_games",
    )
    requests: Limit = Limit(
        2_000.0,
        50.0,
        ADDRESS,
        N_("pages and files that one address may ask for in a second ({number} unless given)"),
        "requests",
    )
    prompt: Limit = Limit(300.0, 300.0, ADDRESS, "pages and files without delay", "requests")
    arrivals: Limit = Limit(2_000.0, 50.0, ADDRESS, "connections that are opened", "requests")
    pages: Limit = Limit(60.0, 5.0, ADDRESS, "plain pages and lists of games")

    @classmethod
    def of(cls, **numbers: int) -> ClientLimits:
        """Return the limits of a server with these numbers for its options."""
        usual = cls()
        limits = usual._replace(
            **{
                name: row.scaled(numbers[row.by], usual.options[row.by].number)
                for name, row in usual.rows.items()
                if row.by in numbers
            }
        )
        others = usual.sockets.size - usual.connections.size
        sockets = limits.sockets._replace(size=limits.connections.size + others)
        return limits._replace(sockets=sockets)

    @property
    def rows(self) -> dict[str, Limit]:
        """All limits by their names."""
        return self._asdict()

    @property
    def options(self) -> dict[str, Limit]:
        """The limits that have an option of their own."""
        return {name: limit for name, limit in self.rows.items() if limit.by == name}


@dataclass(slots=True, eq=False)
class HeldSeat:
    """A seat in an unfinished game, and who holds it.

    Attributes:
        budget: of the address.
        connection: what the connection that took the seat holds.
        delays: whether a stranger waits for its first move, or will wait after their own.
        replies: whether it `delays` in a game that was opened here, and the stranger is to move.
        waits_since: when the game began to wait for another player; ``None`` if it does not.
        is_pairing: whether the creator of the game wants to play now.
    """

    game: str
    seat: str
    budget: Budget
    connection: SeatUsage
    delays: bool = False
    replies: bool = False
    waits_since: int | None = None
    is_pairing: bool = False

    @property
    def usages(self) -> tuple[SeatUsage, SeatUsage]:
        """What the address and the connection hold."""
        return self.budget.usage, self.connection


@dataclass(slots=True, eq=False)
class SeatUsage:
    """The seats that one address, or one connection, holds in unfinished games.

    Attributes:
        most: strangers who may wait for a first move.
        seats: by game and seat.
        creating: games that are being created: whether the creator wants to play now; ``None`` if
            the game is not open.
        joining: unanswered requests for seats in games of other players.
    """

    most: int
    seats: dict[tuple[str, str], HeldSeat] = field(default_factory=dict)
    creating: dict[str, bool | None] = field(default_factory=dict)
    joining: int = 0

    @property
    def waiting(self) -> list[HeldSeat]:
        """The creators' seats in open games that wait for a player."""
        return [held for held in self.seats.values() if held.waits_since is not None]

    @property
    def delayed(self) -> int:
        """Strangers that wait for a first move, or will if all requests succeed."""
        return sum(held.delays for held in self.seats.values()) + self.joining

    @property
    def replying(self) -> int:
        """Those of them who came to games that were opened here, and are to move."""
        return sum(held.replies for held in self.seats.values())


class Budget:
    """What one address has left, and what it holds.

    Its buckets have the names of their limits, and are made when they are used for the first time,
    because most addresses use few.

    Attributes:
        connections: its WebSockets.
        sockets: its connections of any kind, unless the address is a proxy.
        under_way: its HTTP requests that are being answered.
        followed: events of the games that its connections keep in memory by following them.
        usage: its seats.
    """

    __slots__ = (
        *("connections", "sockets", "under_way", "followed", "usage", "_limits", "_used"),
        *(
            name
            for name, limit in ClientLimits().rows.items()
            if limit.rate and limit.per == ADDRESS
        ),
    )

    def __init__(self, limits: ClientLimits) -> None:
        self._limits = limits
        self._used: list[Bucket] = []
        self.connections = self.sockets = self.under_way = self.followed = 0
        self.usage = SeatUsage(limits.unmoved.number)

    def __getattr__(self, name: str) -> Bucket:
        limit: Limit = getattr(self._limits, name)
        bucket = limit.bucket()
        setattr(self, name, bucket)
        self._used.append(bucket)
        return bucket

    @property
    def is_in_use(self) -> bool:
        """Whether the address has connections, requests under way or seats."""
        return bool(self.connections or self.sockets or self.under_way or self.usage.seats)

    def is_idle(self, now: float) -> bool:
        """Whether a new budget would be the same."""
        return not self.is_in_use and all(bucket.is_full(now) for bucket in self._used)


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
        if budget.connections >= self.limits.connections.number:
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
            self._forget_oldest()
        self._known[network] = budget = Budget(self.limits)
        return budget

    def forget(self) -> None:
        """Drop the budgets of unconnected addresses that are full, of the next `SLICE`."""
        now = self.clock()
        for _ in range(min(SLICE, len(self._known))):
            network, budget = self._known.popitem(last=False)
            if not budget.is_idle(now):
                self._known[network] = budget  # as if it had just been used

    def _forget_oldest(self) -> None:
        """Forget the address that was used the longest ago and holds nothing now.

        Only this one gets its credit back.
        """
        for _ in range(min(SLICE, len(self._known))):
            network, budget = self._known.popitem(last=False)
            if not budget.is_in_use:
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
