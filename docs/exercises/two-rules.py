"""`choose(state)` completes a line, else takes a cell in which the other side could."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tic_tac_toe import GameState, match
from tic_tac_toe.rules import completing_cells
from tic_tac_toe.search import small_table

SOLUTION = """\
from tic_tac_toe.rules import completing_cells


def choose(state):
    me = state.current_mark
    wanted = completing_cells(state, me) + completing_cells(state, me.other)
    return wanted[0] if wanted else state.legal_moves[0]
"""


def check(namespace: Mapping[str, Any]) -> str:
    """Ask `choose` in every position that one of the rules decides, then let it play."""
    choose = namespace["choose"]
    for position in small_table("tic-tac-toe"):
        state = GameState.at("tic-tac-toe", position)
        me = state.current_mark
        wins, stops = completing_cells(state, me), completing_cells(state, me.other)
        if state.game_over or not wins + stops:
            continue
        number, reason = (
            state.move(choose(state)).number,
            "completes a line" if wins else "stops one",
        )
        assert number in (wins or stops), (
            f"In this state {me} {reason} with {state.move((wins or stops)[0])}, and your player"
            f" takes {state.move(number)}:\n{state}"
        )
    return f"Both rules hold. {match(choose, 'random', games=40, seed=1)}"
