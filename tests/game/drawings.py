"""Golden drawings: boards in every style, in files that people can look through.

``python -m tests.game.drawings`` compares; with ``--write`` it writes the files anew.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.golden import compare_or_write
from tests.logic.played_games import after
from tic_tac_toe.game.drawing import CLASSIC, PLAIN, TIGHT, TIGHTEST, draw

FOLDER = Path(__file__).resolve().parents[1] / "data" / "console"
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

    def brackets(cell: int, text: str) -> str:
        return text.replace(" ", "[", 1).replace(" ", "]") if cell in state.winning_cells else text

    parts = [f"{variant}: {moves}".rstrip()]
    for title, style in STYLES.items():
        parts.append(f"\n-- {title}")
        parts += draw(state, style, brackets)
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(compare_or_write({FOLDER / f"{name}.txt": drawings(name) for name in GAMES}))
