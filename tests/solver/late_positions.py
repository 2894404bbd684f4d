"""Random positions near the end of a game, for the comparison of solvers."""

from __future__ import annotations

import random

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules


def late_position(rules: Rules, empty: int, rng: random.Random) -> Position:
    """Return a position that is not over, with so many empty cells or a few more."""
    cells = rules.shape.cells
    while True:
        position = Position(turn=rng.randrange(2))
        for attempt in range(8 * cells):
            if cells - position.ply <= empty:
                return position
            child = rules.play(position, rng.choice(rules.moves(position)))
            if rules.outcome(child) is None:
                position = child
            elif attempt > 6 * cells and position.ply:
                return position


def late_positions(name_seed: str, rules: Rules, empty: int, count: int) -> list[Position]:
    """Return positions with up to so many empty cells, always the same for the same arguments."""
    rng = random.Random(name_seed)
    few = min(empty, rules.shape.cells)
    return [late_position(rules, rng.randint(max(1, few - 4), few), rng) for _ in range(count)]
