"""The moves so far, a line for both players' turns."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterable
from itertools import takewhile
from tkinter import font, ttk

from ..table.move_list import Row

#: How wide a column with the moves of a side is at least, in pixels.
MOVE_WIDTH = 54


class MoveList(ttk.Frame):
    """Shows moves; those of the side that began stand on the left."""

    def __init__(self, parent: tk.Misc) -> None:
        super().__init__(parent)
        columns = ("number", "first", "second")
        self.tree = ttk.Treeview(self, columns=columns, show="headings", takefocus=False)
        self.tree.configure(selectmode="none", height=1)
        for column, width in zip(columns, (34, MOVE_WIDTH, MOVE_WIDTH)):
            self.tree.column(column, width=width, anchor="center", stretch=column != "number")
        scrollbar = ttk.Scrollbar(self, command=self.tree.yview)
        self.tree.configure(yscrollcommand=scrollbar.set)
        scrollbar.pack(side="right", fill="y")
        self.tree.pack(side="left", fill="both", expand=True)
        self._sides = ("", "")
        self._lines: list[tuple[str, str, str]] = []

    def show(self, sides: tuple[str, str], rows: Iterable[Row]) -> None:
        """Show the moves of a game, on the left those of the side whose name is given first."""
        if sides != self._sides:
            self._sides = sides
            letters = font.nametofont("TkHeadingFont", root=self)
            for column, name in zip(("first", "second"), sides):
                width = max(MOVE_WIDTH, letters.measure(name) + 12)
                self.tree.heading(column, text=name)
                self.tree.column(column, width=width)
        lines = [_cells(row) for row in rows]
        pairs = zip(lines, self._lines)
        kept = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
        self.tree.delete(*self.tree.get_children()[kept:])
        for line in lines[kept:]:
            self.tree.insert("", "end", values=line)
        if lines != self._lines:
            self.tree.yview_moveto(1.0)
        self._lines = lines


def _cells(row: Row) -> tuple[str, str, str]:
    first, second = row.first, row.second
    return str(row.number), first.name if first else "…", second.name if second else ""
