"""Asking for the name of a file, by Tk's own dialogs."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from gettext import NullTranslations
from tkinter import filedialog

#: The time between two attempts to leave a dialog, in milliseconds.
PERSISTENCE = 50


class FileDialogs:
    """Asks for one file at a time.

    Args:
        closed: called when the window was to close while Tk waited for an answer.
    """

    def __init__(self, root: tk.Tk, closed: Callable[[], object]) -> None:
        self._root = root
        self._closed = closed
        self._asks = False
        self._closes = False

    def open(self, use: Callable[[str], object], language: NullTranslations) -> None:
        """Ask for a file to read, and use its name."""
        self._ask(filedialog.askopenfilename, use, language)

    def save(self, use: Callable[[str], object], language: NullTranslations) -> None:
        """Ask for a file to write, and use its name."""
        self._ask(filedialog.asksaveasfilename, use, language)

    def leave(self) -> bool:
        """Return whether Tk waits for an answer: then it stops, and ``closed`` is called."""
        if not self._asks:
            return False
        self._closes = True
        self._let_go()
        return True

    def _let_go(self) -> None:
        """Have Tk leave the loop of its own in which it waits for an answer.

        Before the dialog is on the screen Tk does not wait yet, and would not notice: so it is told
        again.
        """
        if self._asks:
            self._root.setvar("::tk::Priv(selectFilePath)", "")
            self._root.after(PERSISTENCE, self._let_go)

    def _ask(
        self, ask: Callable[..., str], use: Callable[[str], object], language: NullTranslations
    ) -> None:
        if self._asks:
            return
        _ = language.gettext
        kinds = [(_("Recorded games"), "*.txt *.json *.jsonl"), (_("All files"), "*")]
        self._asks = True
        name = ask(parent=self._root, filetypes=kinds)
        self._asks = False
        if self._closes:
            self._closed()
        elif name:
            use(name)
