"""Tasks that run beside the requests, held until they are done."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from logging import ERROR
from typing import Any

from .logs import say


class Tasks:
    """The tasks that are running."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def start(self, job: Coroutine[Any, Any, None]) -> None:
        """Run a job, and log its failure if it fails."""
        task = asyncio.get_running_loop().create_task(job)
        self._running.add(task)
        task.add_done_callback(self._done)

    def cancel(self) -> tuple[asyncio.Task[None], ...]:
        """Cancel all tasks, and return them."""
        tasks = tuple(self._running)
        for task in tasks:
            task.cancel()
        return tasks

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            say("a task failed", level=ERROR, error=error)
