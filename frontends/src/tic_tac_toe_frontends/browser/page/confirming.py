"""Confirmation of actions that cannot be undone."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from .dom import by_id, on, set_text


class ConfirmButton:
    """A button that asks at the first click, and acts at the second.

    Args:
        name: its id.
        question: its text in between, in English.
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
            event.stopPropagation()  # keep an enclosing menu open
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
    """A modal dialog: keyboards and screen readers cannot leave it without an answer."""

    def __init__(self) -> None:
        self._dialog = by_id("confirm")
        self._do: Callable[[], object] = lambda: None
        on(self._dialog, "close", lambda _event: self._closed())

    def ask(self, question: str, answer: str, do: Callable[[], object]) -> None:
        """Call ``do`` once the reader has agreed; the focus returns to its old place.

        Args:
            answer: the text of the button that agrees.
        """
        set_text(by_id("confirm-text"), question)
        set_text(by_id("confirm-yes"), answer)
        self._do = do
        self._dialog.returnValue = ""  # the answer to an earlier question
        self._dialog.showModal()

    def cancel(self) -> None:
        """Close the dialog without an answer: the question is obsolete."""
        if self._dialog.open:
            self._dialog.close("")

    def _closed(self) -> None:
        do, self._do = self._do, lambda: None  # other instances share this dialog
        if self._dialog.returnValue == "yes":
            do()
