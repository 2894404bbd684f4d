"""How long a cluster may fail at something before a search on it is given up."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.limits import shortest
from tic_tac_toe.logic.exceptions import GameError

#: Seconds for which a scheduler may be out of reach, because its machine restarts or the network
#: is down.
PATIENCE_SECONDS = 120.0


class ClusterError(GameError, ConnectionError):
    """The cluster is out of reach, has no workers, or fails at a job again and again."""


class Patience:
    """Counts failures in a row as temporary until the first of them is too long ago.

    Args:
        seconds: from the first failure of a row to the one that ends the search.
        clock: returns the time in seconds.
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self.seconds = seconds
        self._clock = clock
        self._failing_since: float | None = None

    def succeed(self) -> None:
        """End the row of failures."""
        self._failing_since = None

    def fail(self, error: BaseException) -> None:
        """Note a failure.

        Raises:
            ClusterError: the row has lasted too long; the failure is its cause.
        """
        now = self._clock()
        if self._failing_since is None:
            self._failing_since = now
        if now - self._failing_since >= self.seconds:
            raise ClusterError(
                "the connection to the cluster has been lost for {count} seconds",
                "cluster_lost",
                count=shortest(self.seconds),
            ) from error
