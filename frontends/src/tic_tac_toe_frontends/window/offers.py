"""What can be done just now: each has a button while it is possible."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk

#: Space between two buttons, and the width of the bar, in pixels.
GAP, BAR = 8, 110


class Offers(ttk.Frame):
    """A row of buttons that come and go; it keeps its height, so that the board keeps its place.

    Args:
        actions: what each button does, by its name; in the order of the buttons.

    Attributes:
        buttons: all of them, by their names.
        bar: shows how far the computer's thought has come.
    """

    def __init__(self, parent: tk.Misc, actions: Mapping[str, Callable[[], object]]) -> None:
        super().__init__(parent)
        self._inner = ttk.Frame(self)
        self._inner.pack()
        self._shown: dict[str, str] = {}
        self.bar = ttk.Progressbar(self._inner, length=BAR, maximum=1.0)
        self.buttons = {
            name: ttk.Button(self._inner, style="Offer.TButton", command=action)
            for name, action in actions.items()
        }
        height = max(button.winfo_reqheight() for button in self.buttons.values())
        self.configure(height=height)
        self.pack_propagate(False)

    def measure(self, share: float | None) -> None:
        """Show which part of a thought is done; nothing while there is none."""
        if share is None:
            self.bar.pack_forget()
            return
        self.bar.configure(value=share)
        if not self.bar.winfo_manager():
            self.bar.pack(side="left", padx=GAP // 2)

    def show(self, titles: Mapping[str, str]) -> None:
        """Show the buttons that have a title, and no others."""
        if titles == self._shown:
            return
        self._shown = dict(titles)
        for name, button in self.buttons.items():
            if name in titles:
                button.configure(text=titles[name])
                button.pack(side="left", padx=GAP // 2)
            else:
                button.pack_forget()
