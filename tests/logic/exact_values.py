"""Exact scores of the library in the terms of the oracles."""

from __future__ import annotations

from tic_tac_toe.logic.search.scores import plies_of


def value_of(score: int) -> tuple[int, int]:
    """Return the outcome for the side to move, 1, 0 or -1, and the plies to it; 0 to a draw."""
    if score == 0:
        return 0, 0
    return (1 if score > 0 else -1), plies_of(score)
