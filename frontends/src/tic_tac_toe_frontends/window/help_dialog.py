"""The rules of the game, how to play it in the window, and the keys."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterable
from functools import partial
from gettext import NullTranslations
from tkinter import ttk

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.placements import letters
from tic_tac_toe.logic.rules.traits import Digits, traits_of

from ..words.rules_text import describe_rules, variant_title
from ..words.translation import N_, as_sentence
from .commands import COMMANDS, LETTER_KEYS
from .dialog import Dialog
from .palettes import Palette
from .styles import NORMAL, family_of

#: How wide the text is in letters, and how high at most in lines.
WIDTH, MOST_LINES = 64, 24
#: What belongs to the board, the most important first.
BOARD_KEYS = (
    (N_("Arrows, Enter"), N_("choose a cell with the keyboard and play there")),
    (N_("Wheel, right button"), N_("look closer at a board with small cells, and move it")),
    (N_("Tab"), N_("go on to the next button or list")),
    (N_("Esc"), N_("forget a hint")),
)


class HelpDialog(Dialog):
    """Tells the rules and the keys.

    Attributes:
        text: what it tells.
    """

    def __init__(
        self, parent: tk.Tk, rules: Rules, language: NullTranslations, palette: Palette
    ) -> None:
        _ = language.gettext
        super().__init__(parent, _("Help"))
        family = family_of(parent)
        self.text = tk.Text(
            self.content,
            width=WIDTH,
            wrap="word",
            font=(family, NORMAL),
            background=palette.surface,
            foreground=palette.ink,
            borderwidth=0,
            highlightthickness=0,
            padx=12,
            pady=8,
            tabs=("4.5c",),
        )
        self.text.tag_configure("title", font=(family, NORMAL, "bold"), spacing1=8, spacing3=4)
        self.text.tag_configure("key", lmargin2="4.5c")
        self.text.insert("end", f"{variant_title(rules, language)}\n", "title")
        self.text.insert("end", f"{as_sentence(describe_rules(rules, language), language)}\n")
        for line in describe_play(rules, language):
            self.text.insert("end", f"{line}\n")
        self.text.insert("end", _("Keys"), "title")
        self.text.insert("end", "\n")
        for key, meaning in key_lines(language):
            self.text.insert("end", f"{key}\t{meaning}\n", "key")
        lines = int(str(self.text.index("end-1c")).split(".")[0])
        self.text.configure(state="disabled", height=min(lines + 6, MOST_LINES, _room(parent)))
        scrollbar = ttk.Scrollbar(self.content, command=self.text.yview)
        self.text.configure(yscrollcommand=scrollbar.set)
        close = ttk.Button(self.content, text=_("Close"), command=self.destroy)
        close.pack(side="bottom", anchor="e", pady=(12, 0))
        scrollbar.pack(side="right", fill="y")
        self.text.pack(side="left", fill="both", expand=True)
        self.bind("<Return>", lambda _event: self.destroy())
        for key, scroll in {
            "Up": (-1, "units"),
            "Down": (1, "units"),
            "Prior": (-1, "pages"),
            "Next": (1, "pages"),
        }.items():
            self.bind(f"<{key}>", partial(self._scroll, *scroll))
        self.open(close)

    def _scroll(self, amount: int, unit: str, _event: object) -> None:
        self.text.tk.call(self.text, "yview", "scroll", amount, unit)


def describe_play(rules: Rules, language: NullTranslations) -> list[str]:
    """Return how moves are made in a game."""
    _, traits = language.gettext, traits_of(rules)
    lines = []
    if traits.digits is Digits.COLUMNS:
        lines.append(_("Click a column, or press its number."))
    elif traits.digits is Digits.NUMBER_PAD:
        lines.append(
            _("Click a cell, or press a digit as on a number pad: 7 is A1, 5 the centre, 3 is C3.")
        )
    else:
        lines.append(_("Click a cell."))
    if letters(rules):
        message = _("The keys {x} and {o} choose the letter that you place.")
        lines.append(message.format(x=LETTER_KEYS["X"][0].upper(), o=LETTER_KEYS["O"][0].upper()))
    return lines


def key_lines(language: NullTranslations) -> Iterable[tuple[str, str]]:
    """Yield the keys of the window, each with what it does."""
    _ = language.gettext
    for key, meaning in BOARD_KEYS:
        yield _(key), _(meaning)
    for command in COMMANDS.values():
        if command.accelerator:
            yield command.accelerator, _(command.title).rstrip(" …")


def _room(parent: tk.Tk) -> int:
    """Return how many lines a low screen has room for."""
    return max(8, (parent.winfo_screenheight() - 220) // 20)
