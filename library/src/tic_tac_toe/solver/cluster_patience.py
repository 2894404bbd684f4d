"""How long a cluster may fail at something before a search on it is given up."""

from __future__ import annotations

from collections.abc import Callable


class ClusterError(ConnectionError):
    """The cluster is out of reach, has no workers, or fails at a job again and again."""


class Patience:
    """Bears failures in a row until the first of them is too long ago.

    Args:
        seconds: from the first failure of a row to the one that ends the search.
        clock: tells the seconds.
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self.seconds = seconds
        self._clock = clock
        self._failing_since: float | None = None

    def succeed(self) -> None:
        """End the row of failures."""
        self._failing_since = None

    def fail(self, error: BaseException) -> None:
        """Bear a failure.

        Raises:
            ClusterError: no more, with the failure as its cause.
        """
        now = self._clock()
        if self._failing_since is None:
            self._failing_since = now
        if now - self._failing_since >= self.seconds:
            lost = f"the connection to the cluster has been lost for {self.seconds:g} seconds"
            raise ClusterError(lost) from error
