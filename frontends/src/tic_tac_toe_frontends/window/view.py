"""The widgets of the window: made again for another language or theme."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from gettext import NullTranslations
from tkinter import ttk

from tic_tac_toe.game.geometry import geometry
from tic_tac_toe.game.looks import Look
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES as LETTERS
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.traits import traits_of

from ..table.move_list import rows_of
from ..table.past import tell_past
from ..table.table import Table
from ..table.telling import tell_status
from ..words.game_text import describe_score
from ..words.rules_text import side_title
from ..words.translation import code_of
from .board import Board
from .commands import BUTTONS, COMMANDS, LETTER_KEYS, MAIN_BUTTONS, OFFERS, Group, Kit
from .controls import Choice, Columns
from .menus import Menus
from .move_choice import MoveChoice
from .move_list import MoveList
from .offers import Offers
from .plan import MARGIN, NAMES, plan_of
from .styles import apply_palette, family_of

#: Space around everything, in pixels.
PADDING = 12
#: In a window lower than this the choices are in the menus only, in pixels.
LOW = 540
#: A window at least this wide, and so many times wider than high, has words and buttons beside the
#: board, in a column this wide.
WIDE, WIDER, SIDE = 840, 1.15, 290
#: In a wide window at least this high the choices stand one below the other, in pixels.
HIGH = 640
#: In a window narrower than this the main buttons are there only, in pixels.
NARROW = 480
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
        self.root = root
        self._allowed: dict[str, bool] = {}
        self._wide = False
        self._rules: Rules = TIC_TAC_TOE
        self._look = Look.MARKS
        apply_palette(root, kit.palette)
        speak(root, language)
        self.menus = Menus(kit)
        self.frame = ttk.Frame(root, padding=PADDING)
        self.frame.pack(fill="both", expand=True)
        self._side = ttk.Frame(self.frame, width=SIDE)
        self._side.pack_propagate(False)
        self._top = Columns(self.frame)
        self._below = below = Columns(self.frame)
        self.buttons = {
            name: ttk.Button(
                below, text=language.gettext(COMMANDS[name].title), command=kit.actions[name]
            )
            for name in BUTTONS
        }
        self.score = ttk.Label(self.frame, style="Small.TLabel")
        self.status = ttk.Label(
            self.frame, style="Status.TLabel", anchor="center", justify="center"
        )
        self.detail = ttk.Label(self.frame, justify="center", anchor="n")
        self.offers = Offers(self.frame, {name: kit.actions[name] for name in OFFERS})
        self._middle = ttk.Frame(self.frame)
        self.board = Board(
            self._middle, kit.palette, family_of(root), kit.play, animated=kit.animated
        )
        self.choices = {
            name: Choice(self._top, kit.groups[name], style, partial(self._choose, name))
            for name, style in CHOICES.items()
        }
        self.moves = MoveList(self._middle, kit.look_back, kit.actions)
        self.move_choice = MoveChoice(
            self._middle, language, self._place, self._play_special, kit.variables["letter"]
        )
        self.board.pack(side="left", fill="both", expand=True)
        self._arrange()
        self._middle.bind("<Configure>", lambda _event: self._fit_move_choice())
        self.frame.bind("<Configure>", lambda event: self._fit(event.width, event.height))
        for name, command in COMMANDS.items():  # wherever the keyboard is in the window
            for sequence in command.sequences:
                root.bind(f"<{sequence}>", partial(_obey, kit.actions[name]))
        for letter, keys in LETTER_KEYS.items():
            for key in keys:
                root.bind(f"<Key-{key}>", partial(_obey, partial(kit.place, letter)))
        self.board.focus_set()

    def show(
        self,
        table: Table,
        signs: Mapping[int, str],
        possible: dict[str, bool],
        groups: Mapping[str, Group],
        look: Look,
    ) -> None:
        """Show how the game stands, apart from the board, and what is possible and chosen.

        Args:
            signs: of the moves with a fault, by the number of moves up to them.
            look: how the board is drawn.
        """
        match, language = table.match, self._kit.language
        is_past = table.replay.ply is not None
        if is_past:
            status = tell_past(match, table.replay, language)
        else:
            status = tell_status(table, language, look)
        self.status.configure(text=plain(status))
        self.score.configure(text=describe_score(table.score, table.state.rules, language))
        self.menus.show(groups)
        have_letters = traits_of(table.state.rules).sides == tuple(LETTERS)
        for name, choice in self.choices.items():
            choice.show(groups[name])
            choice.title.configure(style=CHOICES[name] if have_letters else "Small.TLabel")
        first, rules = match.start.starting_mark, table.state.rules
        sides = side_title(rules, first, language), side_title(rules, first.other, language)
        moment = table.replay.moment(match) if is_past else None
        self.moves.show(sides, rows_of(match, moment), signs)
        self._show_move_choice(table)
        changed: Mapping[str, bool] = {
            name: may for name, may in possible.items() if self._allowed.get(name) != may
        }
        self._allowed = possible
        for name, may in changed.items():
            self.menus.allow(name, may)
            for buttons in (self.buttons, self.moves.buttons):
                if name in buttons:
                    self._leave(buttons[name], may)
                    buttons[name].state(["!disabled" if may else "disabled"])

    def press(self, states: Mapping[str, bool]) -> None:
        """Let the buttons of switches look pressed while they are on, by the names of commands."""
        for name, is_on in states.items():
            if name in self.buttons:
                self.buttons[name].state(["selected" if is_on else "!selected"])

    def offer(self, titles: Mapping[str, str]) -> None:
        """Show buttons for what can be done just now, by the names of commands."""
        for name, button in self.offers.buttons.items():
            self._leave(button, name in titles)
        self.offers.show(titles)

    def _leave(self, button: ttk.Button, usable: bool) -> None:
        """Take the keyboard to the board, where it is at a button that cannot be used any more."""
        # Asked like this, because `focus_get` does not know the list that a combobox opens.
        if not usable and str(button.tk.call("focus")) == str(button):
            self.board.focus_set()

    def say(self, text: str, *, refused: bool = False) -> None:
        """Show words below the status."""
        self.detail.configure(text=plain(text), style="Refusal.TLabel" if refused else "TLabel")

    def show_moves(self, shown: bool) -> None:
        """Show the list of moves, or not."""
        if shown:
            self.moves.pack(side="right", fill="y", padx=(PADDING, 0), before=self.board)
        else:
            self.moves.pack_forget()
        self._fit_move_choice()

    def close(self) -> None:
        """Take the widgets away."""
        self._kit.root["menu"] = ""
        self.menus.bar.destroy()
        self.frame.destroy()

    def _choose(self, name: str, value: str) -> None:
        self.board.focus_set()
        self._kit.choose(name, value)

    def _place(self, letter: str) -> None:
        self.board.focus_set()
        self._kit.place(letter)

    def _play_special(self, name: str) -> None:
        self.board.focus_set()
        self._kit.play_special(name)

    def _show_move_choice(self, table: Table) -> None:
        state = table.state
        possible = () if table.thinker or table.match.over else tuple(state.special_moves)
        self._rules = state.rules
        self._look = Look(self._kit.variables["look"].get())
        choice, specials = self.move_choice, traits_of(state.rules).specials
        # Asked like this, because `focus_get` does not know the list that a combobox opens.
        focused = "" if choice.is_empty else str(choice.tk.call("focus"))
        choice.show(table.letters, table.letter, specials, possible)
        usable = [*choice.letters.values(), *(choice.specials[name] for name in possible)]
        if focused.startswith(str(choice)) and focused not in map(str, usable):
            self.board.focus_set()
        self._fit_move_choice()

    def _fit_move_choice(self) -> None:
        """Put the switch and the buttons of moves where the board stays larger: beside or below."""
        if self.move_choice.is_empty:
            if self.move_choice.winfo_manager():
                self.move_choice.pack_forget()
            return
        width, height = self._middle.winfo_width(), self._middle.winfo_height()
        if self.moves.winfo_manager():
            width -= self.moves.winfo_reqwidth() + PADDING
        beside, _ = self.move_choice.extent(standing=True)
        _, below = self.move_choice.extent(standing=False)
        look = self._look
        side = plan_of(self._rules, width - beside - PADDING, height, look).cell
        stands = side >= plan_of(self._rules, width, height - below - PADDING, look).cell
        self.move_choice.arrange(standing=stands)
        if stands:  # near to the board, where there is more room than it needs
            needed = geometry(self._rules).extent.width * side + 2 * (MARGIN + NAMES)
            spare = max(0, round(width - beside - PADDING - needed))
            pad = (spare // 2, PADDING)
            self.move_choice.pack(side="left", padx=pad, pady=0, before=self.board)
        else:
            self.move_choice.pack(side="bottom", padx=0, pady=(PADDING, 0), before=self.board)

    def _fit(self, width: int, height: int) -> None:
        """Break lines where they end; in a low window the board takes the place of the choices."""
        wide = width >= WIDE and width > WIDER * height
        few = width < NARROW
        self._below.show(self.buttons[name] for name in (MAIN_BUTTONS if few else BUTTONS))
        if wide is not self._wide:
            self._wide = wide
            self._arrange()
        # Beside a high board each list has a line of its own, which shows long names of games.
        self._top.limit(1 if wide and height >= HIGH else 0)
        room = (SIDE if wide else width - 2 * PADDING) - PADDING
        for label in (self.status, self.detail, self.score):
            label.configure(wraplength=room)
        if height < LOW and not wide:
            self._top.pack_forget()
        elif not self._top.winfo_manager():
            self._top.pack(side="top", fill="x", before=self.status)

    def _arrange(self) -> None:
        """Put words and buttons above and below the board, or beside it where that is roomier."""
        above = (self._top, self.status, self.detail)
        parts = (*above, self._below, self.score, self.offers, self._middle)
        for part in (self._side, *parts):
            part.pack_forget()
        place = self._side if self._wide else self.frame
        if self._wide:
            self._side.pack(side="left", fill="y", padx=(0, PADDING))
        # What is packed first keeps its place where the window is too small for all.
        self._below.pack(in_=place, side="bottom", fill="x", pady=(8, 0))
        self.score.pack(in_=place, side="bottom", anchor="center", pady=(4, 0))
        self.offers.pack(in_=place, side="bottom", fill="x", pady=(4, 0))
        self._top.pack(in_=place, side="top", fill="x")
        self.status.pack(in_=place, side="top", fill="x", pady=(8, 0))
        self.detail.pack(in_=place, side="top", fill="x")
        self._middle.pack(side="top", fill="both", expand=True)


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
