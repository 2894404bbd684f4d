"""The board in a notebook: the game is in Python, the page shows it and sends requests."""

from __future__ import annotations

import asyncio
import os
import random
import threading
from collections.abc import Callable, Container, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import anywidget
import traitlets

from tic_tac_toe.game.evaluate import STUDY, evaluate
from tic_tac_toe.logic.analysis import StateEvaluation
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_move
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.traits import special_move, traits_of
from tic_tac_toe.opponents import Opponents, is_own
from tic_tac_toe.pictures.board import Look

from ..program.process import Refused
from ..table.background import Background, on_loop
from ..table.commands import Desk
from ..table.driver import Driver, LongThought
from ..table.looking_back import LookingBack
from ..table.queries import ask_here
from ..table.setup import opponents_for
from ..table.study import Study
from ..table.table import Setup, Table
from ..table.task import Choice
from ..words.rules_text import FIRST_OPPONENT, PLAYERS, STARTERS
from ..words.translation import as_sentence, load, localise
from .page import BUTTONS, TASK_BUTTONS, Drawing, SavedPicture, menus, page, style


def chosen_setup(chosen: dict[str, object], present: Rules, opponents: Opponents) -> Setup | None:
    """Return the game chosen in the page's menus; ``None`` for a game that they do not list.

    Args:
        present: the game of an empty name, which no menu need list.
        opponents: have programs that the menus also list.
    """
    players = (*PLAYERS, *opponents.own)
    menus: dict[str, Container[object]] = {
        "variant": ("", *VARIANTS),
        "x": players,
        "o": players,
        "starting": STARTERS,
    }
    if chosen.keys() != menus.keys() or any(chosen[name] not in menus[name] for name in menus):
        return None
    variant, x, o, starting = (str(chosen[name]) for name in menus)
    return Setup(VARIANTS.get(variant, present), x, o, starting)


def setup_of(variant: str | Rules, x: str, o: str, starting: str, state: GameState | None) -> Setup:
    """Return a game's setup; errors list the possible values."""
    for name, choices in ((x, PLAYERS), (o, PLAYERS), (starting, STARTERS)):
        if name not in choices and (choices is STARTERS or not is_own(name)):
            raise ValueError(f"{name!r} is not among {', '.join(choices)}")
    if state is not None:
        return Setup(state.rules, x, o, starting)
    return Setup(find_rules(variant) if isinstance(variant, str) else variant, x, o, starting)


def opponents_with(opponents: Opponents, setup: Setup) -> Opponents:
    """Return the computer players, with the programs of a setup added.

    Raises:
        InvalidStrategy: a program cannot be run.
    """
    new = [name for name in setup.players.values() if name not in opponents.own]
    found = opponents_for(new, opponents.think)
    return Opponents(opponents.think, {**opponents.own, **found.own})


class OnCall:
    """Answers queries at once: when a call returns, the computers have moved."""

    ask = staticmethod(ask_here)

    def pause(self, go_on: Callable[[], object]) -> None:
        """Continue at once."""
        go_on()

    def handle(self, call: Callable[[], object]) -> None:
        """Handle a message of the page."""
        call()

    async def wait_for_computers(self) -> None:
        """Do nothing: no search is running."""

    def stop(self) -> None:
        """Do nothing: no query is running."""


class OnLoop:
    """Answers queries in threads, and passes the answers to tasks of an event loop.

    Args:
        loop: the loop of the thread that owns the table.
        delay: the pause before a computer's move if no person plays, in seconds.
    """

    def __init__(self, table: Table, loop: asyncio.AbstractEventLoop, delay: float) -> None:
        self._table = table
        self._delay = delay
        self._loop = loop
        self._owner = threading.get_ident()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.ask = Background(on_loop(self._spawn)).ask

    def pause(self, go_on: Callable[[], object]) -> None:
        """Continue, after a pause if no person plays."""
        if self._table.people:
            go_on()
        else:
            self._spawn(self._go_on_later(go_on))

    async def _go_on_later(self, go_on: Callable[[], object]) -> None:
        await asyncio.sleep(self._delay)
        go_on()

    def handle(self, call: Callable[[], object]) -> None:
        """Handle a message of the page in the thread that owns the table."""
        if threading.get_ident() == self._owner:
            call()
        else:
            self._loop.call_soon_threadsafe(call)

    async def wait_for_computers(self) -> None:
        """Wait until no computer is thinking."""
        while self._table.thinker is not None and self._tasks:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)

    def stop(self) -> None:
        """Cancel all running tasks."""
        for task in [*self._tasks]:
            task.cancel()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


Host: TypeAlias = OnCall | OnLoop


def host_for(table: Table, delay: float) -> Host:
    """Return a host with the running event loop, or one without a loop."""
    try:
        return OnLoop(table, asyncio.get_running_loop(), delay)
    except RuntimeError:
        return OnCall()


HERE = Path(__file__).parent


class Game(anywidget.AnyWidget):
    """A board to click on, with a person or a computer player on each side.

    Show it as the last value of a cell. Everything on the page can also be done in Python, and each
    follows the other. Refused moves raise `InvalidMove` and change nothing. While a cell is running
    no computer moves; ``await game.answered()`` lets the computers move within the cell.

    Args:
        variant: the game: a name, such as ``"connect-four"`` or ``"mnk:7,6,4"``, or rules.
        x, o: the players: ``"human"``, a strategy such as ``"minimax"`` or ``"easy"``, or
            ``"gomocup:PATH"``, a program that speaks Gomocup's protocol.
        starting: the side that moves first: ``"X"``, ``"O"`` or ``"random"``.
        analyse: whether each cell shows the value of its move.
        state: the first position, whose rules replace `variant`; by default the empty board.
        seed: makes chance repeatable.
        delay: the pause before a computer's move if no person plays, in seconds.
        think: the computer's time for a move in seconds.
        lang: the language: ``en``, ``es``, ``zh`` or ``ru``; by default the locale's.
        look: ``"marks"``, ``"discs"`` or ``"stones"``, for games with that look; by default the
            game's.
        numbers: whether each mark shows the number of its move.
        from_bottom: whether the board and the texts beside it count rows from the bottom; `place`
            and records go on counting them from the top.

    Attributes:
        state: the present state, an observable trait.
        record: the record of the game so far, an observable trait.
        analyse, look, numbers, from_bottom: writable.

    Raises:
        InvalidVariant: the game is unknown.
        InvalidStrategy: a program cannot be run.
        ValueError: the player, starter or language is unknown.
        TraitError: the look is unknown.
    """

    _esm = (HERE / "board.js").read_text(encoding="utf-8")
    _css = style() + (HERE / "board.css").read_text(encoding="utf-8")

    #: The data for the page and its texts and menus; changes by the page are ignored.
    page = traitlets.Dict(read_only=True).tag(sync=True)
    menus = traitlets.Dict(read_only=True).tag(sync=True)
    #: The last change of the game that the page has shown. The page sends it back, so that marimo,
    #: which reruns cells after a change by the page, runs those that use the game.
    shown = traitlets.Int(0).tag(sync=True)

    state = traitlets.Instance(GameState, read_only=True)
    record = traitlets.Instance(Record, read_only=True)
    analyse = traitlets.Bool(False)
    look = traitlets.Enum([None, *(look.value for look in Look)], None)
    numbers = traitlets.Bool(False)
    from_bottom = traitlets.Bool(False)

    _closed = True  # until `__init__` is complete

    def __init__(
        self,
        variant: str | Rules = "tic-tac-toe",
        x: str = "human",
        o: str = FIRST_OPPONENT,
        starting: str = "X",
        analyse: bool = False,
        *,
        state: GameState | None = None,
        seed: int | None = None,
        delay: float = 0.4,
        think: float | None = None,
        lang: str | None = None,
        look: str | None = None,
        numbers: bool = False,
        from_bottom: bool = False,
    ) -> None:
        self._language = load(lang, os.environ)
        setup = setup_of(variant, x, o, starting, state)
        opponents = opponents_with(Opponents(think), setup)
        self._table = Table(setup, random.Random(seed), state=state, opponents=opponents)
        self._host = host_for(self._table, delay)
        self._driver = Driver(self._table, self._show, self._host.ask, self._host.pause)
        self._advice = self._driver.advice
        past = LookingBack(self._table, self._host.ask, self._show, lambda _step: None)
        thought = LongThought(self._driver)
        self._study = Study(self._table, self._host.ask, self._show)
        self._desk = Desk(self._table, self._driver, past, thought, self._refuse, self._study)
        self._changes = 0
        self._picture = SavedPicture()
        self._shown_state: GameState | None = None
        self._shown_drawing = Drawing(look, numbers, from_bottom)
        super().__init__(analyse=analyse, **self._shown_drawing._asdict())
        self._send_menus()
        self._closed = False
        self._driver.start()
        self.on_msg(self._receive)

    @property
    def verdict(self) -> StateEvaluation:
        """The evaluation of the state for the side to move, after a search of some seconds."""
        return StateEvaluation.on(self.state, evaluate(self.state, STUDY, full=True))

    def place(self, move: str | int) -> GameState:
        """Make a person's move and return the state.

        Args:
            move: as written: ``"B2"``, a column under gravity, ``"XB2"`` with a choice of letters,
                or ``"swap"``; or its number, which in plain games is the cell.

        Raises:
            InvalidMove: the move is illegal, or it is a computer's turn.
            InvalidNotation: the text is not a move.
        """
        number = parse_move(self._table.state, move) if isinstance(move, str) else move
        self._study.play(lambda: self._table.place(number))
        return self.state

    def undo(self) -> GameState:
        """Undo to a person's turn, in a puzzle a wrong move, and return the state."""
        if not self._study.do("undo"):
            self._table.take_back()
        return self.state

    def redo(self) -> GameState:
        """Redo to a person's turn, and return the state."""
        self._table.play_again()
        return self.state

    def resign(self) -> None:
        """Resign for the person to move."""
        self._table.resign()

    def new(
        self,
        variant: str | Rules | None = None,
        x: str | None = None,
        o: str | None = None,
        starting: str | None = None,
        *,
        state: GameState | None = None,
    ) -> GameState:
        """Start another game, by default the same again, and return its state.

        Raises:
            InvalidVariant: the game is unknown.
            ValueError: the player or starter is unknown.
        """
        now = self._study.setup
        setup = setup_of(
            variant if variant is not None else now.rules,
            now.x if x is None else x,
            now.o if o is None else o,
            now.starting if starting is None else starting,
            state,
        )
        self._table.opponents = opponents_with(self._table.opponents, setup)
        self._table.new_game(setup, state=state)
        self._send_menus()
        return self.state

    def puzzle(self, game: str = "", theme: str = "", difficulty: str = "") -> GameState:
        """Begin a puzzle, by default that of the day, and return its state.

        `place` then makes a move and its answer, `undo` takes a wrong move back.

        Args:
            game: the name of its game.
            theme: a part of its theme, in English.
            difficulty: ``"easy"``, ``"middle"`` or ``"hard"``.

        Raises:
            InvalidMove: there is no such puzzle.
        """
        self._study.open(Choice(game, theme, difficulty))
        return self.state

    def lesson(self, name: str) -> GameState:
        """Begin a lesson of `tic_tac_toe.insight.lessons`, and return the state of its exercise.

        Raises:
            ValueError: there is no such lesson.
        """
        self._study.open(self._study.lesson(name))
        return self.state

    async def answered(self) -> GameState:
        """Wait until the computers have moved, and return the state."""
        await self._host.wait_for_computers()
        self._show()
        return self.state

    def close(self) -> None:
        """Remove the widget from the page and release the game, even during a search."""
        if not self._closed:
            self._closed = True
            self._driver.stop()
            self._host.stop()
            self._table.opponents.close()
        super().close()

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over traits that the page may set; it may set nothing of the game."""
        refused = {"page", "menus"}
        if type(sync_data.get("shown")) is not int:
            refused.add("shown")
        accepted = {name: sync_data[name] for name in sync_data if name not in refused}
        set_state = super().set_state
        self._host.handle(lambda: set_state(accepted))

    def __repr__(self) -> str:
        return f"Game({self._table!r})"

    def _ipython_display_(self) -> None:
        """Display the widget, and the picture that a saved notebook keeps of it."""
        bundle = None if self._closed else self._repr_mimebundle_()
        if bundle is None:
            raise NotImplementedError  # IPython then shows `repr`
        self._picture.display(*bundle, self._table, self._drawing)

    @property
    def _drawing(self) -> Drawing:
        return Drawing(self.look, self.numbers, self.from_bottom)

    def _send_menus(self) -> None:
        self.set_trait("menus", menus(self._language, self._table.opponents.own))

    def _show(self) -> None:
        """Update the traits; changed ones are sent to the page."""
        if self._closed:
            return
        state, drawing = self._table.state, self._drawing
        shown = page(self._desk, self._language, drawing)
        if state is not self._shown_state:
            self._changes += 1
        if (state, drawing) != (self._shown_state, self._shown_drawing):
            self._picture.update(self._table, drawing)
        self._shown_state, self._shown_drawing = state, drawing
        shown["change"] = self._changes
        shown["saved"] = self._picture.name
        with self.hold_trait_notifications():
            self.set_trait("page", shown)
            self.set_trait("state", state)
            self.set_trait("record", self._table.record)

    @traitlets.observe("analyse")
    def _analyse_changed(self, _change: object) -> None:
        self._advice.analyse(self.analyse)

    @traitlets.observe(*Drawing._fields)
    def _drawing_changed(self, _change: object) -> None:
        self._show()

    def _receive(self, _widget: object, content: object, _buffers: object) -> None:
        """Handle a message of the page; invalid messages are ignored."""
        self._host.handle(lambda: self._handle(content))

    def _handle(self, content: object) -> None:
        desk, table = self._desk, self._table
        match None if self._closed else content:
            # In Python ``true`` is an int too, so check the exact type.
            case {"place": int(cell), "ply": int(ply), **rest} if (
                not rest and type(cell) is type(ply) is int
            ):
                desk.play_cell(cell, ply)
            case {"special": str(name), "ply": int(ply), **rest} if not rest and type(ply) is int:
                if name in traits_of(table.state.rules).specials:
                    desk.place(special_move(table.state.rules, name), ply)
            case {"letter": str(letter), **rest} if not rest:
                table.choose(letter)
            case {"press": str(name), **rest} if not rest and name in (*BUTTONS, *TASK_BUTTONS):
                desk.do(name)
            case {"analyse": bool(wanted), **rest} if not rest:
                self.analyse = wanted
            case {"new": dict(chosen), **rest} if not rest:
                if setup := chosen_setup(chosen, table.setup.rules, table.opponents):
                    table.new_game(setup)

    def _refuse(self, reason: InvalidMove | Refused) -> None:
        self._table.remark = as_sentence(localise(self._language, reason), self._language)
        self._show()
