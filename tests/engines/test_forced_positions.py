"""No engine for large boards misses a forced move of 2,000 positions, as quick as `hard` plays."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import pytest

from tests.forced_wins import puzzles
from tic_tac_toe.engines.lines.engine import CompiledLines
from tic_tac_toe.engines.plain_lines import PlainLines
from tic_tac_toe.engines.thought import Budget, Engine
from tic_tac_toe.game.strategies import HARD_EFFORT
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules

Maker: TypeAlias = Callable[[Rules], Engine]

BUDGET = Budget(HARD_EFFORT.think_seconds)


def plain(rules: Rules) -> Engine:
    assert isinstance(rules, LineRules)
    return PlainLines(rules)


def compiled(rules: Rules) -> Engine:
    assert isinstance(rules, LineRules)
    return CompiledLines(rules)


def check(make: Maker, first: int, end: int) -> None:
    missed = [
        (puzzle.line, best)
        for puzzle in puzzles()[first:end]
        for best in make(puzzle.rules).think(puzzle.position, BUDGET, Random(0)).best
        if best not in puzzle.answers
    ]
    assert not missed


@pytest.mark.parametrize("engine", [plain, compiled])
@pytest.mark.parametrize("number", range(0, 2000, 250))
def test_no_forced_move_of_a_sample_is_missed(engine: Maker, number: int) -> None:
    check(engine, number, number + 1)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [plain, compiled])
@pytest.mark.parametrize("number", range(0, 2000, 100))
def test_no_forced_move_is_missed(engine: Maker, number: int) -> None:
    check(engine, number, number + 100)
