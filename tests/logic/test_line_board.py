"""A board that is changed mark by mark is the board that is made at once."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.search import line_board
from tic_tac_toe.logic.search.line_board import LineBoard, cells_of
from tic_tac_toe.logic.shapes import Shape

NAMES = ("gomoku", "mnk:7,6,4,exact", "mnk:6,5,4,torus", "qubic", "connect-four")
GAMES = [find_rules(name) for name in NAMES] + [Caro(Shape(8, 8)), Renju(Shape(8, 8))]


def _told(board: LineBoard) -> tuple[object, ...]:
    best = board.best_cells(0, 5), board.best_cells(1, 5)
    return board.stones, board.values, board.worth, board.threats(), board.threes(), best


@given(st.sampled_from(GAMES), st.integers(0, 10_000))
def test_marks_put_and_taken_back_leave_the_board_as_if_made_anew(
    rules: LineRules, seed: int
) -> None:
    rng, board, put = Random(seed), LineBoard(rules, Position()), list[tuple[int, int]]()
    for _step in range(25):
        free = cells_of(board.playable)
        if put and (not free or rng.random() < 0.3):
            # Under gravity only the highest mark of a stack can be taken back: the last one.
            board.toggle(*put.pop())
        else:
            put.append((rng.choice(free), rng.randrange(2)))
            board.toggle(*put[-1])
    crosses, naughts = board.stones
    assert _told(LineBoard(rules, Position((crosses, naughts)))) == _told(board)


def test_a_board_tells_the_same_after_all_rows_were_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = LineRules(Shape(9, 10), 5)
    marks = [(cell, number % 2) for number, cell in enumerate(Random(1).sample(range(90), 40))]
    told = []
    for most in (line_board.MOST_KNOWN, 7):
        monkeypatch.setattr(line_board, "MOST_KNOWN", most)
        board = LineBoard(rules, Position())
        for mark in marks:
            board.toggle(*mark)
        told.append(_told(board))
    assert told[0] == told[1]


def test_a_row_that_can_never_hold_a_line_is_worth_nothing() -> None:
    rules = find_rules("gomoku-standard")
    assert isinstance(rules, LineRules)
    # O . X X X O: five do not fit between the marks of O.
    row = 7 * 15
    closed = LineBoard(rules, Position((0b111 << row + 2, 1 << row | 1 << row + 5)))
    assert not closed.threats().fours[0] & 1 << row + 1
    # X X X . X X: the mark in the gap would make six.
    six = LineBoard(rules, Position((0b110111 << row + 4, 0)))
    assert not six.threats().wins[0]
