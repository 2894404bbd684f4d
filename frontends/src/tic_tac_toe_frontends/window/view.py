"""The widgets of the window, rebuilt for another language or theme."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from gettext import NullTranslations
from tkinter import ttk

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES as LETTERS
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.pictures.board import Look, geometry

from ..table.looking_back import describe_past, rows_of
from ..table.table import Table
from ..table.telling import score_text, status_text
from ..words.rules_text import Drawn, side_title
from ..words.translation import code_of
from .board import Board
from .commands import BUTTONS, BY_IMPORTANCE, COMMANDS, LETTER_KEYS, OFFERS, Context, Group
from .controls import GAP, Choice, Columns, MoveChoice, MoveList, Offers, Words
from .menus import Menus
from .plan import MARGIN, NAMES, plan_of
from .styles import apply_palette, family_of

#: Horizontal and vertical padding in pixels.
PADDING, EDGE = 12, 6
#: In a lower window, in pixels, the choices are only in the menus.
LOW = 540
#: If the board is larger so, texts and buttons are beside it in a column: a fraction of the
#: window's width, and limits in pixels.
SIDE, LEAST_SIDE, MOST_SIDE = 0.32, 248, 290
#: The approximate height of texts and buttons above and below the board, and of the choices, in
#: pixels.
AROUND, ABOVE = 140, 54
#: A wide window of at least this height in pixels stacks the choices.
HIGH = 640
#: The maximum width of a choice in pixels.
ENOUGH = 104
#: The groups above the board with the styles of their titles; the menus have all groups.
CHOICES = {
    "x": "Cross.TLabel",
    "o": "Naught.TLabel",
    "variant": "Small.TLabel",
    "starting": "Small.TLabel",
}


class View:
    """All widgets of the window."""

    def __init__(self, context: Context) -> None:
        root, language = context.root, context.language
        self._context = context
        self.root = root
        self._allowed: dict[str, bool] = {}
        self._wide = False
        self._size = (0, 0)
        self._groups: Mapping[str, Group] = {}
        self._score = ""
        self._line_shown: tuple[object, ...] = ()
        self._rules: Rules = TIC_TAC_TOE
        self._look = Look.MARKS
        apply_palette(root, context.palette)
        translate_tk_dialogs(root, language)
        self.menus = Menus(context)
        self.frame = ttk.Frame(root, padding=(PADDING, EDGE))
        self.frame.pack(fill="both", expand=True)
        self._side = ttk.Frame(self.frame)
        self._side.pack_propagate(False)
        self._line = ttk.Frame(self.frame)
        self._line.pack_propagate(False)
        self._top = Columns(self.frame, ENOUGH)
        self._below = below = Columns(self.frame)
        self.buttons = {
            name: ttk.Button(
                below, text=language.gettext(COMMANDS[name].title), command=context.actions[name]
            )
            for name in BUTTONS
        }
        self.score = ttk.Label(self.frame, style="Small.TLabel")
        self.status = Words(self.frame, style="Status.TLabel", anchor="center", justify="center")
        self.detail = Words(self.frame, justify="center", anchor="n")
        self.offers = Offers(self.frame, {name: context.actions[name] for name in OFFERS})
        self._line.configure(height=self.offers.height)
        self._middle = ttk.Frame(self.frame)
        self.board = Board(
            self._middle, context.palette, family_of(root), context.play, animated=context.animated
        )
        self.choices = {
            name: Choice(self._top, context.groups[name], style, partial(self._choose, name))
            for name, style in CHOICES.items()
        }
        self.moves = MoveList(self._middle, context.look_back, context.actions)
        self.move_choice = MoveChoice(
            self._middle, language, self._place, self._play_special, context.variables["letter"]
        )
        self.board.pack(side="left", fill="both", expand=True)
        self._arrange()
        self._middle.bind("<Configure>", lambda _event: self._fit_move_choice())
        self.frame.bind("<Configure>", lambda event: self._fit(event.width, event.height))
        for name, command in COMMANDS.items():  # for any focus in the window
            for sequence in command.sequences:
                root.bind(f"<{sequence}>", partial(_run_action, context.actions[name]))
        for letter, keys in LETTER_KEYS.items():
            for key in keys:
                root.bind(f"<Key-{key}>", partial(_run_action, partial(context.place, letter)))
        self.board.focus_set()

    def show(
        self,
        table: Table,
        signs: Mapping[int, str],
        possible: dict[str, bool],
        groups: Mapping[str, Group],
        drawn: Drawn,
    ) -> None:
        """Update all widgets but the board.

        Args:
            signs: of faults, by ply.
        """
        match, language = table.match, self._context.language
        is_past = table.replay.ply is not None
        if is_past:
            status = describe_past(match, table.replay, language)
        else:
            status = status_text(table, language, drawn)
        self.status.write(without_emoji(status))
        self._score = score_text(table, language, drawn)
        self.score.configure(text=self._score)
        self.menus.show(groups)
        have_letters = traits_of(table.state.rules).sides == tuple(LETTERS)
        for name, choice in self.choices.items():
            choice.show(groups[name])
            choice.title.configure(style=CHOICES[name] if have_letters else "Small.TLabel")
        if groups != self._groups:
            self._groups = groups
            self._top.arrange()
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
                    self._leave_button(buttons[name], may)
                    buttons[name].state(["!disabled" if may else "disabled"])

    def press_switches(self, states: Mapping[str, bool]) -> None:
        """Set which buttons of switches look pressed, by the names of commands."""
        for name, is_on in states.items():
            if name in self.buttons:
                self.buttons[name].state(["selected" if is_on else "!selected"])

    def offer(self, titles: Mapping[str, str]) -> None:
        """Show the temporary buttons with these titles, by the names of commands."""
        for name, button in self.offers.buttons.items():
            self._leave_button(button, name in titles)
        self.offers.show(titles)
        self._fill_line()

    def _leave_button(self, button: ttk.Button, usable: bool) -> None:
        """Move the focus to the board if it is on a button that becomes unusable."""
        # Asked like this, because `focus_get` does not know the list that a combobox opens.
        if not usable and str(button.tk.call("focus")) == str(button):
            self.board.focus_set()

    def show_message(self, text: str, *, refused: bool = False) -> None:
        """Show a text below the status."""
        self.detail.configure(style="Refusal.TLabel" if refused else "TLabel")
        self.detail.write(without_emoji(text))

    def show_moves(self, shown: bool) -> None:
        """Show or hide the list of moves."""
        if shown:
            self.moves.pack(side="right", fill="y", padx=(PADDING, 0), before=self.board)
        else:
            self.moves.pack_forget()
        self._fit(*self._size)
        self._fit_move_choice()

    @property
    def _list_width(self) -> int:
        return self.moves.winfo_reqwidth() + PADDING if self.moves.winfo_manager() else 0

    def close(self) -> None:
        """Destroy the widgets."""
        self._context.root["menu"] = ""
        self.menus.bar.destroy()
        self.frame.destroy()

    def _choose(self, name: str, value: str) -> None:
        self.board.focus_set()
        self._context.choose(name, value)

    def _place(self, letter: str) -> None:
        self.board.focus_set()
        self._context.place(letter)

    def _play_special(self, name: str) -> None:
        self.board.focus_set()
        self._context.play_special(name)

    def _show_move_choice(self, table: Table) -> None:
        state = table.state
        possible = () if table.thinker or table.match.over else tuple(state.special_moves)
        shown, look = (self._rules, self._look), Look(self._context.variables["look"].get())
        self._rules, self._look = state.rules, look
        if shown != (self._rules, self._look):
            self._fit(*self._size)
        choice, specials = self.move_choice, traits_of(state.rules).specials
        # Asked like this, because `focus_get` does not know the list that a combobox opens.
        focused = "" if choice.is_empty else str(choice.tk.call("focus"))
        choice.show(table.letters, table.letter, specials, possible)
        usable = [*choice.letters.values(), *(choice.specials[name] for name in possible)]
        if focused.startswith(str(choice)) and focused not in map(str, usable):
            self.board.focus_set()
        self._fit_move_choice()

    def _fit_move_choice(self) -> None:
        """Put the choices of moves beside or below the board, so that the board is larger."""
        if self.move_choice.is_empty:
            if self.move_choice.winfo_manager():
                self.move_choice.pack_forget()
            return
        width, height = self._middle.winfo_width(), self._middle.winfo_height()
        width -= self._list_width
        beside, _ = self.move_choice.extent(standing=True)
        _, below = self.move_choice.extent(standing=False)
        look = self._look
        side = plan_of(self._rules, width - beside - PADDING, height, look).cell
        stands = side >= plan_of(self._rules, width, height - below - PADDING, look).cell
        self.move_choice.arrange(standing=stands)
        if stands:  # close to the board, if there is room to spare
            needed = geometry(self._rules).extent.width * side + 2 * (MARGIN + NAMES)
            spare = max(0, round(width - beside - PADDING - needed))
            pad = (spare // 2, PADDING)
            self.move_choice.pack(side="left", padx=pad, pady=0, before=self.board)
        else:
            self.move_choice.pack(side="bottom", padx=0, pady=(PADDING, 0), before=self.board)

    def _fit(self, width: int, height: int) -> None:
        """Wrap texts; in a low window the board takes the place of the choices."""
        self._size = width, height
        if width < LEAST_SIDE:  # the window has no size yet
            return
        side = round(min(max(width * SIDE, LEAST_SIDE), MOST_SIDE))
        wide, low = self._is_larger_beside(side), height < LOW
        self._side.configure(width=side)
        if wide is not self._wide:
            self._wide = wide
            self._arrange()
        room = side if wide else width - 2 * PADDING
        self._below.show(self.buttons[name] for name in self._fitting(room, every=wide))
        # Beside a high board each list has its own line, wide enough for long names of games.
        self._top.limit(1 if wide and height >= HIGH else 0)
        self.status.configure(style="Low.Status.TLabel" if low else "Status.TLabel")
        for label in (self.status, self.detail):
            label.fit(room - PADDING)
        self.score.configure(wraplength=room - PADDING)
        self.offers.fit(room)
        self._fill_line()
        if low:
            self._top.pack_forget()
        elif not self._top.winfo_manager():
            self._top.pack(in_=self._holder, side="top", fill="x", pady=(0, 4), before=self.status)

    def _is_larger_beside(self, side: int) -> bool:
        width, height = self._size
        around = AROUND if height < LOW else AROUND + ABOVE
        room = width - 2 * PADDING - self._list_width
        beside = plan_of(self._rules, room - side - PADDING, height - 2 * EDGE, self._look)
        return beside.cell > plan_of(self._rules, room, height - around, self._look).cell

    def _fitting(self, room: int, *, every: bool) -> list[str]:
        """Return the most important buttons that fit in a row; menus have the others."""
        fitting = set[str]()
        for name in BY_IMPORTANCE:
            room -= self.buttons[name].winfo_reqwidth() + GAP
            if room + GAP < 0 and not every:
                break
            fitting.add(name)
        return [name for name in BUTTONS if name in fitting]

    def _fill_line(self) -> None:
        shown = self._wide, self._size[0], self._score, *self.offers.shown.items()
        if shown == self._line_shown:
            return
        self._line_shown = shown
        needed, room = self.offers.needed, self._size[0] - 2 * PADDING
        for part in (self.score, self.offers):
            part.pack_forget()
        if self._wide:
            self.score.pack(in_=self._side, side="bottom", pady=(4, 0), before=self.status)
        elif not needed or self.score.winfo_reqwidth() + needed < room:
            self.score.pack(in_=self._line, side="left", expand=True)
        if needed and self._wide:
            self.offers.pack(in_=self._side, side="bottom", pady=(4, 0), before=self.status)
        elif needed:
            self.offers.pack(in_=self._line, side="left", expand=True)

    @property
    def _holder(self) -> ttk.Frame:
        return self._side if self._wide else self.frame

    def _arrange(self) -> None:
        """Put texts and buttons above and below the board, or beside it."""
        above = (self._top, self.status, self.detail)
        for part in (self._side, *above, self._below, self._line, self._middle):
            part.pack_forget()
        place = self._holder
        if self._wide:
            self._side.pack(side="left", fill="y", padx=(0, PADDING))
        # If the window is too small, widgets packed first keep their place.
        self._below.pack(in_=place, side="bottom", fill="x", pady=(4, 0))
        if not self._wide:  # a constant height, so that the board does not move
            self._line.pack(side="bottom", fill="x")
        self.status.pack(in_=place, side="top", fill="x")
        self.detail.pack(in_=place, side="top", fill="x")
        self._middle.pack(side="top", fill="both", expand=True)


def translate_tk_dialogs(root: tk.Tk, language: NullTranslations) -> None:
    """Translate Tk's own dialogs, if Tk has the language."""
    load = "msgcat::mcload [file join $::tk_library msgs]"
    root.tk.eval(f"msgcat::mclocale {code_of(language)}; namespace eval ::tk {{{load}}}")


def without_emoji(text: str) -> str:
    """Return a sentence without its emoji: coloured glyphs crash some versions of Xlib."""
    return text.replace(" 🎉", "!").replace(" 😐", ".")


def _run_action(action: Callable[[], object], _event: object) -> str:
    action()
    return "break"
