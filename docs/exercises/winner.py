"""`winner(cells)` names the side that holds a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tic_tac_toe import GameState
from tic_tac_toe.search import small_table

SOLUTION = """\
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8),
         (0, 3, 6), (1, 4, 7), (2, 5, 8),
         (0, 4, 8), (2, 4, 6)]


def winner(cells):
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c] != " ":
            return cells[a]
    return None
"""


def check(namespace: Mapping[str, Any]) -> str:
    """Compare `winner` with the library on every position of tic-tac-toe."""
    winner = namespace["winner"]
    states = [GameState.at("tic-tac-toe", position) for position in small_table("tic-tac-toe")]
    for state in states:
        cells, expected = state.grid.cells, state.winner and state.winner.value
        answer = winner(cells)
        assert answer == expected, (
            f"winner({cells!r}) should be {expected!r}, and is {answer!r}:\n{state}"
        )
    return f"It names the winner in all {len(states):,} positions of tic-tac-toe."
