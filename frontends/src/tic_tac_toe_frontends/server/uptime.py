"""The time of day, and when servers were running: time without any is charged to no player."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from logging import ERROR, WARNING

from .loaded_game import Readers
from .logs import log
from .storage.store import StorageError
from .writer import Writer

#: Seconds without a beat after which a server, or its machine, has slept.
SLEEP_SECONDS = 3.0
#: Milliseconds by which the machine's clock may differ from this server's without having jumped,
#: and that are made up with each beat.
DRIFT, CORRECTION = 1_000, 20
#: Seconds after which a clock that has jumped ahead is believed.
BELIEVED_AFTER = 600.0


def time_of_machine() -> int:
    """Return the time of day by the machine's clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def steady_time() -> int:
    """Return milliseconds since any start, also those in which the machine slept, if it tells."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    return time.monotonic_ns() // 1_000_000


class TimeOfDay:
    """The time of day, which goes on evenly whatever is done to the machine's clock.

    Games end and are deleted by it, and players' clocks run by it. A machine's clock that is set
    ahead is followed after `BELIEVED_AFTER` seconds, as if the server had slept; one that is set
    back is not followed before the next start.

    Args:
        machine: returns the machine's time of day, in milliseconds since 1970.
        steady: returns milliseconds since any start.

    Attributes:
        jumps: how often the machine's clock has jumped.
    """

    def __init__(
        self, machine: Callable[[], int] = time_of_machine, steady: Callable[[], int] = steady_time
    ) -> None:
        self.jumps = 0
        self._machine, self._steady = machine, steady
        self._offset = machine() - steady()
        self._jumped_at: int | None = None

    def now(self) -> int:
        """Return the time of day, in milliseconds since 1970."""
        return self._steady() + self._offset

    @property
    def ahead(self) -> int:
        """The milliseconds that the machine's clock is ahead of this one; behind, if below 0."""
        return self._machine() - self.now()

    def follow(self) -> None:
        """Make up a small difference to the machine's clock, and notice a large one."""
        ahead, steady = self.ahead, self._steady()
        if abs(ahead) <= DRIFT:
            self._jumped_at = None
            self._offset += max(-CORRECTION, min(ahead, CORRECTION))
        elif self._jumped_at is None:
            self._jumped_at = steady
            self.jumps += 1
            log("the machine's clock has jumped", level=WARNING, seconds=ahead / 1000)
        elif ahead > 0 and steady - self._jumped_at >= 1000 * BELIEVED_AFTER:
            self._jumped_at = None
            self._offset += ahead
            log("the machine's clock is believed", level=WARNING, seconds=ahead / 1000)


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
        self._waiting: list[asyncio.Future[None]] = []
        self._is_asked = asyncio.Event()

    @property
    def has_slept(self) -> bool:
        """Whether this server has slept, and no beat has been recorded since."""
        return self._now() - self.awake_at > 1000 * self.sleep_seconds

    async def known(self) -> None:
        """Wait until it is known whether the time just passed was a pause; a beat comes at once."""
        self._waiting.append(beat := asyncio.get_running_loop().create_future())
        self._is_asked.set()
        await beat

    async def until_next_beat(self, seconds: float) -> None:
        """Wait some seconds, or until somebody waits for a beat."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._is_asked.wait(), seconds)
        self._is_asked.clear()

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
        try:
            if not self._writer.failed and clocks_run:
                await (self.record_start() if has_slept else self.record_beat())
        except StorageError as error:
            log("a beat could not be written", level=ERROR, problem=str(error))
            self._writer.check()
        finally:
            self.awake_at = self._now()
            waiting, self._waiting = self._waiting, []
            for beat in waiting:
                if not beat.done():
                    beat.set_result(None)

    async def record_beat(self) -> None:
        """Record that this server runs until now."""
        await self._writer.run(self._store.beat, self._now())

    async def read_pauses(self) -> None:
        """Read the pauses that other servers have recorded."""
        pauses = await self._readers.run(self._store.pauses)
        # A read that started before this server recorded a pause lacks that pause.
        self.pauses = max(self.pauses, pauses, key=len)
