"""The full screen without a terminal: an app, its pilot, and what a person sees and does."""

from __future__ import annotations

import asyncio
import functools
import inspect
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import Static

from tests.frontends.programs import PATIENCE
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.tui.app import GameApp
from tic_tac_toe_frontends.tui.board import Board
from tic_tac_toe_frontends.tui.screens import Menu
from tic_tac_toe_frontends.words.rules_text import HUMAN

SIZE = (80, 24)


class Stage:
    """An app that runs, and its pilot."""

    def __init__(self, app: GameApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def board(self) -> Board:
        """The board on the screen."""
        return self.app.screen_stack[0].query_one(Board)

    @property
    def grid(self) -> str:
        """What is in the cells of the game."""
        return self.app.table.state.grid.cells

    @property
    def drawing(self) -> str:
        """The board as it is drawn."""
        return "\n".join(self.lines)

    @property
    def lines(self) -> list[str]:
        """The lines of the board, without colours."""
        board = self.board
        return [board.render_line(y).text for y in range(board.plan.height)]

    @property
    def told(self) -> str:
        """All that the dialog on the screen says."""
        return "\n".join(str(part.render()) for part in self.app.screen.query(Static))

    def text(self, name: str) -> str:
        """Return what a part of the screen, or of a dialog above it, says."""
        parts = [part for each in self.app.screen_stack for part in each.query(f"#{name}")]
        return str(parts[0].render())

    def menu(self, name: str) -> Menu:
        """Return a menu of the dialog of a new game."""
        return self.app.screen.query_one(f"#{name}", Menu)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something to become true."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, self.text("words")
            await self.pilot.pause(0.01)

    async def says(self, words: str, name: str = "words") -> None:
        """Wait for words to appear."""
        await self.until(lambda: words in self.text(name))

    async def resize(self, *sizes: tuple[int, int]) -> None:
        """Give the terminal other sizes, and wait until the last one counts."""
        for size in sizes:
            await self.pilot.resize_terminal(*size)
        await self.until(lambda: self.app.size == sizes[-1])

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def click(self, cell: int) -> None:
        """Click the middle of a cell, once the board lies where it stays."""
        board = self.board
        await self.until(lambda: board.size == (board.plan.width, board.plan.height))
        place = self.board.plan.places[cell]
        middle = (place.x + place.width // 2, place.y + place.height // 2)
        assert await self.pilot.click(Board, offset=middle)
        await self.pilot.pause()

    async def place(self, cell: int) -> None:
        """Click a cell until there is a mark: the board moves when the words below change."""
        deadline = time.monotonic() + PATIENCE
        while not self.is_taken(cell):
            assert time.monotonic() < deadline, self.text("words")
            await self.click(cell)

    def is_taken(self, cell: int) -> bool:
        """Return whether there is a mark in a cell."""
        return self.grid[cell] != " "

    def sees_mark(self, cell: int) -> bool:
        """Return whether there is a mark in a cell of the position on the screen."""
        return self.board.picture.state.grid.cells[cell] != " "

    def sees_cursor(self) -> bool:
        """Return whether the cell at the cursor is on the screen."""
        place = self.board.plan.places[self.board.target]
        corner = self.board.region.offset + Offset(place.x, place.y)
        return self.app.screen_stack[0].query_one("#field").region.contains_point(corner)

    def sign_at(self, cell: int) -> list[str]:
        """Return the lines of letters that a cell is drawn with."""
        x, y, width, height = self.board.plan.places[cell]
        return [line[x : x + width] for line in self.lines[y : y + height]]


def app_of(
    game: str | Rules = "tic-tac-toe", x: str = HUMAN, o: str = HUMAN, **more: Any
) -> GameApp:
    """Return an app whose first game is this, with options of `GameApp`."""
    rules = find_rules(game) if isinstance(game, str) else game
    return GameApp(Setup(rules, x, o), rng=random.Random(1), delay=0, **more)


def perform(
    scene: Callable[[Stage], Awaitable[None]],
    game: str | Rules = "tic-tac-toe",
    *,
    size: tuple[int, int] = SIZE,
    **more: Any,
) -> GameApp:
    """Run a scene on the full screen, and return the app that has ended; see `app_of`."""
    app = app_of(game, **more)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            stage = Stage(app, pilot)
            await stage.until(lambda: bool(stage.text("words")))
            await scene(stage)

    asyncio.run(run())
    return app


def on_stage(*args: Any, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Return a decorator: a test is a scene that is performed, with the options of `perform`."""

    def decorate(scene: Callable[..., Any]) -> Callable[..., None]:
        def test(**given: Any) -> None:
            perform(functools.partial(scene, **given), *args, **options)

        parameters = [*inspect.signature(scene).parameters.values()][1:]
        test.__name__, test.__doc__ = scene.__name__, scene.__doc__
        cast("Any", test).__signature__ = inspect.Signature(parameters)
        return test

    return decorate
