"""Where the m,n,k kernel sees that pairs are enough, the attacker never completes a line."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import pytest

from tests.solver.late_positions import as_lines, wrapping_words
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.solver.kernels.bits import U0
from tic_tac_toe.solver.kernels.control import ALPHA
from tic_tac_toe.solver.kernels.mnk import pairing
from tic_tac_toe.solver.kernels.mnk.kernel import MnkKernel
from tic_tac_toe.solver.kernels.mnk.search import fill_root

GAMES = ("mnk:4,3,3", "mnk:5,3,3", "mnk:4,4,4", "mnk:5,4,4")


class Attacker:
    """Says by plain search whether the attacker can complete a line if the other only blocks."""

    def __init__(self, rules: LineRules) -> None:
        self._rules = rules
        self.wins = lru_cache(maxsize=None)(self._wins)

    def _wins(self, own: int, other: int, to_move: bool) -> bool:
        if self._rules.has_line(own):
            return True
        empty = [1 << i for i in range(self._rules.shape.cells) if not (own | other) >> i & 1]
        if to_move:
            return any(self.wins(own | cell, other, False) for cell in empty)
        return bool(empty) and all(self.wins(own, other | cell, True) for cell in empty)


def positions(rules: LineRules, empty: int, count: int) -> Iterator[tuple[int, int]]:
    """Yield marks of an attacker, without a line, and of a defender."""
    rng = random.Random(f"pairs {rules.shape}")
    cells = rules.shape.cells
    while count:
        taken = rng.sample(range(cells), cells - empty)
        defended = rng.randint(len(taken) // 3, 2 * len(taken) // 3)
        other = sum(1 << cell for cell in taken[:defended])
        own = sum(1 << cell for cell in taken[defended:])
        if not rules.has_line(own):
            count -= 1
            yield own, other


def is_held(kernel: MnkKernel, own: int, other: int, to_move: bool) -> bool:
    """Return whether the kernel sees that the attacker is held, by pairs and potential."""
    worker, turn = kernel.worker(), 0 if to_move else 1
    worker.begin(Position((own, other) if to_move else (other, own)))
    worker.control[ALPHA] = -turn
    arrays = worker.frames, worker.numbers, kernel.shared
    left = np.int64(kernel.rules.shape.cells)
    fill_root(*arrays, kernel.game, worker.control, True, left)
    empty = kernel.game.board & ~np.uint64(own | other)
    held, _ = pairing.holds_by_pairs(worker.frames, U0, turn, True, empty, U0, kernel.game)
    return bool(held)


@pytest.mark.parametrize(
    ("name", "empty", "count"),
    [
        ("mnk:4,3,3", 7, 60),
        pytest.param("mnk:4,4,4", 8, 60, marks=pytest.mark.medium),
        *(pytest.param(name, 9, 100, marks=pytest.mark.slow) for name in GAMES),
    ],
)
def test_an_attacker_that_pairs_hold_wins_nothing(name: str, empty: int, count: int) -> None:
    rules = as_lines(name)
    attacker, kernel = Attacker(rules), MnkKernel(rules, 1 << 16, code=MnkKernel.plain)
    held = 0
    with wrapping_words():
        for own, other in positions(rules, empty, count):
            for to_move in (True, False):
                if is_held(kernel, own, other, to_move):
                    held += 1
                    assert not attacker.wins(own, other, to_move)
    assert held >= 10
