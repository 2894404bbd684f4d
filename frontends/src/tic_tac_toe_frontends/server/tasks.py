"""Tasks that run beside the requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from logging import ERROR
from typing import Any

from .logs import log

#: Seconds after which tasks that still run are cancelled again.
AGAIN = 1.0
#: Seconds until a recurring job that has failed is restarted.
RESTART_SECONDS = 1.0


class Tasks:
    """The running tasks; this keeps them from being garbage collected.

    Attributes:
        failures: failures of recurring jobs.
    """

    def __init__(self) -> None:
        self.failures = 0
        self._has_ended = False
        self._running: set[asyncio.Task[object]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def start(self, job: Coroutine[Any, Any, object]) -> None:
        """Run a job, and log its failure; once the tasks have ended, none is started."""
        if self._has_ended:
            job.close()
            return
        task = asyncio.get_running_loop().create_task(job)
        self._running.add(task)
        task.add_done_callback(self._done)

    def run_forever(self, job: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a job that never ends, and restart it whenever it fails."""
        self.start(self._run_forever(job))

    async def _run_forever(self, job: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            try:
                await job()
            except Exception as error:  # the server needs the job, whatever has failed
                log("a job failed", level=ERROR, error=error, job=job.__name__)
                self.failures += 1
            await asyncio.sleep(RESTART_SECONDS)

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in tuple(self._running):
            task.cancel()

    async def end(self) -> None:
        """Cancel all tasks, and wait until they have ended.

        A library can lose a cancellation that comes together with the result it waits for, so
        cancellation is repeated.
        """
        self._has_ended = True
        while self._running:
            self.cancel()
            await asyncio.wait(tuple(self._running), timeout=AGAIN)

    def _done(self, task: asyncio.Task[object]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log("a task failed", level=ERROR, error=error)
