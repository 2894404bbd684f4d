"""Rows of buttons and of lists to choose from, which fit any width."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from gettext import NullTranslations
from tkinter import ttk

from .commands import BUTTONS, COMMANDS, Group

#: Space between two things beside each other, in pixels.
GAP = 8
#: The least width of a list, in letters.
LETTERS = 7


class Columns(ttk.Frame):
    """A frame whose children stand in columns of equal width, in as few rows as they fit in."""

    def __init__(self, parent: tk.Misc) -> None:
        super().__init__(parent)
        self._columns = 0
        self.bind("<Configure>", lambda event: self._arrange(event.width))

    def _arrange(self, width: int) -> None:
        children = [child for child in self.winfo_children() if isinstance(child, ttk.Widget)]
        widest = max((child.winfo_reqwidth() for child in children), default=1)
        columns = _columns(len(children), (width + GAP) // (widest + GAP))
        if columns == self._columns:
            return
        for column in range(max(columns, self._columns)):
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

    def __init__(self, parent: tk.Misc, group: Group, leave: Callable[[], object]) -> None:
        super().__init__(parent)
        self._group = group
        self._leave = leave
        kind = {"x": "Cross.TLabel", "o": "Naught.TLabel"}.get(group.name, "Small.TLabel")
        ttk.Label(self, text=group.title, style=kind).pack(anchor="w")
        self.box = ttk.Combobox(self, state="readonly", width=LETTERS)
        self.box.pack(fill="x")
        self.box.bind("<<ComboboxSelected>>", lambda _event: self._choose())
        for wheel in ("<MouseWheel>", "<Button-4>", "<Button-5>"):
            # Scrolling past a list must not begin another game.
            self.box.bind(wheel, lambda _event: "break")
        self.show(group)

    def show(self, group: Group) -> None:
        """Show what can be chosen now, and what is."""
        before, self._group = self._group, group
        if before._replace(choose=group.choose) == group and self.box.current() >= 0:
            return
        titles = [title for _value, title in group.options]
        values = [value for value, _title in group.options]
        self.box.configure(values=titles)
        self.box.current(values.index(group.chosen))
        self.box.selection_clear()

    def _choose(self) -> None:
        value, _title = self._group.options[self.box.current()]
        self._leave()
        self._group.choose(value)


def make_buttons(
    parent: tk.Misc, actions: Mapping[str, Callable[[], object]], language: NullTranslations
) -> dict[str, ttk.Button]:
    """Return the buttons of `BUTTONS` by their names, in a row of their own."""
    return {
        name: ttk.Button(parent, text=language.gettext(COMMANDS[name].title), command=actions[name])
        for name in BUTTONS
    }


def _columns(count: int, most: int) -> int:
    """Return in how many columns things stand so that no row is much shorter than another."""
    rows = -(-count // max(1, min(count, most)))
    return -(-count // rows)
