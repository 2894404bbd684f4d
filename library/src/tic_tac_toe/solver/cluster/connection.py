"""Connecting to the scheduler of a cluster."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tic_tac_toe.extras import CLUSTER, missing_sentence
from tic_tac_toe.logic.exceptions import quoted
from tic_tac_toe.solver.cluster.patience import PATIENCE_SECONDS, ClusterError

if TYPE_CHECKING:
    from distributed import Client

#: What is said to need these packages where one is missing.
CLUSTER_SOLVER = "the cluster solver"
PACKAGES = ("distributed",)
CONNECT_SECONDS = 10.0


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
    except Exception as error:  # whoever listens there may answer anything
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
