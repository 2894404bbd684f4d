"""The computer players use the fast solver where it is installed, and do without elsewhere."""

from __future__ import annotations

import random
import sys
from dataclasses import replace

import pytest

from tic_tac_toe import solver as fast_solver
from tic_tac_toe.engines.preparing import CODE_VARIABLE, prepare
from tic_tac_toe.game.effort import Effort
from tic_tac_toe.game.moments import perfect_moves, solve_in_a_moment
from tic_tac_toe.game.solvability import caveat
from tic_tac_toe.game.strategies import minimax
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, VARIANTS
from tic_tac_toe.logic.search.scores import MATE

START = GameState.new(CONNECT_FOUR)
#: Few nodes for the fast solver.
LITTLE = Effort(solve_seconds=0.004, keep_seconds=0.08, think_seconds=0.03)


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CODE_VARIABLE)
    prepare(CONNECT_FOUR)


@pytest.mark.slow
def test_connect_four_is_solved_long_before_its_end() -> None:
    state = parse_moves(START, "4444443265")
    verdict = fast_solver.solve(state)  # first, for the moment has no time to compile in
    solved = solve_in_a_moment(state)
    assert solved is not None
    assert solved.best == verdict.best == perfect_moves(state)


def test_the_book_answers_the_first_move_at_once() -> None:
    assert solve_in_a_moment(START, LITTLE) == (MATE - 41, (38,))
    assert minimax(START, random.Random(1), effort=LITTLE) == START.make_move_to(38)


def test_a_win_that_is_proved_is_kept_where_there_is_no_time_to_find_the_shortest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Unsure(fast_solver.FastSolver):
        """A solver that finds out who wins, but never how soon."""

        def score(self, position: Position) -> int:
            won = self.reaches(position, 1)
            raise SearchLimitReached("too little time", bounds=(1 if won else -MATE, MATE))

    monkeypatch.setattr(fast_solver, "FastSolver", Unsure)
    state = parse_moves(START, "44444432656")
    assert fast_solver.solve_outcome(state) == "win"
    move = minimax(state, effort=replace(LITTLE, solve_seconds=0.6))
    assert move is not None
    assert fast_solver.solve_outcome(move.after_state) == "loss"


@pytest.mark.slow
def test_without_time_minimax_looks_ahead_and_still_moves() -> None:
    effort = replace(LITTLE, solve_seconds=2e-6, keep_seconds=2e-6)
    state = parse_moves(START, "4455")
    assert minimax(parse_moves(START, "44"), effort=effort) is not None
    won = minimax(state, effort=effort)
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
    assert minimax(START, random.Random(1), effort=LITTLE) is not None
    assert perfect_moves(parse_moves(START, "121156665"), LITTLE) is None


def test_with_it_the_caveat_tells_that_it_looks_ahead() -> None:
    assert str(caveat("minimax", CONNECT_FOUR)) == (
        "On this board minimax looks some moves ahead until it can solve the rest of the game."
    )
    assert caveat("random", CONNECT_FOUR) is None
