"""What operators have decided, as one server knows it: bans, hidden games, and its draining."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from math import inf

from .storage.moderation_tables import Ban, Moderated
from .storage.store import Store

#: Milliseconds for which it is kept that a game was changed: every server looks more often.
KEPT = 3_600_000
#: Milliseconds by which the clocks of servers may differ.
SKEW = 60_000


class Moderation:
    """What operators have decided.

    Args:
        store: keeps it.
        clock: seconds from any start.
        now: returns milliseconds since 1970.

    Attributes:
        refused: the number of connections and requests that came from banned addresses.
        banned: called when other addresses are banned than before.
    """

    def __init__(self, store: Store, clock: Callable[[], float], now: Callable[[], int]) -> None:
        self.refused = 0
        self.banned: Callable[[], object] = lambda: None
        self._store = store
        self._clock = clock
        self._now = now
        self._bans: dict[str, Ban] = {}
        self._lengths: dict[int, set[int]] = {}  # of the networks' prefixes, by the IP version
        self._hidden: set[str] = set()
        self._known: dict[str, int] = {}  # changed games, and when
        self._draining_until = -inf
        self._read_at = now()
        self._network = lru_cache(4_096)(_network_at)

    # -- bans ----------------------------------------------------------------------------------

    @property
    def bans(self) -> list[Ban]:
        """The bans in force."""
        now = self._now()
        return [ban for ban in self._bans.values() if ban.until > now]

    def set_bans(self, bans: Iterable[Ban]) -> None:
        """Take over which bans are in force, and close what is open from there."""
        known, self._bans = self._bans, {ban.network: ban for ban in bans}
        if self._bans == known:
            return
        self._lengths = {}
        for network in map(ip_network, self._bans):
            self._lengths.setdefault(network.version, set()).add(network.prefixlen)
        self.banned()

    def banned_until(self, address: str) -> int:
        """Return until when an address is kept away, in ms since 1970; 0 if it is not."""
        if not self._bans:
            return 0
        try:
            known = ip_address(address)
        except ValueError:
            return 0
        if known.version == 6 and known.ipv4_mapped:
            known = known.ipv4_mapped
        until = 0
        for length in self._lengths.get(known.version, ()):
            ban = self._bans.get(self._network(str(known), length))
            until = until if ban is None else max(until, ban.until)
        return until if until > self._now() else 0

    # -- games ---------------------------------------------------------------------------------

    def is_hidden(self, game: str) -> bool:
        """Whether a game is shown to its players only."""
        return game in self._hidden

    def set_hidden(self, game: str, hidden: bool, time: int) -> None:
        """Take note of what this server has changed itself."""
        self._known[game] = time
        (self._hidden.add if hidden else self._hidden.discard)(game)

    @property
    def changed_lately(self) -> int:
        """The number of changed games that this server remembers."""
        return len(self._known)

    def try_again(self, game: str) -> None:
        """Let a game that another server has changed be among the news once more."""
        self._known.pop(game, None)
        self._read_at = 0

    def prune(self) -> None:
        """Forget which games this server has changed long ago."""
        old = self._now() - KEPT
        self._known = {game: time for game, time in self._known.items() if time > old}

    # -- draining ------------------------------------------------------------------------------

    @property
    def is_draining(self) -> bool:
        """Whether no new games are begun here."""
        return self._clock() < self._draining_until

    def drain(self, seconds: float) -> None:
        """Begin no new games for a number of seconds; 0: until `end_drain`."""
        self._draining_until = self._clock() + (seconds or inf)

    def end_drain(self) -> None:
        """Begin new games again."""
        self._draining_until = -inf

    # -- reading what is kept; in a thread -----------------------------------------------------

    def read(self) -> tuple[list[Ban], list[str]]:
        """Return the bans and the hidden games, as they are kept."""
        return self._store.bans(self._now()), self._store.hidden_games()

    def read_changes(self) -> tuple[list[Ban], list[Moderated]]:
        """Return the bans, and the games that were changed lately, maybe by another server."""
        now, since = self._now(), max(self._read_at, self._now() - KEPT) - SKEW
        news = self._store.bans(now), self._store.moderated(since)
        self._read_at = now
        return news

    def load(self, bans: Iterable[Ban], hidden: Iterable[str]) -> None:
        """Take over what `read` has returned."""
        self.set_bans(bans)
        self._hidden = set(hidden)

    def apply_changes(self, bans: Iterable[Ban], games: Iterable[Moderated]) -> list[str]:
        """Take over what `read_news` has returned; return the games that another has changed."""
        self.set_bans(bans)
        news = [each for each in games if self._known.get(each.game) != each.time]
        for each in news:
            self.set_hidden(*each)
        self.prune()
        return [each.game for each in news]

    def forget(self) -> None:
        """Drop what is over from the store; in the thread that writes."""
        now = self._now()
        self._store.forget_moderation(now, now - KEPT)


def network_named(text: str) -> IPv4Network | IPv6Network:
    """Return the network that an operator names: an address, or one as in ``192.0.2.0/24``.

    Raises:
        ValueError: the text names no network.
    """
    network = ip_network(text.strip(), strict=False)
    if network.version == 6 and network.network_address.ipv4_mapped and network.prefixlen >= 96:
        mapped = network.network_address.ipv4_mapped
        return IPv4Network((int(mapped), network.prefixlen - 96))
    return network


def _network_at(address: str, length: int) -> str:
    """Return the network of a length that an address is in."""
    return str(ip_network(f"{address}/{length}", strict=False))
