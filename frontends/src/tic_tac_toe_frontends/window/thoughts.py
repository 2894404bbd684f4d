"""The way back from threads to Tk's loop, which owns the window."""

from __future__ import annotations

import queue
import tkinter as tk
from collections.abc import Callable
from typing import Any

from ..table.background import Outcome, in_background

#: The time between two looks for outcomes while queries run, in milliseconds.
POLL_MILLISECONDS = 15


class Thoughts:
    """Runs calls in threads, and gives their outcomes back in the window's thread.

    A thread never touches a widget: it puts the outcome into a queue, and Tk's loop looks there.

    Args:
        widget: any widget of the window, for its loop.
    """

    def __init__(self, widget: tk.Misc) -> None:
        self._widget = widget
        self._ended: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._running = 0
        self._timer: str | None = None

    def start(self, call: Callable[[], Any], ended: Callable[[Outcome], object]) -> None:
        """Start a call; see `Start`. What ``ended`` raises is raised in Tk's loop."""
        self._running += 1
        in_background(call, lambda outcome: self._ended.put(lambda: ended(outcome)))
        if self._timer is None:
            self._look_later()

    def close(self) -> None:
        """Look for no more outcomes."""
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
        self._running -= 1
        if self._running:
            self._look_later()
        use()
