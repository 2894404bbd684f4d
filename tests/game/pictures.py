"""Golden pictures: boards of every kind as SVG, in files that people can look through.

``python -m tests.game.pictures`` compares; with ``--write`` it writes the files anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from tests.golden import compare_or_write
from tests.logic.played_games import after
from tic_tac_toe.game.svg import svg
from tic_tac_toe.solver import analyse, verdict

FOLDER = Path(__file__).resolve().parents[1] / "data" / "svg"


#: What draws each picture, by the name of its file.
PICTURES: dict[str, Callable[[], str]] = {
    "empty": lambda: svg(after("tic-tac-toe", "")),
    "captioned": lambda: svg(after("tic-tac-toe", "B2 A1"), last=0, caption="O has answered"),
    "won": lambda: svg(after("tic-tac-toe", "A1 B1 B2 C1 C3"), last=8),
    "analysis": lambda: analyse(after("tic-tac-toe", "A1 B2 C3"))._repr_svg_(),
    "verdict": lambda: verdict(after("tic-tac-toe", "A1 B1"))._repr_svg_(),
    "move": lambda: after("tic-tac-toe", "A1").make_move_to(4)._repr_svg_(),
    "bare": lambda: svg(after("tic-tac-toe", "A1 B2"), names=False, styled=False, label="a board"),
    "one-cell": lambda: svg(after("mnk:1,1,1", "A1")),
    "connect-four": lambda: svg(after("connect-four", "4 4 5 3 6 2 7"), last=41),
    "gomoku": lambda: svg(after("gomoku", "H8 G7 H7 A15")),
    "largest": lambda: svg(after("mnk:26,26,5", "Z26 A1 M13"), last=324),
    "ultimate": lambda: svg(after("ultimate", "E5 D4 A1 B1"), last=1),
    "ultimate-any-board": lambda: svg(after("ultimate", "A1 B2 D4 B1 D1 A2 A4 B3 D7")),
}


if __name__ == "__main__":
    sys.exit(compare_or_write({FOLDER / f"{name}.svg": draw() for name, draw in PICTURES.items()}))
