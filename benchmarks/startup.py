"""What a fresh process pays until its first board is shown: console, window, full screen."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from unittest.mock import patch

from benchmarks.measurement import Contestant, Effort, Sampler, Unavailable, alternate
from benchmarks.processes import BARE, fresh
from benchmarks.report import SECONDS, Section
from tools.virtual_display import virtual_display

#: Each code ends once its board is there, at the moment when a person could move. What it prints
#: is read and thrown away.
CONSOLE = """
import io, sys
sys.stdin = io.StringIO()
from tic_tac_toe_frontends.console.cli import main
main(["-X", "human", "-O", "human"])
"""
#: Without a terminal, which costs nothing itself: everything is laid out and painted all the same.
FULL_SCREEN = """
from tic_tac_toe_frontends.tui.app import GameApp
class Once(GameApp):
    def on_ready(self):
        self.call_after_refresh(self.exit)
Once().run(headless=True, size=(80, 24))
"""
WINDOW = """
import tkinter
from tic_tac_toe_frontends.window.app import App
from tic_tac_toe_frontends.window.args import parse_args
root = tkinter.Tk()
App(root, parse_args([]))
root.update()
root.destroy()
"""


def measure(effort: Effort) -> list[Section]:
    """Return the CPU time of each front end up to its first board."""
    with window_runs() as window:
        contestants = [
            Contestant(BARE, fresh("pass")),
            Contestant("console", fresh(CONSOLE, "tic_tac_toe_frontends")),
            Contestant("window (Tk, on a virtual display)", window),
            Contestant("full screen (Textual)", fresh(FULL_SCREEN, "textual")),
            Contestant("`import textual` alone", fresh("import textual.app", "textual")),
        ]
        # Processes vary more than work inside one does.
        runs = alternate(contestants, 2 * effort.rounds)
    title = "from the start of a process to the first board, above a bare interpreter"
    return [Section(title, runs.above(BARE), SECONDS, reference="console")]


@contextlib.contextmanager
def window_runs() -> Iterator[Callable[[], Sampler]]:
    """Give what prepares the window's runs, on a display that is there meanwhile."""
    if shutil.which("Xvfb") is None:
        yield _without_display
        return
    with virtual_display() as name, patch.dict(os.environ, DISPLAY=name):
        yield fresh(WINDOW, "_tkinter")


def _without_display() -> Sampler:
    raise Unavailable("needs Xvfb")
