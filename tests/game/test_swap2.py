"""Swap2: three stones that are no gift, and the better colour where one is better."""

from __future__ import annotations

import pytest

from tic_tac_toe.game.swap2 import OPENINGS, answer_swap2
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.gomoku import Gomoku
from tic_tac_toe.logic.shapes import Shape

BOARD = Gomoku.EXACT.on(Shape(9, 9))


def after(*cells: str) -> GameState:
    """Return the state after stones at ``x,y``, X first."""
    state = GameState.new(BOARD)
    for column, row in (cell.split(",") for cell in cells):
        state = state.make_move_to(int(row) * 9 + int(column)).after_state
    return state


@pytest.mark.parametrize("shape", [Shape(5, 5), Shape(9, 6), Shape(26, 26)])
def test_the_first_three_stones_are_one_of_the_openings_on_any_board(shape: Shape) -> None:
    cells = answer_swap2(GameState.new(Gomoku.EXACT.on(shape)), stop=lambda: True)
    middle = divmod(shape.middle, shape.columns)
    placed = tuple(
        (cell // shape.columns - middle[0], cell % shape.columns - middle[1]) for cell in cells
    )
    assert placed in OPENINGS


def test_the_side_whose_stones_are_better_is_taken() -> None:
    x_attacks = after("4,4", "0,0", "4,5", "8,0", "4,3")
    assert answer_swap2(x_attacks) == ()
    o_attacks = after("0,0", "4,4", "8,8", "4,5", "0,8")
    assert len(answer_swap2(o_attacks)) == 1


def test_after_three_stones_that_are_level_the_other_side_is_asked() -> None:
    level = after("4,4", "5,4", "6,6")
    own, other = answer_swap2(level)
    assert own != other
    assert level.grid.cells[own] == level.grid.cells[other] == " "
    assert answer_swap2(after("4,4", "0,0", "4,5")) == ()
