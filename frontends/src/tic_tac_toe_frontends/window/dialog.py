"""A small window above the game's."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk

#: Space between the edge of a dialog and what is in it, in pixels.
PADDING = 16


class Dialog(tk.Toplevel):
    """A window that has to be answered or closed before the game goes on; Escape closes it.

    Attributes:
        content: where its widgets belong.
    """

    def __init__(self, parent: tk.Tk, title: str) -> None:
        super().__init__(parent, background=parent["background"])
        self.withdraw()
        self.title(title)
        self.transient(parent)
        self.resizable(width=False, height=False)
        self.content = ttk.Frame(self, padding=PADDING)
        self.content.pack(fill="both", expand=True)
        self.bind("<Escape>", lambda _event: self.destroy())

    def open(self, first: tk.Misc) -> None:
        """Show the dialog in the middle of its parent, and grab all input.

        Args:
            first: the widget that has the keyboard.
        """
        parent = self.master
        self.update_idletasks()
        x = parent.winfo_rootx() + (parent.winfo_width() - self.winfo_reqwidth()) // 2
        y = parent.winfo_rooty() + (parent.winfo_height() - self.winfo_reqheight()) // 3
        x = min(x, self.winfo_screenwidth() - self.winfo_reqwidth())
        y = min(y, self.winfo_screenheight() - self.winfo_reqheight())
        self.geometry(f"+{max(x, 0)}+{max(y, 0)}")
        self.deiconify()
        if parent.winfo_viewable():
            self.wait_visibility()
            self.grab_set()
        first.focus_set()
