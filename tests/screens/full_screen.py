"""The full screen of a terminal, at the hands of Textual's pilot."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest
from textual import events
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import Input, Static

from tests.screens.loop import Loop
from tests.screens.screen import COMMAND_NAMES, Sit, is_at_rest, move_of
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.table.commands import COMMANDS, LETTER_KEYS, SPECIAL_KEYS
from tic_tac_toe_frontends.table.table import Setup
from tic_tac_toe_frontends.tui import app as tui_app
from tic_tac_toe_frontends.tui.app import GameApp, textual_keys
from tic_tac_toe_frontends.tui.board import Board
from tic_tac_toe_frontends.tui.screens import Menu
from tic_tac_toe_frontends.words.rules_text import families
from tic_tac_toe_frontends.words.translation import load

#: The usual terminal, and one with room for everything.
SIZE, LARGE = (80, 24), (100, 30)
#: A key leads to an action, this to a message, which changes the table, which is then drawn.
ROUNDS = 4

#: What somebody presses who fumbles; the last open dialogs, in which the rest goes astray.
ANY_KEYS = (
    *("left", "right", "up", "down", "enter", "space", "tab", "shift+tab", "escape", "pageup"),
    *("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "n", "u", "u", "r", "h", "a", "m"),
    *("v", "v", "v", "v", "k", "p", "f", "f", "b", "c", "comma", "full_stop", "plus"),
    *("left_square_bracket", "right_square_bracket"),
    *("home", "end", "delete", "backspace", "f1", "f12", "ctrl+a", "ctrl+z", "ctrl+p", "alt+x"),
    *("x", "o", "s", ",", "\x00", "é", "中", "🎉", "[", "\u202e", "\u200b"),
)
SELDOM = ("g", "z", "j", "t", "l", "w", "question_mark")
SIZES = [(80, 24), (40, 12), (20, 6), (1, 1), (100, 30)]


def key_of(command: str) -> str:
    """Return the first key of a command, as Textual calls it."""
    key = textual_keys(COMMANDS[COMMAND_NAMES.get(command, command)].terminal).split(",")[0]
    names = {"[": "left_square_bracket", "]": "right_square_bracket", "+": "plus"}
    return (names | {".": "full_stop", "-": "minus", "?": "question_mark"}).get(key, key)


class FullScreen:
    """A game on the full screen."""

    def __init__(
        self,
        variant: str | Rules = "tic-tac-toe",
        x: str = "human",
        o: str = "human",
        *,
        language: str = "en",
        held: bool = False,
        starting: str = "X",
        size: tuple[int, int] = SIZE,
        **more: Any,
    ) -> None:
        rules = find_rules(variant) if isinstance(variant, str) else variant
        self._held = held
        self._problem = ""  # that a dialog told before it was closed
        self.app = GameApp(
            Setup(rules, x, o, starting),
            language=load(language, {}),
            rng=random.Random(1),
            delay=0,
            **more,
        )
        self._loop: Loop[Pilot[None]] = Loop(self.app.run_test(size=size))
        self.until(lambda: self.text("words"))
        self._settle()

    @property
    def pilot(self) -> Pilot[None]:
        """Who presses and clicks."""
        return self._loop.value

    def text(self, name: str) -> str:
        """Return what a part of the screen, or of a dialog above it, says."""
        parts = [part for each in self.app.screen_stack for part in each.query(f"#{name}")]
        return str(parts[0].render())

    @property
    def board(self) -> Board:
        """The board on the screen."""
        return self.app.screen_stack[0].query_one(Board)

    @property
    def grid(self) -> str:
        """What is in the cells of the game."""
        return self.app.table.state.grid.cells

    @property
    def lines(self) -> list[str]:
        """The lines of the board, without colours."""
        board = self.board
        return [board.render_line(y).text for y in range(board.plan.height)]

    @property
    def drawing(self) -> str:
        """The board as it is drawn."""
        return "\n".join(self.lines)

    @property
    def dialog(self) -> str:
        """All that the dialog on the screen says."""
        return "\n".join(str(part.render()) for part in self.app.screen.query(Static))

    def menu(self, name: str) -> Menu:
        """Return a menu of the dialog of a new game."""
        return self.app.screen.query_one(f"#{name}", Menu)

    def sign_at(self, cell: int) -> list[str]:
        """Return the lines of letters that a cell is drawn with."""
        x, y, width, height = self.board.plan.places[cell]
        return [line[x : x + width] for line in self.lines[y : y + height]]

    def is_taken(self, cell: int) -> bool:
        """Return whether there is a mark in a cell."""
        return self.grid[cell] != " "

    def sees_cursor(self) -> bool:
        """Return whether the cell at the cursor is on the screen."""
        place = self.board.plan.places[self.board.target]
        corner = self.board.region.offset + Offset(place.x, place.y)
        return self.app.screen_stack[0].query_one("#field").region.contains_point(corner)

    def says(self, words: str, name: str = "words") -> None:
        """Wait for words to appear."""
        self.until(lambda: words in self.text(name))

    def rest(self) -> None:
        """Let everything be shown."""
        self._loop.do(self._rest)

    def resize(self, *sizes: tuple[int, int]) -> None:
        """Give the terminal other sizes, and wait until the last one counts."""
        for width, height in sizes:
            self._loop.do(partial(self.pilot.resize_terminal, width, height))
        self.until(lambda: self.app.size == sizes[-1])
        self.rest()

    def point(self, selector: str, offset: tuple[int, int] = (0, 0)) -> bool:
        """Click a part of the screen; return whether it was the one that is meant."""
        hit = self._loop.do(lambda: self.pilot.click(selector, offset=offset))
        self._settle()
        return hit

    def _settle(self) -> None:
        """Let everything be shown, and the computers move."""
        table = self.app.table
        self._loop.do(self._rest)
        if not self._held and not is_at_rest(table):
            self.until(lambda: is_at_rest(table))
            self._loop.do(self._rest)

    async def _rest(self) -> None:
        """Wait until every message is answered, and the answers to these as well."""
        for _ in range(ROUNDS):
            await self.pilot.pause(0)

    def keys(self, *keys: str) -> None:
        """Press keys of the terminal."""
        self._problem = ""
        for key in keys:
            self.app.post_message(events.Key(key, key if len(key) == 1 else None))
            self._settle()

    def close(self) -> None:
        self._loop.close()

    @property
    def told(self) -> str:
        """The words beside the board, after those of a dialog that was closed."""
        return " ".join([*self._problem.split(), *self.text("words").split()])

    @property
    def marks(self) -> str:
        """What the board is drawn of; how it is drawn is for tests of its own."""
        return self.board.picture.state.grid.cells

    @property
    def moves(self) -> list[str]:
        lines = [line.partition(".")[2] for line in self.text("moves").split("\n")]
        moves = [move for line in lines for move in re.split(r"\s{3,}", line.strip())]
        return [move.split()[-1 - move.endswith("?")].lstrip("▸") for move in moves if move]

    @property
    def score(self) -> str:
        return self.text("score")

    @property
    def values(self) -> list[str]:
        found = re.findall(r"[+=−-]\d*", self.drawing)
        return sorted(sign.replace("−", "-") for sign in found)

    @property
    def game(self) -> str:
        return self.text("title").partition("  ")[0]

    @property
    def players(self) -> tuple[str, str]:
        x, o = re.split(r"\s{2,}", self.text("players").replace("▸", " ").strip())
        return x.split(None, 1)[1], o.split(None, 1)[1]

    def play(self, *moves: str) -> None:
        for name in moves:
            move = move_of(self.app.table.state.rules, name)
            if move.special:
                self.keys(SPECIAL_KEYS[move.special])
                continue
            if move.letter:
                self.choose("letter", move.letter)
            self.click(move.cell)

    def click(self, cell: int) -> None:
        """Click the middle of a cell, once the board lies where it stays."""
        board = self.board
        self.until(lambda: board.size == (board.plan.width, board.plan.height))
        place = board.plan.places[cell]
        corner = board.region.offset
        x, y = corner.x + place.x + place.width // 2, corner.y + place.y + place.height // 2
        assert self.app.get_widget_at(x, y)[0] is board
        self._click_at(x, y)
        self._settle()

    def _click_at(self, x: int, y: int) -> None:
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp):
            self.app.post_message(
                kind(None, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y)
            )

    def press(self, *commands: str) -> None:
        """Press the keys of commands; that of resigning is pressed twice."""
        for command in commands:
            self.keys(*[key_of(command)] * (2 if command == "resign" else 1))

    def choose(self, what: str, value: str) -> None:
        if what == "letter":
            self.keys(LETTER_KEYS[value])
        elif what == "look":
            table = self.app.table
            for _ in self.app.looks.offered(table.state.rules):
                if self.app.looks.of(table.state.rules).value == value:
                    break
                self.keys(key_of("look"))
        else:
            self.keys("g")
            self.pick("game" if what == "variant" else what, value)
            self.keys("enter")

    def pick(self, menu: str, value: str) -> None:
        """Choose in a menu of the dialog of a new game; a game after its family."""
        if menu == "game":
            kinds = [title for title, games in families(self.app.language) if value in dict(games)]
            self.menu("family").choose(*(kinds or [value]))
            self._settle()
        if menu != "game" or kinds:
            self.menu(menu).choose(value)

    def learn(self, lesson: str) -> None:
        self.press("puzzle")
        self.menu("kind").choose(lesson)
        self.keys("enter")

    def save(self, path: Path) -> None:
        self._use_file("w", path)

    def open(self, path: Path) -> None:
        self._use_file("l", path)

    def _use_file(self, key: str, path: Path) -> None:
        self.keys(key)
        dialog = self.app.screen
        dialog.query_one("#file", Input).value = str(path)
        self.keys("enter")
        if self.app.screen is dialog:
            problem = str(dialog.query_one("#problem", Static).render())
            self.keys("escape")
            self._problem = problem

    def help(self) -> str:
        self.keys("f1")
        told = self.dialog
        self.keys("escape")
        return told

    def fumble(self, rng: random.Random) -> None:
        if rng.random() < 0.1:
            self._loop.do(partial(self.pilot.resize_terminal, *rng.choice(SIZES)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(cast("dict[str, object]", self.app.desk.own), "quit", lambda: None)
            for _ in range(5):
                width, height = self.app.size
                if rng.random() < 0.45:
                    self._click_at(rng.randrange(width), rng.randrange(height))
                else:
                    key = rng.choice(SELDOM if rng.random() < 0.01 else ANY_KEYS)
                    self.app.post_message(events.Key(key, key if len(key) == 1 else None))
            self.rest()
        table = self.app.table
        table.state.rules.validate(table.state.position)
        assert table.record.final_position == table.state.position
        assert len(self.app.screen_stack) <= 2
        assert self.app.return_code is None
        if len(self.app.screen_stack) == 2:
            self.app.post_message(events.Key("escape", None))
            self.rest()

    def until(self, condition: Callable[[], object]) -> None:
        self._loop.until(condition)


#: Opens a full screen, with the arguments of `FullScreen`.
Open: TypeAlias = Callable[..., FullScreen]


@contextlib.contextmanager
def sitting() -> Iterator[Sit]:
    """Return what opens full screens; they are closed when the test ends."""
    with contextlib.ExitStack() as stack, pytest.MonkeyPatch.context() as patch:

        def sit(*args: Any, film_step: float = 0.001, **options: Any) -> FullScreen:
            patch.setattr(tui_app, "STEP_SECONDS", film_step)
            return stack.enter_context(contextlib.closing(FullScreen(*args, size=LARGE, **options)))

        yield sit
