"""The pictures of the README and the pages, taken anew, each from the real thing.

    make pictures
    python -m tools.pictures pruned-tree window-dark      # only those that are named

Boards and game trees are drawn by the library here; `tools.screenshots` takes those of the screens.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from tic_tac_toe.game.tree import GameTree, tree
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves, parse_state
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.pictures.svg import svg

PICTURES: Final = Path(__file__).resolve().parents[1] / "docs" / "pictures"
#: The moves that lead to each picture, by the name of the game. Each is what
#: `tic-tac-toe svg --variant NAME --moves "..."` draws.
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
#: What games are called that the catalogue has no name for.
NAMES: Final = {"torus": "mnk:4,4,3,torus", "pie": "connect-four,pie"}
#: A plan for X in Connect Four, as a certificate has it.
PLAN: Final = "aaaaaaa/bbXbbbb/aXXaXaa/bOObObb/OOXaOaa/XXOXObb"
#: Naught is to move, must stop a line, and makes two threats by that.
THREATS: Final = "OXX/..O/X.."
#: Does X get more than this? The score lies between a draw and any win of O.
NO_LOSS: Final = -1


def draw_game(name: str) -> str:
    """Return the picture of a game as SVG."""
    state, last = GameState.new(find_rules(NAMES.get(name, name))), None
    for move in parse_moves(state, GAMES[name]):
        state, last = move.after_state, move.cell_index
    return svg(state, last=last)


def draw_plan() -> str:
    """Return the picture of the plan as SVG."""
    rows = re.sub("[^XO/]", ".", PLAN)
    signs = {cell: sign for cell, sign in enumerate(PLAN.replace("/", "")) if sign not in "XO"}
    return svg(parse_state(f"{rows} x", find_rules("connect-four")), written=signs)


def pruned_tree() -> GameTree:
    """Return the tree of a search with a null window: does naught win?"""
    state = parse_state(THREATS)
    return tree(state, search="alphabeta", fold=False, window=(NO_LOSS, NO_LOSS + 1))


#: The pictures that the library draws, by the names of their files.
DRAWN: Final[Mapping[str, Callable[[], str]]] = {
    **{f"game-{name}": partial(draw_game, name) for name in GAMES},
    "plan": draw_plan,
    "pruned-tree": lambda: pruned_tree().svg(),
    "tree": lambda: tree(parse_state("XXO/O.X/.O.")).svg(),
    "tree-first-moves": lambda: tree(GameState.new(), 2).svg(),
    "tree-alphabeta": lambda: tree(parse_state(THREATS), search="alphabeta").svg(),
}


def main(names: Sequence[str]) -> None:
    """Take the pictures that are named, or every one."""
    from tools.screenshots import TAKEN

    for name in names or [*DRAWN, *TAKEN]:
        if name in DRAWN:
            path = PICTURES / f"{name}.svg"
            path.write_text(DRAWN[name](), encoding="utf-8")
        else:
            path = TAKEN[name](PICTURES / name)
        print(f"docs/pictures/{path.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
