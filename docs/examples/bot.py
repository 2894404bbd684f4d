"""A player of one's own: a function from a state to a move."""

from __future__ import annotations

from tic_tac_toe import GameState
from tic_tac_toe.rules import completing_cells


def choose(state: GameState) -> int:
    """Complete a line, else block one, else take the middle if it is free."""
    me = state.current_mark
    wanted = [*completing_cells(state, me), *completing_cells(state, me.other), 4]
    possible = [cell for cell in wanted if cell in state.legal_cells]
    return possible[0] if possible else state.legal_moves[0]
