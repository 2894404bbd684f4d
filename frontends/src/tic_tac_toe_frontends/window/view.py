"""The widgets of the window: made again for another language or theme."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from gettext import NullTranslations
from tkinter import ttk

from ..table.move_list import rows_of
from ..table.table import Table
from ..table.telling import tell_status
from ..words.game_text import describe_score
from ..words.translation import code_of
from .board import Board
from .commands import BUTTONS, COMMANDS, Group, Kit
from .controls import Choice, Columns
from .menus import Menus
from .move_list import MoveList
from .styles import apply_palette, family_of

#: Space around everything, in pixels.
PADDING = 12
#: In a window lower than this the choices are in the menus only, in pixels.
LOW = 540
#: The groups that stand above the board, with the style of their titles; all are in the menus.
CHOICES = {
    "x": "Cross.TLabel",
    "o": "Naught.TLabel",
    "variant": "Small.TLabel",
    "starting": "Small.TLabel",
}


class View:
    """Everything that the window shows."""

    def __init__(self, kit: Kit) -> None:
        root, language = kit.root, kit.language
        self._kit = kit
        self._allowed: dict[str, bool] = {}
        apply_palette(root, kit.palette)
        speak(root, language)
        self.menus = Menus(kit)
        self.frame = ttk.Frame(root, padding=PADDING)
        self.frame.pack(fill="both", expand=True)
        # What is packed first keeps its place where the window is too small for all.
        self._top = Columns(self.frame)
        below = Columns(self.frame)
        self.buttons = {
            name: ttk.Button(
                below, text=language.gettext(COMMANDS[name].title), command=kit.actions[name]
            )
            for name in BUTTONS
        }
        below.pack(side="bottom", fill="x", pady=(8, 0))
        self.score = ttk.Label(self.frame, style="Small.TLabel")
        self.score.pack(side="bottom", anchor="center", pady=(4, 0))
        self.status = ttk.Label(self.frame, style="Status.TLabel", anchor="center")
        self.status.pack(side="top", fill="x", pady=(8, 0))
        self.detail = ttk.Label(self.frame, justify="center", anchor="n")
        self.detail.pack(side="top", fill="x")
        self._middle = ttk.Frame(self.frame)
        self._middle.pack(side="top", fill="both", expand=True)
        self.board = Board(
            self._middle, kit.palette, family_of(root), kit.play, animated=kit.animated
        )
        self.choices = {
            name: Choice(self._top, kit.groups[name], style, partial(self._choose, name))
            for name, style in CHOICES.items()
        }
        self.moves = MoveList(self._middle)
        self.board.pack(side="left", fill="both", expand=True)
        self.frame.bind("<Configure>", lambda event: self._fit(event.width, event.height))
        for name, command in COMMANDS.items():  # wherever the keyboard is in the window
            for sequence in command.sequences:
                root.bind(f"<{sequence}>", partial(_obey, kit.actions[name]))
        self.board.focus_set()

    def show(self, table: Table, possible: Mapping[str, bool], groups: Mapping[str, Group]) -> None:
        """Show how the game stands, apart from the board, and what is possible and chosen."""
        match, language = table.match, self._kit.language
        self.status.configure(text=plain(tell_status(table, language)))
        self.score.configure(text=describe_score(table.score, table.state.rules, language))
        self.menus.show(groups)
        for name, choice in self.choices.items():
            choice.show(groups[name])
        self.moves.show(match.start.starting_mark, rows_of(match))
        possible = {**possible, "resign": match.turn is not None and bool(table.people)}
        changed = {name: may for name, may in possible.items() if self._allowed.get(name) != may}
        self._allowed = possible
        for name, may in changed.items():
            self.menus.allow(name, may)
            if not may and self._kit.root.focus_get() is self.buttons[name]:
                self.board.focus_set()
            self.buttons[name].state(["!disabled" if may else "disabled"])

    def say(self, text: str, *, refused: bool = False) -> None:
        """Show words below the status."""
        self.detail.configure(text=plain(text), style="Refusal.TLabel" if refused else "TLabel")

    def show_moves(self, shown: bool) -> None:
        """Show the list of moves, or not."""
        if shown:
            self.moves.pack(side="right", fill="y", padx=(PADDING, 0), before=self.board)
        else:
            self.moves.pack_forget()

    def close(self) -> None:
        """Take the widgets away."""
        self._kit.root["menu"] = ""
        self.menus.bar.destroy()
        self.frame.destroy()

    def _choose(self, name: str, value: str) -> None:
        self.board.focus_set()
        self._kit.choose(name, value)

    def _fit(self, width: int, height: int) -> None:
        """Break lines where they end; in a low window the board takes the place of the choices."""
        for label in (self.status, self.detail):
            label.configure(wraplength=width - 2 * PADDING)
        if height < LOW:
            self._top.pack_forget()
        elif not self._top.winfo_manager():
            self._top.pack(side="top", fill="x", before=self.status)


def speak(root: tk.Tk, language: NullTranslations) -> None:
    """Let the dialogs that Tk brings speak a language too, where they know it."""
    load = "msgcat::mcload [file join $::tk_library msgs]"
    root.tk.eval(f"msgcat::mclocale {code_of(language)}; namespace eval ::tk {{{load}}}")


def plain(text: str) -> str:
    """Return a sentence without its picture: at coloured letters some versions of Xlib give up."""
    return text.replace(" 🎉", "!").replace(" 😐", ".")


def _obey(action: Callable[[], object], _event: object) -> str:
    action()
    return "break"
