"""What is forbidden to X in Renju: agreement with the referee package `renju` and with an oracle.

A position is a board with all its empty cells, unless a test says otherwise. The referee and this
project agree on all that was ever tried, so that nothing is left out.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import product
from random import Random

import pytest
from renju.check_forbid import ForbidChecker, get_foul_type

from tests.logic.renju_oracle import FIVE, Board, Cell, empty_cells, forbidden, made
from tests.logic.renju_positions import at_random, constructed, position_of
from tic_tac_toe.logic.rules.forbidden import (
    DOUBLE_FOUR,
    DOUBLE_THREE,
    OVERLINE,
    forbidden_cells,
)
from tic_tac_toe.logic.shapes import Shape

#: What the referee calls its fouls.
FOULS = {0: None, 1: DOUBLE_THREE, 2: DOUBLE_FOUR, 3: OVERLINE}


def ours(board: Board) -> dict[Cell, str]:
    """Return the forbidden cells as this project finds them."""
    shape = Shape(len(board), len(board[0]))
    found = forbidden_cells(shape, *position_of(board).stones)
    return {divmod(cell, shape.columns): reason for cell, reason in found.items()}


def numbers(board: Board) -> list[list[int]]:
    """Return a board as the referee wants it."""
    return [[".XO".index(sign) for sign in row] for row in board]


def referees(board: Board) -> dict[Cell, str]:
    """Return the forbidden cells as the referee finds them."""
    referee = ForbidChecker(numbers(board), 0, 0)
    fouls = {cell: FOULS[referee.foulr(*cell, 0)] for cell in empty_cells(board)}
    return {cell: foul for cell, foul in fouls.items() if foul}


# Two threes meet in the middle; that of the row becomes a straight four only in this column.
@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (".......", DOUBLE_THREE),
        (".XX....", DOUBLE_THREE),  # a straight four and a three
        ("XXX...O", None),  # a straight four and a four
        ("XXX.X.O", None),  # a five
        ("XXX.XX.", None),  # an overline
    ],
)
def test_a_three_counts_only_if_its_extension_is_allowed_and_makes_no_five(
    column: str, reason: str | None
) -> None:
    rows = (".......", "...X...", "...X...", ".XX....", ".......", ".......", ".......")
    board = tuple(row[:4] + sign + row[5:] for row, sign in zip(rows, column))
    assert ours(board).get((3, 3)) == made(board, (3, 3)) == referees(board).get((3, 3)) == reason


def test_the_referee_agrees_on_300_random_positions() -> None:
    rng = Random(0)
    for _ in range(300):
        board = at_random(rng)
        assert ours(board) == referees(board), board


#: With ``RENJU_PARTS=10`` 100,000 random positions are compared, which takes ten minutes.
PARTS = int(os.environ.get("RENJU_PARTS", "2"))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(1, PARTS + 1))
def test_the_referee_agrees_on_10_000_random_positions(part: int) -> None:
    rng, reasons = Random(part), Counter[str]()
    for _ in range(10_000):
        board = at_random(rng)
        found = ours(board)
        assert found == referees(board), board
        reasons.update(found.values())
    assert min(reasons[name] for name in (DOUBLE_FOUR, DOUBLE_THREE, OVERLINE)) > 1000


def test_the_referee_agrees_on_the_middle_of_1_000_constructed_positions() -> None:
    rng = Random(0)
    for _ in range(1000):
        board, cell = constructed(rng)
        assert ours(board).get(cell) == FOULS[get_foul_type(numbers(board), *cell)], board


@pytest.mark.slow
def test_the_referee_agrees_on_1_000_constructed_positions() -> None:
    rng = Random(0)
    for _ in range(1000):
        board, _cell = constructed(rng)
        assert ours(board) == referees(board), board


def test_the_definitions_agree_on_the_middle_of_1_000_constructed_positions() -> None:
    rng, reasons, spared = Random(0), Counter[str | None](), 0
    for _ in range(1000):
        board, cell = constructed(rng)
        reason = made(board, cell)
        assert ours(board).get(cell) == (None if reason == FIVE else reason), board
        reasons[reason] += 1
        spared += reason is None and made(board, cell, lawful=False) is not None
    assert min(reasons.values()) >= 25
    assert len(reasons) == 5  # the three faults, a five, and nothing
    assert spared >= 50  # double threes on paper, in which a straight four would be forbidden


def test_the_definitions_agree_on_random_positions() -> None:
    rng = Random(0)
    for _ in range(40):
        board = at_random(rng)
        assert ours(board) == forbidden(board), board


def test_the_definitions_agree_on_every_row_of_ten_cells_without_naughts() -> None:
    for signs in product("X.", repeat=10):
        board = ("".join(signs),)
        assert ours(board) == forbidden(board), board


@pytest.mark.slow
def test_the_definitions_agree_on_500_random_positions() -> None:
    rng = Random(1)
    for _ in range(500):
        board = at_random(rng)
        assert ours(board) == forbidden(board), board
