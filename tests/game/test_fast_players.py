"""The computer players use the fast solver where it is installed, and do without elsewhere."""

from __future__ import annotations

import random
import sys
from itertools import chain, repeat

import pytest

from tests.logic.played_games import after
from tic_tac_toe import solver as fast_solver
from tic_tac_toe.engines.choice import CODE_VARIABLE, prepare
from tic_tac_toe.game.evaluate import caveat, evaluate, evaluate_moves, review
from tic_tac_toe.game.strategies import minimax
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import move_name, parse_moves, play_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, VARIANTS, find_rules
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.pictures.board import sign_of

START = GameState.new(CONNECT_FOUR)
#: Few nodes for the fast solver, and no book.
LITTLE = Limits(work=0.01)


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CODE_VARIABLE)
    prepare(CONNECT_FOUR)


@pytest.mark.parametrize(
    ("moves", "columns", "sign"),
    [
        *[("", "4", "+21"), ("44444", "4", "−18"), ("1234567", "2", "+17"), ("4455", "36", "+2")],
        ("44444333533157", "5", "+13"),
    ],
)
def test_a_hint_in_connect_four_is_exact_and_a_best_move(
    moves: str, columns: str, sign: str
) -> None:
    state = play_moves(START, moves)
    hint, values = evaluate(state), evaluate_moves(state)
    best = [move for move in values if move_name(state, move.move) in columns]
    assert move_name(state, hint.best[0]) == columns[0]
    assert all(move.evaluation.is_exact for move in values)
    assert {sign_of(move) for move in best} == {sign}
    assert hint.score == max(move.evaluation.score or -MATE for move in values)


def test_minimax_keeps_a_win_in_33_whatever_the_dice() -> None:
    state = GameState.at(CONNECT_FOUR, Position((3367254360064, 139049566208)))
    moves = [minimax(state, random.Random(seed)) for seed in range(3)]
    assert [move and move.number for move in moves] == [23, 23, 23]


@pytest.mark.medium
def test_a_game_of_connect_four_is_judged_exactly_from_its_first_move_to_its_last() -> None:
    numbers = [move.number for move in parse_moves(START, "4 4 4 4 4 3 3 3 5 3 3 1 5 7 2 2")]
    reviewed = [*review(START, numbers)][::-1]
    assert all(move.before.is_exact and move.after.is_exact for move in reviewed)
    turning_points = {
        ply: [move_name(move.state, number) for number in move.better]
        for ply, move in enumerate(reviewed, 1)
        if move.fault is not None
    }
    assert turning_points == {9: ["3"], 14: ["2", "6"], 15: ["5"]}


@pytest.mark.slow
def test_connect_four_is_solved_long_before_its_end() -> None:
    state = play_moves(START, "4444443265")
    found, exact = evaluate(state, full=True), fast_solver.solve(state)
    assert (found.score, found.best, found.line) == (exact.score, exact.best, exact.line)


def test_the_book_answers_the_first_move_at_once() -> None:
    found = evaluate(START)
    assert (found.score, found.best, found.source) == (MATE - 41, (38,), "book")
    assert minimax(START, random.Random(1)) == START.make_move_to(38)


def test_a_win_that_is_proved_is_kept_where_there_is_no_time_to_find_the_shortest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Unsure(fast_solver.FastSolver):
        """A solver that finds out who wins, but never how soon."""

        def score(self, position: Position) -> int:
            won = self.reaches(position, 1)
            raise SearchLimitReached("too little time", bounds=(1 if won else -MATE, MATE))

    monkeypatch.setattr(fast_solver, "FastSolver", Unsure)
    state = play_moves(START, "44444432656")
    assert fast_solver.solve_outcome(state) == "win"
    move = minimax(state, limits=Limits(work=0.99))
    assert move is not None
    assert fast_solver.solve_outcome(move.after_state) == "loss"


def test_however_early_a_search_is_ended_the_best_move_keeps_what_it_has_proved() -> None:
    state = GameState.at(find_rules("connect-four-5x4"), Position((608288, 169472)))
    prepare(state.rules)
    scores = {move.move: move.evaluation.score or 0 for move in fast_solver.analyse(state)}
    for last in range(30):
        over = chain(repeat(False, last), repeat(True))
        found = evaluate(state, Limits(work=1.0, cancelled=over.__next__))
        assert all(scores[move] >= found.low for move in found.best)


def test_with_little_work_minimax_looks_ahead_and_still_moves() -> None:
    state = play_moves(START, "4455")
    assert minimax(play_moves(START, "44"), limits=LITTLE) is not None
    won = minimax(state, limits=LITTLE)
    assert won is not None
    assert won.cell_index in fast_solver.solve(state).best


def test_without_the_fast_solver_everything_works_and_says_what_would_make_it_faster(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    sentence = caveat("minimax", CONNECT_FOUR)
    assert sentence is not None
    assert str(sentence).endswith('With “pip install "./library[fast]"” it solves much more.')
    gomoku = caveat("minimax", VARIANTS["gomoku"])
    assert gomoku is not None
    assert "pip" not in str(gomoku)
    assert minimax(START, random.Random(1), limits=LITTLE) is not None
    assert not evaluate(after("connect-four", "121156665"), LITTLE).is_exact


def test_with_it_there_is_no_caveat_where_there_is_a_book_and_else_it_looks_ahead() -> None:
    assert caveat("minimax", CONNECT_FOUR) is None
    assert str(caveat("minimax", find_rules("mnk:8,7,4,gravity"))) == (
        "On this board minimax looks some moves ahead until it can solve the rest of the game."
    )
    assert caveat("random", CONNECT_FOUR) is None
