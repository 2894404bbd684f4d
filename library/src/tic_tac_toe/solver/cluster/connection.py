"""Connecting to the scheduler of a cluster, and for how long it may fail."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from tic_tac_toe.extras import CLUSTER, missing_sentence
from tic_tac_toe.limits import shortest
from tic_tac_toe.logic.exceptions import GameError, quoted

if TYPE_CHECKING:
    from distributed import Client

#: The name in the message that one of these packages is missing.
CLUSTER_SOLVER = "the cluster solver"
PACKAGES = ("distributed",)
CONNECT_SECONDS = 10.0
#: Seconds for which a scheduler may be out of reach, because its machine restarts or the network
#: is down.
PATIENCE_SECONDS = 120.0
#: Seconds without any worker after which the search ends.
WORKER_SECONDS = 30.0
#: The most seconds that one look at the scheduler may take, and those between two looks.
LOOK_SECONDS, COUNT_SECONDS = 10.0, 2.0
#: Dask's errors while a connection or a worker is lost; some are no `Exception`.
FAILURES = (Exception, asyncio.CancelledError)


class ClusterError(GameError, ConnectionError):
    """The cluster is out of reach, has no workers, or fails at a job again and again."""


def connect(address: str, timeout: float = CONNECT_SECONDS) -> Client:
    """Return a client of the Dask scheduler at an address, such as ``tcp://10.0.0.1:8786``.

    Raises:
        ClusterError: a `ConnectionError`; nothing answers there in time.
        ModuleNotFoundError: Dask is not installed.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        if error.name not in ("dask", "distributed"):
            raise
        sentence = missing_sentence(CLUSTER_SOLVER, CLUSTER)
        raise ModuleNotFoundError(sentence, name=error.name) from None
    try:
        with ThreadPoolExecutor(1) as pool:  # there may be an event loop in this thread
            pool.submit(asyncio.run, _shake_hands(address, timeout)).result()
        # A client that has lost its scheduler looks for it until the timeout, and then closes.
        return Client(address, timeout=max(timeout, PATIENCE_SECONDS), set_as_default=False)
    except Exception as error:  # another program there may answer anything
        raise ClusterError(
            "no Dask scheduler answers at {address}", "cluster_silent", address=quoted(address)
        ) from error


async def _shake_hands(address: str, timeout: float) -> None:
    """Connect as a client does, in bounded time: a client waits for ever for an answer."""
    from distributed.comm import connect as connect_to
    from distributed.security import Security

    async def connect_and_close() -> None:
        arguments = Security().get_connection_args("client")
        comm = await connect_to(address, timeout=timeout, **arguments)
        await comm.close()

    await asyncio.wait_for(connect_and_close(), timeout)


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


class Workers:
    """Counts the threads of a cluster's workers now and then, and notices when they are gone.

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
