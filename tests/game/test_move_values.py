"""What moves are worth: solved where that is possible in time, and estimated where it is not."""

from __future__ import annotations

import pytest

from tic_tac_toe.game.effort import Effort
from tic_tac_toe.game.svg import svg
from tic_tac_toe.game.valuation import value_moves
from tic_tac_toe.game.worth import MoveEstimate, MoveWorth, best_outcome, sign_of
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.verdict import MoveVerdict
from tic_tac_toe.solver import analyse

#: Work for a quick look: hardly anything of a large game is solved.
QUICK = Effort(solve_seconds=0.002, keep_seconds=0.0, early_part=1.0, think_seconds=0.01)


def state_after(name: str, moves: str) -> GameState:
    return parse_moves(GameState.new(find_rules(name)), moves)


@pytest.mark.parametrize(
    ("name", "moves"),
    [("tic-tac-toe", "B2 A1"), ("wild", "XA1"), ("vanishing", "A1"), ("connect-four-5x4", "3 3 3")],
)
def test_where_all_moves_are_solved_they_are_worth_what_the_analysis_says(
    name: str, moves: str
) -> None:
    state = state_after(name, moves)

    assert value_moves(state) == tuple(analyse(state))


def test_where_few_moves_cannot_be_solved_in_time_each_is_estimated() -> None:
    state = state_after("connect-four", "1 2 1 1 5 6 6 6 5")
    found = value_moves(state, QUICK, QUICK)

    assert found is not None
    assert [move.cell for move in found] == list(state.legal_moves)
    estimated = [move for move in found if isinstance(move, MoveEstimate)]
    assert estimated
    assert all(0 < move.chance < 1 for move in estimated if move.outcome == "open")


def test_a_move_that_ends_the_game_is_solved_whatever_the_others_are() -> None:
    state = state_after("connect-four", "4 7 4 7 4 1")
    found = value_moves(state, QUICK, QUICK)

    assert found is not None
    assert [(move.outcome, sign_of(move)) for move in found].count(("win", "+1")) == 1


def test_many_moves_that_cannot_be_solved_have_no_value() -> None:
    assert value_moves(state_after("gomoku", "H8"), QUICK, QUICK) is None


def test_signs_tell_verdicts_from_estimates_without_colour() -> None:
    moves: list[MoveWorth] = [
        MoveVerdict(0, "win", 3),
        MoveVerdict(1, "draw", 0),
        MoveEstimate(2, 0.617),
        MoveEstimate(3, 1.0, "win"),
        MoveVerdict(4, "loss", 12),
    ]

    assert [sign_of(move) for move in moves] == ["+3", "=∞", "62%", "+", "−12"]
    assert best_outcome(moves) == "win"
    assert best_outcome(moves[2:3] + moves[4:]) == "open"


def test_a_picture_shows_estimates_in_their_cells() -> None:
    picture = svg(GameState.new(), values=[MoveEstimate(4, 0.4)])

    assert ">40%<" in picture
    assert "ttt-wash-open" in picture
