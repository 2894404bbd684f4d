"""The moves so far, a line for both players' turns, and the way through them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Container, Iterable, Mapping
from itertools import takewhile
from tkinter import font, ttk

from ..table.move_list import ListedMove, Row
from .commands import STEPS

#: How wide a column with the moves of a side is at least, in pixels.
MOVE_WIDTH = 54


class MoveList(ttk.Frame):
    """Shows moves; those of the side that began stand on the left.

    A click on a move shows the position after it; buttons below step through the game.

    Args:
        look_back: is told the number of moves before the position to show.
        steps: what the buttons do, by the names of `STEPS`.
    """

    def __init__(
        self,
        parent: tk.Misc,
        look_back: Callable[[int], object],
        steps: Mapping[str, Callable[[], object]],
    ) -> None:
        super().__init__(parent)
        self._look_back = look_back
        below = ttk.Frame(self)
        below.pack(side="bottom", fill="x", pady=(6, 0))
        self.buttons = {
            name: ttk.Button(below, text=sign, style="Step.TButton", command=steps[name])
            for name, sign in STEPS.items()
        }
        for place, button in enumerate(self.buttons.values()):
            below.columnconfigure(place, weight=1, uniform="all")
            button.grid(row=0, column=place, sticky="ew")
        columns = ("number", "first", "second")
        self.tree = ttk.Treeview(self, columns=columns, show="headings", takefocus=False)
        self.tree.configure(selectmode="none", height=1)
        for column, width in zip(columns, (34, MOVE_WIDTH, MOVE_WIDTH)):
            self.tree.column(column, width=width, anchor="center", stretch=column != "number")
        scrollbar = ttk.Scrollbar(self, command=self.tree.yview)
        self.tree.configure(yscrollcommand=scrollbar.set)
        scrollbar.pack(side="right", fill="y")
        self.tree.pack(side="left", fill="both", expand=True)
        self.tree.bind("<Button-1>", self._on_click)
        self._rows: list[Row] = []
        self._sides = ("", "")
        self._lines: list[tuple[str, str, str]] = []

    def show(self, sides: tuple[str, str], rows: Iterable[Row], signs: Mapping[int, str]) -> None:
        """Show the moves of a game, on the left those of the side whose name is given first.

        Before the move that led to a position of the past is a sign.

        Args:
            signs: what stands behind moves, by the number of moves up to them.
        """
        self._rows = [*rows]
        if sides != self._sides:
            self._sides = sides
            letters = font.nametofont("TkHeadingFont", root=self)
            for column, name in zip(("first", "second"), sides):
                width = max(MOVE_WIDTH, letters.measure(name) + 12)
                self.tree.heading(column, text=name)
                self.tree.column(column, width=width)
        lines = [_cells(row, signs) for row in self._rows]
        pairs = zip(lines, self._lines)
        kept = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
        self.tree.delete(*self.tree.get_children()[kept:])
        for line in lines[kept:]:
            self.tree.insert("", "end", values=line)
        if lines != self._lines:
            self._see(len(lines))
        self._lines = lines

    def allow(self, steps: Container[str]) -> None:
        """Let the steps be used that lead somewhere; a film can be shown of any game with moves."""
        for name, button in self.buttons.items():
            button.state(["!disabled" if name in steps else "disabled"])

    def _see(self, count: int) -> None:
        """Scroll to the move of the position that is shown, else to the last one."""
        current = [
            index
            for index, row in enumerate(self._rows)
            if any(move is not None and move.current for move in row[1:])
        ]
        if current:
            self.tree.see(self.tree.get_children()[current[0]])
        elif count:
            self.tree.yview_moveto(1.0)

    def _on_click(self, event: tk.Event[ttk.Treeview]) -> str:
        row, column = self.tree.identify_row(event.y), self.tree.identify_column(event.x)
        if row and column in ("#2", "#3"):
            move = self._rows[self.tree.index(row)][int(column[1:]) - 1]
            if isinstance(move, ListedMove):
                self._look_back(move.ply)
        return "break"


def _cells(row: Row, signs: Mapping[int, str]) -> tuple[str, str, str]:
    first, second = (_told(move, signs) if move else "" for move in (row.first, row.second))
    return str(row.number), first or "…", second


def _told(move: ListedMove, signs: Mapping[int, str]) -> str:
    return f"{'▸' if move.current else ''}{move.name} {signs.get(move.ply, '')}".rstrip()
