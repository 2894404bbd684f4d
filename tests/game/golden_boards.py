"""Golden drawings and pictures of boards, in files that people can look through.

``python -m tests.game.golden_boards`` compares; with ``--write`` it writes the files anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from tests.golden import compare_or_write
from tests.logic.played_games import after
from tic_tac_toe.pictures.board import Look
from tic_tac_toe.pictures.letters import CLASSIC, PLAIN, TIGHT, TIGHTEST, draw
from tic_tac_toe.pictures.shapes import ShownMark
from tic_tac_toe.pictures.svg import svg
from tic_tac_toe.solver import analyse, verdict

DRAWN = Path(__file__).resolve().parents[1] / "data" / "console"
STYLES = {"classic": CLASSIC, "tight": TIGHT, "tightest": TIGHTEST, "plain": PLAIN}

#: The variant and the moves by the name of the file.
GAMES = {
    "tic-tac-toe": ("tic-tac-toe", "B2 A1 C3 C1"),
    "won": ("tic-tac-toe", "A1 B1 B2 C1 C3"),
    "one-cell": ("mnk:1,1,1", ""),
    "one-row": ("mnk:5,1,3", "C1 B1"),
    "one-column": ("mnk:1,12,3", "A12 A3"),
    "connect-four": ("connect-four", "4 4 5 3 6"),
    "many-columns-with-gravity": ("mnk:12,3,3,gravity", "12 1 12"),
    "gomoku": ("gomoku", "H8 G7 H7 A15"),
    "largest": ("mnk:26,26,5", "Z26 A1 M13"),
    "ultimate": ("ultimate", "E5 D4 A1 B1"),
    "wild": ("wild", "XB2 OA1 XC3"),
    "notakto": ("notakto-2", "A1 D1 B1 E2 C1"),
    "vanishing": ("vanishing", "A1 B1 A2 B2 C1 C3"),
    "layers": ("3x3x3", "1A1 2B2 2A1 1B1 3A1"),
    "score-four": ("score-four", "A1 A1 B2 C3"),
    "ultimate-any-board": ("ultimate", "A1 B2 D4 B1 D1 A2 A4 B3 D7"),
}


def drawings(name: str) -> str:
    """Return what a golden file holds; decisive cells are in brackets."""
    variant, moves = GAMES[name]
    state = after(variant, moves)

    def brackets(mark: ShownMark, text: str) -> str:
        return text.replace(" ", "[", 1).replace(" ", "]") if "won" in mark.roles else text

    parts = [f"{variant}: {moves}".rstrip()]
    for title, style in STYLES.items():
        parts.append(f"\n-- {title}")
        parts += draw(state, style, brackets)
    return "\n".join(parts) + "\n"


PAINTED = Path(__file__).resolve().parents[1] / "data" / "svg"


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
    "connect-four-as-marks": lambda: svg(
        after("connect-four", "4 4 5 3 6 2 7"), last=41, look=Look.MARKS
    ),
    "discs-analysis": lambda: svg(
        after("connect-four-5x4", "3 3 3 3 1 1 1 1 5 5"),
        last=14,
        best=(1,),
        values=analyse(after("connect-four-5x4", "3 3 3 3 1 1 1 1 5 5")),
    ),
    "stones-analysis": lambda: svg(
        after("tic-tac-toe", "A1 B2 C3"),
        last=8,
        best=(1,),
        values=analyse(after("tic-tac-toe", "A1 B2 C3")),
        look=Look.STONES,
    ),
    "stones-on-a-torus": lambda: svg(
        after("mnk:5,5,4,torus", "D1 A5 E1 B5 A1 C5 B1"), last=1, look=Look.STONES
    ),
    "stones-won": lambda: svg(after("mnk:9,9,3", "E5 E6 F5 F6 D5"), last=39),
    "largest": lambda: svg(after("mnk:26,26,5", "Z26 A1 M13"), last=324),
    "ultimate": lambda: svg(after("ultimate", "E5 D4 A1 B1"), last=1),
    "wild": lambda: analyse(after("wild", "XA1 XB2"))._repr_svg_(),
    "notakto": lambda: svg(after("notakto-2", "A1 D1 B1 E2 C1"), last=2),
    "vanishing": lambda: svg(after("vanishing", "A1 B1 A2 B2 C1 C3"), last=8),
    "torus": lambda: svg(after("mnk:5,5,4,torus", "D1 A5 E1 B5 A1 C5 B1"), last=1),
    "swapped": lambda: svg(after("4x4,pie", "B2 swap"), last=5),
    "layers": lambda: svg(after("3x3x3", "1A1 2B2 2A1 1B1 3A1"), last=6),
    "line-in-a-layer": lambda: svg(after("score-four", "A1 A2 B1 B2 C1 C2 D1"), last=3),
    "ultimate-any-board": lambda: svg(after("ultimate", "A1 B2 D4 B1 D1 A2 A4 B3 D7")),
}


if __name__ == "__main__":
    drawn = {DRAWN / f"{name}.txt": drawings(name) for name in GAMES}
    painted = {PAINTED / f"{name}.svg": paint() for name, paint in PICTURES.items()}
    sys.exit(compare_or_write(drawn | painted))
