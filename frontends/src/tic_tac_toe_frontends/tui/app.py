"""The app of the full screen: its layout and its actions."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import partial
from gettext import NullTranslations
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.opponents import Opponents
from tic_tac_toe.pictures.shapes import Picture

from ..program.process import INTERRUPTED, Refused
from ..program.record_files import RecordFiles
from ..table.background import Background, on_loop
from ..table.commands import COMMANDS, LETTER_KEYS, SPECIAL_KEYS, Desk
from ..table.driver import DELAY_SECONDS, POLL_SECONDS, Driver, LongThought
from ..table.looking_back import STEP_SECONDS, LookingBack
from ..table.looks import Looks
from ..table.queries import Ask
from ..table.results import on_this_device
from ..table.setup import setup_of_record
from ..table.study import Study
from ..table.table import Setup, Table
from ..table.task import Choice as StudyChoice
from ..table.telling import coach_text
from ..words.rules_text import Drawn
from ..words.translation import N_, load, localise
from .board import Board, Field
from .palette import DEFAULT, THEMES, UNCOLOURED, Palette
from .plan import fitting_plan, looks_in_letters
from .readout import Readout
from .screens import Answer, Choice, Dialog, FileScreen, HelpScreen, SetupScreen, ThemeScreen

#: The width of the list of moves beside the board, in columns.
PANEL_WIDTH = 34

STYLES = (
    f"$panel-width: {PANEL_WIDTH};"
    + """
Screen { background: $background; color: $foreground; }

#top { height: 1; background: $panel; padding: 0 1; }
#title { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
#players { width: auto; height: 1; text-wrap: nowrap; padding-left: 2; }

#middle { height: 1fr; }
#field {
    width: 1fr; height: 1fr;
    overflow: auto; align: center middle;
    scrollbar-size: 1 1;
}
#panel { width: $panel-width; height: 1fr; padding: 1 2; border-left: vkey $panel; }
#panel.-alone { width: 1fr; border-left: none; padding: 0 1; }
#words { height: auto; }
#score { height: auto; margin-top: 1; }
#history { height: 1fr; margin-top: 1; scrollbar-size: 1 1; }
#moves { height: auto; }

#choice {
    display: none; height: 1; padding: 0 1; color: $foreground;
    link-style: none; link-color: $foreground; link-background: $background;
    link-style-hover: bold reverse; link-color-hover: $foreground;
    link-background-hover: $background;
}
#graph {
    display: none; height: 1; padding: 0 1;
    link-style: none; link-color: $foreground; link-background: $background;
}
#line { padding: 0 1; overflow: hidden; }
#keys {
    height: 1; padding: 0 1; color: $foreground; background: $panel;
    link-style: none; link-color: $foreground; link-background: $panel;
    link-style-hover: bold reverse; link-color-hover: $foreground; link-background-hover: $panel;
}

ModalScreen { align: center middle; background: $background 60%; }
.dialog {
    width: 64; max-width: 100%; height: auto; max-height: 100%;
    padding: 1 2; border: round $foreground; background: $surface; color: $foreground;
    border-title-style: bold; scrollbar-size: 1 1;
}
.paragraph { margin-top: 1; }
.row { height: 1; }
.row Label { width: 14; }
#size { margin-left: 14; width: 1fr; }
#problem { margin-top: 1; height: auto; color: $text-error; }
#level { margin: 0 0 0 14; height: auto; color: $foreground 75%; }
#about { margin: 0 0 1 14; height: auto; color: $foreground 75%; }
.buttons { height: 1; margin-top: 1; align-horizontal: right; }
.buttons Button { margin-left: 2; }
ThemeScreen { align: right middle; background: $background 0%; }
ThemeScreen .dialog { width: 34; }
#themes { height: auto; max-height: 20; }
"""
)


def textual_keys(keys: str) -> str:
    """Return keys as Textual separates them."""
    return keys.replace(",", "comma").replace(" ", ",").lower()


#: Narrower screens show the moves only on request, in place of the board.
WIDE = 72
#: The maximum number of lines above and below the board.
LINES_AROUND = 6


class GameApp(App[None]):
    """One game after the other on the full screen of a terminal.

    Args:
        delay: the pause before a computer's move in seconds.
        theme: of `available_themes`.
        ask: answers queries, by default in threads.

    Attributes:
        moves_wanted: whether the list of moves is shown; ``None`` if the size decides.
        names_wanted: whether to show coordinates.
    """

    TITLE = "Tic-tac-toe"
    CSS = STYLES
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(textual_keys(command.terminal), f"do('{name}')", show=False)
            for name, command in COMMANDS.items()
            if command.terminal
        ),
        *(
            Binding(f"{key},{key.upper()}", f"{action}('{name}')", show=False)
            for action, keys in (("choose", LETTER_KEYS), ("special", SPECIAL_KEYS))
            for name, key in keys.items()
        ),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(
        self,
        setup: Setup | None = None,
        *,
        language: NullTranslations | None = None,
        rng: random.Random | None = None,
        delay: float = DELAY_SECONDS,
        theme: str | None = None,
        ask: Ask | None = None,
        opponents: Opponents | None = None,
    ) -> None:
        # Textual's own NO_COLOR turns colours into greys; ANSI colours turn into none.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme or (UNCOLOURED if self.no_color else DEFAULT)
        self.language = language or NullTranslations()
        self.table = Table(setup, rng, opponents=opponents)
        self.moves_wanted: bool | None = None
        self.names_wanted = True
        self.looks = Looks(looks_in_letters)
        self._delay = delay
        ask = ask or Background(on_loop(self.run_worker)).ask
        self._game = Driver(self.table, self.show, ask, self._pause, for_watchers=True)
        self.advice = self._game.advice
        later = partial(self.set_timer, STEP_SECONDS)
        self.past = LookingBack(self.table, ask, self.show, later)
        own = {
            "help": self._show_help,
            "quit": self.exit,
            "setup": self._ask_setup,
            "puzzle": self._ask_puzzle,
            "save": self._ask_save,
            "open": self._ask_open,
            "coach": self._switch_coach,
            "moves": self._switch_moves,
            "names": self._switch_names,
            "look": self._switch_look,
            "theme": lambda: self._open(ThemeScreen(self.language.gettext("Theme"))),
        }
        thought = LongThought(self._game)
        self._study = Study(self.table, ask, self.show, on_this_device())
        self.desk = Desk(self.table, self._game, self.past, thought, self._refuse, self._study, own)
        self._board = Board(self.table.state)
        self._readout = Readout(self, self.desk, WIDE)

    def compose(self) -> ComposeResult:
        """Create the widgets."""
        with Horizontal(id="top"):
            yield Static(id="title")
            yield Static(id="players")
        with Horizontal(id="middle"):
            with Field(id="field"):
                yield self._board
            with Vertical(id="panel"):
                yield Static(id="words")
                yield Static(id="score")
                with VerticalScroll(id="history", can_focus=False):
                    yield Static(id="moves")
        yield Static(id="choice")
        yield Static(id="graph")
        yield Static(id="line")
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Start the game."""
        self.theme_changed_signal.subscribe(self, lambda _theme: self._recolour())
        self._recolour()
        self._board.focus()
        self._arrange()
        self.call_next(self._game.start)
        self.set_interval(POLL_SECONDS, self._poll_progress)

    def on_resize(self, _event: events.Resize) -> None:
        """Adapt to the new size."""
        # Textual's own handler, which sets the size, runs after this one.
        self.call_next(self._arrange)

    def show(self) -> None:
        """Update the screen."""
        table, replay = self.table, self.table.replay
        is_past = replay.ply is not None
        self._board.show(
            Picture(
                replay.state(table.match),
                replay.last_cell(table.match),
                self.past.better or self.advice.best,
                self.advice.values,
                self.looks.of(table.state.rules),
                self.names_wanted,
                self.past.written or self.advice.written,
            ),
            waiting=table.thinker is None and not table.match.over and not is_past,
            letter=table.letter if table.letters else "",
        )
        useless = {name for name in COMMANDS if not self.desk.may(name)}
        if len(self.looks.offered(table.state.rules)) == 1:
            useless.add("look")
        # A terminal shows letters, or discs and stones without a colour of their own.
        drawn = Drawn(names=self.names_wanted, lights=True)
        self._readout.show(self.language, self.size.width, useless, drawn)

    def _arrange(self) -> None:
        """Divide the space between the board and the texts."""
        wide = self.size.width >= WIDE
        with_panel = self._has_room_for_panel() if self.moves_wanted is None else self.moves_wanted
        field, panel = self.query_one("#field"), self.query_one("#panel")
        panel.display = with_panel
        panel.set_class(not wide, "-alone")
        field.display = wide or not with_panel
        line = self.query_one("#line")
        line.display = not with_panel
        line.styles.height = 1 if self.size.height < 12 else 2 if self.size.height < 20 else 3
        self.show()

    def _has_room_for_panel(self) -> bool:
        """Return whether the moves fit beside the board without shrinking it."""
        rules, (width, height) = self.table.state.rules, self.size
        look = self.looks.of(rules)
        beside, alone = (
            fitting_plan(rules, width - taken, height - LINES_AROUND, look).scale
            for taken in (PANEL_WIDTH, 0)
        )
        return (
            width >= WIDE
            and (beside.lined or not alone.lined)
            and (beside.width > 2 or beside == alone)
        )

    def _poll_progress(self) -> None:
        thought = self.desk.thought
        if thought.poll() or thought.progress is not None:
            self.show()

    def _recolour(self) -> None:
        self._board.set_palette(Palette(self.theme_variables, plain=self.native_ansi_color))

    def on_board_chosen(self, message: Board.Chosen) -> None:
        """Play a cell."""
        self.desk.play_cell(message.cell)

    def action_choose(self, letter: str) -> None:
        """Set the letter to place, in games with a choice."""
        self.table.choose(letter)

    def action_special(self, name: str) -> None:
        """Make a move that places nothing, if it is legal."""
        self.desk.play_special(name)

    def action_look_back(self, ply: int) -> None:
        """Show the position after ``ply`` moves."""
        self.past.show_ply(ply)

    def action_do(self, name: str) -> None:
        """Do a command; resign at the second press: one may be a mistake."""
        question = self.language.gettext("Press f once more to give up this game.")
        if name == "resign" and self.desk.may(name) and self.table.remark != question:
            self._show_message(question)
        else:
            self.desk.do(name)

    def _ask_save(self) -> None:
        def write(name: str) -> None:
            RecordFiles(self.language).write(name, [self.table.record], overwrite=False)

        self._open(FileScreen(N_("Save game"), write, self.language), self._confirm_saved)

    def _ask_open(self) -> None:
        self._open(FileScreen(N_("Open game"), self._read, self.language))

    def _ask_setup(self) -> None:
        self._open(
            SetupScreen(self._study.setup, self.language, self.table.opponents.own),
            self._start_game,
        )

    def _ask_puzzle(self) -> None:
        from .puzzles import PuzzleScreen  # large, and not needed to play

        self._open(PuzzleScreen(self._study, self.language), self._solve)

    def _solve(self, choice: StudyChoice | None) -> None:
        if choice is not None:
            self.desk.attempt(lambda: self._study.open(choice))
            self._arrange()

    def _show_help(self) -> None:
        self._open(HelpScreen(self.table.state.rules, self._board.plan, self.language))

    def _switch_look(self) -> None:
        self.looks.cycle(self.table.state.rules)
        self._arrange()

    def _switch_coach(self) -> None:
        self._game.switch_coach()
        self._show_message(coach_text(self.table, self.language))

    def _switch_names(self) -> None:
        self.names_wanted = not self.names_wanted
        self.show()

    def _switch_moves(self) -> None:
        self.moves_wanted = not self.query_one("#panel").display
        self._arrange()

    def action_interrupt(self) -> None:
        """Quit at Ctrl-C."""
        self.exit(return_code=INTERRUPTED)

    def _open(
        self, dialog: Dialog[Answer], ended: Callable[[Answer | None], None] | None = None
    ) -> None:
        """Open a dialog, unless one is open: two keys may arrive at once."""
        if len(self.screen_stack) == 1:
            self.push_screen(dialog, ended)

    def _read(self, name: str) -> None:
        record = RecordFiles(self.language).last(name)
        setup = setup_of_record(record, self.table.setup)
        self.table.new_game(setup, state=record.initial_state, moves=record.moves)

    def _confirm_saved(self, name: str | None) -> None:
        if name is not None:
            self._show_message(self.language.gettext("Saved to {file}.").format(file=name))

    def _start_game(self, choice: Choice | None) -> None:
        if choice is not None:
            self.language = load(choice.language, {})
            self.desk.attempt(lambda: self.table.new_game(choice.setup))
            self._arrange()

    def _refuse(self, reason: InvalidMove | Refused) -> None:
        self.bell()
        self._show_message(localise(self.language, reason))

    def _show_message(self, words: str) -> None:
        self.table.remark = words
        self.show()

    def _pause(self, go_on: Callable[[], object]) -> None:
        if self._delay:
            self.set_timer(self._delay, go_on)
        else:
            go_on()
