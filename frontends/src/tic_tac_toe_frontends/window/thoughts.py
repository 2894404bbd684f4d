"""What is being thought aside, and its way back to the thread that owns the window."""

from __future__ import annotations

import queue
import tkinter as tk
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from ..table.thinking import in_background

Result = TypeVar("Result")
_Start: TypeAlias = Callable[[], None]

#: How often results are looked for while there are thoughts, in milliseconds.
POLL_MILLISECONDS = 15
#: So many thoughts at most are under way at once, those included that nobody wants any more:
#: whoever takes back and plays again and again piles up no threads.
MOST = 2


class Thoughts:
    """Calls that run in threads of their own, and whose results are used in the window's thread.

    A thread never touches a widget: it puts its result into a queue, and Tk's loop looks there.

    Args:
        widget: any of the window's, for its loop.
    """

    def __init__(self, widget: tk.Misc) -> None:
        self._widget = widget
        self._ended: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._under_way = 0
        self._waiting: _Start | None = None
        self._timer: str | None = None

    def start(self, call: Callable[[], Result], done: Callable[[Result], object]) -> None:
        """Start a call, or let it wait until there is room; only the latest waits.

        Args:
            done: is given the result, in the window's thread. What the call raises is raised there.
        """

        def start() -> None:
            self._under_way += 1
            in_background(
                call,
                lambda result: self._ended.put(lambda: done(result)),
                lambda error: self._ended.put(lambda: _fail(error)),
            )

        if self._under_way < MOST:
            start()
        else:
            self._waiting = start
        if self._timer is None:
            self._look_later()

    def close(self) -> None:
        """Look for results no more."""
        if self._timer is not None:
            self._widget.after_cancel(self._timer)
            self._timer = None

    def _look_later(self) -> None:
        self._timer = self._widget.after(POLL_MILLISECONDS, self._look)

    def _look(self) -> None:
        self._timer = None
        try:
            use = self._ended.get_nowait()
        except queue.Empty:
            self._look_later()
            return
        self._under_way -= 1
        if self._waiting is not None:
            start, self._waiting = self._waiting, None
            start()
        if self._under_way:
            self._look_later()
        use()


def _fail(error: Exception) -> None:
    raise error
