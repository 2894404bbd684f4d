"""All writes to the log: transactions are gathered for a moment and committed in groups."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from logging import ERROR, WARNING

from .logs import log
from .metrics import Metrics
from .storage.game_rows import Transaction
from .storage.store import Result, StorageError, Store

#: Seconds that the first transaction of a group waits for more.
GATHER_SECONDS = 0.003
#: Transactions in one commit at most.
MOST_TRANSACTIONS = 256
#: Seconds after a failure until the store is opened again.
REOPEN_SECONDS = 1.0


class CommitResult(Enum):
    """What became of a transaction."""

    WRITTEN = "written"  #: it is in the log for good
    TAKEN = "taken"  #: another event has its version or message id; nothing was written
    UNKNOWN = "unknown"  #: the storage failed; it may or may not be in the log


class Writer:
    """Commits transactions in order of arrival, many at a time (group commit).

    Clients see nothing of a transaction before it is committed. After a failure nothing is written
    until the store has been opened again.

    Attributes:
        reopened: awaited when the store is open again, before anything is written.
    """

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self.store = store
        self.metrics = metrics
        self.gather = GATHER_SECONDS
        self.reopen_after = REOPEN_SECONDS
        self.reopened: Callable[[], Awaitable[object]] | None = None
        self.failed = False
        self._waiting: list[tuple[Transaction, asyncio.Future[CommitResult]]] = []
        self._committing = False
        self._timer: asyncio.TimerHandle | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._idle = asyncio.Event()
        self._idle.set()
        self._reopening: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def write(self, transaction: Transaction) -> asyncio.Future[CommitResult]:
        """Commit a transaction soon; the order of calls is the order of commits."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[CommitResult] = loop.create_future()
        if self.failed:
            result.set_result(CommitResult.UNKNOWN)
            return result
        self._waiting.append((transaction, result))
        self._idle.clear()
        if self._committing:
            return result
        if len(self._waiting) >= MOST_TRANSACTIONS:
            self._commit()
        elif self._timer is None:
            self._timer = loop.call_later(self.gather, self._commit)
        return result

    async def drain(self) -> None:
        """Wait until every transaction has its result."""
        await self._idle.wait()

    async def close(self) -> None:
        """Write what is waiting, and close the store; later transactions are not written."""
        await self.drain()
        self.failed = True
        if self._reopening is not None:
            self._reopening.cancel()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self.store.close)
        self._thread.shutdown(wait=False)

    async def run(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Return the result of a writing function of the store, which runs between commits."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, function, *arguments)

    def check(self) -> None:
        """Test with an empty commit whether the store still works."""
        if not self.failed:
            self.write(Transaction(()))

    def _commit(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._committing or not self._waiting:
            return
        group = self._waiting[:MOST_TRANSACTIONS]
        self._waiting = self._waiting[MOST_TRANSACTIONS:]
        self._committing = True
        transactions = [transaction for transaction, _ in group]
        started = time.perf_counter()
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._thread, self.store.commit, transactions)

        def done(result: asyncio.Future[list[bool]]) -> None:
            try:
                error = result.exception()
                if error is None:
                    events = sum(len(transaction.events) for transaction in transactions)
                    self.metrics.committed(len(transactions), events, time.perf_counter() - started)
                    results = [
                        CommitResult.WRITTEN if there else CommitResult.TAKEN
                        for there in result.result()
                    ]
                else:
                    self._fail(error)
                    group.extend(self._waiting)
                    self._waiting = []
                    results = [CommitResult.UNKNOWN] * len(group)
                for (_, waiter), outcome in zip(group, results):
                    if not waiter.done():  # the server's end has cancelled it
                        waiter.set_result(outcome)
            finally:
                loop.call_soon(self._go_on)  # after the games that wake up now and may write more

        future.add_done_callback(done)

    def _go_on(self) -> None:
        self._committing = False
        if self._waiting:
            self._commit()
        else:
            self._idle.set()

    def _fail(self, error: BaseException) -> None:
        if not isinstance(error, StorageError):
            log("a commit failed unexpectedly", level=ERROR, error=error)
        log("storage failed", level=ERROR, problem=str(error))
        self.metrics.storage_errors.inc()
        if self.failed:
            return
        self.failed = True
        self._reopening = asyncio.get_running_loop().create_task(self._reopen())

    async def _reopen(self) -> None:
        while self.failed:
            await asyncio.sleep(self.reopen_after)
            try:
                await self.run(self.store.open)
                if self.reopened is not None:
                    await self.reopened()
            except StorageError as error:
                log("storage cannot be opened", level=ERROR, problem=str(error))
            else:
                self.failed = False
                log("storage is open again", level=WARNING)
