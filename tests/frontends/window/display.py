"""A virtual display, with real clicks and keys, and a window on it."""

from __future__ import annotations

import gc
import os
import subprocess
import threading
import time
import tkinter as tk
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeAlias

import pytest

from tests.frontends.programs import PATIENCE
from tests.machine import needs
from tests.screens.one_thread import OneThread
from tic_tac_toe.game.geometry import geometry
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.window.app import App
from tic_tac_toe_frontends.window.args import Args
from tic_tac_toe_frontends.window.board import Board
from tic_tac_toe_frontends.words.rules_text import HUMAN
from tic_tac_toe_frontends.words.translation import load

#: What tests of a window on a display are marked with.
ON_DISPLAY = [needs("Xvfb", "xdotool"), pytest.mark.once]
#: Those of windows that are closed.
INTERPRETERS: list[OneThread] = []


def xdotool(display: str, *arguments: str | int) -> str:
    """Move the mouse and press keys for real; return what xdotool prints."""
    return subprocess.run(
        ["xdotool", *map(str, arguments)],
        capture_output=True,
        check=True,
        env={**os.environ, "DISPLAY": display},
        text=True,
        timeout=PATIENCE,
    ).stdout


class Stage:
    """The game's window on a display, and somebody at its mouse and keyboard.

    Whatever touches a widget from another thread, and whatever goes wrong in a callback, is noted
    and fails the test when the stage is left.

    Args:
        answer: see `App`.
        more: other options of `Args`; unless given nothing moves, and nothing is delayed.
    """

    def __init__(
        self,
        display: str,
        variant: str = "tic-tac-toe",
        x: str = HUMAN,
        o: str = HUMAN,
        starting: str = "X",
        language: str = "en",
        answer: Callable[[Any], Any] = lambda query: query(),
        **more: Any,
    ) -> None:
        setup = Setup(find_rules(variant), x, o, starting)
        options = {"theme": "light", "delay": 0.0, "animated": False, **more}
        self.display = display
        self.errors: list[BaseException] = []
        self.root = tk.Tk(screenName=display)
        self.guard = OneThread(self.root.tk)
        self.root.tk = self.guard  # type: ignore[assignment]  # it stands for the same interpreter
        self.root.geometry("+0+0")
        self.app = App(self.root, Args(setup, load(language, {}), seed=1, **options), answer)
        self.root.report_callback_exception = self._note_error
        self.until(self.root.winfo_viewable)
        # There is no window manager that would give the keyboard to the new window.
        self.board.focus_force()
        self.until(lambda: self.root.focus_get() is self.board)
        self.settle()

    def __enter__(self) -> Stage:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self.is_closed:
            self.app.close()
        errors, foreign = self.errors, self.guard.foreign
        # What is left of the window has to be collected in this thread, not in one that thinks,
        # and its interpreter never: a thread may be about to end.
        INTERPRETERS.append(self.guard)
        gc.disable()
        self.app, self.root = None, None  # type: ignore[assignment]  # nobody uses them again
        for thread in threading.enumerate():
            if thread.name == "thinking":
                thread.join(PATIENCE)
        gc.collect()
        gc.enable()
        if error is None:
            assert errors == []
            assert foreign == []

    @property
    def table(self) -> Table:
        """The table that the window shows."""
        return self.app.table

    @property
    def board(self) -> Board:
        """The board in the window."""
        return self.app.view.board

    @property
    def cells(self) -> list[int]:
        """The cells of the moves so far."""
        return [move.cell_index for move in self.table.match.history]

    @property
    def status(self) -> str:
        """The words that are read first."""
        return str(self.app.view.status.cget("text"))

    @property
    def detail(self) -> str:
        """The words below the status."""
        return str(self.app.view.detail.cget("text"))

    @property
    def is_closed(self) -> bool:
        """Whether the window is gone."""
        try:
            return not self.root.winfo_exists()
        except tk.TclError:
            return True

    def centre_of(self, cell: int) -> tuple[int, int]:
        """Return where the middle of a cell lies on the board's canvas, in pixels."""
        boxes = geometry(self.board.picture.state.rules).boxes
        x, y = self.board.plan.point(boxes[cell].centre)
        return round(x), round(y)

    def drawn(self, kind: str) -> list[int]:
        """Return what is drawn on the board of a kind, such as ``image`` for marks."""
        return [item for item in self.board.find_all() if str(self.board.type(item)) == kind]

    def until(self, condition: Callable[[], object]) -> None:
        """Let the window go on until something holds."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, "it did not come to this"
            if self.is_closed:
                continue
            self.root.update()
            time.sleep(0.002)

    def settle(self) -> None:
        """Let everything happen that is due."""
        for _ in range(3):
            self.root.update()
            xdotool(self.display, "getmouselocation")  # what was sent before has arrived by now
        self.root.update()

    def click(self, cell: int) -> None:
        """Click a cell of the board."""
        self._click_at(self.board, *self.centre_of(cell))

    def click_widget(self, widget: tk.Misc) -> None:
        """Click the middle of a widget."""
        self._click_at(widget, widget.winfo_width() // 2, widget.winfo_height() // 2)

    def click_in(self, widget: tk.Misc, x: int, y: int) -> None:
        """Click a point of a widget."""
        self._click_at(widget, x, y)

    def wheel(self, x: int, y: int, *, closer: bool) -> None:
        """Turn the wheel by one step over a point of the board."""
        self.board.event_generate("<Button-4>" if closer else "<Button-5>", x=x, y=y)
        self.root.update()

    def press(self, *keys: str) -> None:
        """Press keys one after the other, by the names that xdotool knows."""
        xdotool(self.display, "key", "--delay", 5, *keys)
        self.settle()

    def _click_at(self, widget: tk.Misc, x: int, y: int) -> None:
        x, y = widget.winfo_rootx() + x, widget.winfo_rooty() + y
        xdotool(self.display, "mousemove", x, y, "click", 1)
        self.settle()

    def _note_error(
        self, _kind: type[BaseException], error: BaseException, _trace: TracebackType | None
    ) -> None:
        self.errors.append(error)


#: Opens a window, with the arguments of `Stage` after the first.
Open: TypeAlias = Callable[..., Stage]
