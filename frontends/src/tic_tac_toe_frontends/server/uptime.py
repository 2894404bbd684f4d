"""When servers were running: time without any server is charged to no player."""

from __future__ import annotations

from collections.abc import Callable
from logging import ERROR

from .logs import log
from .readers import Readers
from .storage.store import StorageError
from .writer import Writer

#: Seconds without a beat after which a server, or its machine, has slept.
SLEEP_SECONDS = 3.0


class Uptime:
    """Records beats while clocks run, and knows the pauses.

    Args:
        now: returns milliseconds since 1970.
        grace: milliseconds without any server that count as no pause.

    Attributes:
        pauses: the times without any server, in order.
        awake_at: when this server was last known to run, in milliseconds since 1970.
        woke_at: when this server last noticed that it had slept, likewise; 0 if it never has.
    """

    def __init__(
        self, writer: Writer, readers: Readers, grace: int, now: Callable[[], int]
    ) -> None:
        self.grace = grace
        self.pauses: tuple[tuple[int, int], ...] = ()
        self.awake_at = now()
        self.woke_at = 0
        self.sleep_seconds = SLEEP_SECONDS
        self._writer = writer
        self._readers = readers
        self._store = writer.store
        self._now = now

    @property
    def has_slept(self) -> bool:
        """Whether this server has slept, and no beat has been recorded since."""
        return self._now() - self.awake_at > 1000 * self.sleep_seconds

    async def record_start(self) -> None:
        """Record that this server runs; the time since the last beat becomes a pause."""
        await self._writer.run(self.record_start_now)

    def record_start_now(self) -> None:
        """Record it, in the thread that writes."""
        self._store.record_start(self._now(), self.grace)
        self.pauses = self._store.pauses()

    async def beat(self, clocks_run: bool) -> None:
        """Record that this server runs, if any player's clock does.

        Time that it slept becomes a pause, unless another server was running.
        """
        has_slept = self.has_slept
        if has_slept:
            self.woke_at = self._now()
        if not self._writer.failed and clocks_run:
            try:
                if has_slept:
                    await self.record_start()
                else:
                    await self.record_beat()
            except StorageError as error:
                log("a beat could not be written", level=ERROR, problem=str(error))
                self._writer.check()
        self.awake_at = self._now()

    async def record_beat(self) -> None:
        """Record that this server runs until now."""
        await self._writer.run(self._store.beat, self._now())

    async def read_pauses(self) -> None:
        """Read the pauses that other servers have recorded."""
        pauses = await self._readers.run(self._store.pauses)
        # A read that started before this server recorded a pause lacks that pause.
        self.pauses = max(self.pauses, pauses, key=len)
