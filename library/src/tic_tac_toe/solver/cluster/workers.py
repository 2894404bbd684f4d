"""How many threads the workers of a cluster have."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tic_tac_toe.limits import shortest
from tic_tac_toe.solver.cluster.patience import ClusterError, Patience

if TYPE_CHECKING:
    from distributed import Client

#: Seconds without any worker after which the search ends.
WORKER_SECONDS = 30.0
#: The most seconds that one look at the scheduler may take, and those between two looks.
LOOK_SECONDS, COUNT_SECONDS = 10.0, 2.0
#: Whatever Dask raises while a connection or a worker is lost; some of it is no `Exception`.
FAILURES = (Exception, asyncio.CancelledError)


class Workers:
    """Counts the threads of a cluster's workers now and then: this tells that they are there.

    Args:
        client: of the cluster.
        patience: with looks at the scheduler that fail.
        clock: returns the time in seconds.
        worker_seconds: how long the cluster may have no worker before the search ends.
        look_seconds, count_seconds: the most that one look at the scheduler may take, and the time
            between two looks.

    Attributes:
        threads: how many there were at the last look; 0 before the first.
    """

    def __init__(
        self,
        client: Client,
        patience: Patience,
        clock: Callable[[], float],
        *,
        worker_seconds: float,
        look_seconds: float,
        count_seconds: float,
    ) -> None:
        self.threads: int = 0
        self._client, self._patience, self._clock = client, patience, clock
        self._worker_seconds = worker_seconds
        self._look_seconds, self._count_seconds = look_seconds, count_seconds
        self._counted = -math.inf  # when threads were counted
        self._none_since: float | None = None  # of the first look in a row that saw no worker

    def count(self, at_once: bool = False) -> None:
        """Look at the scheduler, unless the last look is less than ``count_seconds`` ago.

        Raises:
            ClusterError: there is no worker, or the scheduler has been out of reach, for too long.
        """
        now = self._clock()
        if now - self._counted < self._count_seconds and not at_once:
            return
        self._counted = now
        try:
            # Any, for Dask's types do not tell that a client which is not asynchronous answers.
            threads: Any = self._client.nthreads(callback_timeout=self._look_seconds)
            self.threads = sum(threads.values())
        except FAILURES as error:
            self._patience.fail(error)
            self._none_since = None  # whether there are workers is not known
            return
        self._patience.succeed()
        # From the first look that saw none: between two looks the search here may take a while.
        if self.threads:
            self._none_since = None
        elif self._none_since is None:
            self._none_since = now
        elif now - self._none_since >= self._worker_seconds:
            raise ClusterError(
                "the cluster has had no worker for {count} seconds",
                "cluster_no_worker",
                count=shortest(self._worker_seconds),
            )
