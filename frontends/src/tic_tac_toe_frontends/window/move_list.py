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
        self.tree = ttk.Treeview(self, columns=columns, show="headings", takefocus=False)
        self.tree.configure(selectmode="none", height=1)
        for column, width in zip(columns, (34, 54, 54)):
            self.tree.column(column, width=width, anchor="center", stretch=column != "number")
        scrollbar = ttk.Scrollbar(self, command=self.tree.yview)
        self.tree.configure(yscrollcommand=scrollbar.set)
        scrollbar.pack(side="right", fill="y")
        self.tree.pack(side="left", fill="both", expand=True)
        self._first: Mark | None = None
        self._rows: list[tuple[str, ...]] = []

    def show(self, first: Mark, moves: Sequence[Move]) -> None:
        """Show moves, of which the mark given first is the one that began."""
        if first is not self._first:
            self._first = first
            self.tree.heading("first", text=first.value)
            self.tree.heading("second", text=first.other.value)
        rows = rows_of(first, moves)
        kept = _length_of_common_start(rows, self._rows)
        self.tree.delete(*self.tree.get_children()[kept:])
        for row in rows[kept:]:
            self.tree.insert("", "end", values=row)
        if rows != self._rows:
            self.tree.yview_moveto(1.0)
        self._rows = rows


def rows_of(first: Mark, moves: Sequence[Move]) -> list[tuple[str, ...]]:
    """Return the lines of the list: their numbers, and the moves of both sides."""
    names = [move_name(move.before_state, move.cell_index) for move in moves]
    if moves and moves[0].mark is not first:
        names.insert(0, "…")
    return [(str(index // 2 + 1), *names[index : index + 2]) for index in range(0, len(names), 2)]


def _length_of_common_start(one: Sequence[object], other: Sequence[object]) -> int:
    pairs = enumerate(zip(one, other))
    shorter = min(len(one), len(other))
    return next((index for index, (left, right) in pairs if left != right), shorter)
