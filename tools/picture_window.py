"""Pictures of the real window, taken on a virtual display.

    python -m tools.picture_window               # every one
    python -m tools.picture_window window-dark   # only those that are named

Each is a game from a seed, so that much the same picture comes out again. What is not asked for is
that the picture is the same to the last pixel: letters look as the machine's fonts have them. It
takes Xvfb, and ImageMagick, which keeps the files small.
"""

import gc
import random
import subprocess
import sys
import time
import tkinter as tk
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.game.strategies import play_by_rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.window.app import App
from tic_tac_toe_frontends.window.args import Args
from tic_tac_toe_frontends.words.translation import load
from tools.virtual_display import virtual_display

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
PATIENCE = 60.0


class Picture(NamedTuple):
    """A game in a window.

    Attributes:
        variant: the game by its name.
        x, o: who plays.
        theme: the colours.
        size: width and height of the window in pixels.
        cells: what people play; computers answer in between.
        moves: how many moves are played for people by a computer player before that.
        seed: where chance comes from.
        actions: what else is done at the end, by the names of the commands.
    """

    variant: str
    x: str
    o: str
    theme: str
    size: tuple[int, int]
    cells: Sequence[int] = ()
    moves: int = 0
    seed: int = 1
    actions: Sequence[str] = ()


GAMES = {
    "window": Picture(
        "tic-tac-toe", "human", "minimax", "light", (560, 620), (4, 2), actions=["hint"]
    ),
    "window-dark": Picture(
        "connect-four", "medium", "easy", "dark", (620, 640), seed=11, actions=["moves"]
    ),
    "window-gomoku": Picture(
        "gomoku", "human", "human", "light", (1000, 620), moves=23, seed=3, actions=["moves"]
    ),
    "window-ultimate": Picture("ultimate", "human", "human", "light", (620, 700), moves=39, seed=6),
}


def take(picture: Picture, path: Path, display: str) -> None:
    """Play the game in a window on a display, and write a picture of it."""
    width, height = picture.size
    root = tk.Tk(screenName=display)
    setup = Setup(find_rules(picture.variant), picture.x, picture.o)
    args = Args(setup, load("en", {}), picture.seed, delay=0.0, theme=picture.theme, animated=False)
    app = App(root, args)
    root.geometry(f"{width}x{height}+0+0")
    rng = random.Random(picture.seed)
    for _ in range(picture.moves):
        move = play_by_rules(app.table.state, rng)
        assert move is not None
        app.play(move.number)
    for cell in picture.cells:
        _wait(root, lambda: app.table.thinker is None)
        app.play(cell)
    _wait(root, lambda: app.table.thinker is None)
    for action in picture.actions:
        app.actions[action]()
    _wait(root, lambda: "…" not in app.view.detail.cget("text"))
    screen = subprocess.run(
        ["import", "-display", display, "-window", "root", "png:-"], capture_output=True, check=True
    ).stdout
    below_menu = root.winfo_rooty()
    crop = ["-crop", f"{width}x{height + below_menu}+0+0", "+repage", "+dither"]
    subprocess.run(
        ["convert", "png:-", *crop, "-strip", "-colors", "64", f"png8:{path}"],
        check=True,
        input=screen,
    )
    app.close()


def _wait(root: tk.Tk, condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("The game has not gone on within a minute")
        root.update()
        time.sleep(0.01)
    root.update()


def main(names: Sequence[str]) -> None:
    """Take the pictures that are named, or every one."""
    PICTURES.mkdir(exist_ok=True)
    with virtual_display("1000x900") as display:
        for name in names or GAMES:
            take(GAMES[name], PICTURES / f"{name}.png", display)
            gc.collect()  # the window's remains, which no thread that thinks may collect
            print(f"docs/pictures/{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
