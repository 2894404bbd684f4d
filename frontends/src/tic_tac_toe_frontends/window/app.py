"""The game in a window: what people do there, and what then happens."""

from __future__ import annotations

import os
import random
import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.game.looks import Look
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules

from ..program.process import Refused
from ..program.record_files import RecordFiles
from ..table.background import Background
from ..table.driver import LOOK_SECONDS, Driver
from ..table.looking_back import STEP_SECONDS, STEPS, LookingBack, check_present
from ..table.setup import setup_of_record
from ..table.table import Table, offer_after
from ..words.game_text import describe_player
from ..words.translation import load, localise
from .args import Args
from .commands import GROUPS, SWITCHES, Kit
from .dialogs import FileDialogs, HelpDialog, SizeDialog
from .marks import icon
from .palettes import LIGHT, PALETTES, palette_of
from .showing import Settings, Showing
from .thoughts import Thoughts
from .view import View

#: How large the window is at first and at least, in pixels.
FIRST_SIZE, LEAST_SIZE = (720, 740), (360, 420)
#: What the desktop needs of the height of the screen, in pixels.
SPARE_HEIGHT = 90


class App:
    """The window and the table that it shows.

    Args:
        root: an empty window.
        answer: called in a thread with each query; returns its result.
    """

    def __init__(
        self,
        root: tk.Tk,
        args: Args,
        answer: Callable[[Callable[[], Any]], Any] = lambda query: query(),
    ) -> None:
        self.root = root
        self.table = Table(args.setup, random.Random(args.seed), opponents=args.opponents)
        self._args = args
        self.settings = Settings(args.language, args.theme)
        self._files = FileDialogs(root, self.close)
        self.actions: Mapping[str, Callable[[], object]] = {
            "new": self.table.begin,
            "undo": lambda: self._try(self.table.take_back),
            "redo": lambda: self._try(self.table.play_again),
            "hint": lambda: self.advice.ask_hint(),
            "resign": lambda: self._try(self.table.resign),
            "analysis": lambda: self.advice.analyse(not self.advice.analysing),
            "open": lambda: self._files.open(self._using(self.open_file), self.language),
            "save": lambda: self._files.save(self._using(self.save_file), self.language),
            "quit": self.close,
            "size": self.ask_size,
            "help": self.show_help,
            "moves": self.toggle_moves,
            "names": self.toggle_names,
            **{name: partial(self._go, name) for name in STEPS},
            "film": lambda: self.past.film.toggle(),
            "review": lambda: self.past.start_review(),
            "fault-back": lambda: self.past.step_to_fault(-1),
            "fault-on": lambda: self.past.step_to_fault(1),
            "play-on": lambda: self.past.play_on(),
            "next": self.play_next_level,
            "now": lambda: self._driver.move_now(),
        }
        self._variables = {
            name: tk.StringVar(root, name=f"chosen-{name}")
            for name in (*GROUPS, *SWITCHES, "letter")
        }
        root.minsize(*LEAST_SIZE)
        width, height = FIRST_SIZE
        root.geometry(f"{width}x{min(height, root.winfo_screenheight() - SPARE_HEIGHT)}")
        root.iconphoto(True, icon(root, PALETTES[LIGHT].x))
        root.protocol("WM_DELETE_WINDOW", self.close)
        root.bind("<Escape>", lambda _event: self._forget())
        self._thoughts = Thoughts(root)
        start = self._thoughts.start
        ask = Background(lambda query, ended: start(partial(answer, query), ended)).ask
        self._driver = Driver(self.table, self._show, ask, self._pause)
        self.advice = self._driver.advice
        later = partial(root.after, round(STEP_SECONDS * 1000))
        self.past = LookingBack(self.table, ask, self._show, later)
        self._showing = Showing(self.table, self._driver, self.past, self.settings, self._variables)
        self.view = self._make_view()
        self._driver.start()
        self._watch_thought()

    @property
    def language(self) -> NullTranslations:
        """The messages that the window speaks with."""
        return self.settings.language

    # -- what is shown ----------------------------------------------------------------------------

    def _show(self) -> None:
        self._showing.show(self.view)

    def _watch_thought(self) -> None:
        self._showing.look_at_thought(self.view)
        self._watching = self.root.after(round(LOOK_SECONDS * 1000), self._watch_thought)

    def _say(self, words: str) -> None:
        """Show words instead of the usual ones, until the game goes on."""
        self.table.remark = words
        self.view.say(words)

    def _forget(self) -> None:
        """Show neither hints nor refusals."""
        self.advice.forget()
        self.table.remark = ""
        self._show()

    # -- what people do ---------------------------------------------------------------------------

    def play(self, cell: int) -> None:
        """Make a person's move; under gravity any cell of a column stands for its free one."""

        def drop() -> None:
            check_present(self.table)
            self.table.drop(cell)

        self._try(drop)

    def place_letter(self, letter: str) -> None:
        """Let people place this letter from now on, in games in which they choose."""
        self.table.choose(letter)

    def play_special(self, name: str) -> None:
        """Make a person's move that places nothing, such as ``swap``."""
        if name in self.table.state.special_moves and self.table.replay.ply is None:
            self._try(lambda: self.table.place(self.table.state.special_moves[name]))

    def toggle_moves(self) -> None:
        """Show the list of moves, or show it no more."""
        self.settings.moves = not self.settings.moves
        self.view.show_moves(self.settings.moves)
        self._showing.mark_switches(self.view)

    def toggle_names(self) -> None:
        """Name rows and columns, or do so no more."""
        self.settings.names = not self.settings.names
        self._show()

    def look_back(self, ply: int) -> None:
        """Show the position after ``ply`` moves."""
        self.past.look(ply)

    def _go(self, step: str) -> None:
        self.past.step(step)

    def play_next_level(self) -> None:
        """Begin a game against the level above the one that a person has beaten."""
        if offer := offer_after(self.table):
            self.table.begin(offer.setup)

    def show_help(self) -> None:
        """Tell the rules and the keys."""
        HelpDialog(self.root, self.table.state.rules, self.language, self._palette)

    def open_file(self, name: str) -> None:
        """Go on with the last game of a file.

        Raises:
            Refused: it cannot be read, or holds no game.
        """
        record = RecordFiles(self.language).last(name)
        setup = setup_of_record(record, self.table.setup)
        self.table.begin(setup, state=record.initial_state, moves=record.moves)

    def save_file(self, name: str) -> None:
        """Write the game to a file, in place of one that may be there.

        Raises:
            Refused: it cannot be written.
        """
        RecordFiles(self.language).write(name, [self.table.record], overwrite=True)
        self._say(self.language.gettext("Saved to {file}.").format(file=name))

    def ask_size(self) -> None:
        """Ask for a board of another size, and begin a game on it."""
        SizeDialog(self.root, self.table.state.rules, self._begin_with, self.language)

    def close(self) -> None:
        """Close the window, in the middle of a thought as well."""
        if self._files.leave():
            return
        self.root.after_cancel(self._watching)
        self._thoughts.close()
        self._driver.stop()
        self.root.destroy()

    # -- what people choose -----------------------------------------------------------------------

    def choose(self, name: str, value: str) -> None:
        """Choose something of a group.

        Players change at once, and the game goes on. The starter holds from the next game on, where
        this one has begun.
        """
        table = self.table
        if name == "language":
            self.settings.language = load(value, {})
            self._remake()
        elif name == "theme":
            self.settings.theme = value
            self._remake()
        elif name == "look":
            self.settings.looks.choose(table.state.rules, Look(value))
            self._show()
        elif name == "variant":
            self._begin_with(find_rules(value))
        elif name == "starting" and table.match.history and not table.match.over:
            table.setup = table.setup._replace(starting=value)
            self._show()
            self._say(self.language.gettext("This holds from the next game on."))
        else:
            changes: dict[str, Any] = {name: value}  # of x, o or starting
            table.seat(table.setup._replace(**changes))
            if name != "starting" and (words := describe_player(value, self.language)):
                self._say(words)

    def _begin_with(self, rules: Rules) -> None:
        self.table.begin(self.table.setup._replace(rules=rules))

    # -- the machinery ----------------------------------------------------------------------------

    def _pause(self, go_on: Callable[[], object]) -> None:
        self.root.after(round(self._args.delay * 1000), go_on)

    def _using(self, use: Callable[[str], object]) -> Callable[[str], object]:
        return lambda name: self._try(lambda: use(name))

    def _try(self, action: Callable[[], object]) -> None:
        """Do something, or say in one line why not."""
        try:
            action()
        except (InvalidMove, Refused) as reason:
            self.table.remark = localise(self.language, reason)
            self.view.say(self.table.remark, refused=True)

    def _make_view(self) -> View:
        self._palette = palette_of(self.settings.theme, os.environ)
        kit = Kit(
            root=self.root,
            groups=self._showing.groups(),
            language=self.language,
            palette=self._palette,
            actions=self.actions,
            variables=self._variables,
            choose=self.choose,
            play=self.play,
            look_back=self.look_back,
            place=self.place_letter,
            play_special=self.play_special,
            animated=self._args.animated,
        )
        return View(kit)

    def _remake(self) -> None:
        """Make all widgets again, after the menu that asked for it has closed."""
        self.root.after_idle(self._remake_now)

    def _remake_now(self) -> None:
        self.view.close()
        self.view = self._make_view()
        self.view.show_moves(self.settings.moves)
        self._forget()
