"""The app of the window: people's actions and their effects."""

from __future__ import annotations

import os
import queue
import random
import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.pictures.board import SIGNS, Look
from tic_tac_toe.pictures.shapes import Picture

from ..program.process import Refused
from ..program.record_files import RecordFiles
from ..table.background import Background, Outcome, in_background
from ..table.driver import POLL_SECONDS, Driver, LongThought
from ..table.looking_back import STEP_SECONDS, STEPS, LookingBack, check_present
from ..table.looks import Looks
from ..table.setup import setup_of_record
from ..table.table import Offer, Table, offer_after
from ..table.telling import analysis_text, hint_text, situation_text
from ..words.evaluation_text import VALUES_LEGEND
from ..words.game_text import describe_player, next_level_title
from ..words.rules_text import Drawn, variant_title
from ..words.translation import join_sentences, load, localise
from .args import Args
from .commands import COMMANDS, GROUPS, OFFERS, SWITCHES, Context, Group, groups_of
from .dialogs import FileDialogs, HelpDialog, SizeDialog
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


class ViewState:
    """The state of the view: everything that it shows of a table.

    Args:
        variables: the selections in menus, by the names of groups and switches.
    """

    def __init__(
        self,
        table: Table,
        driver: Driver,
        past: LookingBack,
        settings: Settings,
        variables: Mapping[str, tk.StringVar],
    ) -> None:
        self._table = table
        self._driver = driver
        self._past = past
        self._settings = settings
        self._variables = variables
        self._thought = LongThought(driver)

    @property
    def look(self) -> Look:
        """The look of the board."""
        return self._settings.looks.of(self._table.state.rules)

    def groups(self) -> dict[str, Group]:
        """Return the choices and the present selections."""
        table, settings = self._table, self._settings
        others = table.opponents.own
        return groups_of(table.setup, settings.theme, self.look, settings.language, others)

    def show(self, view: View) -> None:
        """Update a view."""
        table, language, advice = self._table, self._settings.language, self._driver.advice
        match, replay = table.match, table.replay
        view.root.title(variant_title(table.state.rules, language))
        self.mark_switches(view)
        texts, offer = self._text_below(), offer_after(table)
        possible = {
            **advice.possible,
            **self._past.possible,
            "resign": match.turn is not None and bool(table.people),
            "next": offer is not None,
            "now": self._thought.progress is not None,
        }
        view.show(table, self._past.review.signs, possible, self.groups(), self.drawn)
        view.offer({name: self._title(name, offer) for name in OFFERS if possible[name]})
        view.board.show(
            Picture(
                replay.state(match),
                replay.last_cell(match),
                self._past.better or advice.best,
                advice.values,
                self.look,
                self._settings.names,
            ),
            letter=table.letter,
            active=not match.over and table.thinker is None and replay.ply is None,
        )
        view.show_message(self._table.remark or join_sentences(texts, language))

    def show_progress(self, view: View) -> None:
        """Show the progress of the computer's search, and the button that ends it."""
        if self._thought.poll():
            self.show(view)
        view.offers.measure(self._thought.share)

    def mark_switches(self, view: View) -> None:
        """Mark the active switches in menus and buttons."""
        states = {
            "analysis": self._driver.advice.analysing,
            "moves": self._settings.moves,
            "names": self._settings.names,
        }
        for name, is_on in states.items():
            self._variables[name].set("on" if is_on else "")
        view.press_switches(states)

    @property
    def drawn(self) -> Drawn:
        """What the board shows."""
        return Drawn(self.look, self._settings.names, lights=True)

    def _text_below(self) -> list[str]:
        table, language, advice = self._table, self._settings.language, self._driver.advice
        drawn = self.drawn
        if (texts := self._past.describe(language, drawn)) or table.replay.ply is not None:
            return texts
        hint = hint_text(advice, table.state, language, drawn)
        legend = language.gettext(VALUES_LEGEND).format(**SIGNS)
        analysis = analysis_text(advice, language, legend)
        sentences = [*(hint or situation_text(table, language, drawn)), *analysis]
        return [*dict.fromkeys(sentences)]

    def _title(self, name: str, offer: Offer | None) -> str:
        language = self._settings.language
        if name == "next" and offer is not None:
            return next_level_title(offer.level, language, offer.setup.rules)
        if name == "play-on" and self._past.has_persons_fault:
            return language.gettext("Try another move")
        signs = {"fault-back": "< ?", "fault-on": "? >"}
        return signs.get(name) or language.gettext(COMMANDS[name].title)


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
        self.actions: Mapping[str, Callable[[], object]] = {
            "new": self.table.new_game,
            "undo": lambda: self._try_action(self.table.take_back),
            "redo": lambda: self._try_action(self.table.play_again),
            "hint": lambda: self.advice.ask_hint(),
            "resign": lambda: self._try_action(self.table.resign),
            "analysis": lambda: self.advice.analyse(not self.advice.analysing),
            "open": lambda: self._files.open(self._using(self.open_file), self.language),
            "save": lambda: self._files.save(self._using(self.save_file), self.language),
            "quit": self.close,
            "size": self.ask_size,
            "help": self.show_help,
            "moves": self.toggle_moves,
            "names": self.toggle_names,
            **{name: partial(self._step, name) for name in STEPS},
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
        root.bind("<Escape>", lambda _event: self._clear_advice())
        self._thoughts = QueryThreads(root)
        start = self._thoughts.start
        ask = Background(lambda query, ended: start(partial(answer, query), ended)).ask
        self._driver = Driver(self.table, self._show, ask, self._pause)
        self.advice = self._driver.advice
        later = partial(root.after, round(STEP_SECONDS * 1000))
        self.past = LookingBack(self.table, ask, self._show, later)
        self._showing = ViewState(
            self.table, self._driver, self.past, self.settings, self._variables
        )
        self.view = self._make_view()
        self._driver.start()
        self._poll_progress()

    @property
    def language(self) -> NullTranslations:
        """The messages of the window."""
        return self.settings.language

    def _show(self) -> None:
        self._showing.show(self.view)

    def _poll_progress(self) -> None:
        self._showing.show_progress(self.view)
        self._watching = self.root.after(round(POLL_SECONDS * 1000), self._poll_progress)

    def _show_message(self, words: str) -> None:
        self.table.remark = words
        self.view.show_message(words)

    def _clear_advice(self) -> None:
        self.advice.reset()
        self.table.remark = ""
        self._show()

    def play(self, cell: int) -> None:
        """Make a person's move; under gravity in any cell of the column."""

        def drop() -> None:
            check_present(self.table)
            self.table.play_cell(cell)

        self._try_action(drop)

    def place_letter(self, letter: str) -> None:
        """Set the letter to place, in games with a choice."""
        self.table.choose(letter)

    def play_special(self, name: str) -> None:
        """Make a person's move that places nothing, such as ``swap``."""
        if name in self.table.state.special_moves and self.table.replay.ply is None:
            self._try_action(lambda: self.table.place(self.table.state.special_moves[name]))

    def toggle_moves(self) -> None:
        """Show or hide the list of moves."""
        self.settings.moves = not self.settings.moves
        self.view.show_moves(self.settings.moves)
        self._showing.mark_switches(self.view)

    def toggle_names(self) -> None:
        """Show or hide coordinates."""
        self.settings.names = not self.settings.names
        self._show()

    def look_back(self, ply: int) -> None:
        """Show the position after ``ply`` moves."""
        self.past.show_ply(ply)

    def _step(self, step: str) -> None:
        self.past.step(step)

    def play_next_level(self) -> None:
        """Start a game against the level above the beaten one."""
        if offer := offer_after(self.table):
            self.table.new_game(offer.setup)

    def show_help(self) -> None:
        """Show the rules and the keys."""
        HelpDialog(self.root, self.table.state.rules, self.language, self._palette)

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
        self.table.new_game(self.table.setup._replace(rules=rules))

    def _pause(self, go_on: Callable[[], object]) -> None:
        self.root.after(round(self._args.delay * 1000), go_on)

    def _using(self, use: Callable[[str], object]) -> Callable[[str], object]:
        return lambda name: self._try_action(lambda: use(name))

    def _try_action(self, action: Callable[[], object]) -> None:
        try:
            action()
        except (InvalidMove, Refused) as reason:
            self.table.remark = localise(self.language, reason)
            self.view.show_message(self.table.remark, refused=True)

    def _make_view(self) -> View:
        self._palette = palette_of(self.settings.theme, os.environ)
        context = Context(
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
        return View(context)

    def _rebuild_later(self) -> None:
        """Rebuild all widgets after the menu has closed."""
        self.root.after_idle(self._rebuild)

    def _rebuild(self) -> None:
        self.view.close()
        self.view = self._make_view()
        self.view.show_moves(self.settings.moves)
        self._clear_advice()
