"""Dialogs, which close by a button, by Escape, or by a click on the backdrop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .dom import by_id, on, on_click


class Dialog:
    """A `<dialog>` of the page.

    Args:
        name: its id.
        opened_by: the id of a button that opens it.
        opening: called before it opens.
    """

    def __init__(
        self, name: str, opened_by: str = "", opening: Callable[[], object] = lambda: None
    ) -> None:
        self._dialog = by_id(name)
        self._opening = opening
        if opened_by:
            on_click(opened_by, self.open)
        on(self._dialog, "click", self._click)

    @property
    def is_open(self) -> bool:
        """Whether the dialog is open."""
        return bool(self._dialog.open)

    def open(self) -> None:
        """Open the dialog."""
        self._opening()
        if not self._dialog.open:
            self._dialog.showModal()

    def close(self) -> None:
        """Close the dialog."""
        self._dialog.close()

    def _click(self, event: Any) -> None:
        closes = event.target.closest("[data-closes]")
        if closes or self._is_beside(event):
            self._dialog.close()

    def _is_beside(self, event: Any) -> bool:
        """Return whether a click is on the backdrop."""
        if event.target.tagName != "DIALOG" or not event.clientX:
            return False
        box = self._dialog.getBoundingClientRect()
        is_within = (
            box.left <= event.clientX <= box.right and box.top <= event.clientY <= box.bottom
        )
        return not is_within
