"""Scores of games with the pie rule from those of the games without it."""

from __future__ import annotations

from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.wrappers import Pie
from tic_tac_toe.logic.search.scores import back_up
from tic_tac_toe.logic.search.verdict import Solver


class PieSolver:
    """Exact scores of a game with the pie rule: only its first two moves differ.

    Args:
        rules: the game.
        plain: a solver of the game without the pie rule.
    """

    def __init__(self, rules: Pie, plain: Solver) -> None:
        self.rules = rules
        self._plain = plain

    def score(self, position: Position) -> int:
        """Return the exact score of a position."""
        moves = self.rules.moves(position)
        if not moves or position.marks > 1:
            return self._plain.score(_without_memory(position))
        try:
            if not position.marks:
                return max(back_up(self.score(self.rules.play(position, move))) for move in moves)
            score = self._plain.score(_without_memory(position))
            if not self.rules.can_swap(position):
                return score
            taken = self.rules.play(position, moves[-1])
            return max(score, back_up(self._plain.score(_without_memory(taken))))
        except SearchLimitReached as limit:  # its bounds are those of another position
            raise SearchLimitReached(limit.reason) from None

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``."""
        if position.marks > 1:
            return self._plain.reaches(position, bound)
        return self.score(position) >= bound


def with_pie(rules: Rules, plain: Solver) -> Solver:
    """Return a solver of a game, given one of the game without the pie rule."""
    return PieSolver(rules, plain) if isinstance(rules, Pie) else plain


def _without_memory(position: Position) -> Position:
    return position._replace(memory=0)
