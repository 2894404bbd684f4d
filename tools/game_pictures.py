"""The pictures of the games in docs/games.md and of a plan, drawn by the library itself.

`tools.pictures` writes them. Each is what `tic-tac-toe svg --variant NAME --moves "..."` draws.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from tic_tac_toe.game.svg import svg
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_state, read_moves
from tic_tac_toe.logic.rules.catalogue import find_rules

#: The moves that lead to each picture, by the name of the game.
GAMES: Final[Mapping[str, str]] = {
    "tic-tac-toe": "B2 B1 A1 C3 A3 C1 A2",
    "misere-tic-tac-toe": "B2 A1 C3 B1 A3 C2 B3",
    "wild": "XB2 OA1 OC1 XC3 OB1",
    "vanishing": "B2 A1 C3 A3 A2 C1",
    "notakto-3": "A1 B1 C1 E2 G3",
    "order-and-chaos": "XC3 OD4 XC4 OC2 XC5",
    "gomoku": "H8 H7 G9 I7 G7 G8 F9 I9 E9 J9 D9 K9 C9",
    "gomoku-caro": "H8 G8 I8 M8 J8 H9 K8 G7 L8",
    "renju": "H7 E5 H9 K5 G8 E11 I8 K11",
    "connect-four": "4 3 4 4 5 2 5 5 6 3 7",
    "3x3x3": "2B2 1A1 1C3 1C1 2C2 1B1",
    "qubic": "1A1 1B1 2B2 2C1 3C3 3D1 4D4",
    "score-four": "A1 A1 B2 A1 B2 C3",
    "torus": "A1 B2 D1 C3 B1",
    "pie": "4 swap 3 4",
    "ultimate": "E5 D4 A1 B2 D5 A6 B7 E1",
}
#: A plan for X in Connect Four, as a certificate has it.
PLAN: Final = "aaaaaaa/bbXbbbb/aXXaXaa/bOObObb/OOXaOaa/XXOXObb"
#: What games are called that the catalogue has no name for.
NAMES: Final = {"torus": "mnk:4,4,3,torus", "pie": "connect-four,pie"}


def draw(name: str) -> str:
    """Return a picture as SVG."""
    state, last = GameState.new(find_rules(NAMES.get(name, name))), None
    for move in read_moves(state, GAMES[name]):
        state, last = move.after_state, move.cell_index
    return svg(state, last=last)


def draw_plan() -> str:
    """Return a picture of the plan."""
    rows = re.sub("[^XO/]", ".", PLAN)
    signs = {cell: sign for cell, sign in enumerate(PLAN.replace("/", "")) if sign not in "XO"}
    return svg(parse_state(f"{rows} x", find_rules("connect-four")), written=signs)
