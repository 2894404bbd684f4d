"""What can be done just now: each has a button while it is possible."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk

#: Space between two buttons, and the width of the bar, in pixels.
GAP, BAR = 8, 110


class Offers(ttk.Frame):
    """Buttons that come and go, beside each other where there is room.

    Args:
        actions: what each button does, by its name; in the order of the buttons.

    Attributes:
        buttons: all of them, by their names.
        bar: shows how far the computer's thought has come, beside what is shown.
        shown: what the buttons that are shown say, by their names.
    """

    def __init__(self, parent: tk.Misc, actions: Mapping[str, Callable[[], object]]) -> None:
        super().__init__(parent)
        self.shown: dict[str, str] = {}
        self._room = 0
        self._is_measuring = False
        self.bar = ttk.Progressbar(self, length=BAR, maximum=1.0)
        self.buttons = {
            name: ttk.Button(self, style="Offer.TButton", command=action)
            for name, action in actions.items()
        }

    @property
    def height(self) -> int:
        """What a row takes with buttons, in pixels."""
        return max(button.winfo_reqheight() for button in self.buttons.values())

    @property
    def needed(self) -> int:
        """How wide a row with all that is shown is, in pixels; 0 while nothing is."""
        bar = BAR + GAP if "now" in self.shown else 0  # it comes without further notice
        return bar + sum(self.buttons[name].winfo_reqwidth() + GAP for name in self.shown)

    def measure(self, share: float | None) -> None:
        """Show which part of a thought is done; nothing while there is none."""
        if share is not None:
            self.bar.configure(value=share)
        if self._is_measuring is not (share is not None):
            self._is_measuring = share is not None
            self._arrange()

    def show(self, titles: Mapping[str, str]) -> None:
        """Show the buttons that have a title, and no others."""
        if titles != self.shown:
            self.shown = dict(titles)
            for name, title in titles.items():
                self.buttons[name].configure(text=title)
            self._arrange()

    def fit(self, room: int) -> None:
        """Put things above each other where they do not fit into a row of ``room`` pixels."""
        if room != self._room:
            self._room = room
            self._arrange()

    def _arrange(self) -> None:
        for part in (self.bar, *self.buttons.values()):
            part.pack_forget()
        stand = self.needed > self._room
        shown = [button for name, button in self.buttons.items() if name in self.shown]
        for part in (*shown, *([self.bar] if self._is_measuring else [])):
            part.pack(side="top" if stand else "left", fill="x", padx=0 if stand else GAP // 2)
