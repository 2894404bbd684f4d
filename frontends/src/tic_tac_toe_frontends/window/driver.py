"""The one game loop on a table, driven by Tk's."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Generator
from typing import NamedTuple

from tic_tac_toe.game.engine import Turn, TurnLoop
from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark

from ..table.table import Table
from ..table.thinking import choose
from .thoughts import Thoughts


class Seat(NamedTuple):
    """A seat at the table; who sits there is the table's business."""

    mark: Mark


class Driver:
    """Plays one game after the other at a table, while the window's loop runs.

    People move, take back and begin anew by calling the table; this shows every change and lets
    computers think when it is their turn. Thoughts are dropped where the game has moved on.

    Args:
        table: from now on its `on_change` is this one's.
        renderer: shows the state after every change of the table.
        widget: any of the window's, for its loop.
        thoughts: where computers think.
        delay_seconds: how long a computer's move takes at least.
    """

    def __init__(
        self,
        table: Table,
        renderer: Renderer,
        widget: tk.Misc,
        thoughts: Thoughts,
        delay_seconds: float,
    ) -> None:
        self._table = table
        self._loop = TurnLoop(Seat(Mark.CROSS), Seat(Mark.NAUGHT), renderer)
        self._widget = widget
        self._thoughts = thoughts
        self._delay_seconds = delay_seconds
        self._turns: Generator[Turn[Seat], GameState | InvalidMove | None, GameState] | None = None
        self._timer: str | None = None
        table.on_change = self.go_on

    def go_on(self) -> None:
        """Show the table as it stands, and let a computer think if it is its turn."""
        self._drop_answer()
        state = None if self._turns is None else self._table.state
        if self._turns is None:
            self._turns = self._loop.turns(self._table.state)
        try:
            turn = self._turns.send(state)
        except StopIteration:
            self._turns = None
            return
        name = self._table.thinker
        if name is not None:
            self._think(turn.state, name)

    def close(self) -> None:
        """Make no more moves."""
        self._table.on_change = lambda: None
        self._drop_answer()

    def _think(self, state: GameState, name: str) -> None:
        dice = self._table.dice()
        earliest = time.monotonic() + self._delay_seconds

        def answer(cell: int) -> None:
            if state is not self._table.state:
                return
            self._drop_answer()
            remaining = max(0.0, earliest - time.monotonic())
            self._timer = self._widget.after(round(remaining * 1000), give, cell)

        def give(cell: int) -> None:
            self._timer = None
            self._table.answer(state, cell)

        self._thoughts.start(lambda: choose(state, name, dice), answer)

    def _drop_answer(self) -> None:
        """Forget an answer that waits for its time."""
        if self._timer is not None:
            self._widget.after_cancel(self._timer)
            self._timer = None
