"""One number for an exact answer: who wins, and how soon.

A score is an int for the side to move. 0 is a draw; a win that ends the game in *n* plies is
``MATE - n``, a loss in *n* plies is ``n - MATE``. So the higher score is always the better one:
the shortest win, else a draw, else the longest loss.
"""

from __future__ import annotations

from typing import Final, Literal

from tic_tac_toe.logic.exceptions import Message, SearchLimitReached, message
from tic_tac_toe.logic.rules import Outcome, Rules
from tic_tac_toe.logic.rules.traits import traits_of

Result = Literal["win", "draw", "loss"]

#: More than the plies of the longest game, 26 x 26 cells.
MATE: Final = 1000


def final_score(outcome: Outcome, turn: int) -> int:
    """Return the score of a game that is over, for the side that would be to move."""
    if outcome.winner is None:
        return 0
    return MATE if outcome.winner == turn else -MATE


def back_up(score: int, decided: int = 1) -> int:
    """Return what a move is worth to the side that makes it, from the score after it.

    Args:
        decided: the least score of a game that is decided, which gets one ply farther away; other
            scores are evaluations.
    """
    if score >= decided:
        return 1 - score
    return -1 - score if score <= -decided else -score


def push_down(bound: int, decided: int = 1) -> int:
    """Return the score after a move that `back_up` turns into this bound."""
    if bound >= decided:
        return -1 - bound
    return 1 - bound if bound <= -decided else -bound


def result_of(score: int) -> Result:
    """Return what a score means for the side to move."""
    if score == 0:
        return "draw"
    return "win" if score > 0 else "loss"


def score_of(result: Result, plies: int) -> int:
    """Return the score of a result that comes after this number of plies."""
    return {"win": MATE - plies, "draw": 0, "loss": plies - MATE}[result]


def check_end(rules: Rules) -> None:
    """Raise `SearchLimitReached` if positions can come back, so that a game need not end."""
    if traits_of(rules).longest is None:
        raise SearchLimitReached(
            "positions can come back in this game: it cannot be searched to its end",
            "endless_game",
        )


def too_many_positions(limit: int) -> Message:
    """Return what a search says that has looked at as many positions as it may."""
    if limit == 1:
        return message("no answer after 1 position", "node_limit")
    return message("no answer after {count:,} positions", "node_limit", count=limit)


def plies_of(score: int) -> int:
    """Return after how many plies a decided game ends; a drawn score does not tell.

    Raises:
        ValueError: the score is a draw.
    """
    if score == 0:
        raise ValueError("A draw's score does not hold its length")
    return MATE - abs(score)
