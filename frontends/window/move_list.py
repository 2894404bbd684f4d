"""The moves so far, a line for both players' turns."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence
from tkinter import ttk

from tic_tac_toe.logic.models import Mark, Move
from tic_tac_toe.logic.notation import move_name


class MoveList(ttk.Frame):
    """Shows moves; who moved first stands to the left."""

    def __init__(self, parent: tk.Misc) -> None:
        super().__init__(parent)
        columns = ("number", "first", "second")
        self._tree = ttk.Treeview(self, columns=columns, show="headings", takefocus=False)
        self._tree.configure(selectmode="none", height=1)
        for column, width in zip(columns, (34, 54, 54)):
            self._tree.column(column, width=width, anchor="center", stretch=column != "number")
        scrollbar = ttk.Scrollbar(self, command=self._tree.yview)
        self._tree.configure(yscrollcommand=scrollbar.set)
        scrollbar.pack(side="right", fill="y")
        self._tree.pack(side="left", fill="both", expand=True)
        self._shown: Sequence[Move] = ()

    def show(self, first: Mark, moves: Sequence[Move]) -> None:
        """Show moves, of which the mark given first is the one that began."""
        self._tree.heading("first", text=first.value)
        self._tree.heading("second", text=first.other.value)
        self._tree.delete(*self._tree.get_children())
        names = [move_name(move.before_state, move.cell_index) for move in moves]
        begins_late = bool(moves) and moves[0].mark is not first
        names = ["…", *names] if begins_late else names
        for index in range(0, len(names), 2):
            self._tree.insert("", "end", values=(index // 2 + 1, *names[index : index + 2]))
        rows = self._tree.get_children()
        if rows:
            self._tree.see(rows[-1])
