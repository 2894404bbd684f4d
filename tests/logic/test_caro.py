"""Caro: exactly five win, unless the other side's marks stand at both ends."""

from __future__ import annotations

import copy
import pickle
from itertools import product
from random import Random

import pytest

from tests.logic.renju_oracle import Board, caro_winners
from tests.logic.renju_positions import position_of
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidVariant
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.mcts import best_of, monte_carlo
from tic_tac_toe.logic.search.negamax import negamax
from tic_tac_toe.logic.search.table import solve_table
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.testing import check_rules


def rules_of(board: Board) -> Caro:
    return Caro(Shape(len(board), len(board[0])))


def winners(board: Board) -> set[str]:
    """Return the letters that own a winning row, whether a game can come to that or not."""
    rules, stones = rules_of(board), position_of(board).stones
    return {letter for side, letter in enumerate("XO") if rules.winning_line(stones, side)}


@pytest.mark.parametrize(
    ("row", "wins"),
    [
        ("..XXXXX..", True),
        (".OXXXXX..", True),
        (".OXXXXXO.", False),
        ("XXXXX....", True),
        ("XXXXXO...", True),  # the edge closes no end
        ("...OXXXXX", True),
        ("XXXXX", True),
        (".XXXXXX..", False),
        ("OXXXXXX..", False),
        ("XXXXX.X..", True),
        ("OXXXXXOX.", False),
        ("X.XXXXXO.", True),
    ],
)
def test_a_row_of_exactly_five_wins_unless_it_is_closed_at_both_ends(row: str, wins: bool) -> None:
    board = (row, "." * len(row))
    assert (winners(board) == {"X"}) is wins
    exchanged = (row.translate(str.maketrans("XO", "OX")), board[1])
    assert (winners(exchanged) == {"O"}) is wins


@pytest.mark.parametrize("length", [5, 6, 7])
def test_the_oracle_agrees_on_every_row(length: int) -> None:
    for signs in product("XO.", repeat=length):
        board = ("".join(signs),)
        assert winners(board) == caro_winners(board), board


def test_the_oracle_agrees_on_random_boards() -> None:
    rng, found = Random(0), set[frozenset[str]]()
    for _ in range(400):
        size, crosses = rng.choice((7, 8, 9, 15)), rng.choice((30, 45, 60))
        signs = "X" * crosses + "O" * (90 - crosses) + "." * 10
        board = tuple("".join(rng.choices(signs, k=size)) for _ in range(size))
        assert winners(board) == caro_winners(board), board
        found.add(frozenset(winners(board)))
    assert len(found) == 4  # nobody, X, O and both


def test_the_oracle_agrees_on_random_games() -> None:
    rng, rules, ends = Random(0), Caro(Shape(7, 7)), set[int | None]()
    for _ in range(30):
        position = Position(turn=rng.randrange(2))
        while moves := rules.moves(position):
            assert rules.outcome(position) is None
            position = rules.play(position, rng.choice(list(moves)))
        outcome = rules.outcome(position)
        assert outcome is not None
        cells = GameState.at(rules, position).grid.cells.replace(" ", ".")
        winner = set() if outcome.winner is None else {"XO"[outcome.winner]}
        assert caro_winners(tuple(cells[at : at + 7] for at in range(0, 49, 7))) == winner
        ends.add(outcome.winner)
    assert ends == {0, 1, None}


def test_the_outcome_names_the_five_and_not_the_closed_one() -> None:
    board = ("OXXXXXO..", ".........", "..XXXXX..", "O.O.O.O.O", ".O.O.....")
    assert rules_of(board).outcome(position_of(board, 1)) == Outcome(0, (20, 21, 22, 23, 24))


def test_the_game_goes_on_after_a_closed_five_and_after_six() -> None:
    for board in (("OXXXXXO..", "OO.O.....", "........."), (".XXXXXX..", "OO.OO.OO.", ".........")):
        rules, position = rules_of(board), position_of(board)
        assert rules.outcome(position) is None
        assert len(rules.moves(position)) == 27 - position.marks


@pytest.mark.parametrize(
    ("board", "turn", "code"),
    [
        (("XXXXX...", "XXXXX...", "OOOO.OOO", ".O.O...."), 1, "moves_after_end"),
        (("XXXXX...", "........", "OO.OO.O."), 0, "wrong_number"),
        (("XXXXX...", "........", "OOOOO..."), 0, "two_winners"),
        # The last mark of X closed the five of O: that had won before.
        (("X...X..O", "X..X...O", "X.X.....", "XX.....O", "XOOOOOXO"), 1, "moves_after_end"),
    ],
)
def test_positions_that_no_game_reaches_are_refused(board: Board, turn: int, code: str) -> None:
    with pytest.raises(InvalidGameState) as caught:
        rules_of(board).validate(position_of(board, turn))
    assert caught.value.code == code


@pytest.mark.parametrize("rules", [Caro(), Caro(Shape(7, 7)), Caro(Shape(3, 3), 3)])
def test_caro_keeps_the_promises_of_rules(rules: Caro) -> None:
    check_rules(rules, games=1 if rules.shape.cells > 100 else 4)


def test_the_colours_and_the_sides_of_the_board_are_alike() -> None:
    rules = Caro(Shape(7, 7))
    board = ("OXXXX..", ".......", "..OOOX.", ".......", "...O...", ".......", ".......")
    position = position_of(board)
    turned = position_of(tuple("".join(column)[::-1] for column in zip(*board)))
    crosses, naughts = turned.stones
    assert rules.canonical(position) == rules.canonical(Position((naughts, crosses), 1))
    assert rules.orbit(position) == 8


@pytest.mark.parametrize("rules", [Caro(Shape(1, 8), 3), Caro(Shape(3, 3), 3)])
def test_all_searches_agree_on_small_boards(rules: Caro) -> None:
    alpha_beta = AlphaBeta(rules)
    table = solve_table(rules)
    for position, entry in table.items():
        assert alpha_beta.score(position) == entry[0]
        if rules.shape.cells - position.marks <= 4:
            assert negamax(rules, position) == entry[0]


def test_playouts_know_that_a_closed_row_wins_nothing() -> None:
    rules, position = Caro(Shape(1, 6), 3), position_of(("OXX.O.",), 0)
    statistics = monte_carlo(rules, position, Random(0), iterations=50)
    assert best_of(statistics) == (3, 5)
    assert {move.proven for move in statistics} <= {0, None}


def test_the_board_and_the_length_are_the_parameters() -> None:
    rules = Caro(Shape(9, 10), 4)
    assert repr(rules) == "Caro(shape=Shape(rows=9, columns=10), length=4)"
    assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == rules != Caro()
    with pytest.raises(InvalidVariant):
        Caro(Shape(4, 4))
