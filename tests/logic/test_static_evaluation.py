"""Evaluation: counting all lines at once is counting them one by one."""

from __future__ import annotations

import random

from hypothesis import assume, given
from hypothesis import strategies as st

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, VARIANTS
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import Lines, lines
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.search.static_evaluation import (
    BOARD_WORTH,
    GROWTH,
    open_lines,
    static_evaluation,
)
from tic_tac_toe.logic.shapes import Shape


def open_lines_one_by_one(found: Lines, own: int, other: int) -> int:
    counts = [(line.mask & own).bit_count() for line in found.places if not line.mask & other]
    return sum(GROWTH ** (count - 1) for count in counts if count)


@given(st.integers(1, 20), st.integers(1, 20), st.booleans(), st.data())
def test_counting_by_shifting_is_counting_place_by_place(
    rows: int, columns: int, exact: bool, data: st.DataObject
) -> None:
    assume(rows * columns > 1)  # a line of one cell is one place, but runs in all directions
    length = data.draw(st.integers(2, max(rows, columns)))
    found = lines(Shape(rows, columns), length, exact)
    bits = st.integers(0, found.layout.full)
    own = data.draw(bits) | data.draw(bits)
    other = data.draw(bits) & data.draw(bits) & data.draw(bits) & ~own
    assert open_lines(found, own, other) == open_lines_one_by_one(found, own, other)


def test_the_empty_board_is_level_and_the_centre_is_worth_four_lines() -> None:
    assert static_evaluation(TIC_TAC_TOE, Position()) == 0
    assert static_evaluation(TIC_TAC_TOE, Position((1 << 4, 0), 1)) == -4
    assert static_evaluation(TIC_TAC_TOE, Position((1 << 4, 0), 0)) == 4


def test_misere_turns_the_judgement_around() -> None:
    rng = random.Random(1)
    for plain in (TIC_TAC_TOE, VARIANTS["connect-four"], VARIANTS["ultimate"]):
        position = Position()
        for _ in range(12):
            if cells := list(plain.moves(position)):
                position = plain.play(position, rng.choice(cells))
                assert static_evaluation(Misere(plain), position) == -static_evaluation(
                    plain, position
                )


def test_ultimate_counts_won_boards_as_stones_and_forgets_what_lies_in_them() -> None:
    rules = Ultimate()
    top_left = Position((0b111, 0b101 << 36), 1, 0)  # X has won the first board
    board = lines(Shape(3, 3), 3)
    naughts = rules.side(top_left.stones[1]).boards
    expected = -BOARD_WORTH * 3 + sum(open_lines(board, stones, 0) for stones in naughts)
    assert static_evaluation(rules, top_left) == expected


def test_games_of_ones_own_are_level_until_somebody_judges_them() -> None:
    class Own(LineRules):
        """Line games are judged, and so is what derives from them."""

    assert static_evaluation(Own(), Position((1 << 4, 0), 1)) == -4
