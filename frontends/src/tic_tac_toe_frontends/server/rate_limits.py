"""How much a connection and an address may ask for at once: buckets that time fills again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network


@dataclass
class Bucket:
    """Credit that is spent by asking and comes back with time (the token bucket).

    Args:
        size: how much it holds; it begins full.
        rate: how much comes back in a second.
        now: seconds from any start.
    """

    size: float
    rate: float
    now: float
    left: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.size

    def spend(self, now: float, amount: float = 1.0) -> float:
        """Take an amount and return 0; if there is not so much, the seconds until there is."""
        self.left = min(self.size, self.left + (now - self.now) * self.rate)
        self.now = now
        if self.left >= amount:
            self.left -= amount
            return 0.0
        return (amount - self.left) / self.rate

    def is_full(self, now: float) -> bool:
        """Whether nothing has been spent that has not come back."""
        return self.left + (now - self.now) * self.rate >= self.size


@dataclass(frozen=True)
class Allowance:
    """What one connection and one address may do.

    Args:
        messages: how many requests a connection may send in a second, and ten times as many
            at once.
        connections: how many connections one address may hold.
        address_messages: how many requests all of an address may send in a second.
        games: how many games an address may create in an hour.
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

    #: More are not remembered: who is forgotten begins anew.
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
        """Drop the accounts of those who are gone and have spent nothing lately."""
        now = self.clock()
        idle = [key for key, account in self._accounts.items() if account.is_idle(now)]
        for key in idle:
            del self._accounts[key]


def network_of(address: str) -> str:
    """Return whose an address is: of IPv6 everybody has a network of 64 bits to choose from."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return address
    return str(known.ipv4_mapped or ip_network((int(known) >> 64 << 64, 64)))


class Account:
    """What is left of one address's credit."""

    def __init__(self, allowance: Allowance, now: float) -> None:
        self.connections = 0
        rate = allowance.address_messages
        self.messages = Bucket(10 * rate, rate, now)
        self.games = Bucket(allowance.games, allowance.games / 3600, now)

    def is_idle(self, now: float) -> bool:
        """Whether a new account would be the same."""
        return not self.connections and self.messages.is_full(now) and self.games.is_full(now)
