"""The computer players use the fast solver where it is installed, and do without elsewhere."""

from __future__ import annotations

import random
import sys

import pytest

from tic_tac_toe import solver as fast_solver
from tic_tac_toe.game import moments
from tic_tac_toe.game.moments import perfect_moves, solve_in_a_moment
from tic_tac_toe.game.strategies import caveat, minimax
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, VARIANTS
from tic_tac_toe.logic.search.scores import MATE

START = GameState.new(CONNECT_FOUR)


@pytest.fixture
def little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the fast solver few nodes, and more seconds than it can use."""
    for name, value in (
        ("FAST_NODES", 20_000),
        ("KEEP_NODES", 400_000),
        ("FAST_SECONDS", 300.0),
        ("KEEP_SECONDS", 300.0),
        ("LOOKAHEAD_NODES", 500),
    ):
        monkeypatch.setattr(moments, name, value)


@pytest.fixture
def not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)


def test_connect_four_is_solved_long_before_its_end() -> None:
    state = parse_moves(START, "4444443265")
    verdict = fast_solver.solve(state)  # first, for the moment has no time to compile in
    solved = solve_in_a_moment(state)
    assert solved is not None
    assert solved.best == verdict.best == perfect_moves(state)


def test_the_book_answers_the_first_move_at_once(little_time: None) -> None:
    solved = solve_in_a_moment(START)
    assert solved == (MATE - 41, (38,))
    move = minimax(START, random.Random(1))
    assert move is not None
    assert move.cell_index == 38


def test_a_win_that_is_proved_is_kept_where_there_is_no_time_to_find_the_shortest(
    little_time: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unsure(fast_solver.FastSolver):
        """A solver that finds out who wins, but never how soon."""

        def score(self, position: Position) -> int:
            won = self.reaches(position, 1)
            raise SearchLimitReached("too little time", bounds=(1 if won else -MATE, MATE))

    monkeypatch.setattr(moments, "FAST_NODES", 3_000_000)
    monkeypatch.setattr(fast_solver, "FastSolver", Unsure)
    for moves in ("44444432656", "4444443262"):
        state = parse_moves(START, moves)
        if fast_solver.solve_outcome(state) != "win":
            continue
        move = minimax(state)
        assert move is not None
        assert fast_solver.solve_outcome(move.after_state) == "loss"
        return
    pytest.fail("none of the positions is won")


def test_without_time_minimax_looks_ahead_and_still_moves(
    little_time: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moments, "FAST_NODES", 10)
    monkeypatch.setattr(moments, "KEEP_NODES", 10)
    state = parse_moves(START, "4455")
    move = minimax(parse_moves(START, "44"))
    assert move is not None
    won = minimax(state)
    assert won is not None
    assert won.cell_index in fast_solver.solve(state).best


def test_without_the_fast_solver_everything_works_and_says_what_would_make_it_faster(
    not_installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moments, "LOOKAHEAD_NODES", 300)
    sentence = caveat("minimax", CONNECT_FOUR)
    assert sentence is not None
    assert sentence.endswith("With “pip install numba” it solves much more.")
    gomoku = caveat("minimax", VARIANTS["gomoku"])
    assert gomoku is not None
    assert "pip" not in gomoku
    assert minimax(START, random.Random(1)) is not None
    assert perfect_moves(START) is None


def test_with_it_the_caveat_tells_of_seconds() -> None:
    assert caveat("minimax", CONNECT_FOUR) == (
        "minimax plays perfectly what it can solve in a few seconds, "
        "and looks some moves ahead until then."
    )
    assert caveat("random", CONNECT_FOUR) is None
