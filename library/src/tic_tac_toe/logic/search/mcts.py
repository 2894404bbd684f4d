"""Monte Carlo tree search with proven results backed up."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.playout import random_playout
from tic_tac_toe.logic.search.scores import MATE, back_up, final_score

#: The weight of exploration in UCB1 for rewards between 0 and 1.
EXPLORATION = math.sqrt(2)
#: The number of playouts between two looks at what they say.
LOOK = 32


class MoveStatistics(NamedTuple):
    """What the search learned of a move.

    Attributes:
        cell: the move.
        visits: how many playouts went through it.
        mean: the average reward for the side that makes it: 1 a win, 1/2 a draw, 0 a loss.
        proven: the score for that side where play to the end proved who wins, else ``None``. The
            winner is certain; the distance is that of the lines seen, not always the shortest.
    """

    cell: int
    visits: int
    mean: float
    proven: int | None


class _Node:
    """A position in the tree; rewards are counted for the side that moved there."""

    __slots__ = ("children", "position", "proven", "reward", "untried", "visits")

    def __init__(self, rules: Rules, position: Position, rng: Random) -> None:
        self.position = position
        self.visits = 0
        self.reward = 0.0
        self.children: dict[int, _Node] = {}
        self.untried = list(rules.moves(position))
        self.proven: int | None = None
        if self.untried:
            rng.shuffle(self.untried)
        else:
            outcome = rules.outcome(position)
            assert outcome is not None, "a position without moves is the end of the game"
            self.proven = final_score(outcome, position.turn)

    def look_for_win(self, rules: Rules) -> bool:
        """Leave out all moves but those that win at once, if there are any; return whether so."""
        position, wins = self.position, list[int]()
        for cell in self.untried:
            outcome = rules.outcome(rules.play(position, cell))
            if outcome is not None and outcome.winner == position.turn:
                wins.append(cell)
        self.untried = wins or self.untried
        return bool(wins)

    def most_urgent(self) -> _Node:
        """Return the child to visit by UCB1, among those whose result is not proved yet."""
        log_visits = math.log(self.visits)

        def urgency(child: _Node) -> float:
            mean = child.reward / child.visits
            return mean + EXPLORATION * math.sqrt(log_visits / child.visits)

        return max((child for child in self.children.values() if child.proven is None), key=urgency)

    def prove(self) -> None:
        """Settle the node if a reply is proved to win, or if every reply is proved."""
        scores = [child.proven for child in self.children.values()]
        proven = [back_up(score) for score in scores if score is not None]
        best = max(proven, default=0)
        if best > 0 or (not self.untried and len(proven) == len(scores)):
            self.proven = best


def monte_carlo(
    rules: Rules,
    position: Position,
    rng: Random,
    *,
    iterations: int,
    stop: Callable[[], bool] | None = None,
    decisive: bool = False,
    look: Callable[[tuple[MoveStatistics, ...]], object] | None = None,
) -> tuple[MoveStatistics, ...]:
    """Return what playouts say of the legal moves, by ascending cell.

    UCT (Kocsis and Szepesvári, 2006) with the solver of Winands, Björnsson and Saito (2008): a
    game that ends inside the tree is worth its result and not an average, and results are passed
    up as soon as they are certain. Once the result of the position itself is, the search ends, and
    moves that it has not tried are not in the answer; until then every legal move is tried at least
    once whatever the limits, so that a win in one is always found.

    Args:
        iterations: how many playouts, at least the number of legal moves.
        stop: asked before each further playout, ends the search when true.
        decisive: look for a win in one in each new position (Teytaud and Teytaud, 2010), which is
            then proved at once; and see `random_playout`.
        look: shown every `LOOK` playouts what they say of the moves that were tried by then.

    Raises:
        ValueError: the game is over.
    """
    root = _Node(rules, position, rng)
    if not root.untried:
        raise ValueError("The game is over")
    if decisive:
        root.look_for_win(rules)
    for count in range(max(iterations, len(root.untried))):
        if root.proven is not None or (stop is not None and not root.untried and stop()):
            break
        if look is not None and count and count % LOOK == 0:
            look(_statistics(root))
        _iterate(rules, root, rng, decisive)
    return _statistics(root)


def _statistics(root: _Node) -> tuple[MoveStatistics, ...]:
    return tuple(
        MoveStatistics(
            cell,
            node.visits,
            node.reward / node.visits,
            None if node.proven is None else back_up(node.proven),
        )
        for cell, node in sorted(root.children.items())
    )


def best_of(statistics: tuple[MoveStatistics, ...]) -> tuple[int, ...]:
    """Return the moves to choose from, ascending: the shortest proved win, else the most visited.

    A proved draw, which is visited no more, is preferred to open moves that have won less than
    half. Moves proved to lose are taken only when there are no others, the longest defence first.
    """
    proven = max((move.proven for move in statistics if move.proven), default=0)
    if proven > 0:
        return tuple(move.cell for move in statistics if move.proven == proven)
    most = max((move.visits for move in statistics if move.proven is None), default=0)
    visited = [move for move in statistics if move.proven is None and move.visits == most]
    draws = [move for move in statistics if move.proven == 0]
    if draws and all(move.mean < 0.5 for move in visited):
        return tuple(move.cell for move in draws)
    losses = (move for move in statistics if move.proven == proven)
    return tuple(move.cell for move in visited or losses)


def _iterate(rules: Rules, root: _Node, rng: Random, decisive: bool) -> None:
    """Run one playout: select, expand, simulate, back up."""
    path = [root]
    node = root
    while node.proven is None and not node.untried:
        node = node.most_urgent()
        path.append(node)
    if node.proven is None:
        cell = node.untried.pop()
        node.children[cell] = node = _Node(rules, rules.play(node.position, cell), rng)
        path.append(node)
        if decisive and node.proven is None and node.look_for_win(rules):
            node.proven = MATE - 1
    if node.proven is None:
        winner = random_playout(rules, node.position, rng, decisive=decisive)
    else:
        loser_moves = node.proven < 0
        winner = None if node.proven == 0 else node.position.turn ^ loser_moves
    for passed in reversed(path):
        if passed.proven is None and passed.children:
            passed.prove()
        passed.visits += 1
        mover = 1 - passed.position.turn
        passed.reward += 0.5 if winner is None else float(winner == mover)
