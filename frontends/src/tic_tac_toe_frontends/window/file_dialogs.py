"""Asking for the name of a file, by Tk's own dialogs."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from gettext import NullTranslations
from tkinter import filedialog


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
        # Tk waits in a loop of its own, and has to leave it first.
        self._asks, self._closes = False, True
        self._root.setvar("::tk::Priv(selectFilePath)", "")
        return True

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
