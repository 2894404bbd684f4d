"""The widgets of the window, rebuilt for another language or theme."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from gettext import NullTranslations
from tkinter import ttk

from tic_tac_toe.logic.models import MARKS
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES as LETTERS
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.pictures.board import SIGNS as VALUE_SIGNS
from tic_tac_toe.pictures.board import Look, geometry
from tic_tac_toe.pictures.shapes import Picture

from ..table.commands import COMMANDS, primary_command, title_of
from ..table.looking_back import describe_past, rows_of, value_graph
from ..table.table import Table
from ..table.telling import analysis_text, hint_text, score_text, situation_text, status_text
from ..words.evaluation_text import VALUES_LEGEND
from ..words.rules_text import Drawn, side_title, variant_title
from ..words.translation import code_of, join_sentences, labelled
from .board import Board
from .commands import BUTTONS, LETTER_KEYS, OFFERS, SIGNS, Context, Group, sequences_of
from .controls import GAP, Bar, Columns, Graph, MoveChoice, MoveList, Words
from .menus import Menus
from .plan import MARGIN, NAMES, plan_of
from .styles import apply_palette, family_of, menu_colours

#: Horizontal and vertical padding in pixels.
PADDING, EDGE = 12, 6
#: In a lower window, in pixels, game and players are only in the menus.
LOW = 540
#: So it is around a board with smaller cells, in pixels.
FINE = 18
#: If the board is larger so, texts and buttons are beside it in a column: a fraction of the
#: window's width, and limits in pixels.
SIDE, LEAST_SIDE, MOST_SIDE = 0.32, 248, 290
#: The height of texts and buttons above and below the board in a low window, and what a higher one
#: adds with game and players, in pixels.
AROUND, ABOVE = 100, 62
#: The height of the bar that shows the progress of a long search, in pixels.
PROGRESS = 5
#: The styles of the players' menus.
SEATS = {"x": "Cross.TMenubutton", "o": "Naught.TMenubutton"}


class View:
    """All widgets of the window."""

    def __init__(self, context: Context) -> None:
        root, language, desk = context.root, context.language, context.desk
        self._context = context
        self.root = root
        self._useless: set[str] | None = None
        self._wide = False
        self._size = (0, 0)
        self._titles: tuple[object, ...] = ()
        self._switches: set[tuple[str, bool]] = set()
        self._rules: Rules = TIC_TAC_TOE
        self._look = Look.MARKS
        apply_palette(root, context.palette)
        translate_tk_dialogs(root, language)
        self.menus = Menus(context)
        self.frame = ttk.Frame(root, padding=(PADDING, EDGE))
        self.frame.pack(fill="both", expand=True)
        self._side = ttk.Frame(self.frame)
        self._side.pack_propagate(False)
        self.header = Columns(self.frame)
        self.game = ttk.Button(self.header, command=partial(desk.do, "setup"))
        self.seats = {name: self._seat(name, style) for name, style in SEATS.items()}
        self.score = ttk.Label(self.header, style="Small.TLabel", anchor="center")
        self.header.show((self.game, *self.seats.values(), self.score))
        self.status = Words(self.frame, style="Status.TLabel", anchor="center", justify="center")
        self.detail = Words(self.frame, justify="center", anchor="n")
        self.progress = ttk.Progressbar(self.frame, maximum=1.0)
        self._slot = ttk.Frame(self.frame, height=PROGRESS)
        self.bar = Bar(self.frame, desk.do, (*OFFERS, *BUTTONS))
        self._middle = ttk.Frame(self.frame)
        self.board = Board(
            self._middle,
            context.palette,
            family_of(root),
            desk.play_cell,
            animated=context.animated,
        )
        self.graph = Graph(self._middle, context.palette, desk.past.show_ply)
        self.moves = MoveList(self._middle, desk.past.show_ply, desk.do)
        self.move_choice = MoveChoice(
            self._middle, language, self._place, self._play_special, context.variables["letter"]
        )
        self.board.pack(side="left", fill="both", expand=True)
        self._arrange()
        self._middle.bind("<Configure>", lambda _event: self._fit_move_choice())
        self.frame.bind("<Configure>", lambda event: self._fit(event.width, event.height))
        for name, command in COMMANDS.items():  # for any focus in the window
            for sequence in sequences_of(command.keys("window")):
                root.bind(f"<{sequence}>", partial(_run_action, partial(desk.do, name)))
        for letter, keys in LETTER_KEYS.items():
            for key in keys:
                action = partial(desk.table.choose, letter)
                root.bind(f"<Key-{key}>", partial(_run_action, action))
        self.board.focus_set()

    def show(self, groups: Mapping[str, Group], drawn: Drawn) -> None:
        """Update all widgets."""
        desk, language = self._context.desk, self._context.language
        table, past, advice = desk.table, desk.past, desk.advice
        match, replay, is_past = table.match, table.replay, table.replay.ply is not None
        if is_past:
            status = describe_past(match, replay, language)
        else:
            status = status_text(table, language, drawn)
        self.status.write(without_emoji(status))
        self.show_message(table.remark or self._text_below(drawn))
        self._show_header(groups, drawn)
        self.menus.show(groups)
        first, rules = match.start.starting_mark, table.state.rules
        one, other = (
            side_title(rules, mark, language, drawn.look) for mark in (first, first.other)
        )
        rows = rows_of(match, replay.moment(match) if is_past else None)
        self.moves.show((one, other), rows, past.review.signs)
        self._show_graph()
        self._show_move_choice(table)
        self._show_commands()
        self.board.show(
            Picture(
                replay.state(match),
                replay.last_cell(match),
                past.better or advice.best,
                advice.values,
                drawn.look,
                drawn.names,
                past.written or advice.written,
            ),
            letter=table.letter,
            active=not match.over and table.thinker is None and not is_past,
        )

    def show_progress(self, share: float | None) -> None:
        """Show the progress of a long search; ``None`` hides its bar."""
        if share is not None:
            self.progress.configure(value=share)
        if share is None:
            self.progress.place_forget()
        elif not self.progress.winfo_manager():
            self.progress.place(in_=self._slot, relwidth=1, relheight=1)

    def press_switches(self, states: Mapping[str, bool]) -> None:
        """Set which switches are on, by the names of commands."""
        changed = states.items() - self._switches
        self._switches = {*states.items()}
        for name, is_on in changed:
            self._context.variables[name].set("on" if is_on else "")
            if name in self.bar.buttons:
                self.bar.buttons[name].state(["selected" if is_on else "!selected"])

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

    def close(self) -> None:
        """Destroy the widgets."""
        self._context.root["menu"] = ""
        self.menus.bar.destroy()
        self.frame.destroy()

    def _seat(self, name: str, style: str) -> ttk.Menubutton:
        seat = ttk.Menubutton(self.header, style=style)
        menu = tk.Menu(seat, menu_colours(self._context.palette), tearoff=False)
        menu.configure(postcommand=lambda: self._fill_seat(menu, name))
        seat.configure(menu=menu)
        return seat

    def _fill_seat(self, menu: tk.Menu, name: str) -> None:
        menu.delete(0, "end")
        self.menus.fill(menu, name)

    def _text_below(self, drawn: Drawn) -> str:
        desk, language = self._context.desk, self._context.language
        table, advice = desk.table, desk.advice
        texts = desk.past.describe(language, drawn)
        if not texts and table.replay.ply is None:
            hint = hint_text(advice, table.state, language, drawn)
            legend = language.gettext(VALUES_LEGEND).format(**VALUE_SIGNS)
            analysis = analysis_text(advice, language, legend)
            texts = [*(hint or situation_text(table, language, drawn)), *analysis]
        return join_sentences([*dict.fromkeys(texts)], language)

    def _show_header(self, groups: Mapping[str, Group], drawn: Drawn) -> None:
        table, language = self._context.desk.table, self._context.language
        rules = table.state.rules
        title, score = variant_title(rules, language), score_text(table, language, drawn)
        seats = {
            name: labelled(
                side_title(rules, mark, language, drawn.look), groups[name].chosen_title, language
            )
            for name, mark in zip(SEATS, MARKS)
        }
        titles = (title, score, *seats.values())
        if titles == self._titles:
            return
        self._titles = titles
        self.root.title(title)
        self.game.configure(text=title)
        self.score.configure(text=score)
        have_letters = traits_of(rules).sides == tuple(LETTERS)
        for name, text in seats.items():
            style = SEATS[name] if have_letters else "TMenubutton"
            self.seats[name].configure(text=text, style=style)
        self.header.show(self.header.children_shown)

    def _show_graph(self) -> None:
        desk = self._context.desk
        if desk.past.review.is_on:
            match = desk.table.match
            points = value_graph(desk.past.review, match)
            self.graph.show(points, match.ply, desk.table.replay.moment(match))
            if not self.graph.winfo_manager():
                self.graph.pack(side="bottom", fill="x", pady=(EDGE, 0), before=self.board)
        elif self.graph.winfo_manager():
            self.graph.pack_forget()

    def _show_commands(self) -> None:
        """Enable the commands that have an effect, and name the buttons."""
        desk, language = self._context.desk, self._context.language
        useless = {name for name in COMMANDS if not desk.may(name)}
        primary = primary_command(desk)
        offered = [name for name in OFFERS if name not in useless]
        names = dict.fromkeys([*([primary] if primary else []), *offered, *BUTTONS])
        focused = self._focused_button(self.bar.buttons | self.moves.buttons)
        titles = {name: SIGNS.get(name) or title_of(name, desk, language) for name in names}
        self.bar.offer(titles, useless.intersection(names), primary)
        if useless != self._useless:
            for name in useless.symmetric_difference(self._useless or COMMANDS):
                self._allow(name, name not in useless)
            self._useless = useless
        if focused and (focused in useless or focused not in {*names, *self.moves.buttons}):
            self.board.focus_set()

    def _allow(self, name: str, allowed: bool) -> None:
        if name in self.menus.commands:
            self.menus.allow(name, allowed)
        if name in self.moves.buttons:
            self.moves.buttons[name].state(["!disabled" if allowed else "disabled"])

    def _focused_button(self, buttons: Mapping[str, ttk.Button]) -> str:
        # Asked like this, because `focus_get` does not know the menus that are open.
        focused = str(self.root.tk.call("focus"))
        return next((name for name, button in buttons.items() if str(button) == focused), "")

    def _place(self, letter: str) -> None:
        self.board.focus_set()
        self._context.desk.table.choose(letter)

    def _play_special(self, name: str) -> None:
        self.board.focus_set()
        self._context.desk.play_special(name)

    def _show_move_choice(self, table: Table) -> None:
        state = table.state
        possible = () if table.thinker or table.match.over else tuple(state.special_moves)
        shown, look = (self._rules, self._look), Look(self._context.variables["look"].get())
        self._rules, self._look = state.rules, look
        if shown != (self._rules, self._look):
            self._fit(*self._size)
        choice, specials = self.move_choice, traits_of(state.rules).specials
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

    @property
    def _list_width(self) -> int:
        return self.moves.winfo_reqwidth() + PADDING if self.moves.winfo_manager() else 0

    def _fit(self, width: int, height: int) -> None:
        """Wrap texts; in a low window the board takes the place of game and players."""
        self._size = width, height
        if width < LEAST_SIDE:  # the window has no size yet
            return
        needed = max(part.winfo_reqwidth() for part in self.header.children_shown)
        side = max(round(min(max(width * SIDE, LEAST_SIDE), MOST_SIDE)), needed)
        low = self._is_low()
        wide = self._is_larger_beside(side, AROUND if low else AROUND + ABOVE)
        self._side.configure(width=side)
        if wide is not self._wide:
            self._wide = wide
            self._arrange()
        room = side if wide else width - 2 * PADDING
        self.bar.fit(room, single=not wide)
        self.status.configure(style="Low.Status.TLabel" if low else "Status.TLabel")
        self.detail.least = 1 if low or wide else 2
        for label in (self.status, self.detail):
            label.fit(room - GAP)
            label.wrap()
        if low and not wide:
            self.header.pack_forget()
        elif not self.header.winfo_manager():
            self._pack_header()

    def _is_low(self) -> bool:
        """Return whether the window, or a cell of the board, is so small that texts give way."""
        return self._size[1] < LOW or self._cell(AROUND + ABOVE) < FINE

    def _is_larger_beside(self, side: int, around: int) -> bool:
        return self._cell(2 * EDGE, side + PADDING) > self._cell(around)

    def _cell(self, around: int, beside: int = 0) -> int:
        """Return the side of a cell if other widgets take so much room."""
        width, height = self._size
        room = width - 2 * PADDING - self._list_width - beside
        return plan_of(self._rules, room, height - around, self._look).cell

    def _pack_header(self) -> None:
        place = self._side if self._wide else self.frame
        self.header.pack(in_=place, side="top", fill="x", pady=(0, 4), before=self.status)

    def _arrange(self) -> None:
        """Put texts and buttons above and below the board, or beside it."""
        above = (self.header, self.status, self.detail, self._slot)
        for part in (self._side, *above, self.bar, self._middle):
            part.pack_forget()
        place = self._side if self._wide else self.frame
        if self._wide:
            self._side.pack(side="left", fill="y", padx=(0, PADDING))
        # If the window is too small, widgets packed first keep their place.
        self.bar.pack(in_=place, side="bottom", fill="x", pady=(4, 0))
        for part in above[1:]:
            part.pack(in_=place, side="top", fill="x")
        self._pack_header()
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
