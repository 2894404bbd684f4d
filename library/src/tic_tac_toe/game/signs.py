"""How good moves are, in signs, for pictures and screens."""

from __future__ import annotations

from collections.abc import Iterable

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import cell_of
from tic_tac_toe.logic.search.evaluation import MoveEvaluation, Outcome

#: What stands before the number of a move, so that colour is not needed to tell outcomes apart.
SIGNS = {"win": "+", "draw": "=", "loss": "\N{MINUS SIGN}"}
#: The outcomes of moves, the best first, as pictures rank them.
OUTCOMES: tuple[Outcome, ...] = ("win", "draw", "open", "loss")
#: Stands for the plies where the game goes on for ever.
ENDLESS = "\N{INFINITY}"


def sign_of(move: MoveEvaluation) -> str:
    """Return how good a move is, as in ``+3``, ``=`` or ``=∞``; an estimate as in ``62%`` or ``+``.

    The number is that of the moves that the side which wins still makes.
    """
    if move.outcome == "open":
        return f"{round(100 * move.chance)}%" if move.is_judged else ""
    number = ENDLESS if move.outcome == "draw" and move.plies == 0 else move.moves
    return f"{SIGNS[move.outcome]}{'' if number is None else number}"


def best_outcome(moves: Iterable[MoveEvaluation]) -> Outcome:
    """Return the best outcome of some moves, of `OUTCOMES`."""
    known = {move.outcome for move in moves}
    return next(outcome for outcome in OUTCOMES if outcome in known)


def by_cell(rules: Rules, moves: Iterable[MoveEvaluation]) -> dict[int, list[MoveEvaluation]]:
    """Return the moves by the cells in which they place something, without those not judged."""
    found: dict[int, list[MoveEvaluation]] = {}
    for move in moves:
        if move.is_judged and (cell := cell_of(rules, move.cell)) is not None:
            found.setdefault(cell, []).append(move)
    return found
