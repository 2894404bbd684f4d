"""The game in a window: what people do there, and what then happens."""

from __future__ import annotations

import os
import random
import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from tkinter import filedialog
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules

from ..program.process import Refused
from ..program.record_files import RecordFiles
from ..table.background import Background
from ..table.driver import Driver
from ..table.setup import setup_of_record
from ..table.table import Table
from ..table.telling import tell_hint, tell_situation
from ..words.messages import localise
from ..words.rules_text import variant_title
from ..words.translation import load
from .args import Args
from .commands import Group, Kit, groups_of
from .marks import icon
from .palettes import LIGHT, PALETTES, palette_of
from .size_dialog import SizeDialog
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
        self.language = args.language
        self._theme = args.theme
        self._shows_moves = False
        self._asks_for_file = False
        self._closes = False
        self.actions: Mapping[str, Callable[[], object]] = {
            "new": self.table.begin,
            "undo": lambda: self._try(self.table.take_back),
            "redo": lambda: self._try(self.table.play_again),
            "hint": self.ask_hint,
            "resign": lambda: self._try(self.table.resign),
            "open": lambda: self._ask_for_file(filedialog.askopenfilename, self.open_file),
            "save": lambda: self._ask_for_file(filedialog.asksaveasfilename, self.save_file),
            "quit": self.close,
            "size": self.ask_size,
            "moves": self.toggle_moves,
        }
        self._variables = {
            name: tk.StringVar(root, name=f"chosen-{name}") for name in (*self._groups(), "letter")
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
        self.view = self._make_view()
        self._driver.start()

    # -- what is shown ----------------------------------------------------------------------------

    def _show(self) -> None:
        table, language = self.table, self.language
        self.root.title(variant_title(table.state.rules, language))
        self.view.show(table, self.advice.possible, self._groups())
        self.view.board.show(
            table.state,
            table.last_cell,
            self.advice.best,
            letter=table.letter,
            active=not table.match.over and table.thinker is None,
        )
        hint = tell_hint(self.advice, table.state, language)
        self.view.say(self._driver.remark or " ".join(hint or tell_situation(table, language)))

    def _say(self, words: str) -> None:
        """Show words instead of the usual ones, until the game goes on."""
        self._driver.remark = words
        self.view.say(words)

    def _forget(self) -> None:
        """Show neither hints nor refusals."""
        self.advice.forget()
        self._driver.remark = ""
        self._show()

    # -- what people do ---------------------------------------------------------------------------

    def play(self, cell: int) -> None:
        """Make a person's move; under gravity any cell of a column stands for its free one."""
        self._try(lambda: self.table.drop(cell))

    def place_letter(self, letter: str) -> None:
        """Let people place this letter from now on, in games in which they choose."""
        self.table.choose(letter)

    def play_special(self, name: str) -> None:
        """Make a person's move that places nothing, such as ``swap``."""
        if name in self.table.state.special_moves:
            self._try(lambda: self.table.place(self.table.state.special_moves[name]))

    def ask_hint(self) -> None:
        """Show the best moves, once they are found."""
        self._driver.remark = ""
        self.advice.ask_hint()

    def toggle_moves(self) -> None:
        """Show the list of moves, or show it no more."""
        self._shows_moves = not self._shows_moves
        self.view.show_moves(self._shows_moves)

    def open_file(self, name: str) -> None:
        """Go on with the last game of a file.

        Raises:
            Refused: it cannot be read, or holds no game.
        """
        records = RecordFiles(self.language).read(name)
        if not records:
            raise Refused(self.language.gettext("No games."))
        record = records[-1]
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
        if self._asks_for_file:
            # Tk waits for an answer in a loop of its own, and has to leave it first.
            self._asks_for_file, self._closes = False, True
            self.root.setvar("::tk::Priv(selectFilePath)", "")
            return
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
            self.language = load(value, {})
            self._remake()
        elif name == "theme":
            self._theme = value
            self._remake()
        elif name == "variant":
            self._begin_with(find_rules(value))
        elif name == "starting" and table.match.history and not table.match.over:
            table.setup = table.setup._replace(starting=value)
            self._show()
            self._say(self.language.gettext("This holds from the next game on."))
        else:
            changes: dict[str, Any] = {name: value}  # of x, o or starting
            table.seat(table.setup._replace(**changes))

    def _begin_with(self, rules: Rules) -> None:
        self.table.begin(self.table.setup._replace(rules=rules))

    def _groups(self) -> dict[str, Group]:
        return groups_of(self.table.setup, self._theme, self.language, self.table.opponents.brains)

    # -- the machinery ----------------------------------------------------------------------------

    def _pause(self, go_on: Callable[[], object]) -> None:
        self.root.after(round(self._args.delay * 1000), go_on)

    def _ask_for_file(self, ask: Callable[..., str], use: Callable[[str], object]) -> None:
        """Do something with a file that a person names."""
        if self._asks_for_file:
            return
        _ = self.language.gettext
        kinds = [(_("Recorded games"), "*.txt *.json *.jsonl"), (_("All files"), "*")]
        self._asks_for_file = True
        name = ask(parent=self.root, filetypes=kinds)
        self._asks_for_file = False
        if self._closes:
            self.close()
        elif name:
            self._try(lambda: use(name))

    def _try(self, action: Callable[[], object]) -> None:
        """Do something, or say in one line why not."""
        try:
            action()
        except (InvalidMove, Refused) as reason:
            self.view.say(localise(self.language, reason), refused=True)

    def _make_view(self) -> View:
        kit = Kit(
            root=self.root,
            groups=self._groups(),
            language=self.language,
            palette=palette_of(self._theme, os.environ),
            actions=self.actions,
            variables=self._variables,
            choose=self.choose,
            play=self.play,
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
        self.view.show_moves(self._shows_moves)
        self._forget()
