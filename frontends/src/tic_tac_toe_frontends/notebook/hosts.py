"""Where the queries of a game are answered: beside the event loop of a notebook, or at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from ..table.background import Background, on_loop
from ..table.queries import ask_here
from ..table.table import Table


class Inline:
    """Answers queries where they are asked: when a call returns, the computers have moved."""

    ask = staticmethod(ask_here)

    def pause(self, go_on: Callable[[], object]) -> None:
        """Go on at once."""
        go_on()

    def hear(self, call: Callable[[], object]) -> None:
        """Do what a message of the page asks for."""
        call()

    async def settle(self) -> None:
        """Return at once: no computer is thinking."""

    def stop(self) -> None:
        """Do nothing: no query is under way."""


class OnLoop:
    """Answers queries in threads, and passes the answers on as tasks of an event loop.

    Args:
        loop: the loop of the thread that owns the table.
        delay: the pause before a computer's move where no person plays, in seconds.
    """

    def __init__(self, table: Table, loop: asyncio.AbstractEventLoop, delay: float) -> None:
        self._table = table
        self._delay = delay
        self._loop = loop
        self._owner = threading.get_ident()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.ask = Background(on_loop(self._spawn)).ask

    def pause(self, go_on: Callable[[], object]) -> None:
        """Go on after a pause where no person plays."""
        if self._table.people:
            go_on()
        else:
            self._spawn(self._wait(go_on))

    async def _wait(self, go_on: Callable[[], object]) -> None:
        await asyncio.sleep(self._delay)
        go_on()

    def hear(self, call: Callable[[], object]) -> None:
        """Do what a message of the page asks for, in the thread that owns the table."""
        if threading.get_ident() == self._owner:
            call()
        else:
            self._loop.call_soon_threadsafe(call)

    async def settle(self) -> None:
        """Wait until no computer is thinking."""
        while self._table.thinker is not None and self._tasks:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)

    def stop(self) -> None:
        """Cancel all that is under way."""
        for task in [*self._tasks]:
            task.cancel()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


Host: TypeAlias = Inline | OnLoop


def host_for(table: Table, delay: float) -> Host:
    """Return a host with the event loop that runs here, or without where none does."""
    try:
        return OnLoop(table, asyncio.get_running_loop(), delay)
    except RuntimeError:
        return Inline()
