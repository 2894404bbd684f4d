"""The app of the window: people's actions and their effects."""

from __future__ import annotations

import os
import queue
import random
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.pictures.board import Look

from ..program.process import Refused
from ..program.record_files import RecordFiles
from ..table.background import Background, Outcome, in_background
from ..table.commands import Desk
from ..table.driver import POLL_SECONDS, Driver, LongThought
from ..table.looking_back import STEP_SECONDS, LookingBack
from ..table.looks import Looks
from ..table.results import on_this_device
from ..table.setup import setup_of_record
from ..table.study import Study
from ..table.table import Table
from ..table.task import Choice
from ..table.telling import coach_text
from ..words.game_text import describe_player
from ..words.rules_text import Drawn
from ..words.translation import load, localise
from .args import Args
from .commands import GROUPS, SWITCHES, Context, Group, groups_of
from .dialogs import FileDialogs, GamesDialog, HelpDialog, SizeDialog
from .marks import icon
from .palettes import LIGHT, PALETTES, palette_of
from .view import View

#: The interval of polling for outcomes while queries run, in milliseconds.
POLL_MILLISECONDS = 15


class QueryThreads:
    """Runs queries in threads, and passes their outcomes on in the window's thread.

    No thread touches a widget: it puts the outcome into a queue, which Tk's loop polls.

    Args:
        widget: any widget of the window, for Tk's loop.
    """

    def __init__(self, widget: tk.Misc) -> None:
        self._widget = widget
        self._ended: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._running = 0
        self._timer: str | None = None

    def start(self, call: Callable[[], Any], ended: Callable[[Outcome], object]) -> None:
        """Start a call; see `Start`. Exceptions of ``ended`` are raised in Tk's loop."""
        self._running += 1
        in_background(call, lambda outcome: self._ended.put(lambda: ended(outcome)))
        if self._timer is None:
            self._poll_later()

    def close(self) -> None:
        """Stop polling."""
        if self._timer is not None:
            self._widget.after_cancel(self._timer)
            self._timer = None

    def _poll_later(self) -> None:
        self._timer = self._widget.after(POLL_MILLISECONDS, self._poll)

    def _poll(self) -> None:
        self._timer = None
        try:
            use = self._ended.get_nowait()
        except queue.Empty:
            self._poll_later()
            return
        self._running -= 1
        if self._running:
            self._poll_later()
        use()


@dataclass
class Settings:
    """People's choices besides the game.

    Attributes:
        theme: of `THEMES`.
        moves, names: whether to show the list of moves, and coordinates.
    """

    language: NullTranslations
    theme: str
    looks: Looks = field(default_factory=Looks)
    moves: bool = False
    names: bool = True


#: The first and the minimum size of the window in pixels.
FIRST_SIZE, LEAST_SIZE = (720, 740), (360, 420)
#: The height reserved for the desktop in pixels.
SPARE_HEIGHT = 90


class App:
    """The window and its table.

    Args:
        root: an empty window.
        answer: answers a query in a thread.
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
        self._variables = {
            name: tk.StringVar(root, name=f"chosen-{name}")
            for name in (*GROUPS, *SWITCHES, "variant", "letter")
        }
        root.minsize(*LEAST_SIZE)
        width, height = FIRST_SIZE
        root.geometry(f"{width}x{min(height, root.winfo_screenheight() - SPARE_HEIGHT)}")
        root.iconphoto(True, icon(root, PALETTES[LIGHT].x))
        root.protocol("WM_DELETE_WINDOW", self.close)
        root.bind("<Escape>", lambda _event: self._clear_advice())
        self._thoughts = QueryThreads(root)
        start = self._thoughts.start
        ask = Background(lambda query, ended: start(partial(answer, query), ended)).ask
        self._driver = Driver(self.table, self._show, ask, self._pause)
        self.advice = self._driver.advice
        later = partial(root.after, round(STEP_SECONDS * 1000))
        self.past = LookingBack(self.table, ask, self._show, later)
        self._thought = LongThought(self._driver)
        own = {
            "open": lambda: self._files.open(self._using(self.open_file), self.language),
            "save": lambda: self._files.save(self._using(self.save_file), self.language),
            "quit": self.close,
            "setup": self._ask_game,
            "puzzle": self._ask_puzzle,
            "size": self.ask_size,
            "help": self._show_help,
            "coach": self._switch_coach,
            "moves": self._switch_moves,
            "names": self._switch_names,
        }
        self._study = Study(self.table, ask, self._show, on_this_device())
        self.desk = Desk(
            self.table, self._driver, self.past, self._thought, self._refuse, self._study, own
        )
        self.view = self._make_view()
        self._driver.start()
        self._poll_progress()

    @property
    def language(self) -> NullTranslations:
        """The messages of the window."""
        return self.settings.language

    def _show(self) -> None:
        self._mark_switches()
        self.view.show(self._groups(), self.drawn)

    def _poll_progress(self) -> None:
        if self._thought.poll():
            self._show()
        self.view.show_progress(self._thought.share)
        self._watching = self.root.after(round(POLL_SECONDS * 1000), self._poll_progress)

    def _mark_switches(self) -> None:
        self.view.press_switches(
            {
                "analysis": self.advice.analysing,
                "coach": self.table.coach.is_on,
                "moves": self.settings.moves,
                "names": self.settings.names,
            }
        )

    @property
    def drawn(self) -> Drawn:
        """What the board shows."""
        settings = self.settings
        return Drawn(settings.looks.of(self.table.state.rules), settings.names, lights=True)

    def _groups(self) -> dict[str, Group]:
        table, settings = self.table, self.settings
        others = table.opponents.own
        return groups_of(table.setup, settings.theme, self.drawn.look, settings.language, others)

    def _show_message(self, words: str) -> None:
        self.table.remark = words
        self.view.show_message(words)

    def _refuse(self, reason: InvalidMove | Refused) -> None:
        self.table.remark = localise(self.language, reason)
        self.view.show_message(self.table.remark, refused=True)

    def _clear_advice(self) -> None:
        self.advice.reset()
        self.table.remark = ""
        self._show()

    def _switch_coach(self) -> None:
        self._driver.switch_coach()
        self._show_message(coach_text(self.table, self.language))

    def _switch_moves(self) -> None:
        self.settings.moves = not self.settings.moves
        self.view.show_moves(self.settings.moves)
        self._mark_switches()

    def _switch_names(self) -> None:
        self.settings.names = not self.settings.names
        self._show()

    def _show_help(self) -> None:
        HelpDialog(self.root, self.table.state.rules, self.language, self._palette)

    def _ask_game(self) -> None:
        choose = partial(self.choose, "variant")
        GamesDialog(self.root, choose, self.ask_size, self.language, self._palette)

    def _ask_puzzle(self) -> None:
        from .puzzles import PuzzleDialog  # large, and not needed to play

        PuzzleDialog(self.root, self._study, self._solve, self.language, self._palette)

    def _solve(self, choice: Choice) -> None:
        self.desk.attempt(lambda: self._study.open(choice))

    def open_file(self, name: str) -> None:
        """Continue the last game of a file.

        Raises:
            Refused: the file cannot be read, or holds no game.
        """
        record = RecordFiles(self.language).last(name)
        setup = setup_of_record(record, self.table.setup)
        self.table.new_game(setup, state=record.initial_state, moves=record.moves)

    def save_file(self, name: str) -> None:
        """Write the game to a file; replace an existing file.

        Raises:
            Refused: the file cannot be written.
        """
        RecordFiles(self.language).write(name, [self.table.record], overwrite=True)
        self._show_message(self.language.gettext("Saved to {file}.").format(file=name))

    def ask_size(self) -> None:
        """Ask for a board of another size, and start a game on it."""
        SizeDialog(self.root, self.table.state.rules, self._begin_with, self.language)

    def close(self) -> None:
        """Close the window, even during a search."""
        if self._files.cancel():
            return
        self.root.after_cancel(self._watching)
        self._thoughts.close()
        self._driver.stop()
        self.root.destroy()

    def choose(self, name: str, value: str) -> None:
        """Choose an option of a group.

        New players take over the present game. A new first side applies to the next game, if this
        one has moves.
        """
        table = self.table
        if name == "language":
            self.settings.language = load(value, {})
            self._rebuild_later()
        elif name == "theme":
            self.settings.theme = value
            self._rebuild_later()
        elif name == "look":
            self.settings.looks.choose(table.state.rules, Look(value))
            self._show()
        elif name == "variant":
            self._begin_with(find_rules(value))
        elif name == "starting" and table.match.history and not table.match.over:
            table.setup = table.setup._replace(starting=value)
            self._show()
            self._show_message(self.language.gettext("This holds from the next game on."))
        else:
            changes: dict[str, Any] = {name: value}  # of x, o or starting
            table.change_players(table.setup._replace(**changes))
            if name != "starting" and (words := describe_player(value, self.language)):
                self._show_message(words)

    def _begin_with(self, rules: Rules) -> None:
        self.table.new_game(self._study.setup._replace(rules=rules))

    def _pause(self, go_on: Callable[[], object]) -> None:
        self.root.after(round(self._args.delay * 1000), go_on)

    def _using(self, use: Callable[[str], object]) -> Callable[[str], object]:
        return lambda name: self.desk.attempt(lambda: use(name))

    def _make_view(self) -> View:
        self._palette = palette_of(self.settings.theme, os.environ)
        context = Context(
            root=self.root,
            groups=self._groups(),
            language=self.language,
            palette=self._palette,
            desk=self.desk,
            variables=self._variables,
            choose=self.choose,
            animated=self._args.animated,
        )
        return View(context)

    def _rebuild_later(self) -> None:
        """Rebuild all widgets after the menu has closed."""
        self.root.after_idle(self._rebuild)

    def _rebuild(self) -> None:
        self.view.close()
        self.view = self._make_view()
        self.view.show_moves(self.settings.moves)
        self._clear_advice()
