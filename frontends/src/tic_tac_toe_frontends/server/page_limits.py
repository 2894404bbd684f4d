"""How many pages each visitor may ask for: making one takes time from everybody's moves."""

from __future__ import annotations

from collections.abc import Callable

from .rate_limits import Bucket, network_of


class PageLimits:
    """The credit of the addresses that have asked for pages lately.

    Args:
        clock: seconds from any start.
    """

    #: Pages that an address may ask for at once, and how many more in each second.
    AT_ONCE, PER_SECOND = 60.0, 5.0
    #: More addresses are not remembered: who is forgotten begins anew.
    MOST = 20_000

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._buckets: dict[str, Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def wait_of(self, address: str) -> float:
        """Return 0 and take note of one more page; or the seconds until there may be one."""
        now = self.clock()
        address = network_of(address)
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= self.MOST:
                self._forget(now)
            bucket = self._buckets[address] = Bucket(self.AT_ONCE, self.PER_SECOND, now)
        return bucket.spend(now)

    def _forget(self, now: float) -> None:
        """Make room: for those first who have all their credit, and if need be for everybody."""
        self._buckets = {
            address: bucket for address, bucket in self._buckets.items() if not bucket.is_full(now)
        }
        if len(self._buckets) >= self.MOST:
            self._buckets.clear()
