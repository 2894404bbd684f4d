"""Hints say what is proved, and else what an engine takes for best."""

from __future__ import annotations

from itertools import count

from tic_tac_toe.game.effort import Effort, effort_lasting
from tic_tac_toe.game.moments import find_hint, prove_in_a_moment
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.search.scores import MATE


def test_a_win_by_fours_is_shown_with_all_its_moves() -> None:
    state = parse_moves(GameState.new(VARIANTS["gomoku"]), "H8 A1 H9 A2 H10 A3")
    hint = find_hint(state, Effort(think_seconds=0.05))
    assert (hint.proof, hint.score, len(hint.line)) == ("fours", MATE - 3, 3)
    assert hint.best == hint.line[:1]


def test_best_moves_that_were_found_before_the_effort_ended_are_kept() -> None:
    state = GameState.new(find_rules("mnk:4,4,4,misere"))
    effort = Effort(solve_seconds=0.45)
    proved = prove_in_a_moment(state, effort)
    assert (proved.solved, proved.score) == (None, 0)
    assert 0 < len(proved.kept) < 16
    assert find_hint(state, effort)[:2] == (proved.kept, 0)


def test_a_clock_ends_solving_and_thinking() -> None:
    ticks = count()
    effort = effort_lasting(6, lambda: float(next(ticks)))
    hint = find_hint(GameState.new(VARIANTS["5x5x4"]), effort)
    assert hint.score is None
    assert hint.best
    solving = parse_moves(GameState.new(VARIANTS["4x4"]), "A1")
    assert prove_in_a_moment(solving, effort).solved is None


def test_an_engine_chooses_among_the_moves_that_keep_what_is_foretold() -> None:
    state = GameState.new(VARIANTS["notakto-5"])
    effort = Effort(solve_seconds=0.001, think_seconds=0.01)
    kept = prove_in_a_moment(state, effort).kept
    assert set(find_hint(state, effort).best) <= set(kept)
