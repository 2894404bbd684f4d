"""The game in a window: what people do there, and what then happens."""

from __future__ import annotations

import os
import random
import tkinter as tk
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tic_tac_toe.game.looks import Look
from tic_tac_toe.game.worth import SIGNS
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules

from ..program.process import Refused
from ..program.record_files import RecordFiles
from ..table.autoplay import STEP_SECONDS, Autoplay
from ..table.background import Background
from ..table.driver import Driver
from ..table.looks import Looks
from ..table.past import check_present
from ..table.setup import setup_of_record
from ..table.table import Table
from ..table.telling import tell_analysis, tell_hint, tell_situation
from ..words.game_text import VALUES_LEGEND
from ..words.messages import localise
from ..words.rules_text import variant_title
from ..words.translation import load
from .args import Args
from .commands import SWITCHES, Group, Kit, groups_of
from .file_dialogs import FileDialogs
from .help_dialog import HelpDialog
from .marks import icon
from .palettes import LIGHT, PALETTES, palette_of
from .picture import Picture
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
        self._shows_names = True
        self._looks = Looks()
        self._files = FileDialogs(root, self.close)
        self.actions: Mapping[str, Callable[[], object]] = {
            "new": self.table.begin,
            "undo": lambda: self._try(self.table.take_back),
            "redo": lambda: self._try(self.table.play_again),
            "hint": self.ask_hint,
            "resign": lambda: self._try(self.table.resign),
            "analysis": lambda: self.advice.analyse(not self.advice.analysing),
            "open": lambda: self._files.open(self._using(self.open_file), self.language),
            "save": lambda: self._files.save(self._using(self.save_file), self.language),
            "quit": self.close,
            "size": self.ask_size,
            "help": self.show_help,
            "moves": self.toggle_moves,
            "names": self.toggle_names,
            **{name: partial(self.step, name) for name in ("first", "back", "on", "last")},
            "film": lambda: self._film.toggle(),
        }
        self._variables = {
            name: tk.StringVar(root, name=f"chosen-{name}")
            for name in (*self._groups(), *SWITCHES, "letter")
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
        self._film = Autoplay(
            self.table, self._show, partial(root.after, round(STEP_SECONDS * 1000))
        )
        self.view = self._make_view()
        self._driver.start()

    # -- what is shown ----------------------------------------------------------------------------

    def _show(self) -> None:
        table, language, advice = self.table, self.language, self.advice
        match, replay, state = table.match, table.replay, table.replay.state(table.match)
        self.root.title(variant_title(table.state.rules, language))
        may_resign = match.turn is not None and bool(table.people)
        self._mark_switches()
        self.view.show(table, {**advice.possible, "resign": may_resign}, self._groups())
        self.view.board.show(
            Picture(
                state,
                replay.last_cell(match),
                advice.best,
                advice.verdicts,
                self.look,
                self._shows_names,
            ),
            letter=table.letter,
            active=not match.over and table.thinker is None and replay.ply is None,
        )
        self.view.say(self._driver.remark or " ".join(self._told()))

    def _told(self) -> list[str]:
        """Return what stands below the status."""
        table, language, advice = self.table, self.language, self.advice
        if table.replay.ply is not None:
            return []
        hint = tell_hint(advice, table.state, language)
        legend = language.gettext(VALUES_LEGEND).format(**SIGNS)
        analysis = tell_analysis(advice, language, legend)
        sentences = [*(hint or tell_situation(table, language)), *analysis]
        return [*dict.fromkeys(sentences)]

    def _mark_switches(self) -> None:
        states = {
            "analysis": self.advice.analysing,
            "moves": self._shows_moves,
            "names": self._shows_names,
        }
        for name, is_on in states.items():
            self._variables[name].set("on" if is_on else "")

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

    def ask_hint(self) -> None:
        """Show the best moves, once they are found."""
        self._driver.remark = ""
        self.advice.ask_hint()

    def toggle_moves(self) -> None:
        """Show the list of moves, or show it no more."""
        self._shows_moves = not self._shows_moves
        self.view.show_moves(self._shows_moves)
        self._mark_switches()

    def toggle_names(self) -> None:
        """Name rows and columns, or do so no more."""
        self._shows_names = not self._shows_names
        self._show()

    def look_back(self, ply: int) -> None:
        """Show the position after ``ply`` moves."""
        self._film.stop()
        self.table.replay.show(self.table.match, ply)
        self._driver.remark = ""
        self._show()

    def step(self, name: str) -> None:
        """Make a step through the moves, of `Replay.steps`, if it leads somewhere."""
        ply = self.table.replay.steps(self.table.match).get(name)
        if ply is not None:
            self.look_back(ply)

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
        elif name == "look":
            self._looks.choose(table.state.rules, Look(value))
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

    def _begin_with(self, rules: Rules) -> None:
        self.table.begin(self.table.setup._replace(rules=rules))

    def _groups(self) -> dict[str, Group]:
        return groups_of(
            self.table.setup,
            self._theme,
            self.look,
            self.language,
            self.table.opponents.brains,
        )

    @property
    def look(self) -> Look:
        """How the board is drawn."""
        return self._looks.of(self.table.state.rules)

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
            self.view.say(localise(self.language, reason), refused=True)

    def _make_view(self) -> View:
        self._palette = palette_of(self._theme, os.environ)
        kit = Kit(
            root=self.root,
            groups=self._groups(),
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
        self.view.show_moves(self._shows_moves)
        self._forget()
