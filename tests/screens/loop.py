"""An event loop that runs only while somebody waits for what is done on it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, TypeVar

from tests.frontends.programs import PATIENCE

Value = TypeVar("Value")
Result = TypeVar("Result")


class Loop(Generic[Value]):
    """Does one thing after the other in one task of its own, within a context.

    Args:
        context: what holds meanwhile; ``value`` is what it gives.
    """

    value: Value

    def __init__(self, context: AbstractAsyncContextManager[Value]) -> None:
        self._loop = asyncio.new_event_loop()
        self._things: asyncio.Queue[Callable[[], Awaitable[None]] | None] = asyncio.Queue()
        self._task = self._loop.create_task(self._serve(context))
        self.do(self._begin)

    async def _begin(self) -> None:
        """Do nothing: by then the context has been entered."""

    async def _serve(self, context: AbstractAsyncContextManager[Value]) -> None:
        async with context as self.value:
            while (thing := await self._things.get()) is not None:
                await thing()

    def do(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Do something, and return its result."""
        results: list[Result] = []
        errors: list[BaseException] = []
        done = self._loop.create_future()

        async def thing() -> None:
            try:
                results.append(await work())
            except BaseException as error:
                errors.append(error)
            done.set_result(None)

        async def wait() -> None:
            await asyncio.wait({done, self._task}, return_when=asyncio.FIRST_COMPLETED)
            if self._task.done():
                await self._task

        self._things.put_nowait(thing)
        self._loop.run_until_complete(wait())
        for error in errors:
            raise error
        return results[0]

    def until(self, condition: Callable[[], Any]) -> None:
        """Let the loop go on until something holds."""

        async def wait() -> None:
            deadline = time.monotonic() + PATIENCE
            while not condition():
                assert time.monotonic() < deadline, "it did not come to this"
                await asyncio.sleep(0.002)

        self.do(wait)

    def close(self) -> None:
        """Leave the context, and see that nothing is left on the loop."""
        self._things.put_nowait(None)
        self._loop.run_until_complete(self._task)
        left = asyncio.all_tasks(self._loop)
        if left:
            self._loop.run_until_complete(asyncio.wait(left, timeout=PATIENCE))
        assert not asyncio.all_tasks(self._loop)
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()
