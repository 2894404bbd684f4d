"""The positions with forced moves are what their file says."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.forced_wins import Puzzle, is_won, puzzles, stops_in_one, wins_in_one
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.threats import win_by_fours
from tools import forced_positions


def test_there_are_two_thousand_different_positions() -> None:
    found = puzzles()
    assert Counter(puzzle.kind for puzzle in found) == dict.fromkeys(forced_positions.KINDS, 500)
    assert len({(puzzle.variant, puzzle.position) for puzzle in found}) == 2000
    assert all(puzzle.answers for puzzle in found)


def _first(rules: Rules, position: Position) -> int | None:
    win = win_by_fours(rules, position)
    return win.line[0] if win else None


@pytest.mark.slow
@pytest.mark.parametrize("number", range(16))
def test_the_answers_of_a_sample_are_proved_by_the_rules_alone(number: int) -> None:
    for puzzle in puzzles()[number::167]:
        _prove(puzzle)


def _prove(puzzle: Puzzle) -> None:
    rules, position = puzzle.rules, puzzle.position
    if puzzle.kind == "win":
        assert list(puzzle.answers) == wins_in_one(rules, position)
    elif puzzle.kind == "four":
        assert list(puzzle.answers) == stops_in_one(rules, position)
    elif puzzle.kind == "fours":
        assert is_won(rules, position, 9, _first)
    else:
        for move in set(rules.moves(position)) - set(puzzle.answers):
            here = rules.play(position, move)
            win = win_by_fours(rules, here)
            assert win is not None
            # Losing moves are many and much alike.
            assert move % 10 or is_won(rules, here, win.plies, _first)
