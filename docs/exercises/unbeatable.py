"""`choose(state)` loses none of 100 games against `easy`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tic_tac_toe import GameState, match

SOLUTION = """\
from functools import cache


@cache
def value(state):
    if state.game_over:
        return 0 if state.winner is None else 1 if state.winner == "X" else -1
    values = [value(state.play(move)) for move in state.legal_moves]
    return max(values) if state.current_mark == "X" else min(values)


def choose(state):
    best = max if state.current_mark == "X" else min
    return best(state.legal_moves, key=lambda move: value(state.play(move)))
"""


def check(namespace: Mapping[str, Any]) -> str:
    """Let `choose` play 100 games."""
    choose = namespace["choose"]
    GameState.new().move(choose(GameState.new()))  # what it raises here tells more than a lost game
    result = match(choose, "easy", games=100, seed=1)
    won, drawn, lost = result.tally
    defeats = [
        record
        for record in result.records
        if dict(record.tags).get(record.result, "easy") == "easy" and record.result != "draw"
    ]
    assert not defeats, (
        f"It won {won} games, drew {drawn} and lost {lost}. The first lost game, your player being"
        f" {'X' if dict(defeats[0].tags)['O'] == 'easy' else 'O'}:\n{defeats[0]!r}"
    )
    return f"Unbeaten: {won} games won, {drawn} drawn."
