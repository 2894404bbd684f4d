"""Rate limits of connections and addresses: token buckets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network


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

    def spend(self, now: float) -> float:
        """Take a token and return 0; or return the seconds until there is one."""
        self.left = min(self.size, self.left + (now - self.now) * self.rate)
        self.now = now
        if self.left >= 1:
            self.left -= 1
            return 0.0
        return (1 - self.left) / self.rate

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
        pages, pages_at_once: pages that one address may ask for per second, and at once: making
            one takes time from the moves of all games.
        reports, blocks: lines and names that one address may report, and players that it may
            block, per hour.
    """

    messages: float = 10.0
    connections: int = 100
    address_messages: float = 100.0
    games: int = 120
    pages: float = 5.0
    pages_at_once: float = 60.0
    reports: int = 10
    blocks: int = 60


class AddressLimits:
    """The credit of every address that is connected or was a moment ago.

    Args:
        clock: seconds from any start.
        most: addresses without a connection that are remembered at most; a forgotten one begins
            anew.
    """

    def __init__(
        self, allowance: Allowance, clock: Callable[[], float], most: int = 100_000
    ) -> None:
        self.allowance = allowance
        self.clock = clock
        self.most = most
        self._accounts: dict[str, Account] = {}

    def __len__(self) -> int:
        return len(self._accounts)

    def connect(self, address: str) -> Account | None:
        """Return the account of an address for one more connection; ``None``: it has too many."""
        account = self.account_of(address)
        if account.connections >= self.allowance.connections:
            return None
        account.connections += 1
        return account

    def account_of(self, address: str) -> Account:
        """Return the account of an address, a new one unless it is remembered."""
        network = network_of(address)
        if network not in self._accounts:
            if len(self._accounts) >= self.most:
                self.forget()
            if len(self._accounts) >= self.most:
                self._keep(lambda account: account.connections > 0)
            self._accounts[network] = Account(self.allowance, self.clock())
        return self._accounts[network]

    def forget(self) -> None:
        """Drop the accounts of addresses that are gone and at no limit."""
        now = self.clock()
        self._keep(lambda account: not account.is_idle(now))

    def _keep(self, wanted: Callable[[Account], bool]) -> None:
        self._accounts = {key: each for key, each in self._accounts.items() if wanted(each)}


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
        self.pages = Bucket(allowance.pages_at_once, allowance.pages, now)
        self.reports = Bucket(allowance.reports, allowance.reports / 3600, now)
        self.blocks = Bucket(allowance.blocks, allowance.blocks / 3600, now)

    def is_idle(self, now: float) -> bool:
        """Whether a new account would be the same."""
        buckets = (self.messages, self.games, self.pages, self.reports, self.blocks)
        return not self.connections and all(bucket.is_full(now) for bucket in buckets)
