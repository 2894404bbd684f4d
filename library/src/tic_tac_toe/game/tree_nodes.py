"""The nodes of a drawn game tree: positions, what is known of them, and the moves between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.search.scores import MATE, back_up, push_down

#: An end of a window that nothing has narrowed yet: beyond every score.
OPEN = 2 * MATE


@dataclass(frozen=True, eq=False, repr=False)
class TreeNode:
    """A position in a game tree; a node is equal only to itself.

    Scores are for X, whichever side is to move, as textbooks draw them: on the scale of
    `logic.search.scores`, ``MATE - n`` where X wins in *n* plies from here, 0 for a draw and
    ``n - MATE`` where O wins. So X looks for the highest score and O for the lowest.

    Attributes:
        state: the position.
        move: the number of the move that led here, ``None`` at the root.
        twins: other moves of the same side to the same position but for symmetry, folded onto this.
        low, high: X gets at least and at most this score; it is known where they are equal.
        children: the moves from here, those first that end the game, then by number. None where the
            game is over, at the depth limit, and where the tree goes on at another node.
        window: alpha and beta when an alpha-beta search came here, the scores that X and O could
            already be sure of; beyond ``-OPEN`` and ``OPEN`` there is nothing. Else ``None``.
        like: the earlier node that is the same position but for symmetry, and where the tree goes
            on. ``None`` where it goes on here.
        cut: whether alpha-beta never looked here, since a move before it was good enough.
    """

    state: GameState
    move: int | None = None
    twins: tuple[int, ...] = ()
    low: int = -MATE
    high: int = MATE
    children: tuple[TreeNode, ...] = ()
    window: tuple[int, int] | None = None
    like: TreeNode | None = None
    cut: bool = False

    def __repr__(self) -> str:
        return f"<TreeNode {self.state.grid.cells!r}, {self.low} to {self.high}>"

    @property
    def score(self) -> int | None:
        """The exact score for X, or ``None`` where it is not known."""
        return self.low if self.low == self.high else None

    @cached_property
    def best(self) -> TreeNode | None:
        """The first of the best moves: the shortest win, else a draw, else the longest loss.

        Where alpha-beta has cut, it is the move that was good enough. ``None`` where the game is
        over, and where what is known does not tell.
        """
        looked_at = [child for child in self.children if not child.cut]
        if self.score is None and len(looked_at) == len(self.children):
            return None
        if self.state.position.turn == 0:
            return next((child for child in looked_at if lifted(child.low) == self.low), None)
        return next((child for child in looked_at if lifted(child.high) == self.high), None)

    def walk(self) -> Iterator[TreeNode]:
        """Yield this node and all that are drawn below it, parents first, from the left."""
        yield self
        for child in self.children:
            yield from child.walk()

    def line(self) -> Iterator[TreeNode]:
        """Yield this node and the chosen line from here: both sides take their `best`.

        Where the tree goes on at another node, that one follows. The line ends where the
        best move is unknown, at the end of the game at the latest.
        """
        node: TreeNode | None = self
        while node is not None:
            yield node
            node = node.like or node.best


def lifted(score: int) -> int:
    """Return what a score is worth one move before: a win or a loss is one ply farther away."""
    return -back_up(score)


def lowered(bound: int) -> int:
    """Return the score after a move that `lifted` turns into this bound."""
    return bound if abs(bound) == OPEN else -push_down(bound)
