"""Movement in small steps, while the window's loop goes on."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Iterable, Iterator

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
        """Whether movements are enabled, and the widget is on the screen."""
        return self._enabled and bool(self._widget.winfo_viewable())

    def run(self, *movements: tuple[float, Callable[[float], object]]) -> None:
        """Make movements one after the other, in place of those that have not ended.

        Args:
            movements: how many seconds each takes, and what shows it, given how much of it is done,
                from 0 to 1. The last call of each is with 1.
        """
        self.stop()
        self._go_on(_frames(movements))

    def stop(self) -> None:
        """Leave a movement where it is."""
        if self._timer is not None:
            self._widget.after_cancel(self._timer)
            self._timer = None

    def _go_on(self, frames: Iterator[None]) -> None:
        self._timer = None
        for _ in frames:
            self._timer = self._widget.after(FRAME_MILLISECONDS, self._go_on, frames)
            return


def _frames(movements: Iterable[tuple[float, Callable[[float], object]]]) -> Iterator[None]:
    """Show movements one after the other, and yield where there is time until the next frame."""
    for seconds, show in movements:
        begun = time.monotonic()
        while (done := (time.monotonic() - begun) / seconds) < 1.0:
            show(done)
            yield
        show(1.0)
