"""Random positions near the end of a game, for the comparison of solvers."""

from __future__ import annotations

import random
from contextlib import AbstractContextManager

import numpy as np

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.search.exact import AlphaBeta
from tic_tac_toe.solver import FastSolver, Limits

#: One thread and a small table.
ALONE = Limits(threads=1, memory=4 << 20)


def late_position(rules: Rules, empty: int, rng: random.Random) -> Position:
    """Return a position that is not over, with `empty` empty cells or a few more."""
    cells = rules.shape.cells
    while True:
        position = Position(turn=rng.randrange(2))
        for attempt in range(8 * cells):
            if cells - position.marks <= empty:
                return position
            child = rules.play(position, rng.choice(rules.moves(position)))
            if rules.outcome(child) is None:
                position = child
            elif attempt > 6 * cells and position.marks:
                return position


def late_positions(name_seed: str, rules: Rules, empty: int, count: int) -> list[Position]:
    """Return positions with up to `empty` empty cells, always the same for the same arguments."""
    rng = random.Random(name_seed)
    few = min(empty, rules.shape.cells)
    return [late_position(rules, rng.randint(max(1, few - 4), few), rng) for _ in range(count)]


def disagreements(name: str, positions: list[Position]) -> list[Position]:
    """Return the positions on which the fast solver and the plain search do not agree."""
    rules = find_rules(name)
    fast, plain = FastSolver(rules, ALONE), AlphaBeta(rules)
    return [one for one in positions if fast.score(one) != plain.score(one)]


def as_lines(name: str) -> LineRules:
    """Return a game of lines by its name."""
    rules = find_rules(name)
    assert isinstance(rules, LineRules)
    return rules


def wrapping_words() -> AbstractContextManager[object]:
    """Let words wrap around silently in plain Python, as they do in machine code."""
    return np.errstate(over="ignore")
