"""The dialog of the window in which people choose a puzzle or a lesson."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from gettext import NullTranslations
from tkinter import ttk

from ..table.study import Study, load_shipped
from ..table.study_menu import (
    A_PUZZLE,
    MENUS,
    Entries,
    choice_of,
    entries_of,
    results_text,
    theme_entries,
)
from ..table.task import Choice
from .dialogs import WORDS_WIDTH, Dialog
from .palettes import Palette
from .styles import menu_colours


class PuzzleDialog(Dialog):
    """Asks for the puzzle of the day, one of a game, or a lesson.

    Args:
        solve: called with the choice.

    Attributes:
        menus: by the names of what they choose.
        chosen: the chosen values by these names.
    """

    def __init__(
        self,
        parent: tk.Tk,
        study: Study,
        solve: Callable[[Choice], object],
        language: NullTranslations,
        palette: Palette,
    ) -> None:
        _ = language.gettext
        super().__init__(parent, _("Puzzles and lessons"))
        self._study, self._solve, self._language = study, solve, language
        self.menus: dict[str, ttk.Menubutton] = {}
        self.chosen: dict[str, str] = {}
        for row, (name, title) in enumerate(MENUS.items()):
            label = ttk.Label(self.content, text=_(title))
            label.grid(row=row, column=0, sticky="w", pady=3, padx=(0, 16))
            button = self.menus[name] = ttk.Menubutton(self.content)
            button.grid(row=row, column=1, sticky="ew", pady=3)
            button.configure(menu=tk.Menu(button, menu_colours(palette), tearoff=False))
            self._fill(name, entries_of(name, study, language))
        text = results_text(study, language)
        results = ttk.Label(self.content, text=text, wraplength=WORDS_WIDTH)
        results.grid(columnspan=2, sticky="w", pady=(8, 0))
        self.add_buttons(_("Begin"), self.begin, _("Cancel"))
        self._offer()
        self.open(self.menus["kind"])

    def begin(self) -> None:
        """Begin what is chosen."""
        self.destroy()
        self._solve(choice_of(self._study, *(self.chosen[name] for name in MENUS)))

    def choose(self, name: str, value: str, title: str) -> None:
        """Choose an entry of a menu."""
        self.chosen[name] = value
        self.menus[name].configure(text=title)
        if name in ("kind", "game"):
            self._offer()

    def _fill(self, name: str, entries: Entries) -> None:
        menu = self.menus[name].nametowidget(self.menus[name]["menu"])
        menu.delete(0, "end")
        for value, title in entries:
            menu.add_command(label=title, command=partial(self.choose, name, value, title))
        self.chosen[name] = entries[0][0]
        self.menus[name].configure(text=entries[0][1])

    def _offer(self) -> None:
        """Enable what a puzzle of a game needs, with the themes of that game."""
        is_needed = self.chosen["kind"] == A_PUZZLE
        for name in [*MENUS][1:]:
            self.menus[name].state(["!disabled" if is_needed else "disabled"])
        load_shipped(
            self.chosen["game"],
            lambda found: self._fill("theme", theme_entries(found, self._language)),
        )
