"""Game trees as values and as pictures: what every move leads to, and how a search finds out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tic_tac_toe.engines.preparing import is_ready
from tic_tac_toe.game.tree_dot import write_dot
from tic_tac_toe.game.tree_nodes import OPEN, TreeNode
from tic_tac_toe.game.tree_search import TreeSearch
from tic_tac_toe.game.tree_svg import draw
from tic_tac_toe.game.tree_words import ENGLISH, TreeWords
from tic_tac_toe.limits import MOMENT
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState, require_state
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.scores import check_end, too_many_positions
from tic_tac_toe.logic.search.verdict import Solver
from tic_tac_toe.solver.choice import Solving, solving

#: The number of boards that a picture can have at most and still be looked at.
MAX_NODES = 400

Search = Literal["minimax", "alphabeta"]


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game tree and its pictures; `tree` makes it.

    Trees are equal where all their nodes say the same, though a node is equal only to itself.

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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameTree):
            return NotImplemented
        return self.search == other.search and self._contents == other._contents

    def __hash__(self) -> int:
        return hash((self.search, self._contents))

    @cached_property
    def _contents(self) -> tuple[tuple[object, ...], ...]:
        """What each node says; another node that it goes on at is told by its number."""
        numbers = {node: number for number, node in enumerate(self.nodes)}
        return tuple(
            (
                *(node.state, node.move, node.twins, node.low, node.high, node.window, node.cut),
                len(node.children),
                None if node.like is None else numbers[node.like],
            )
            for node in self.nodes
        )

    @cached_property
    def line(self) -> tuple[TreeNode, ...]:
        """The chosen line, the root first; see `TreeNode.line`."""
        return tuple(self.root.line())

    def svg(self, *, words: TreeWords = ENGLISH, styled: bool = True) -> str:
        """Return a picture as one ``<svg>`` element that needs nothing else.

        Args:
            words: what is written in it.
            styled: whether the picture brings its style; a page that has it already needs no more.
        """
        return draw(self.root, words.of(self.root.state.rules), styled=styled)

    def dot(self, *, words: TreeWords = ENGLISH) -> str:
        """Return the tree as text for Graphviz, whose program ``dot`` draws it."""
        return write_dot(self.root, words.of(self.root.state.rules))

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
    solver: Solver | None = None,
) -> GameTree:
    """Return the game tree below a state, with what each node is worth.

    Args:
        depth: how many plies to draw; to the end of every game unless given. Positions at the limit
            get their exact score if it can be found in a moment, else none.
        search: ``"minimax"`` looks at every move, ``"alphabeta"`` passes over those that cannot
            matter and keeps them as nodes that are cut.
        fold: whether positions that are the same but for symmetry are drawn once.
        window: what alpha-beta begins with: scores for X that X and O are sure of elsewhere. A
            window of no width, such as ``(-1, 0)``, asks a question: is the score more than -1?
        max_nodes: how many nodes the tree may have.
        solver: scores the positions at the depth limit, instead of the quickest one for the game.

    Raises:
        SearchLimitReached: the tree has more than ``max_nodes`` nodes, so that fewer plies should
            be drawn; or no depth is given for a game in which positions can come back.
        ValueError: the depth is less than one ply, or the search is unknown.
    """
    require_state(state)
    if depth is not None and depth < 1:
        raise ValueError("The depth must be one ply at least")
    if search not in ("minimax", "alphabeta"):
        raise ValueError("A tree is searched by minimax or alphabeta")
    plies = depth or traits_of(state.rules).longest or 0
    try:
        if depth is None:
            check_end(state.rules)
        with _asked(state, solver) as score:
            grower = TreeSearch(score, fold=fold, max_nodes=max_nodes)
            root = grower.grow(state, plies, window if search == "alphabeta" else None)
    except SearchLimitReached as limit:
        if depth is not None:
            raise
        raise SearchLimitReached(
            "{reason}; limit it, for instance depth=2", limit.code, reason=limit.message
        ) from None
    return GameTree(root, search)


@contextmanager
def _asked(state: GameState, solver: Solver | None) -> Iterator[Callable[[Position], int]]:
    """Yield what scores the positions below a state, or raises `SearchLimitReached` soon.

    The solver is made for the first of them, for a tree that is refused needs none. In games that
    need not end it explores all that follows from the state.
    """
    explores = traits_of(state.rules).longest is None
    with ExitStack() as stack:
        asked: Solving | None = None

        def score(position: Position) -> int:
            nonlocal asked
            if solver is not None:
                return solver.score(position)
            if asked is None:
                first = state.position if explores else position
                asked = stack.enter_context(solving(state.rules, first, MOMENT, is_ready))
            if asked is None:
                raise SearchLimitReached(too_many_positions(0))
            return asked.solver.score(position)

        yield score
