"""The pictures of game trees in docs/trees.md and docs/solver.md, drawn by the library itself.

`tools.pictures` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tic_tac_toe.game.tree import GameTree, tree
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_state

#: Naught is to move, must stop a line, and makes two threats by that.
THREATS = "OXX/..O/X.."
#: Does X get more than this? The score lies between a draw and any win of O.
NO_LOSS = -1


def pruned_tree() -> GameTree:
    """Return the tree of a search with a null window: does naught win?"""
    state = parse_state(THREATS)
    return tree(state, search="alphabeta", fold=False, window=(NO_LOSS, NO_LOSS + 1))


TREES: Mapping[str, Callable[[], GameTree]] = {
    "pruned-tree": pruned_tree,
    "tree": lambda: tree(parse_state("XXO/O.X/.O.")),
    "tree-first-moves": lambda: tree(GameState.new(), 2),
    "tree-alphabeta": lambda: tree(parse_state(THREATS), search="alphabeta"),
}


def draw(name: str) -> str:
    """Return a picture as SVG."""
    return TREES[name]().svg()
