"""`game` is misère three in a row with gravity on 5 columns and 4 rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tic_tac_toe import GameState, LineRules, Misere, Shape, play_moves

SOLUTION = """\
from tic_tac_toe import LineRules, Misere, Shape

game = Misere(LineRules(Shape(rows=4, columns=5), 3, gravity=True))
"""


def check(namespace: Mapping[str, Any]) -> str:
    """Look at the board, at where a mark falls, and at who wins; then at the whole value."""
    game = namespace["game"]
    shape = GameState.new(game).rules.shape
    assert (shape.columns, shape.rows) == (5, 4), (
        f"The board has {shape.columns} columns and {shape.rows} rows; it should have 5 and 4."
    )
    start = GameState.new(game)
    assert start.legal_moves == (15, 16, 17, 18, 19), (
        "On the empty board a mark can only go to the lowest row. Marks do not fall yet."
    )
    end = play_moves(start, "1 1 2 2 3")
    assert end.game_over, "X has three in a row in columns 1, 2 and 3, and the game goes on."
    assert end.winner == "O", "X has three in a row, and should have lost; see Misere."
    assert game == Misere(LineRules(Shape(rows=4, columns=5), 3, gravity=True)), (
        f"Something else differs from the game: {game!r}"
    )
    return "That is the game. The searches and screens can play it."
