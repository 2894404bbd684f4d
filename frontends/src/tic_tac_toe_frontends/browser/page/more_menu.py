"""The buttons behind “More” on small screens."""

from __future__ import annotations

from typing import Any

from .dom import by_id, document, on


class MoreMenu:
    """Opens and closes the group of buttons, which large screens always show."""

    def __init__(self) -> None:
        self._button, self._actions = by_id("more"), by_id("more-actions")
        on(self._button, "click", lambda _event: self._show(not self._is_open))
        on(document, "click", self._click)
        on(document, "keydown", self._handle_key)

    @property
    def _is_open(self) -> bool:
        return bool(self._button.getAttribute("aria-expanded") == "true")

    def _show(self, is_open: bool) -> None:
        self._button.setAttribute("aria-expanded", "true" if is_open else "false")

    def _click(self, event: Any) -> None:
        """Close after a choice or a click elsewhere."""
        is_own = self._button.contains(event.target)
        if self._is_open and not is_own and not event.target.closest("#more-actions span"):
            held = self._actions.contains(document.activeElement)
            self._show(False)
            if held:
                self._button.focus()

    def _handle_key(self, event: Any) -> None:
        if self._is_open and event.key == "Escape":
            self._show(False)
            self._button.focus()
