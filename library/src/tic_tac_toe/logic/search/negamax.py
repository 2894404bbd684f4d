"""Textbook minimax: the reference that every other search must agree with."""

from __future__ import annotations

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.scores import back_up, check_end, final_score


def negamax(rules: Rules, position: Position) -> int:
    """Return the exact score of a position by playing every game from it to its end.

    Minimax (John von Neumann, 1928; Claude Shannon, 1950) written from the side to move. It takes
    no short cut, and so is for small or late positions: 3x3 from the empty grid visits 549,946.

    Raises:
        SearchLimitReached: positions can come back in this game.
    """
    check_end(rules)
    return _negamax(rules, position)


def _negamax(rules: Rules, position: Position) -> int:
    outcome = rules.outcome(position)
    if outcome is not None:
        return final_score(outcome, position.turn)
    return max(
        back_up(_negamax(rules, rules.play(position, move))) for move in rules.moves(position)
    )


class Negamax:
    """Textbook minimax behind the interface that `verdict` asks its questions through."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def score(self, position: Position) -> int:
        """Return the exact score of a position.

        Raises:
            SearchLimitReached: positions can come back in this game.
        """
        return negamax(self.rules, position)

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``."""
        return self.score(position) >= bound
