"""A question in the page that is answered before something is done that cannot be undone."""

from __future__ import annotations

from collections.abc import Callable

from .dom import by_id, on, write


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
        write(by_id("confirm-text"), question)
        write(by_id("confirm-yes"), answer)
        self._do = do
        self._dialog.returnValue = ""  # what an earlier question has been answered with
        self._dialog.showModal()

    def drop(self) -> None:
        """Take the question back: it has no meaning any more."""
        if self._dialog.open:
            self._dialog.close("")

    def _closed(self) -> None:
        do, self._do = self._do, lambda: None  # others ask by the same dialog
        if self._dialog.returnValue == "yes":
            do()
