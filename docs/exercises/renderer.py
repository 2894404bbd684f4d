"""`LinedRenderer` prints a board with lines between the cells."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from tic_tac_toe import parse_state

SOLUTION = """\
from tic_tac_toe.game.renderers import Renderer


class LinedRenderer(Renderer):
    def render(self, game_state):
        cells = game_state.grid.cells
        rows = [" | ".join(cells[start : start + 3]) for start in (0, 3, 6)]
        print("\\n--+---+--\\n".join(rows))
"""


def check(namespace: Mapping[str, Any]) -> str:
    """Let it render some states, and compare what is printed."""
    renderer = namespace["LinedRenderer"]()
    for text in ("O../.X./...", ".../.../...", "XXO/OOX/XOX"):
        rows = [" | ".join(row.replace(".", " ")) for row in text.split("/")]
        expected = "\n--+---+--\n".join(rows)
        printed = StringIO()
        with redirect_stdout(printed):
            renderer.render(parse_state(text))
        shown = [line.rstrip() for line in printed.getvalue().rstrip("\n").split("\n")]
        assert shown == [line.rstrip() for line in expected.split("\n")], (
            f"Expected:\n{expected}\nPrinted:\n{printed.getvalue()}"
        )
    return "That is the board with lines. TicTacToe can use your renderer now."
