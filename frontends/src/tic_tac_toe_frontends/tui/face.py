"""The full screen: the board, and what is said about it."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import partial
from gettext import NullTranslations

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from tic_tac_toe.opponents.registry import Opponents

from ..table.background import Background, on_loop
from ..table.driver import DELAY_SECONDS, LOOK_SECONDS, Driver, LongThought
from ..table.looking_back import STEP_SECONDS, STEPS, LookingBack
from ..table.looks import Looks
from ..table.queries import Ask
from ..table.setup import Setup
from ..table.table import Table, offer_after
from .board import Board, Field
from .painter import Picture
from .palette import DEFAULT, THEMES, UNCOLOURED, Palette
from .plan import fitting_plan, looks_in_letters
from .readout import Readout
from .stylesheet import PANEL_WIDTH, STYLES

#: Narrower screens show the moves only when they are asked for, and then instead of the board.
WIDE = 72
#: The most lines that stand above and below the board.
LINES_AROUND = 6


class Face(App[None]):
    """The game on the screen, without what people do there; see `GameApp`.

    Args:
        delay: the pause before a computer's move in seconds.
        theme: the colours, of `available_themes`.
        ask: how moves, hints and analyses are found; by threads unless given.
        opponents: the computer players.

    Attributes:
        past: how people look back at the game.
        moves_wanted: whether the list of moves is shown; ``None`` where the size decides.
        names_wanted: whether rows and columns have names.
        looks: how boards are drawn.
    """

    TITLE = "Tic-tac-toe"
    CSS = STYLES
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False

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
        self.names_wanted = True
        self.looks = Looks(looks_in_letters)
        self._delay = delay
        ask = ask or Background(on_loop(self.run_worker)).ask
        self._game = Driver(self.table, self.show, ask, self._pause, for_watchers=True)
        self.advice = self._game.advice
        later = partial(self.set_timer, STEP_SECONDS)
        self.past = LookingBack(self.table, ask, self.show, later)
        self._thought = LongThought(self._game)
        self._board = Board(self.table.state)
        self._readout = Readout(self, self.table, self._game, self.past, self._thought, WIDE)

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
        self.set_interval(LOOK_SECONDS, self._look_at_thought)

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
                self.past.better or self.advice.best,
                self.advice.values,
                table.thinker is None and not table.match.over and not is_past,
                table.letter if table.letters else "",
                self.looks.of(table.state.rules),
                self.names_wanted,
            )
        )
        useless = {action for action, may in self._possible.items() if not may}
        self._readout.show(self.language, self.size.width, useless)

    @property
    def _possible(self) -> dict[str, bool]:
        """Whether actions of keys can be used now, of those that cannot always be."""
        table, past = self.table, self.past.possible
        return {
            **self.advice.possible,
            **{f"step('{name}')": past[name] for name in STEPS},
            "film": past["film"],
            "review": past["review"],
            "fault(-1)": past["fault-back"],
            "fault(1)": past["fault-on"],
            "play_on": past["play-on"],
            "next_level": offer_after(table) is not None,
            "move_now": self._thought.progress is not None,
            "resign": table.match.turn is not None and bool(table.people),
            "look": len(self.looks.offered(table.state.rules)) > 1,
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

    def _look_at_thought(self) -> None:
        if self._thought.look() or self._thought.progress is not None:
            self.show()

    def _recolour(self) -> None:
        self._board.use(Palette(self.theme_variables, plain=self.native_ansi_color))

    # -- the game ------------------------------------------------------------------------------

    def _pause(self, go_on: Callable[[], object]) -> None:
        if self._delay:
            self.set_timer(self._delay, go_on)
        else:
            go_on()
