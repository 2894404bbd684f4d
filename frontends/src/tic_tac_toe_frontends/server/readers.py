"""Threads that read the store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from logging import ERROR

from tic_tac_toe.protocols.online.events import Event

from .logs import log
from .storage.store import DamagedGame, Result, Store

#: Reads at once.
THREADS = 4


class Readers:
    """Runs reads of the store in a pool of threads; `failed` is called when one fails."""

    def __init__(self, store: Store, failed: Callable[[], None]) -> None:
        self.store = store
        self._failed = failed
        self._is_closed = False
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="reader")

    def close(self) -> None:
        """Start no more reads; running ones are not waited for."""
        self._is_closed = True
        self._threads.shutdown(wait=False)

    async def run(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Return the result of a reading function of the store."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, function, *arguments)

    def events(
        self, address: str, after: int, then: Callable[[list[Event] | DamagedGame | None], None]
    ) -> None:
        """Read events of a game, and call back with them; with ``None`` if that failed."""
        self.call(_events, address, after, then=then)

    def call(
        self, read: Callable[..., Result], *arguments: object, then: Callable[[Result | None], None]
    ) -> None:
        """Call back with the result of `read(store, *arguments)`; with ``None`` if it failed."""
        loop = asyncio.get_running_loop()
        if self._is_closed:
            loop.call_soon(then, None)
            return
        future = loop.run_in_executor(self._threads, read, self.store, *arguments)

        def done(result: asyncio.Future[Result]) -> None:
            if result.cancelled():
                return
            error = result.exception()
            if error is not None:
                log("the log cannot be read", level=ERROR, problem=str(error))
                self._failed()
            then(None if error is not None else result.result())

        future.add_done_callback(done)


def _events(store: Store, address: str, after: int) -> list[Event] | DamagedGame:
    try:
        return store.events(address, after)
    except DamagedGame as error:
        return error
