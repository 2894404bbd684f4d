"""`order(state)` returns the legal moves so that alpha-beta visits fewer than 7,000 states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tic_tac_toe import GameState, Mark

LIMIT = 7_000

SOLUTION = """\
LINES_THROUGH = [3, 2, 3, 2, 4, 2, 3, 2, 3]


def order(state):
    return sorted(state.legal_moves, key=lambda move: -LINES_THROUGH[move])
"""


def check(namespace: Mapping[str, Any]) -> str:
    """Count the states that alpha-beta visits from the empty board in this order."""
    order, visited = namespace["order"], 0

    def value(state: GameState, alpha: int, beta: int) -> int:
        nonlocal visited
        visited += 1
        if state.game_over:
            return state.evaluate_score(Mark.CROSS)
        moves = list(order(state))
        assert sorted(moves) == list(state.legal_moves), (
            f"order must return each legal move once. Here these are {state.legal_moves},"
            f" and it returned {moves}:\n{state}"
        )
        for move in moves:
            found = value(state.play(move), alpha, beta)
            if state.current_mark == Mark.CROSS:
                alpha = max(alpha, found)
            else:
                beta = min(beta, found)
            if alpha >= beta:
                break
        return alpha if state.current_mark == Mark.CROSS else beta

    value(GameState.new(), -1, 1)
    assert visited < LIMIT, f"The search visits {visited:,} states, not fewer than {LIMIT:,}."
    return f"The search visits {visited:,} states instead of 16,811."
