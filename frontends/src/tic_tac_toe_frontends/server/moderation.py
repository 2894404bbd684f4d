"""The decisions of operators in memory: bans, hidden games, and draining."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from math import inf

from tic_tac_toe.protocols.online.events import Said
from tic_tac_toe.protocols.online.replies import REASONS, Notice

from .logs import log
from .storage.store import Ban, Moderated, Store

#: Milliseconds for which changes of games are kept in the store; servers read them more often.
KEPT = 3_600_000
#: Milliseconds by which the clocks of servers may differ.
SKEW = 60_000
#: The notices to all clients when draining starts and ends.
DRAINING = Notice(str(REASONS["draining"]), "draining")
REOPENED = Notice(str(REASONS["reopened"]), "reopened")


class UnknownGame(Exception):
    """There is no such game."""


class Moderation:
    """The decisions of operators, as far as this server knows.

    Args:
        store: keeps them.
        clock: seconds since any start.
        now: returns milliseconds since 1970.

    Attributes:
        hidden: the games that only their players may see.
        refused: connections and requests that came from banned addresses.
        banned: called when the bans have changed.
        notify: sends a notice to all clients, and counts them.
    """

    def __init__(self, store: Store, clock: Callable[[], float], now: Callable[[], int]) -> None:
        self.hidden: set[str] = set()
        self.refused = 0
        self.banned: Callable[[], object] = lambda: None
        self.notify: Callable[[Notice], int] = lambda _: 0
        self._store = store
        self._clock = clock
        self._now = now
        self._bans: dict[str, Ban] = {}
        self._lengths: dict[int, set[int]] = {}  # prefix lengths of banned networks, by IP version
        self._known: dict[str, int] = {}  # changed games, and when they were changed
        self._draining_until = -inf
        self._timer: asyncio.TimerHandle | None = None
        self._read_at = now()
        self._network = lru_cache(4_096)(_network_at)

    @property
    def bans(self) -> list[Ban]:
        """The bans in force."""
        now = self._now()
        return [ban for ban in self._bans.values() if ban.until > now]

    def set_bans(self, bans: Iterable[Ban]) -> None:
        """Replace the bans in force; if they have changed, close the banned connections."""
        known, self._bans = self._bans, {ban.network: ban for ban in bans}
        if self._bans == known:
            return
        self._lengths = {}
        for network in map(ip_network, self._bans):
            self._lengths.setdefault(network.version, set()).add(network.prefixlen)
        self.banned()

    def banned_until(self, address: str) -> int:
        """Return until when an address is banned, in ms since 1970; 0 if it is not."""
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

    def set_hidden(self, game: str, hidden: bool, time: int) -> None:
        """Record a change that this server has made to a game."""
        self._known[game] = time
        (self.hidden.add if hidden else self.hidden.discard)(game)

    def try_again(self, game: str) -> None:
        """Let `read_changes` return a game once more that another server has changed."""
        self._known.pop(game, None)
        self._read_at = 0

    def prune(self) -> None:
        """Forget the changes that are older than `KEPT`."""
        old = self._now() - KEPT
        self._known = {game: time for game, time in self._known.items() if time > old}

    @property
    def is_draining(self) -> bool:
        """Whether no new games may be created here."""
        return self._clock() < self._draining_until

    def drain(self, seconds: float) -> int:
        """Create no games for some seconds (0: until `end_drain`); return how many were told.

        Nobody is told again if the server is draining already.
        """
        is_known = self.is_draining
        self._draining_until = self._clock() + (seconds or inf)
        self.cancel_timer()
        if seconds:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._check_end)
        return 0 if is_known else self.notify(DRAINING)

    def end_drain(self) -> int:
        """Create games again; return how many were told, 0 if the server was not draining."""
        was_draining = self.is_draining
        self._draining_until = -inf
        self.cancel_timer()
        return self.notify(REOPENED) if was_draining else 0

    def cancel_timer(self) -> None:
        """Tell nobody any more that a drain is over."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_end(self) -> None:
        if self.is_draining:  # `call_later` may fire a little early
            self._timer = asyncio.get_running_loop().call_later(0.1, self._check_end)
            return
        self._timer = None
        log("drain ended")
        self.notify(REOPENED)

    def read(self) -> tuple[list[Ban], list[str]]:
        """Return the bans and the hidden games from the store."""
        return self._store.bans(self._now()), self._store.hidden_games()

    def read_changes(self) -> tuple[list[Ban], list[Moderated]]:
        """Return the bans, and the games changed lately by any server."""
        now, since = self._now(), max(self._read_at, self._now() - KEPT) - SKEW
        changes = self._store.bans(now), self._store.moderated(since)
        self._read_at = now
        return changes

    def load(self, bans: Iterable[Ban], hidden: Iterable[str]) -> None:
        """Apply the result of `read`."""
        self.set_bans(bans)
        self.hidden = set(hidden)

    def apply_changes(self, bans: Iterable[Ban], games: Iterable[Moderated]) -> list[str]:
        """Apply the result of `read_changes`; return the games that another server has changed."""
        self.set_bans(bans)
        changed = [each for each in games if self._known.get(each.game) != each.time]
        for each in changed:
            self.set_hidden(*each)
        self.prune()
        return [each.game for each in changed]

    def delete_expired(self) -> None:
        """Delete expired bans and old changes from the store; in the thread that writes."""
        now = self._now()
        self._store.forget_moderation(now, now - KEPT)


def without_text(event: Said) -> Said:
    """Return an emptied line of chat."""
    return replace(event, text="", removed=True)


def network_named(text: str) -> IPv4Network | IPv6Network:
    """Return the network of a text: an address, or one as in ``192.0.2.0/24``.

    Raises:
        ValueError: the text names no network.
    """
    network = ip_network(text.strip(), strict=False)
    if network.version == 6 and network.network_address.ipv4_mapped and network.prefixlen >= 96:
        mapped = network.network_address.ipv4_mapped
        return IPv4Network((int(mapped), network.prefixlen - 96))
    return network


def _network_at(address: str, length: int) -> str:
    return str(ip_network(f"{address}/{length}", strict=False))
