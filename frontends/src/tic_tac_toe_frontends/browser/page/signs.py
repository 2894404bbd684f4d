"""What moves are worth, in signs: the same as in the pictures of the library."""

from __future__ import annotations

from collections.abc import Iterable

from tic_tac_toe.game.svg import SIGNS
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.placements import chooses_letter, placement
from tic_tac_toe.logic.search.verdict import MoveVerdict

#: What stands for the number of plies where the game goes on for ever.
ENDLESS = "\N{INFINITY}"


def sign_of(move: MoveVerdict) -> str:
    """Return what a move is worth, as in “+3” or “=∞”."""
    return f"{SIGNS[move.outcome]}{move.plies or ENDLESS}"


def signs_by_cell(rules: Rules, values: Iterable[MoveVerdict]) -> dict[int, str]:
    """Return what the moves into each cell are worth, as in “+3”, or “X+3, O=4” with letters."""
    found: dict[int, list[str]] = {}
    for move in values:
        placed = placement(rules, 0, move.cell)
        if placed is not None:
            letter = NAMES[placed.mark] if chooses_letter(rules) else ""
            found.setdefault(placed.cell, []).append(letter + sign_of(move))
    return {cell: ", ".join(signs) for cell, signs in found.items()}
