"""Threads that answer queries, so that screens stay responsive."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeAlias, TypeVar

Result = TypeVar("Result")

#: Returns a query's result, or raises its exception.
Outcome: TypeAlias = Callable[[], Any]
#: Runs a call in a thread, and passes its outcome on in the screen's thread.
Start: TypeAlias = Callable[[Callable[[], Any], Callable[[Outcome], object]], object]

#: A searching thread yields to the screen's after this number of seconds, a tenth of Python's
#: default.
SWITCH_SECONDS = 0.0005


class Background:
    """Answers queries in threads; `ask` is an `Ask`.

    At most ``most`` queries of a kind run at once, stale ones included. Of further queries the
    newest of each kind waits and the others are dropped, so that undo and redo do not pile up
    threads. An exception of a query is raised in the receiver of its outcome.

    Args:
        start: runs a query in a thread.
        most: the maximum number of threads for each kind of query.
    """

    def __init__(self, start: Start, most: int = 2) -> None:
        self._start = start
        self._most = most
        self._running: Counter[type] = Counter()
        self._waiting: dict[type, Callable[[], None]] = {}

    def ask(self, query: Callable[[], Result], done: Callable[[Result], object]) -> None:
        """Start a query now, or after another one of its kind has ended; see `Ask`."""
        kind = type(query)
        begin = partial(self._start_query, query, done)
        if self._running[kind] < self._most:
            begin()
        else:
            self._waiting[kind] = begin

    def _start_query(self, query: Callable[[], Result], done: Callable[[Result], object]) -> None:
        kind = type(query)

        def ended(outcome: Callable[[], Result]) -> None:
            self._running[kind] -= 1
            if begin := self._waiting.pop(kind, None):
                begin()
            done(outcome())

        self._running[kind] += 1
        self._start(query, ended)


def in_background(call: Callable[[], object], ended: Callable[[Outcome], object]) -> None:
    """Start a call in a daemon thread, which blocks neither the caller nor the program's end.

    Args:
        ended: called in that thread with the outcome.
    """

    def run() -> None:
        answer: Future[object] = Future()
        try:
            answer.set_result(call())
        except Exception as error:
            answer.set_exception(error)
        ended(answer.result)

    threading.Thread(target=run, name="thinking", daemon=True).start()


def on_loop(spawn: Callable[[Coroutine[Any, Any, None]], object]) -> Start:
    """Return a `Start` for a screen with a running event loop.

    Args:
        spawn: runs a coroutine as a task of that loop.
    """

    def start(call: Callable[[], Any], ended: Callable[[Outcome], object]) -> None:
        async def wait() -> None:
            answer: Future[Outcome] = Future()
            answer.set_running_or_notify_cancel()  # a cancelled task does not wait for the thread
            in_background(call, answer.set_result)
            ended(await asyncio.wrap_future(answer))

        spawn(wait())

    return start
