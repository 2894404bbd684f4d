"""What moves are worth, in signs, for pictures and screens."""

from __future__ import annotations

from collections.abc import Iterable

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.placements import cell_of
from tic_tac_toe.logic.search.verdict import MoveVerdict

#: What stands before the plies of a move's worth, so that colour is not needed to tell them apart.
SIGNS = {"win": "+", "draw": "=", "loss": "\N{MINUS SIGN}"}
#: Stands for the plies where the game goes on for ever.
ENDLESS = "\N{INFINITY}"


def sign_of(move: MoveVerdict) -> str:
    """Return what a move is worth, as in ``+3`` or ``=∞``."""
    return f"{SIGNS[move.outcome]}{move.plies or ENDLESS}"


def by_cell(rules: Rules, values: Iterable[MoveVerdict]) -> dict[int, list[MoveVerdict]]:
    """Return the worth of moves by the cells in which they place something."""
    worth: dict[int, list[MoveVerdict]] = {}
    for move in values:
        if (cell := cell_of(rules, move.cell)) is not None:
            worth.setdefault(cell, []).append(move)
    return worth
