"""What is kept up to date when stones come and go is what the stones say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tic_tac_toe.engines.lines.position import (
    AREA,
    COMBINATIONS,
    COUNTS,
    EMPTY,
    HASH,
    KEYS,
    KINDS,
    PLACES,
    REACH,
    VALUES,
    Arrays,
    Game,
    begin_position,
    new_table,
    place_stone,
    take_stone,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.shapes import Shape

GAMES = [LineRules(Shape(7, 9), 5), LineRules(Shape(8, 6), 5, exact=True), Caro(), Renju()]
#: The blocks that hold something for every place, and for the empty places only.
ALWAYS = tuple(KEYS + at * AREA for at in range(4))
EMPTY_ONLY = tuple(block + at * AREA for block in (COMBINATIONS, KINDS, VALUES) for at in (0, 1))


def begun(arrays: Arrays, position: Position) -> Game:
    legal = range(arrays.rules.shape.cells)
    arguments = arrays.load(position, legal, np.zeros(1, np.int64))
    begin_position(*arguments)
    return Game(*arguments)


def known(arrays: Arrays) -> list[list[int]]:
    """Return all that follows from the stones: blocks, counts, sums and the hash."""
    state = arrays.state
    places = state[PLACES : PLACES + arrays.rules.shape.cells]
    empty = places[state[places] == EMPTY]
    blocks = [state[block + places].tolist() for block in ALWAYS]
    blocks += [state[block + empty].tolist() for block in EMPTY_ONLY]
    return [*blocks, state[COUNTS : REACH - 1].tolist(), [int(arrays.words[HASH])]]


@pytest.mark.parametrize("rules", GAMES, ids=repr)
@settings(max_examples=8)
@given(data=st.data())
def test_stones_that_come_and_go_leave_what_a_new_board_would_hold(
    rules: LineRules, data: st.DataObject
) -> None:
    arrays, cells = Arrays(rules, new_table(1 << 10)), rules.shape.cells
    game, placed, stones = begun(arrays, Position()), list[tuple[int, int]](), [0, 0]
    moves = st.tuples(st.integers(0, cells - 1), st.integers(0, 1), st.integers(0, 3))
    for cell, side, kind in data.draw(st.lists(moves, min_size=5, max_size=40)):
        if kind == 0 and placed:
            cell, side = placed.pop()
            stones[side] ^= 1 << cell
            take_stone(game, int(arrays.state[PLACES + cell]), side)
        elif not (stones[0] | stones[1]) >> cell & 1:
            placed.append((cell, side))
            stones[side] |= 1 << cell
            place_stone(game, int(arrays.state[PLACES + cell]), side)
    kept = known(arrays)
    begun(arrays, Position((stones[0], stones[1])))
    assert known(arrays) == kept
