"""Judges a player of one's own: 100 games against `easy`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tic_tac_toe import match

SOLUTION = '''
from tic_tac_toe.rules import completing_cells

def choose(state):
    """Complete a line, else block one, else take the middle, a corner or a side."""
    me = state.current_mark
    wanted = [*completing_cells(state, me), *completing_cells(state, me.other)]
    wanted += [4, 0, 2, 6, 8, 1, 3, 5, 7]
    return next(cell for cell in wanted if cell in state.legal_cells)
'''


def check(names: Mapping[str, Any]) -> str:
    """Return praise if `choose` wins 60 of 100 games against `easy` and more than it loses.

    Raises:
        AssertionError: it does not; the message is a hint.
    """
    assert "choose" in names, "Name your function `choose`."
    tally = match(names["choose"], "easy", games=100, seed=1).tally
    result = f"{tally.won} won, {tally.drawn} drawn, {tally.lost} lost"
    assert tally.won >= 50, f"{result}. Win 50: complete a line, and block the other side's."
    assert tally.lost <= 10, f"{result}. Lose 10 at most: block a line before it is complete."
    return f"{result}."
