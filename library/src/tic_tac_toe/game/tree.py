"""Game trees as values and as pictures: what every move leads to, and how a search finds out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from tic_tac_toe.engines.preparing import is_ready
from tic_tac_toe.game.tree_pictures import draw, write_dot
from tic_tac_toe.game.tree_words import ENGLISH, OPEN, TreeNode, TreeWords, lifted, lowered
from tic_tac_toe.limits import MOMENT
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.notation import StateLike, state_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import NoSymmetry, symmetry_of
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.scores import MATE, check_end, final_score, too_many_positions
from tic_tac_toe.logic.search.verdict import Solver
from tic_tac_toe.solver.choice import Solving, solving

#: The worst and the best score for X of a game that is not over: the next move ends it.
LOWEST, HIGHEST = 1 - MATE, MATE - 1

Window = tuple[int, int]


class _Way(NamedTuple):
    """How the search comes to a position: the first of its moves there, and the other ones."""

    move: int | None = None
    twins: tuple[int, ...] = ()


_ROOT = _Way()


class TreeSearch:
    """A plain search that keeps what it sees; one object grows one tree.

    Minimax (John von Neumann, 1928; Claude Shannon, 1950), with a window alpha-beta (Alexander
    Brudno, 1963; Knuth and Moore, 1975) in its fail-soft form. Each node has the bounds that were
    proved of it, so that unsolved positions and moves that were cut off are treated alike.

    Args:
        score: tells the exact score of a position at the depth limit, for the side to move; or
            raises `SearchLimitReached`.
        fold: whether positions that are the same but for symmetry are searched once.
        max_nodes: how many nodes the tree may have.
    """

    def __init__(self, score: Callable[[Position], int], *, fold: bool, max_nodes: int) -> None:
        self._score = score
        self._fold = fold
        self._max_nodes = max_nodes
        self._count = 1
        self._known: dict[Position, TreeNode] = {}

    def grow(
        self,
        state: GameState,
        depth: int,
        window: Window | None = None,
        way: _Way = _ROOT,
    ) -> TreeNode:
        """Return the tree below a state.

        Args:
            depth: how many plies of it are wanted.
            window: alpha and beta of an alpha-beta search; minimax without.
            way: how the search came here.

        Raises:
            SearchLimitReached: the tree has too many nodes.
        """
        if state.outcome is not None:
            score = final_score(state.outcome, 0)
            return TreeNode(state, *way, score, score, window=window)
        if depth == 0:
            return TreeNode(state, *way, *self._ask(state.position), window=window)
        key = self._key(state)
        known = self._known.get(key)
        if known is not None and _settles(known, window):
            return TreeNode(state, *way, known.low, known.high, window=window, like=known)
        node = self._expand(state, depth, window, way)
        if self._fold:
            self._known[key] = node
        return node

    def _expand(self, state: GameState, depth: int, window: Window | None, way: _Way) -> TreeNode:
        x_moves = state.position.turn == 0
        alpha, beta = window or (0, 0)
        low, high = (-MATE, -MATE) if x_moves else (MATE, MATE)
        choose = max if x_moves else min
        enough, children = False, []
        for move, *twins in self._moves(state):
            below = _Way(move.number, tuple(twin.number for twin in twins))
            if enough:
                children.append(TreeNode(move.after_state, *below, cut=True))
                continue
            next_window = window and (lowered(alpha), lowered(beta))
            child = self.grow(move.after_state, depth - 1, next_window, below)
            children.append(child)
            low, high = choose(low, lifted(child.low)), choose(high, lifted(child.high))
            if window is None:
                continue
            # Nothing is better than to win at once, whatever the window.
            if x_moves:
                alpha = max(alpha, low)
                enough = low >= min(beta, HIGHEST)
            else:
                beta = min(beta, high)
                enough = high <= max(alpha, LOWEST)
        if children[-1].cut:  # what was not looked at may be better still
            low, high = (low, HIGHEST) if x_moves else (LOWEST, high)
        return TreeNode(state, *way, low, high, tuple(children), window)

    def _moves(self, state: GameState) -> list[list[Move]]:
        """Return the legal moves, those first that end the game; symmetric ones in one list."""
        moves = sorted(state.possible_moves, key=lambda move: not move.after_state.game_over)
        groups: dict[object, list[Move]] = {}
        for move in moves:
            key = self._key(move.after_state) if self._fold else move.number
            groups.setdefault(key, []).append(move)
        self._count += len(groups)
        if self._count > self._max_nodes:
            raise SearchLimitReached(
                "the tree has more than {count:,} nodes", "tree_limit", count=self._max_nodes
            )
        return list(groups.values())

    def _key(self, state: GameState) -> Position:
        symmetry = symmetry_of(state.rules) if self._fold else NoSymmetry()
        return symmetry.canonical(state.position)

    def _ask(self, position: Position) -> Window:
        """Return the bounds that a solver proves of a position at the depth limit, for X."""
        try:
            low = high = self._score(position)
        except SearchLimitReached as limit:
            low, high = limit.bounds or (LOWEST, HIGHEST)
        return (low, high) if position.turn == 0 else (-high, -low)


def _settles(known: TreeNode, window: Window | None) -> bool:
    """Return whether what is known of a node answers a search that comes with another window."""
    if window is None or known.score is not None:
        return True
    alpha, beta = window
    return known.low >= beta or known.high <= alpha


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
    state: StateLike,
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
    state = state_of(state)
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
