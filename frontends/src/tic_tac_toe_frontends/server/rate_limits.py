"""Rate limits of connections, addresses and pages: token buckets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network


@dataclass
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
        """Take an amount and return 0; or return the seconds until there is enough."""
        self.left = min(self.size, self.left + (now - self.now) * self.rate)
        self.now = now
        if self.left >= amount:
            self.left -= amount
            return 0.0
        return (amount - self.left) / self.rate

    def is_full(self, now: float) -> bool:
        """Whether all tokens are there."""
        return self.left + (now - self.now) * self.rate >= self.size


@dataclass(frozen=True)
class Allowance:
    """What one connection and one address may do.

    Args:
        messages: requests per second of one connection, and ten times as many at once.
        connections: connections of one address.
        address_messages: requests per second of all connections of one address.
        games: games that one address may create per hour.
    """

    messages: float = 10.0
    connections: int = 100
    address_messages: float = 100.0
    games: int = 120


class AddressLimits:
    """The credit of every address that is connected or was a moment ago.

    Args:
        allowance: how much each has.
        clock: seconds from any start.
    """

    #: More addresses are not remembered; a forgotten one begins anew.
    MOST = 100_000

    def __init__(self, allowance: Allowance, clock: Callable[[], float]) -> None:
        self.allowance = allowance
        self.clock = clock
        self._accounts: dict[str, Account] = {}

    def __len__(self) -> int:
        return len(self._accounts)

    def connect(self, address: str) -> Account | None:
        """Return the account of an address for one more connection; ``None``: it has too many."""
        address = network_of(address)
        account = self._accounts.get(address)
        if account is None:
            if len(self._accounts) >= self.MOST:
                self.forget()
            account = self._accounts[address] = Account(self.allowance, self.clock())
        if account.connections >= self.allowance.connections:
            return None
        account.connections += 1
        return account

    def forget(self) -> None:
        """Drop the accounts of addresses that are gone and at no limit."""
        now = self.clock()
        idle = [key for key, account in self._accounts.items() if account.is_idle(now)]
        for key in idle:
            del self._accounts[key]


def network_of(address: str) -> str:
    """Return an IPv4 address as it is, and of an IPv6 address its network of 64 bits."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return address
    return str(known.ipv4_mapped or ip_network((int(known) >> 64 << 64, 64)))


class Account:
    """The rate limits of one address."""

    def __init__(self, allowance: Allowance, now: float) -> None:
        self.connections = 0
        rate = allowance.address_messages
        self.messages = Bucket(10 * rate, rate, now)
        self.games = Bucket(allowance.games, allowance.games / 3600, now)

    def is_idle(self, now: float) -> bool:
        """Whether a new account would be the same."""
        return not self.connections and self.messages.is_full(now) and self.games.is_full(now)


class PageLimits:
    """The rate limits of the addresses that have asked for pages lately.

    Making a page takes time from the moves of all games.

    Args:
        clock: seconds from any start.
    """

    #: Pages that an address may ask for at once, and per second.
    AT_ONCE, PER_SECOND = 60.0, 5.0
    #: Addresses that are remembered at most; a forgotten one begins anew.
    MOST = 20_000

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._buckets: dict[str, Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def wait_of(self, address: str) -> float:
        """Count one more page and return 0; or return the seconds until one is allowed."""
        now = self.clock()
        address = network_of(address)
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= self.MOST:
                self._forget(now)
            bucket = self._buckets[address] = Bucket(self.AT_ONCE, self.PER_SECOND, now)
        return bucket.spend(now)

    def _forget(self, now: float) -> None:
        """Forget the addresses that are at no limit, and if need be all of them."""
        self._buckets = {
            address: bucket for address, bucket in self._buckets.items() if not bucket.is_full(now)
        }
        if len(self._buckets) >= self.MOST:
            self._buckets.clear()
