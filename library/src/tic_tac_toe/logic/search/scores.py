"""One number for an exact answer: who wins, and how soon.

A score is an int for the side to move. 0 is a draw; a win that ends the game in *n* plies is
``MATE - n``, a loss in *n* plies is ``n - MATE``. So the higher score is always the better one:
the shortest win, else a draw, else the longest loss.
"""

from __future__ import annotations

from typing import Final, Literal

from tic_tac_toe.logic.rules import Outcome

Result = Literal["win", "draw", "loss"]

#: More than the plies of the longest game, 26 x 26 cells.
MATE: Final = 1000


def final_score(outcome: Outcome, turn: int) -> int:
    """Return the score of a game that is over, for the side that would be to move."""
    if outcome.winner is None:
        return 0
    return MATE if outcome.winner == turn else -MATE


def back_up(score: int) -> int:
    """Return what a move is worth to the side that makes it, from the score after it."""
    if score > 0:
        return 1 - score
    return -1 - score if score < 0 else 0


def push_down(bound: int) -> int:
    """Return the score after a move that `back_up` turns into this bound."""
    if bound > 0:
        return -1 - bound
    return 1 - bound if bound < 0 else 0


def result_of(score: int) -> Result:
    """Return what a score means for the side to move."""
    if score == 0:
        return "draw"
    return "win" if score > 0 else "loss"


def plies_of(score: int) -> int:
    """Return after how many plies a decided game ends; a drawn score does not tell.

    Raises:
        ValueError: the score is a draw.
    """
    if score == 0:
        raise ValueError("A draw's score does not hold its length")
    return MATE - abs(score)
