"""The full screen: the board, what is said about it, and what people do."""

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

from tic_tac_toe.game.looks import looks_for
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.opponents.registry import Opponents

from ..program.process import INTERRUPTED
from ..program.record_files import RecordFiles
from ..table.autoplay import STEP_SECONDS, Autoplay
from ..table.background import Background, on_loop
from ..table.driver import DELAY_SECONDS, Driver
from ..table.looks import Looks
from ..table.past import check_present
from ..table.queries import Ask
from ..table.setup import Setup, setup_of_record
from ..table.table import Table
from ..words.messages import localise
from ..words.translation import load
from .board import Board, Field
from .file_screen import FileScreen
from .keys import KEYS, LETTER_KEYS, MORE_KEYS, SPECIAL_KEYS
from .painter import Picture
from .palette import Palette
from .plan import fitting_plan
from .readout import Readout
from .screens import Answer, Choice, Dialog, HelpScreen, SetupScreen, ThemeScreen
from .stylesheet import PANEL_WIDTH, STYLES
from .themes import DEFAULT, THEMES, UNCOLOURED

#: Narrower screens show the moves only when they are asked for, and then instead of the board.
WIDE = 72
#: The most lines that stand above and below the board.
LINES_AROUND = 6


class GameApp(App[None]):
    """One game after the other on the full screen of a terminal.

    Args:
        delay: the pause before a computer's move in seconds.
        theme: the colours, of `available_themes`.
        ask: how moves, hints and analyses are found; by threads unless given.
        opponents: the computer players.
    """

    TITLE = "Tic-tac-toe"
    CSS = STYLES
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.key, key.action, show=False) for key in (*KEYS, *MORE_KEYS)),
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
        # Without the terminal's own colours Textual would turn colours into greys instead of none.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme or (UNCOLOURED if self.no_color else DEFAULT)
        self.language = language or NullTranslations()
        self.table = Table(setup, rng, opponents=opponents)
        self.moves_wanted: bool | None = None
        self._shows_names = True
        self._looks = Looks()
        self._delay = delay
        ask = ask or Background(on_loop(self.run_worker)).ask
        self._game = Driver(self.table, self.show, ask, self._pause, for_watchers=True)
        self.advice = self._game.advice
        self._film = Autoplay(self.table, self.show, partial(self.set_timer, STEP_SECONDS))
        self._board = Board(self.table.state)
        self._readout = Readout(self, self.table, self._game, WIDE)

    # -- the screen ----------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
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
        yield Static(id="line")
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Begin to play."""
        self.theme_changed_signal.subscribe(self, lambda _theme: self._recolour())
        self._recolour()
        self._board.focus()
        self._arrange()
        self.call_next(self._game.start)

    def on_resize(self, _event: events.Resize) -> None:
        """Use the space there is now."""
        # Textual's own handler of this event comes after this one, and sets the size.
        self.call_next(self._arrange)

    def show(self) -> None:
        """Show everything as it is now."""
        table, replay = self.table, self.table.replay
        is_past = replay.ply is not None
        self._board.show(
            Picture(
                replay.state(table.match),
                replay.last_cell(table.match),
                self.advice.best,
                self.advice.verdicts,
                table.thinker is None and not table.match.over and not is_past,
                table.letter if table.letters else "",
                self._looks.of(table.state.rules),
                self._shows_names,
            )
        )
        useless = {action for action, may in self._possible.items() if not may}
        self._readout.show(self.language, self.size.width, useless)

    @property
    def _possible(self) -> dict[str, bool]:
        """Whether actions of keys can be used now, of those that cannot always be."""
        table = self.table
        steps = table.replay.steps(table.match)
        return {
            **self.advice.possible,
            **{f"step('{name}')": name in steps for name in ("first", "back", "on", "last")},
            "film": bool(table.match.ply),
            "resign": table.match.turn is not None and bool(table.people),
            "look": len(looks_for(table.state.rules)) > 1,
        }

    def _arrange(self) -> None:
        """Share the space out between the board and the words."""
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
        """Return whether the moves stand beside the board without making it tight."""
        rules, (width, height) = self.table.state.rules, self.size
        look = self._looks.of(rules)
        beside, alone = (
            fitting_plan(rules, width - taken, height - LINES_AROUND, look).scale
            for taken in (PANEL_WIDTH, 0)
        )
        return (
            width >= WIDE
            and (beside.lined or not alone.lined)
            and (beside.width > 2 or beside == alone)
        )

    def _recolour(self) -> None:
        self._board.use(Palette(self.theme_variables, plain=self.native_ansi_color))

    # -- the game ------------------------------------------------------------------------------

    def _pause(self, go_on: Callable[[], object]) -> None:
        if self._delay:
            self.set_timer(self._delay, go_on)
        else:
            go_on()

    def _try(self, request: Callable[[], object]) -> None:
        """Do what a person asks of the table, or say why it cannot be."""
        try:
            request()
        except InvalidMove as refusal:
            self.bell()
            self._say(localise(self.language, refusal))

    def _say(self, words: str) -> None:
        """Show words until the game goes on."""
        self._game.remark = words
        self.show()

    # -- what people do --------------------------------------------------------------------------

    def on_board_chosen(self, message: Board.Chosen) -> None:
        """Play a cell."""

        def drop() -> None:
            check_present(self.table)
            self.table.drop(message.cell)

        self._try(drop)

    def action_choose(self, letter: str) -> None:
        """Place this letter from now on, in games in which people choose."""
        self.table.choose(letter)

    def action_special(self, name: str) -> None:
        """Make a move that places nothing, while it is legal."""
        number = self.table.state.special_moves.get(name)
        if number is not None and self.table.replay.ply is None:
            self._try(lambda: self.table.place(number))

    def action_undo(self) -> None:
        """Take back, to a person's turn."""
        self._try(self.table.take_back)

    def action_redo(self) -> None:
        """Play again what was taken back."""
        self._try(self.table.play_again)

    def action_new_game(self) -> None:
        """Begin the same game again."""
        self._try(self.table.begin)

    def action_hint(self) -> None:
        """Look for the best moves."""
        self.advice.ask_hint()

    def action_analysis(self) -> None:
        """Show what each move leads to, or no longer."""
        self.advice.analyse(not self.advice.analysing)

    def action_resign(self) -> None:
        """Give up at the second time: a key is soon pressed by mistake."""
        question = self.language.gettext("Press f once more to give up this game.")
        if self._possible["resign"] and self._game.remark != question:
            self._say(question)
        else:
            self._try(self.table.resign)

    def action_step(self, name: str) -> None:
        """Make a step through the moves, of `Replay.steps`, if it leads somewhere."""
        ply = self.table.replay.steps(self.table.match).get(name)
        if ply is not None:
            self._film.stop()
            self.table.replay.show(self.table.match, ply)
            self._say("")

    def action_film(self) -> None:
        """Show the moves one after the other, or stop."""
        self._film.toggle()

    def action_save(self) -> None:
        """Ask for a file, and save the game there."""

        def write(name: str) -> None:
            RecordFiles(self.language).write(name, [self.table.record], overwrite=False)

        self._open(FileScreen("Save game", write, self.language), self._tell_saved)

    def action_open(self) -> None:
        """Ask for a file, and go on with its last game."""
        self._open(FileScreen("Open game", self._read, self.language))

    def action_look(self) -> None:
        """Draw the board in another way."""
        self._looks.turn(self.table.state.rules)
        self._arrange()

    def action_names(self) -> None:
        """Name rows and columns, or do so no more."""
        self._shows_names = not self._shows_names
        self.show()

    def action_moves(self) -> None:
        """Show the list of moves, or no longer."""
        self.moves_wanted = not self.query_one("#panel").display
        self._arrange()

    def action_setup(self) -> None:
        """Ask for the players and the game, and begin it."""
        self._open(
            SetupScreen(self.table.setup, self.language, self.table.opponents.brains), self._begin
        )

    def action_theme(self) -> None:
        """Ask for the colours."""
        self._open(ThemeScreen(self.language.gettext("Theme")))

    def action_help(self) -> None:
        """Tell the rules and the keys."""
        self._open(HelpScreen(self.table.state.rules, self._board.plan, self.language))

    def action_interrupt(self) -> None:
        """Leave at Ctrl-C."""
        self.exit(return_code=INTERRUPTED)

    def _open(
        self, dialog: Dialog[Answer], ended: Callable[[Answer | None], None] | None = None
    ) -> None:
        """Open a dialog, unless one is open: two keys may come at once."""
        if len(self.screen_stack) == 1:
            self.push_screen(dialog, ended)

    def _read(self, name: str) -> None:
        record = RecordFiles(self.language).last(name)
        setup = setup_of_record(record, self.table.setup)
        self.table.begin(setup, state=record.initial_state, moves=record.moves)

    def _tell_saved(self, name: str | None) -> None:
        if name is not None:
            self._say(self.language.gettext("Saved to {file}.").format(file=name))

    def _begin(self, choice: Choice | None) -> None:
        if choice is not None:
            self.language = load(choice.language, {})
            self._try(lambda: self.table.begin(choice.setup))
            self._arrange()
