"""Rate limits on pages: making one takes time from everybody's moves."""

from __future__ import annotations

from collections.abc import Callable

from .rate_limits import Bucket, network_of


class PageLimits:
    """The rate limits of the addresses that have asked for pages lately.

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
