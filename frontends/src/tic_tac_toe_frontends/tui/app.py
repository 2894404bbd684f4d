"""The full screen: the board, what is said about it, and what people do."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from gettext import NullTranslations
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.rules.traits import Traits, traits_of
from tic_tac_toe.opponents.registry import Opponents

from ..program.process import INTERRUPTED
from ..table.background import Background, on_loop
from ..table.driver import DELAY_SECONDS, Driver
from ..table.move_list import rows_of
from ..table.queries import Ask
from ..table.setup import Setup
from ..table.table import Table
from ..table.telling import tell_below, tell_status
from ..words.game_text import describe_score
from ..words.messages import localise
from ..words.rules_text import describe_rules, variant_title
from ..words.translation import load
from .board import Board, Field
from .choices import choice_line, has_choices
from .keys import KEYS, LETTER_KEYS, SPECIAL_KEYS, key_line
from .painter import Picture
from .palette import Palette
from .plan import fitting_plan
from .screens import Answer, Choice, Dialog, HelpScreen, SetupScreen, ThemeScreen
from .stylesheet import PANEL_WIDTH, STYLES
from .themes import DEFAULT, THEMES, UNCOLOURED
from .words import describe_players, describe_values, lines_of

#: Narrower screens show the moves only when they are asked for, and then instead of the board.
WIDE = 72
#: The most lines that stand above and below the board.
LINES_AROUND = 6
#: The columns that stay free in the line with the game and the players.
SPACE = 4


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
        *(Binding(key.key, key.action, show=False) for key in KEYS),
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
        self._delay = delay
        ask = ask or Background(on_loop(self.run_worker)).ask
        self._game = Driver(self.table, self.show, ask, self._pause, for_watchers=True)
        self.advice = self._game.advice
        self._board = Board(self.table.state)

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
        table, language = self.table, self.language
        self._board.show(
            Picture(
                table.state,
                table.last_cell,
                self.advice.best,
                self.advice.verdicts,
                table.thinker is None and not table.match.over,
                table.letter if table.letters else "",
            )
        )
        choice = self.query_one("#choice", Static)
        choice.display = has_choices(table.state.rules)
        line = choice_line(table, self.advice, language, self.size.width)
        choice.update(line, layout=False)
        self._write("title", self._title())
        self._write("players", self._players())
        signs = describe_values(table.state.rules, language)
        words = tell_below(table, self.advice, language, signs, self._game.remark)
        status = tell_status(table, language)
        self._write("words", Text("\n\n").join([Text(status, "bold"), *map(Text, words)]))
        self._write("line", Text.assemble((status, "bold"), "  ", " ".join(words)))
        self._write("score", Text(describe_score(table.score, table.state.rules, language)))
        moves = lines_of(rows_of(table.match))
        self._write("moves", Text(moves or language.gettext("No moves yet.")))
        self.query_one("#history").scroll_end(animate=False)
        useless = {action for action, may in self.advice.possible.items() if not may}
        keys = key_line(language, self.size.width, useless)
        self.query_one("#keys", Static).update(keys, layout=False)

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
        beside, alone = (
            fitting_plan(rules, width - taken, height - LINES_AROUND).scale
            for taken in (PANEL_WIDTH, 0)
        )
        return width >= WIDE and (beside.lined or not alone.lined)

    def _write(self, name: str, text: Text) -> None:
        """Write only what has changed, because each update costs a layout."""
        part = self.query_one(f"#{name}", Static)
        if part.content != text:
            part.update(text)

    def _title(self) -> Text:
        rules = self.table.state.rules
        title = Text(variant_title(rules, self.language), style="bold")
        if self.size.width >= WIDE:
            title.append(f"  {describe_rules(rules, self.language)}", style="not bold")
        return title

    def _players(self) -> Text:
        """Return the players; nothing where their names would leave no room for the game's."""
        rules = self.table.state.rules
        players = Text(describe_players(self.table, self.language))
        taken = cell_len(variant_title(rules, self.language)) + players.cell_len
        is_long = traits_of(rules).sides != Traits().sides and taken + SPACE > self.size.width
        return Text() if is_long else players

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
            self._game.remark = localise(self.language, refusal)
            self.bell()
            self.show()

    # -- what people do --------------------------------------------------------------------------

    def on_board_chosen(self, message: Board.Chosen) -> None:
        """Play a cell."""
        self._try(lambda: self.table.drop(message.cell))

    def action_choose(self, letter: str) -> None:
        """Place this letter from now on, in games in which people choose."""
        self.table.choose(letter)

    def action_special(self, name: str) -> None:
        """Make a move that places nothing, while it is legal."""
        number = self.table.state.special_moves.get(name)
        if number is not None:
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
        self._open(HelpScreen(self.table.state.rules, self._board.plan.scale, self.language))

    def action_interrupt(self) -> None:
        """Leave at Ctrl-C."""
        self.exit(return_code=INTERRUPTED)

    def _open(
        self, dialog: Dialog[Answer], ended: Callable[[Answer | None], None] | None = None
    ) -> None:
        """Open a dialog, unless one is open: two keys may come at once."""
        if len(self.screen_stack) == 1:
            self.push_screen(dialog, ended)

    def _begin(self, choice: Choice | None) -> None:
        if choice is not None:
            self.language = load(choice.language, {})
            self._try(lambda: self.table.begin(choice.setup))
            self._arrange()
