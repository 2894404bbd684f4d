"""No engine for large boards misses a forced move of 2,000 positions, which hold what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

import pytest

from tests.forced_wins import Puzzle, is_won, puzzles, stops_in_one, wins_in_one
from tic_tac_toe.engines.engine import Engine
from tic_tac_toe.engines.lines.engine import CompiledLines
from tic_tac_toe.engines.plain_lines import PlainLines
from tic_tac_toe.game.strategies import HARD_LIMITS
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.search.threats import win_by_fours
from tic_tac_toe.solver.choice import KEEP_PART, SOLVE_PART, stage
from tools import forced_positions

Maker: TypeAlias = Callable[[Rules], Engine]

LIMITS = stage(HARD_LIMITS, SOLVE_PART + KEEP_PART, 1.0)
#: No time at all: what is known before any search.
AT_ONCE = Limits(work=0.0, cancelled=lambda: True)


def plain(rules: Rules) -> Engine:
    assert isinstance(rules, LineRules)
    return PlainLines(rules)


def compiled(rules: Rules) -> Engine:
    assert isinstance(rules, LineRules)
    return CompiledLines(rules)


def check(make: Maker, chosen: Sequence[Puzzle], limits: Limits = LIMITS) -> None:
    missed = [
        (puzzle.line, best)
        for puzzle in chosen
        for best in make(puzzle.rules).think(puzzle.position, limits, Random(0)).best
        if best not in puzzle.answers
    ]
    assert not missed


def allows_a_win_by_one_four(rules: Rules, position: Position) -> bool:
    """Return whether the side to move can threaten a win that nothing stops, by the rules alone."""
    for move in rules.moves(position):
        after = rules.play(position, move)
        is_four = wins_in_one(rules, after._replace(turn=position.turn))
        if is_four and not wins_in_one(rules, after) and not stops_in_one(rules, after):
            return True
    return False


@pytest.mark.medium
@pytest.mark.parametrize("engine", [plain, compiled])
@pytest.mark.parametrize("number", range(0, 2000, 250))
def test_no_forced_move_of_a_sample_is_missed(engine: Maker, number: int) -> None:
    check(engine, puzzles()[number : number + 1])


@pytest.mark.slow
@pytest.mark.parametrize("engine", [plain, compiled])
@pytest.mark.parametrize("number", range(0, 2000, 100))
def test_no_forced_move_is_missed(engine: Maker, number: int) -> None:
    check(engine, puzzles()[number : number + 100])


@pytest.mark.medium
@pytest.mark.parametrize("engine", [plain, compiled])
def test_wins_fives_and_open_threes_are_seen_without_any_time(engine: Maker) -> None:
    check(engine, [one for one in puzzles()[::25] if one.kind != "fours"], AT_ONCE)


@pytest.mark.medium
@pytest.mark.parametrize("engine", [plain, compiled])
@pytest.mark.parametrize(
    ("variant", "crosses", "naughts", "turn"),
    [
        # Another move looks better by its place, and lets the other side make an open four.
        (
            "gomoku",
            0x1_8000_0001_0006_0000_0012_0022_0000_0000_0000_0000_0000_0000,
            0x2_0802_0000_0010_8020_0000_0044_0000_0000_0000_0000_0000_0000,
            1,
        ),
        (
            "gomoku",
            0x2000_B000_0003_2802_0000_4000_4000_0000_0000_0000_0000_0000_0000,
            0x4800_4000_A400_5004_0000_0003_0000_0000_0000_0000_0000_0000_0000,
            0,
        ),
        (
            "gomoku-caro",
            0x7_0008_0004_000A_0040_0000_0000_0000_0000_0000_0000,
            0x1000_9000_0002_0021_8000_0000_0000_0000_0000_0000_0000,
            1,
        ),
    ],
)
def test_what_stops_an_open_three_comes_before_what_looks_best(
    engine: Maker, variant: str, crosses: int, naughts: int, turn: int
) -> None:
    rules, position = VARIANTS[variant], Position((crosses, naughts), turn)
    (move,) = engine(rules).think(position, AT_ONCE, Random(0)).best
    assert not allows_a_win_by_one_four(rules, rules.play(position, move))


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
