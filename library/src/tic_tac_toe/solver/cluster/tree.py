"""The top of a game tree whose leaves are solved elsewhere: what is proved, and what to ask next.

The leaves that matter most come first, by the numbers of proof-number search (Allis, van der Meulen
and van den Herik, 1994): how many leaves it takes at least to prove a question, or to disprove it.
"""

from __future__ import annotations

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.wrappers import without_misere
from tic_tac_toe.logic.search.alphabeta import cell_weights
from tic_tac_toe.logic.search.scores import MATE, back_up, final_score, push_down

#: More leaves than a tree can have.
NEVER = 1 << 60


class Node:
    """A position, bounds on its score, and the positions after it once it is opened.

    Attributes:
        position: the one that stands for all that are equivalent.
        low, high: what is proved of the score, on the scale of `search.scores`.
        children: unless they are ``None``, the positions after each move, the likely best first.
    """

    __slots__ = ("children", "high", "low", "position")

    def __init__(self, position: Position, low: int, high: int) -> None:
        self.position: Position = position
        self.low: int = low
        self.high: int = high
        self.children: list[Node] | None = None

    def settles(self, bound: int) -> bool:
        """Return whether it is known if the score is at least ``bound``."""
        return self.low >= bound or self.high < bound

    def narrow(self, low: int, high: int) -> None:
        """Learn bounds that were proved."""
        self.low, self.high = max(self.low, low), min(self.high, high)


class Tree:
    """Positions near the one that is asked about; equivalent ones are the same node.

    Args:
        rules: the game.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._canonical = symmetry_of(rules).canonical
        # What is good in the game is tried first in its misère version, too: a tree needs some
        # order, and the numbers take over as soon as anything is known.
        self._weight = cell_weights(without_misere(rules)).__getitem__
        self._nodes: dict[Position, Node] = {}

    def node(self, position: Position) -> Node:
        """Return the node of a position; where the game is over its score is known."""
        key = self._canonical(position)
        if key not in self._nodes:
            outcome = self._rules.outcome(key)
            score = None if outcome is None else final_score(outcome, key.turn)
            low, high = (1 - MATE, MATE - 1) if score is None else (score, score)
            self._nodes[key] = Node(key, low, high)
        return self._nodes[key]

    def open(self, node: Node) -> None:
        """Give a node its children, each of them once."""
        moves = sorted(self._rules.moves(node.position), key=self._weight, reverse=True)
        children = (self.node(self._rules.play(node.position, move)) for move in moves)
        node.children = list(dict.fromkeys(children))

    def open_leaves(self, root: Node, bound: int) -> dict[Node, int]:
        """Return the leaves that matter to a question, and what to ask of each; the best first.

        The question is whether the score of ``root`` is at least ``bound``. What the leaves tell is
        backed up first, and if it answers the question no leaf is left.
        """
        self._back_up(root, bound, set())
        leaves: dict[Node, int] = {}
        self._collect(root, bound, {}, leaves)
        return leaves

    def _back_up(self, node: Node, bound: int, seen: set[Node]) -> None:
        """Narrow the bounds of a node, and of all below that matter, by those of its children."""
        if node.children is None or node.settles(bound) or node in seen:
            return
        seen.add(node)
        for child in node.children:
            self._back_up(child, push_down(bound) + 1, seen)
        node.narrow(
            max(back_up(child.high) for child in node.children),
            max(back_up(child.low) for child in node.children),
        )

    def _collect(
        self,
        node: Node,
        bound: int,
        numbers: dict[Node, tuple[int, int]],
        leaves: dict[Node, int],
    ) -> None:
        if node.settles(bound) or node in leaves:
            return
        if node.children is None:
            leaves[node] = bound
            return
        # The score reaches the bound where that of one child falls short of this one.
        below = push_down(bound) + 1
        for child in sorted(node.children, key=lambda one: _leaves(one, below, numbers)[1]):
            self._collect(child, below, numbers, leaves)


def _leaves(node: Node, bound: int, known: dict[Node, tuple[int, int]]) -> tuple[int, int]:
    """Return how many leaves at least prove that the score reaches the bound, and disprove it."""
    if node.low >= bound:
        return 0, NEVER
    if node.high < bound:
        return NEVER, 0
    if node.children is None:
        return 1, 1
    if node not in known:
        below = push_down(bound) + 1
        numbers = [_leaves(child, below, known) for child in node.children]
        proofs, disproofs = zip(*numbers)
        known[node] = min(disproofs), min(NEVER, sum(proofs))
    return known[node]
