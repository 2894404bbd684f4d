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
from tic_tac_toe.solver.kernels.bits import U0, U1
from tic_tac_toe.solver.kernels.control import ALPHA
from tic_tac_toe.solver.kernels.inlining import Word, Words
from tic_tac_toe.solver.kernels.mnk import pairing
from tic_tac_toe.solver.kernels.mnk.board import FREE, WHOLE, Game
from tic_tac_toe.solver.kernels.mnk.kernel import MnkKernel
from tic_tac_toe.solver.kernels.mnk.search import fill_root

GAMES = ("mnk:4,3,3", "mnk:5,3,3", "mnk:4,4,4", "mnk:5,4,4")
#: The searches that say who wins take all positions of this number of empty cells.
EMPTY_CELLS = 9


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


def positions(rules: LineRules, count: int) -> Iterator[tuple[int, int]]:
    """Yield marks of an attacker, without a line, and of a defender."""
    rng = random.Random(f"pairs {rules.shape}")
    cells = rules.shape.cells
    while count:
        taken = rng.sample(range(cells), cells - EMPTY_CELLS)
        defended = rng.randint(len(taken) // 3, 2 * len(taken) // 3)
        other = sum(1 << cell for cell in taken[:defended])
        own = sum(1 << cell for cell in taken[defended:])
        if not rules.has_line(own):
            count -= 1
            yield own, other


def is_held(rules: LineRules, own: int, other: int, to_move: bool) -> bool:
    """Return whether the kernel sees that the attacker is held, by pairs and potential."""
    kernel = MnkKernel(rules, 1 << 16, code=MnkKernel.plain)
    worker, turn = kernel.worker(), 0 if to_move else 1
    worker.begin(Position((own, other) if to_move else (other, own)))
    worker.control[ALPHA] = -turn
    arrays = worker.frames, worker.numbers, kernel.shared
    left = np.int64(rules.shape.cells)
    fill_root(*arrays, kernel.game, worker.control, True, left)
    empty = kernel.game.board & ~np.uint64(own | other)
    held, _ = pairing.holds_by_pairs(worker.frames, U0, turn, True, empty, U0, kernel.game)
    return bool(held)


def faults(name: str) -> tuple[int, int]:
    """Return in how many of some positions the attacker is said to be held, and is not."""
    rules = as_lines(name)
    attacker, said, wrong = Attacker(rules), 0, 0
    with wrapping_words():
        for own, other in positions(rules, 100):
            for to_move in (True, False):
                if is_held(rules, own, other, to_move):
                    said += 1
                    wrong += attacker.wins(own, other, to_move)
    return said, wrong


@pytest.mark.parametrize("name", GAMES)
def test_an_attacker_that_pairs_hold_wins_nothing(name: str) -> None:
    said, wrong = faults(name)
    assert said >= 10
    assert wrong == 0


def drop_touched(frames: Words, count: Word, pair: Word, game: Game) -> Word:
    """Take a line to hold a pair where it has one of its cells."""
    free, whole, kept = game.scratch + FREE, game.scratch + WHOLE, U0
    for index in range(count):
        frames[free + kept] = frames[free + index]
        frames[whole + kept] = frames[whole + index]
        kept += U1 if pair & frames[free + index] == U0 else U0
    return kept


def keep_cells(frames: Words, count: Word, pair: Word, game: Game) -> Word:
    """Leave the cells of a pair to other lines as well."""
    free, whole, kept = game.scratch + FREE, game.scratch + WHOLE, U0
    for index in range(count):
        line = frames[free + index]
        frames[free + kept], frames[whole + kept] = line, frames[whole + index]
        kept += U1 if pair & ~line != U0 else U0
    return kept


@pytest.mark.parametrize("broken", [drop_touched, keep_cells])
def test_pairs_that_do_not_hold_are_found_out(
    broken: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "take_pair", broken)
    assert any(wrong for _, wrong in map(faults, GAMES))
