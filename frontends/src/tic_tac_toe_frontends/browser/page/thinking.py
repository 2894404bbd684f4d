"""The progress bar of the computer's search, and the button that ends the search."""

from __future__ import annotations

import js
from pyodide.ffi import create_proxy

from ...table.driver import Driver
from .dom import by_id, on_click

#: Milliseconds between two updates of the bar, and until the first one: quick answers show no bar.
INTERVAL, PATIENCE = 200, 600


class Thinking:
    """Shows the bar and the button of `index.html` during long searches."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._seen = 0
        on_click("move-now", driver.move_now)
        self._look = create_proxy(self._show)
        js.setInterval(self._look, INTERVAL)

    def _show(self) -> None:
        progress = self._driver.progress
        self._seen = 0 if progress is None else self._seen + INTERVAL
        is_long = progress is not None and self._seen >= PATIENCE
        box = by_id("thinking")
        if box.hidden == is_long:
            box.hidden = not is_long
        if progress is not None and is_long:
            by_id("thinking-share").value = round(100 * progress.share)
