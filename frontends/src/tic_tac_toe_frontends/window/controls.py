"""Rows of buttons and of lists to choose from, which fit any width."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterable
from tkinter import font, ttk

from .commands import Group

#: Space between two things beside each other, in pixels.
GAP = 8
#: The least width of a list, in letters.
LETTERS = 7
#: Room for the scrollbar of a list that opens and for its frame, in pixels.
BAR = 28


class Columns(ttk.Frame):
    """A frame whose children stand in columns of equal width, in as few rows as they fit in."""

    def __init__(self, parent: tk.Misc) -> None:
        super().__init__(parent)
        self._columns = 0
        self._shown: tuple[ttk.Widget, ...] | None = None
        self._most = 0
        self.bind("<Configure>", lambda event: self._arrange(event.width))

    def limit(self, most: int) -> None:
        """Have no more columns than this; as many as there is room for if it is 0."""
        if most != self._most:
            self._most, self._columns = most, 0
            self._arrange(self.winfo_width())

    def show(self, children: Iterable[ttk.Widget]) -> None:
        """Show these of the children; all of them unless this is called."""
        shown = (*children,)
        if shown != self._shown:
            for child in self._children():
                child.grid_remove()
            self._shown, self._columns = shown, 0
            self._arrange(self.winfo_width())

    def _children(self) -> tuple[ttk.Widget, ...]:
        if self._shown is not None:
            return self._shown
        return tuple(child for child in self.winfo_children() if isinstance(child, ttk.Widget))

    def _arrange(self, width: int) -> None:
        children = self._children()
        widest = max(child.winfo_reqwidth() for child in children)
        most = min(len(children), max(1, (width + GAP) // (widest + GAP)))
        rows = -(-len(children) // min(most, self._most or most))
        columns = -(-len(children) // rows)  # so that no row is much shorter than another
        if columns == self._columns:
            return
        for column in range(max(columns, self.grid_size()[0])):
            wanted = column < columns
            self.columnconfigure(column, weight=int(wanted), uniform="all" if wanted else "")
        self._columns = columns
        for index, child in enumerate(children):
            row, column = divmod(index, columns)
            child.grid_configure(
                row=row,
                column=column,
                sticky="ew",
                padx=(GAP if column else 0, 0),
                pady=(GAP // 2 if row else 0, 0),
            )


class Choice(ttk.Frame):
    """A list to choose from, with its title above."""

    def __init__(
        self, parent: tk.Misc, group: Group, style: str, choose: Callable[[str], object]
    ) -> None:
        super().__init__(parent)
        self._group: Group | None = None
        self._values: tuple[str, ...] = ()
        self._choose = choose
        self.title = ttk.Label(self, style=style)
        self.title.pack(anchor="w")
        self.box = ttk.Combobox(self, state="readonly", width=LETTERS)
        self.box.pack(fill="x")
        self.box.bind("<<ComboboxSelected>>", lambda _event: self._take())
        self._font = font.nametofont("TkDefaultFont", root=self)
        self.box.configure(postcommand=self._widen)
        for wheel in ("<MouseWheel>", "<Button-4>", "<Button-5>"):
            # Scrolling past a list must not begin another game.
            self.box.bind(wheel, lambda _event: "break")
        self.show(group)

    def show(self, group: Group) -> None:
        """Show what can be chosen now, and what is."""
        if group == self._group:
            return
        self._group = group
        self._values, titles = zip(*group.options)
        self.title.configure(text=group.title)
        self.box.configure(values=titles)
        self.box.current(self._values.index(group.chosen))
        self.box.selection_clear()

    def _widen(self) -> None:
        """Make the list that is about to open as wide as its longest entry, on the screen."""
        box = self.box
        wanted = max(map(self._font.measure, box.cget("values"))) + BAR
        extra = max(0, wanted - box.winfo_width())
        beyond = box.winfo_rootx() + box.winfo_width() + extra - box.winfo_screenwidth()
        offset = (-min(extra, max(0, beyond)), 0, extra, 0)
        ttk.Style(self).configure("TCombobox", postoffset=offset)

    def _take(self) -> None:
        self._choose(self._values[self.box.current()])
