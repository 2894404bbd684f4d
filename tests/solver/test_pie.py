"""Games with the pie rule are solved through the games without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tic_tac_toe import GameState, find_rules
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.verdict import analyse_moves, find_verdict
from tic_tac_toe.solver import (
    Checkpoint,
    FastSolver,
    Limits,
    analyse,
    solve,
    solve_many,
    solve_outcome,
    verdict,
)

pytestmark = pytest.mark.once

NAMES = ["mnk:3,3,3,pie", "mnk:4,3,3,pie", "mnk:4,3,3,gravity,pie", "mnk:3,3,3,misere,pie"]
TORUS = "mnk:4,3,4,torus,pie"


def states(rules: Rules) -> list[GameState]:
    """Return the empty board, and boards before and after the second player's first move."""
    start = GameState.new(rules)
    found = [start]
    for move in start.legal_moves:
        after = start.make_move_to(move).after_state
        found += [after, *(after.make_move_to(reply).after_state for reply in after.legal_moves)]
    return [state for state in found if not state.game_over]


@pytest.mark.medium
@pytest.mark.parametrize("name", [*NAMES, TORUS])
def test_every_door_says_what_the_plain_search_of_the_whole_game_says(name: str) -> None:
    rules = find_rules(name)
    plain = AlphaBeta(rules)
    for state in states(rules)[:40:6]:
        position = state.position
        expected = find_verdict(rules, position, plain)
        for found in (verdict(state), solve(state)):
            assert (found.score, found.plies, found.best) == (
                expected.score,
                expected.plies,
                expected.best,
            )
        assert solve_outcome(state) == expected.outcome
        values = [(move.cell, move.outcome, move.plies) for move in analyse(state)]
        assert values == [
            (move.cell, move.outcome, move.plies) for move in analyse_moves(rules, position, plain)
        ]


def test_the_book_of_connect_four_tells_the_fair_columns() -> None:
    start = GameState.new(find_rules("connect-four,pie"))
    assert solve_outcome(start, Limits(node_limit=0)) == "draw"
    values = [(move.outcome, move.plies) for move in analyse(start, Limits(node_limit=0))]
    assert values[:4] == [("loss", 40), ("loss", 42), ("draw", 42), ("loss", 42)]
    outcomes = [
        solve_outcome(parse_moves(start, column), Limits(node_limit=0)) for column in "1234567"
    ]
    assert outcomes == ["win", "win", "draw", "win", "draw", "win", "win"]


@pytest.mark.parametrize("name", NAMES)
def test_the_kernels_refuse_the_pie_rule_in_a_sentence(name: str) -> None:
    rules = find_rules(name)
    for door in (FastSolver, lambda one: solve_many([GameState.new(one)])):
        with pytest.raises(InvalidVariant, match=r"^a kernel searches the game without the pie"):
            door(rules)


def test_a_checkpoint_of_a_game_with_the_pie_rule_is_one_of_the_game_without(
    tmp_path: Path,
) -> None:
    plain, pie = (GameState.new(find_rules(f"mnk:4,4,3,gravity{flag}")) for flag in ("", ",pie"))
    found = solve(pie, checkpoint=Checkpoint(str(tmp_path)))
    assert solve(plain, checkpoint=Checkpoint(str(tmp_path))).outcome == "win"
    assert found.outcome == "loss"
