"""What the moves into each cell are worth, in signs: the same as in the pictures of the library."""

from __future__ import annotations

from collections.abc import Iterable

from tic_tac_toe.game.signs import by_cell, sign_of
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.placements import letter_of
from tic_tac_toe.logic.search.evaluation import MoveEvaluation


def signs_by_cell(rules: Rules, values: Iterable[MoveEvaluation]) -> dict[int, str]:
    """Return what the moves into each cell are worth, as in “+3”, or “X+3, O=4” with letters."""
    return {
        cell: ", ".join(letter_of(rules, move.cell) + sign_of(move) for move in moves)
        for cell, moves in by_cell(rules, values).items()
    }
