"""Game trees as values and as pictures: what each move leads to, and how a search finds that out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tic_tac_toe.game.tree_dot import write_dot
from tic_tac_toe.game.tree_nodes import OPEN, TreeNode
from tic_tac_toe.game.tree_search import TreeSearch
from tic_tac_toe.game.tree_svg import draw
from tic_tac_toe.game.tree_words import TreeWords
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.verdict import Solver, default_solver

#: How many boards a picture can have and still be looked at.
MAX_NODES = 400
#: How many positions are looked at below the depth limit: some seconds of plain Python.
NODE_LIMIT = 500_000

Search = Literal["minimax", "alphabeta"]


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game tree and its pictures; `tree` makes it.

    Attributes:
        root: the first node; all others hang from it.
        search: what grew the tree.
    """

    root: TreeNode
    search: Search = "minimax"

    @cached_property
    def nodes(self) -> tuple[TreeNode, ...]:
        """Every node, parents first."""
        return tuple(self.root.walk())

    @cached_property
    def line(self) -> tuple[TreeNode, ...]:
        """The chosen line, the root first; see `TreeNode.line`."""
        return tuple(self.root.line())

    def svg(self, *, words: TreeWords = TreeWords(), styled: bool = True) -> str:
        """Return a picture as one ``<svg>`` element that needs nothing else.

        Args:
            words: what is written in it.
            styled: whether the picture brings its style; a page that has it already needs no more.
        """
        return draw(self.root, words, styled=styled)

    def dot(self, *, words: TreeWords = TreeWords()) -> str:
        """Return the tree as text for Graphviz, whose program ``dot`` draws it."""
        return write_dot(self.root, words)

    def _repr_svg_(self) -> str:
        return self.svg()


def tree(
    state: GameState,
    depth: int | None = None,
    *,
    search: Search = "minimax",
    fold: bool = True,
    window: tuple[int, int] = (-OPEN, OPEN),
    max_nodes: int = MAX_NODES,
    node_limit: int = NODE_LIMIT,
    solver: Solver | None = None,
) -> GameTree:
    """Return the game tree below a state, with what each node is worth.

    Args:
        depth: how many plies to draw; to the end of every game unless given. Positions at the limit
            get their exact score if it can be found within ``node_limit``, else none.
        search: ``"minimax"`` looks at every move, ``"alphabeta"`` passes over those that cannot
            matter and keeps them as nodes that are cut.
        fold: whether positions that are the same but for symmetry are drawn once.
        window: what alpha-beta begins with: scores for X that X and O are sure of elsewhere. A
            window of no width, such as ``(-1, 0)``, asks a question: is the score more than -1?
        max_nodes: how many nodes the tree may have.
        node_limit: how many positions may be looked at below the depth limit, together.
        solver: who is asked there; unless given, the table of a small game, else alpha-beta.

    Raises:
        SearchLimitReached: the tree has more than ``max_nodes`` nodes: ask for fewer plies.
        ValueError: the depth is less than one ply, or there is no such search.
    """
    if depth is not None and depth < 1:
        raise ValueError("The depth must be one ply at least")
    if search not in ("minimax", "alphabeta"):
        raise ValueError("A tree is searched by minimax or alphabeta")
    rules, position = state.rules, state.position
    grower = TreeSearch(
        solver or default_solver(rules, position, node_limit), fold=fold, max_nodes=max_nodes
    )
    plies = rules.shape.cells if depth is None else depth
    return GameTree(grower.grow(state, plies, window if search == "alphabeta" else None), search)
