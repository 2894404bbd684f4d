"""What moves are worth, in signs, for pictures and screens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.placements import cell_of
from tic_tac_toe.logic.search.scores import Result
from tic_tac_toe.logic.search.verdict import MoveVerdict

#: What is known of a move's outcome.
Outcome: TypeAlias = Literal[Result, "open"]


class MoveEstimate(NamedTuple):
    """What a move seems to be worth to the side that makes it, where it was not solved in time.

    Attributes:
        cell: the move, by the number that the rules give it.
        chance: what the side can expect, from 0, a loss, to 1, a win, by an engine's judgement.
        outcome: what is proved all the same, without the number of plies; ``open`` if nothing is.
    """

    cell: int
    chance: float
    outcome: Outcome = "open"


MoveWorth: TypeAlias = MoveVerdict | MoveEstimate

#: What stands before the plies of a move's worth, so that colour is not needed to tell them apart.
SIGNS = {"win": "+", "draw": "=", "loss": "\N{MINUS SIGN}"}
#: The outcomes of moves, the best first, as pictures rank them.
OUTCOMES: tuple[Outcome, ...] = ("win", "draw", "open", "loss")
#: Stands for the plies where the game goes on for ever.
ENDLESS = "\N{INFINITY}"


def sign_of(move: MoveWorth) -> str:
    """Return what a move is worth, as in ``+3`` or ``=∞``; an estimate as in ``62%`` or ``+``."""
    if isinstance(move, MoveVerdict):
        return f"{SIGNS[move.outcome]}{move.plies or ENDLESS}"
    return SIGNS.get(move.outcome, f"{round(100 * move.chance)}%")


def best_outcome(moves: Iterable[MoveWorth]) -> Outcome:
    """Return the best outcome of some moves, of `OUTCOMES`."""
    known = {move.outcome for move in moves}
    return next(outcome for outcome in OUTCOMES if outcome in known)


def by_cell(rules: Rules, values: Iterable[MoveWorth]) -> dict[int, list[MoveWorth]]:
    """Return the worth of moves by the cells in which they place something."""
    worth: dict[int, list[MoveWorth]] = {}
    for move in values:
        if (cell := cell_of(rules, move.cell)) is not None:
            worth.setdefault(cell, []).append(move)
    return worth
