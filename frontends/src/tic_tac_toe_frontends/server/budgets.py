"""Rate limits of connections and addresses: token buckets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network

#: Frames that may come for each request: requests in parts, and control frames.
FRAMES = 4
#: Bytes of events that an address may have written per second, and at once, for each request per
#: second: a quarter of what it may ask for, once it has asked for it for half an hour.
STORED, STORED_AT_ONCE = 40, 80_000
#: A school class behind one address that opens the page loads a thousand files. In multiples of
#: `Allowance.requests`: the requests that an address may make at once, and those in one second
#: above which they wait for their turn, so that moves do not.
AT_ONCE, PROMPT = 40, 6


@dataclass(slots=True)
class Bucket:
    """A token bucket: requests take tokens, which come back with time.

    Args:
        size: tokens that it holds; it begins full.
        rate: tokens that come back per second.
        now: seconds from any start.
    """

    size: float
    rate: float
    now: float
    left: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.size

    def spend(self, now: float, amount: float = 1.0) -> float:
        """Take tokens and return 0; or return the seconds until they are there.

        Args:
            amount: the tokens; more than the bucket holds leave a full bucket in debt.
        """
        self._fill(now)
        needed = min(amount, self.size)
        if self.left >= needed:
            self.left -= amount
            return 0.0
        return (needed - self.left) / self.rate

    def charge(self, now: float, amount: float) -> None:
        """Take tokens for what has been done already, even if they are not there."""
        self._fill(now)
        self.left -= amount

    def wait(self, now: float) -> float:
        """Return the seconds until a debt is paid; 0 if there is none."""
        self._fill(now)
        return max(0.0, -self.left / self.rate)

    def has(self, now: float, amount: float = 0.0) -> bool:
        """Whether there is anything left, or as much as an amount."""
        self._fill(now)
        return self.left >= amount and self.left > 0

    def _fill(self, now: float) -> None:
        self.left = min(self.size, self.left + (now - self.now) * self.rate)
        self.now = now

    def is_full(self, now: float) -> bool:
        """Whether all tokens are there."""
        return self.left + (now - self.now) * self.rate >= self.size


@dataclass(frozen=True)
class Budgets:
    """What one connection and one address may do.

    Args:
        messages: requests per second of one connection, and ten times as many at once.
        connections: connections of one address.
        address_messages: requests per second of all connections of one address.
        games: games that one address may create per hour.
        pages, pages_at_once: pages that one address may ask for per second, and at once: making
            one takes time from the moves of all games.
        openings, openings_at_once: WebSockets that one address may open per second, and at once.
        refusals: refused requests of one address, a hundredth of them in each second, before its
            connections are closed.
        thinking, thinking_at_once: seconds of search that computers spend per second, and at once,
            on the moves that one address has asked for, before they give way to all others.
        replays, replays_at_once: events of games that one address may have replayed per second,
            and at once, because it comes to a game that is not in memory.
        reports, blocks: lines and names that one address may report, and players that it may
            block, per hour.
        requests: requests of plain HTTP of one address per second, and connections that it opens;
            `AT_ONCE` times as many at once, of which those beyond `PROMPT` times as many wait.
        sockets: connections of one address, whatever is spoken on them.

    What an address may hold of games grows with the number that it may create.
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
    replays: float = 2_000.0
    replays_at_once: float = 20_000.0
    reports: int = 10
    blocks: int = 60
    requests: float = 50.0
    sockets: int = 300

    @property
    def followed(self) -> int:
        """Events of the games that one address may follow at once: 60,000 of 100 connections."""
        return 600 * self.connections

    @property
    def open_games(self) -> int:
        """Open games of one address that the lobby shows at once: 5 of 120."""
        return max(1, self.games // 24)

    @property
    def unfinished(self) -> int:
        """Games of one address that may be unfinished at once: 300 of 120."""
        return max(1, self.games * 5 // 2)

    @property
    def unmoved(self) -> int:
        """Strangers whom one address may keep waiting for a first move at once: 10 of 120."""
        return max(1, self.games // 12)

    @property
    def own_unmoved(self) -> int:
        """Those that one connection may keep waiting: 2 of 120."""
        return max(1, self.games // 60)

    def joins(self, now: float) -> Bucket:
        """Return how often one address may come to other players: 40 times, and one per second."""
        return Bucket(max(1.0, self.games / 3), self.games / 120, now)

    def own_joins(self, now: float) -> Bucket:
        """Return how often one connection may: 5 times, and once in five seconds."""
        return Bucket(max(1.0, self.games / 24), self.games / 600, now)


@dataclass(slots=True)
class SeatUsage:
    """What one address, or one connection, holds of games that are not over.

    Attributes:
        seats: games and seats.
        unmoved: those of them for whose first move a stranger waits, or will once he has moved.
        to_reply: those of `unmoved` that were opened here and in which the stranger is to move.
        waiting: open games that wait for a player: the creator's seat, whether he wants to play
            now, and since when.
        coming: games that are being created: whether a player wants to play now, ``None`` if it is
            not open.
        joining: requests for a seat of another player's game without an answer.
    """

    seats: set[tuple[str, str]] = field(default_factory=set)
    unmoved: set[tuple[str, str]] = field(default_factory=set)
    to_reply: set[tuple[str, str]] = field(default_factory=set)
    waiting: dict[str, tuple[str, bool, int]] = field(default_factory=dict)
    coming: dict[str, bool | None] = field(default_factory=dict)
    joining: int = 0

    @property
    def held(self) -> int:
        """Strangers who wait for a first move, or will if everything is granted."""
        return len(self.unmoved) + self.joining

    def forget(self, seat: tuple[str, str]) -> None:
        """Forget a seat of a game, which nobody here holds any more."""
        for seats in (self.seats, self.unmoved, self.to_reply):
            seats.discard(seat)
        self.waiting.pop(seat[0], None)


class Addresses:
    """The credit of every address that is connected or was a moment ago.

    Args:
        clock: seconds from any start.
        most: addresses without a connection that are remembered at most; a forgotten one begins
            anew.
    """

    def __init__(self, budgets: Budgets, clock: Callable[[], float], most: int = 100_000) -> None:
        self.budgets = budgets
        self.clock = clock
        self.most = most
        self._budgets: dict[str, AddressBudget] = {}

    def __len__(self) -> int:
        return len(self._budgets)

    def connect(self, address: str) -> AddressBudget | None:
        """Return the account of an address for one more connection; ``None``: it has too many."""
        budget = self.budget_of(address)
        if budget.connections >= self.budgets.connections:
            return None
        budget.connections += 1
        return budget

    def budget_of(self, address: str) -> AddressBudget:
        """Return the account of an address, a new one unless it is remembered."""
        network = network_of(address)
        if network not in self._budgets:
            if len(self._budgets) >= self.most:
                self.forget()
            if len(self._budgets) >= self.most:
                self._keep_only(lambda budget: budget.is_there or budget.usage.seats)
            self._budgets[network] = AddressBudget(self.budgets, self.clock())
        return self._budgets[network]

    def forget(self) -> None:
        """Drop the accounts of addresses that are gone and at no limit."""
        now = self.clock()
        self._keep_only(lambda budget: not budget.is_idle(now))

    def _keep_only(self, wanted: Callable[[AddressBudget], object]) -> None:
        self._budgets = {key: each for key, each in self._budgets.items() if wanted(each)}


def network_of(address: str) -> str:
    """Return an IPv4 address as it is, and of an IPv6 address its network of 64 bits."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return address
    return str(known.ipv4_mapped or ip_network((int(known) >> 64 << 64, 64)))


class AddressBudget:
    """The rate limits of one address: its buckets are named after the fields of `Allowance`."""

    def __init__(self, budgets: Budgets, now: float) -> None:
        self.connections = 0
        #: Events of the games that the connections follow, which keep them in memory.
        self.followed = 0
        self.usage = SeatUsage()
        rate = budgets.address_messages
        self.messages = Bucket(10 * rate, rate, now)
        self.frames = Bucket(FRAMES * 10 * rate, FRAMES * rate, now)
        self.games = Bucket(budgets.games, budgets.games / 3600, now)
        self.pages = Bucket(budgets.pages_at_once, budgets.pages, now)
        self.openings = Bucket(budgets.openings_at_once, budgets.openings, now)
        self.refusals = Bucket(budgets.refusals, budgets.refusals / 100, now)
        self.thinking = Bucket(budgets.thinking_at_once, budgets.thinking, now)
        self.replays = Bucket(budgets.replays_at_once, budgets.replays, now)
        self.reports = Bucket(budgets.reports, budgets.reports / 3600, now)
        self.blocks = Bucket(budgets.blocks, budgets.blocks / 3600, now)
        self.stored = Bucket(STORED_AT_ONCE * rate, STORED * rate, now)
        self.joins = budgets.joins(now)

        #: Connections of any kind, of an address that is no proxy; and requests under way.
        self.sockets = self.under_way = 0
        rate = budgets.requests
        self.requests = Bucket(AT_ONCE * rate, rate, now)
        self.arrivals = Bucket(AT_ONCE * rate, rate, now)
        self.prompt = Bucket(PROMPT * rate, PROMPT * rate, now)

    @property
    def is_there(self) -> bool:
        """Whether anything of this address is open."""
        return bool(self.connections or self.sockets or self.under_way)

    def is_idle(self, now: float) -> bool:
        """Whether a new account would be the same."""
        buckets = (each for each in vars(self).values() if isinstance(each, Bucket))
        is_used = self.is_there or self.usage.seats
        return not is_used and all(bucket.is_full(now) for bucket in buckets)
