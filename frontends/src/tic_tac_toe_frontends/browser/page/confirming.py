"""What cannot be undone in the page is asked about first."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from .dom import by_id, on, set_text


class Confirmed:
    """A button that asks on the first click, and acts on the second.

    Args:
        name: its id.
        question: what it says in between, in English.
        act: called by the second click.
    """

    def __init__(
        self,
        name: str,
        question: str,
        language: Callable[[], NullTranslations],
        act: Callable[[], object],
    ) -> None:
        self._button = by_id(name)
        self._label = self._button.querySelector("[data-word]") or self._button
        self._question, self._language, self._act = question, language, act
        self._usual: str | None = None
        on(self._button, "click", self._click)
        on(self._button, "blur", lambda _event: self._reset())

    def _click(self, event: Any) -> None:
        if self._usual is None:
            event.stopPropagation()  # a menu that the button is in stays open
            self._usual = str(self._label.textContent)
            set_text(self._label, self._language().gettext(self._question))
        else:
            self._reset()
            self._act()

    def _reset(self) -> None:
        if self._usual is not None:
            set_text(self._label, self._usual)
            self._usual = None


class Confirmation:
    """Asks in a dialog, which the keyboard and screen readers cannot leave without an answer."""

    def __init__(self) -> None:
        self._dialog = by_id("confirm")
        self._do: Callable[[], object] = lambda: None
        on(self._dialog, "close", lambda _event: self._closed())

    def ask(self, question: str, answer: str, do: Callable[[], object]) -> None:
        """Do something once the reader has agreed; the focus goes back to where it was.

        Args:
            answer: what the button says that agrees.
        """
        set_text(by_id("confirm-text"), question)
        set_text(by_id("confirm-yes"), answer)
        self._do = do
        self._dialog.returnValue = ""  # what an earlier question has been answered with
        self._dialog.showModal()

    def cancel(self) -> None:
        """Take the question back: it has no meaning any more."""
        if self._dialog.open:
            self._dialog.close("")

    def _closed(self) -> None:
        do, self._do = self._do, lambda: None  # others ask by the same dialog
        if self._dialog.returnValue == "yes":
            do()
