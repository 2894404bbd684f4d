"""Renju: who wins, what is refused and why, and which positions can be. X moves first in diagrams.

What is forbidden is compared with a referee in `test_renju_forbidden.py`.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from random import Random

import pytest

from tests.logic.renju_positions import at_random, position_of
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.forbidden import forbidden_cells
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.deepening import look_ahead
from tic_tac_toe.logic.search.mcts import monte_carlo
from tic_tac_toe.logic.search.negamax import negamax
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.testing import check_rules

#: Seven by seven cells; X may not play in the cell "*".
DOUBLE_THREE = (
    ".......",
    "...X...",
    "...X...",
    ".XX*...",
    ".......",
    ".......",
    "O.O.O.O",
)
DOUBLE_FOUR = (
    "O..X...",
    "...X...",
    "...X...",
    "XXX*.O.",
    ".......",
    ".......",
    "O.O.O.O",
)
DOUBLE_FOUR_IN_ONE_ROW = (
    ".......",
    "X.X*X.X",
    ".......",
    "O.O.O.O",
    ".......",
    ".......",
    ".......",
)
OVERLINE = (
    ".......",
    "XX*XXX.",
    ".......",
    "O.O.O.O",
    ".......",
    ".O.....",
    ".......",
)
#: X may play in the cell "*".
FOUR_AND_THREE = (
    ".......",
    "...X...",
    "...X...",
    "XXX*...",
    ".......",
    ".......",
    "O.O.OOO",
)
CLOSED_THREE = (
    "...O...",
    "...X...",
    "...X...",
    ".XX*...",
    ".......",
    ".......",
    "O.O.O.O",
)
#: A five in the column: with it, six in the row, or two fours, are allowed.
FIVE_AND_OVERLINE = (
    "O.X.O.O",
    "..X...O",
    "XX*XXX.",
    "..X...O",
    "..X....",
    "O...O..",
    "O.O....",
)
FIVE_AND_DOUBLE_FOUR = (
    "X.X.O.O",
    ".XX...O",
    "XX*X...",
    "..XX..O",
    "..X...O",
    "O...O..",
    "O.O..O.",
)


def rules_of(diagram: tuple[str, ...]) -> Renju:
    return Renju(Shape(len(diagram), len(diagram[0])))


def star(diagram: tuple[str, ...]) -> int:
    return "".join(diagram).index("*")


@pytest.mark.parametrize(
    ("diagram", "code"),
    [
        (DOUBLE_THREE, "double_three"),
        (DOUBLE_FOUR, "double_four"),
        (DOUBLE_FOUR_IN_ONE_ROW, "double_four"),
        (OVERLINE, "overline"),
    ],
)
def test_a_forbidden_move_of_x_is_refused_with_the_reason(
    diagram: tuple[str, ...], code: str
) -> None:
    rules, cell = rules_of(diagram), star(diagram)
    position = position_of(diagram)
    assert cell not in rules.moves(position)
    with pytest.raises(InvalidMove) as caught:
        rules.play(position, cell)
    assert caught.value.code == code
    assert cell in rules.moves(position._replace(turn=1))
    assert rules.play(position._replace(turn=1), cell).stones[1] >> cell & 1


@pytest.mark.parametrize("diagram", [FOUR_AND_THREE, CLOSED_THREE])
def test_a_four_with_a_three_and_a_three_with_a_closed_one_are_allowed(
    diagram: tuple[str, ...],
) -> None:
    rules, cell = rules_of(diagram), star(diagram)
    assert cell in rules.moves(position_of(diagram))


@pytest.mark.parametrize("diagram", [FIVE_AND_OVERLINE, FIVE_AND_DOUBLE_FOUR])
def test_a_five_comes_before_all_that_is_forbidden(diagram: tuple[str, ...]) -> None:
    rules, cell, column = rules_of(diagram), star(diagram), (2, 9, 16, 23, 30)
    position = position_of(diagram)
    assert cell in rules.moves(position)
    after = rules.play(position, cell)
    assert rules.outcome(after) == Outcome(0, column)
    assert rules.moves(after) == ()
    rules.validate(after)


def test_five_win_for_either_side_and_six_only_for_o() -> None:
    rules = Renju(Shape(3, 7))
    five, six = ("XXXXX..", ".......", "O.OO.O."), ("X.X.XX.", ".......", "OOOOOO.")
    assert rules.outcome(position_of(five, 1)) == Outcome(0, (0, 1, 2, 3, 4))
    assert rules.outcome(position_of(six)) == Outcome(1, (14, 15, 16, 17, 18, 19))


def test_the_game_is_drawn_where_x_has_nothing_but_forbidden_cells_left() -> None:
    rules, board = Renju(Shape(1, 11)), ("OXXX.XXOOOO",)
    position = position_of(board)
    assert rules.moves(position) == []
    assert rules.outcome(position) == Outcome(None)
    rules.validate(position)
    state = GameState.at(rules, position)
    assert state.tie
    with pytest.raises(InvalidMove) as caught:
        state.make_move_to(4)
    assert caught.value.code == "game_over"


def test_o_plays_where_x_may_not() -> None:
    rules, position = Renju(Shape(1, 11)), position_of(("OXXX.XXOOOO",), 1)
    assert rules.moves(position) == [4]
    assert rules.outcome(position) is None
    assert rules.outcome(rules.play(position, 4)) == Outcome(None)


def test_moves_are_forbidden_to_x_although_o_has_started() -> None:
    position = position_of((*DOUBLE_THREE[:-1], "O.O.OOO"))
    state = GameState.at(Renju(Shape(7, 7)), position)
    assert state.starting_mark is Mark.NAUGHT
    assert star(DOUBLE_THREE) not in state.legal_cells


def test_moves_and_play_agree_with_the_forbidden_cells_on_random_boards() -> None:
    rng = Random(0)
    for _ in range(200):
        board = at_random(rng)
        rules, position = rules_of(board), position_of(board)
        if rules.winning_line(position.stones, 1):
            assert rules.moves(position) == ()
            continue
        forbidden = forbidden_cells(rules.shape, *position.stones)
        empty = {cell for cell, sign in enumerate("".join(board)) if sign == "."}
        assert set(rules.moves(position)) == empty - set(forbidden)
        for cell, reason in forbidden.items():
            with pytest.raises(InvalidMove) as caught:
                rules.play(position, cell)
            assert caught.value.code == reason.replace(" ", "_")


@pytest.mark.parametrize(
    ("board", "turn", "code"),
    [
        (("XXXXXX..", "........", "OO.OO.O."), 1, "overline"),  # nobody has won
        (("XXXXXX..", "........", "OO.OO.OO"), 0, "overline"),
        # X had made six, or a five, when it made the five.
        (("XXXXXX..", "OO.OO.OO", "XXXXX..O", ".O.O..O."), 1, "moves_after_end"),
        (("XXXXX...", "OO.OO.OO", "XXXXX..O", ".O.O...."), 1, "moves_after_end"),
        (("XXXXX...", "........", "OO.OO.O."), 0, "wrong_number"),
        (("XXXXX...", "........", "OOOOO..."), 0, "two_winners"),
    ],
)
def test_positions_that_no_game_reaches_are_refused(
    board: tuple[str, ...], turn: int, code: str
) -> None:
    with pytest.raises(InvalidGameState) as caught:
        rules_of(board).validate(position_of(board, turn))
    assert caught.value.code == code


@pytest.mark.parametrize("shape", [Shape(15, 15), Shape(9, 9), Shape(5, 5), Shape(6, 9)])
def test_renju_keeps_the_promises_of_rules(shape: Shape) -> None:
    check_rules(Renju(shape), games=1)


def test_the_symmetries_of_the_board_keep_the_sides() -> None:
    rules, position = Renju(Shape(7, 7)), position_of(FOUR_AND_THREE)
    turned = position_of(tuple("".join(column)[::-1] for column in zip(*FOUR_AND_THREE)))
    assert rules.canonical(position) == rules.canonical(turned)
    assert rules.orbit(position) == rules.orbit(turned) == 8
    crosses, naughts = position.stones
    exchanged = Position((naughts, crosses), 1)
    assert rules.canonical(exchanged).turn == 1
    assert rules.canonical(exchanged).stones != rules.canonical(position).stones


def test_alpha_beta_agrees_with_negamax_on_late_positions_with_forbidden_cells() -> None:
    rules, rng, decided = Renju(Shape(5, 7)), Random(0), 0
    for position in late_positions(rules, rng, 20):
        score = negamax(rules, position)
        assert AlphaBeta(rules).score(position) == score
        decided += score != 0
    assert decided >= 3


def late_positions(rules: Renju, rng: Random, count: int) -> Iterator[Position]:
    """Yield positions with five or six empty cells, in which X may not play somewhere."""
    found = 0
    while found < count:
        empty, turn = rng.choice((5, 6)), rng.randrange(2)
        marks = rules.shape.cells - empty
        crosses = marks // 2 if turn == 0 else (marks + 1) // 2
        signs = "X" * crosses + "O" * (marks - crosses) + "." * empty
        board = ("".join(rng.sample(signs, len(signs))),)
        position = position_of(board, turn)
        barred = forbidden_cells(rules.shape, *position.stones)
        if barred and not any(map(rules.lines.found_in, position.stones)):
            rules.validate(position)
            found += 1
            yield position


def test_searches_choose_legal_moves_only() -> None:
    rules, position = Renju(Shape(7, 7)), position_of(DOUBLE_FOUR)
    legal = rules.moves(position)
    assert set(look_ahead(rules, position, node_limit=500).best) <= set(legal)
    statistics = monte_carlo(rules, position, Random(0), iterations=60)
    assert [move.cell for move in statistics] == legal


def test_only_the_board_is_a_parameter() -> None:
    rules = Renju(Shape(9, 10))
    assert repr(rules) == "Renju(shape=Shape(rows=9, columns=10))"
    assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == rules != Renju()
    with pytest.raises(InvalidVariant):
        Renju(Shape(4, 4))
