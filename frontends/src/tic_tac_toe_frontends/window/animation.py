"""Movement in small steps, while the window's loop goes on."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable

FRAME_MILLISECONDS = 16


class Animation:
    """One movement after the other, of which each lasts for a while.

    Args:
        widget: what moves; nothing does while it is not on the screen.
        enabled: whether anything moves at all.
    """

    def __init__(self, widget: tk.Misc, *, enabled: bool) -> None:
        self._widget = widget
        self._enabled = enabled
        self._timer: str | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether anybody sees a movement, and wants to."""
        return self._enabled and bool(self._widget.winfo_viewable())

    def run(self, *movements: tuple[float, Callable[[float], object]]) -> None:
        """Make movements one after the other, in place of those that have not ended.

        Args:
            movements: how many seconds each takes, and what shows it, given how much of it is done,
                from 0 to 1. The last call of each is with 1.
        """
        self.stop()
        if movements:
            self._begin(movements, 0)

    def stop(self) -> None:
        """Leave a movement where it is."""
        if self._timer is not None:
            self._widget.after_cancel(self._timer)
            self._timer = None

    def _begin(
        self, movements: tuple[tuple[float, Callable[[float], object]], ...], index: int
    ) -> None:
        if index == len(movements):
            return
        seconds, show = movements[index]
        begun = time.monotonic()

        def step() -> None:
            self._timer = None
            done = min((time.monotonic() - begun) / seconds, 1.0)
            show(done)
            if done < 1.0:
                self._timer = self._widget.after(FRAME_MILLISECONDS, step)
            else:
                self._begin(movements, index + 1)

        step()
