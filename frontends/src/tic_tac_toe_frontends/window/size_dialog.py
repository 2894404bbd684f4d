"""A small window that asks for a board of another size."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from gettext import NullTranslations
from tkinter import ttk

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, find_rules
from tic_tac_toe.logic.rules.flags import FLAGS as FLAG_NAMES
from tic_tac_toe.logic.rules.flags import with_flags
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.shapes import MAXIMUM_SIDE

from ..words.rules_text import FLAGS
from ..words.translation import localise
from .dialog import Dialog

#: How wide a refusal is at most, in pixels.
WORDS_WIDTH = 340


class SizeDialog(Dialog):
    """Asks for columns, rows, the length of a line, and what is special.

    What does not go together with what is chosen cannot be chosen.

    Args:
        rules: the game whose size is shown first.
        choose: is given the rules once they are right and wanted.
    """

    def __init__(
        self,
        parent: tk.Tk,
        rules: Rules,
        choose: Callable[[Rules], object],
        language: NullTranslations,
    ) -> None:
        _ = language.gettext
        super().__init__(parent, _("Another size …"))
        self._language = language
        self._choose = choose
        frame = self.content
        shape, traits = rules.shape, traits_of(rules)
        self.numbers = [
            self._add_number(frame, 0, _("columns"), shape.columns),
            self._add_number(frame, 1, _("rows"), shape.rows),
            self._add_number(frame, 2, _("line length"), traits.length or 1),
        ]
        self.flags = {
            flag: self._add_flag(frame, row, _(FLAGS[flag]), flag in traits.flags)
            for row, flag in enumerate(FLAG_NAMES, start=len(self.numbers))
        }
        self._offer_flags()
        self.problem = ttk.Label(frame, style="Refusal.TLabel", wraplength=WORDS_WIDTH)
        self.problem.grid(column=0, columnspan=2, sticky="w", pady=(8, 0))
        buttons = ttk.Frame(frame)
        buttons.grid(column=0, columnspan=2, sticky="e", pady=(14, 0))
        ttk.Button(buttons, text=_("Cancel"), command=self.destroy).pack(side="left", padx=(0, 8))
        ttk.Button(buttons, text=_("New game"), command=self.begin).pack(side="left")
        self.bind("<Return>", lambda _event: self.begin())
        self.bind("<KP_Enter>", lambda _event: self.begin())
        self.open(self.numbers[0])

    def begin(self) -> None:
        """Begin with what is entered, or say what is wrong with it."""
        numbers = ",".join(box.get().strip() or "-" for box in self.numbers)
        try:
            rules = find_rules(",".join([f"mnk:{numbers}", *self._chosen_flags]))
        except InvalidVariant as error:
            self.problem.configure(text=localise(self._language, error))
            return
        self.destroy()
        self._choose(rules)

    def _add_number(self, frame: ttk.Frame, row: int, title: str, value: int) -> ttk.Spinbox:
        ttk.Label(frame, text=title).grid(row=row, column=0, sticky="w", pady=3, padx=(0, 16))
        box = ttk.Spinbox(frame, from_=1, to=MAXIMUM_SIDE, width=5)
        box.set(value)
        box.grid(row=row, column=1, sticky="e", pady=3)
        return box

    def _add_flag(self, frame: ttk.Frame, row: int, title: str, chosen: bool) -> ttk.Checkbutton:
        # Its state is kept by the widget itself: a variable would outlive it.
        box = ttk.Checkbutton(frame, text=title, takefocus=True, command=self._offer_flags)
        box.state(["!alternate", "selected" if chosen else "!selected"])
        box.grid(row=row, column=0, columnspan=2, sticky="w")
        return box

    @property
    def _chosen_flags(self) -> list[str]:
        return [flag for flag, box in self.flags.items() if box.instate(["selected"])]

    def _offer_flags(self) -> None:
        """Let a flag be chosen where the rules take it together with those that are chosen."""
        chosen = self._chosen_flags
        for flag, box in self.flags.items():
            if flag not in chosen:
                box.state(["!disabled" if _go_together([*chosen, flag]) else "disabled"])


def _go_together(flags: Sequence[str]) -> bool:
    try:
        with_flags(TIC_TAC_TOE, flags)
    except InvalidVariant:
        return False
    return True
