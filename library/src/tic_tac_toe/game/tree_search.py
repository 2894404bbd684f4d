"""The searches whose trees are drawn: minimax and alpha-beta, keeping every node they come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tic_tac_toe.game.tree_nodes import TreeNode, lifted, lowered
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import NoSymmetry, symmetry_of
from tic_tac_toe.logic.search.scores import MATE, final_score

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
