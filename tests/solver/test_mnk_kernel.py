"""The kernel for m,n,k games is exact, and what it sees without a search holds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import pytest

from tests import oracles
from tests.solver.late_positions import ALONE, as_lines, late_positions, wrapping_words
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.table import solve_table
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.solver import FastSolver, Limits, solve_outcome
from tic_tac_toe.solver.kernels.bits import U0
from tic_tac_toe.solver.kernels.control import ALPHA, FINISHED, HIGH, LOW, NODES, TABLE_BITS
from tic_tac_toe.solver.kernels.kernel import Worker
from tic_tac_toe.solver.kernels.mnk import pairing
from tic_tac_toe.solver.kernels.mnk.board import key_of
from tic_tac_toe.solver.kernels.mnk.kernel import MnkKernel
from tic_tac_toe.solver.kernels.mnk.search import fill_root
from tic_tac_toe.solver.kernels.wide_table import MULTIPLIERS, mixed
from tic_tac_toe.solver.scale import Scale

KNOWN = oracles.published()


@pytest.mark.medium
@pytest.mark.parametrize("starter", [0, 1])
def test_the_kernel_knows_every_position_of_the_classic_game(starter: int) -> None:
    table = solve_table(TIC_TAC_TOE, Position(turn=starter))
    positions = [position for position, entry in table.items() if entry[1]]
    kernel = MnkKernel(TIC_TAC_TOE, 1 << 20)
    lows, highs = np.full(len(positions), -40), np.full(len(positions), 40)
    assert kernel.batch(positions, lows, highs).narrow(1 << 60) == FINISHED
    assert (lows == highs).all()
    for position, marks in zip(positions, lows):
        assert Scale.of(TIC_TAC_TOE, position).to_score(int(marks)) == table[position][0]


@pytest.mark.medium
@pytest.mark.parametrize(
    ("size", "value"),
    [item for item in KNOWN["mnk_values_strong_game"].items() if item[0] != "note"],
)
def test_a_game_has_its_published_value(size: str, value: str) -> None:
    assert solve_outcome(GameState.new(find_rules(f"mnk:{size}"))) == value


@pytest.mark.medium
@pytest.mark.parametrize(
    ("size", "nodes"), [("6,6,5", 100), ("7,4,4", 50_000), ("7,6,5", 2_000), ("7,7,5", 200_000)]
)
def test_a_drawn_game_takes_few_nodes(size: str, nodes: int) -> None:
    fast = FastSolver(find_rules(f"mnk:{size}"), ALONE)
    assert not fast.reaches(Position(), 1)
    assert fast.nodes < nodes


@pytest.mark.medium
def test_the_7_7_5_game_is_a_draw() -> None:
    fast = FastSolver(find_rules("mnk:7,7,5"), Limits(threads=1, memory=256 << 20))
    assert fast.score(Position()) == 0


@pytest.mark.medium
def test_the_second_player_cannot_win_from_the_empty_board() -> None:
    for name in ("mnk:3,3,3", "mnk:5,5,4", "mnk:8,8,6", "mnk:26,1,5"):
        kernel = MnkKernel(as_lines(name), 1 << 20)
        assert begun(kernel.worker(), Position()).control[LOW] >= 0


def begun(worker: Worker, position: Position) -> Worker:
    """Return the worker, set to find the exact score of a position."""
    worker.control[LOW], worker.control[HIGH] = -40, 40
    worker.begin(position)
    return worker


@pytest.mark.medium
def test_a_search_that_is_stopped_at_every_node_does_what_one_does_that_is_not() -> None:
    rules = as_lines("mnk:5,5,4")
    for position in late_positions("stopped", rules, 11, 10):
        whole = begun(MnkKernel(rules, 1 << 20).worker(), position)
        assert whole.narrow(1 << 60) == FINISHED
        stopped = begun(MnkKernel(rules, 1 << 20).worker(), position)
        while stopped.narrow(int(stopped.control[NODES]) + 1) != FINISHED:
            pass
        assert (stopped.control[[LOW, HIGH, NODES]] == whole.control[[LOW, HIGH, NODES]]).all()


@pytest.mark.medium
def test_a_search_goes_on_from_its_arrays_in_another_process() -> None:
    rules = as_lines("mnk:6,5,4")
    whole = begun(MnkKernel(rules, 1 << 20).worker(), Position())
    whole.narrow(1 << 60)
    first = begun(MnkKernel(rules, 1 << 20).worker(), Position())
    first.narrow(900)
    second = MnkKernel(rules, 1 << 20).worker()
    for name, array in second.arrays().items():
        array[:] = first.arrays()[name]
    second.kernel.table[:] = first.kernel.table
    assert second.narrow(1 << 60) == FINISHED
    assert (second.control[[LOW, HIGH, NODES]] == whole.control[[LOW, HIGH, NODES]]).all()


@pytest.mark.medium
def test_workers_that_share_a_table_prove_the_same_by_different_ways() -> None:
    kernel = MnkKernel(as_lines("mnk:5,5,4"), 4 << 20)
    workers = [begun(kernel.worker(variation), Position()) for variation in range(3)]
    workers[1].control[NODES] = 1 << 30
    kernel.gather(workers)
    workers[1].control[NODES] = 0
    assert {int(worker.control[TABLE_BITS]) for worker in workers} == {kernel.last_bits}
    assert kernel.words_in_use(workers[1]) == kernel.table.size
    counts = []
    for variation in range(3):
        alone = begun(MnkKernel(kernel.rules, 4 << 20).worker(variation), Position())
        assert alone.narrow(1 << 60) == FINISHED
        counts.append(int(alone.control[NODES]))
        for other in workers:
            other.narrow(int(other.control[NODES]) + 50_000)
    assert len(set(counts)) == 3
    for worker in workers:
        assert worker.narrow(1 << 60) == FINISHED
        assert worker.control[LOW] == worker.control[HIGH] == 0


@pytest.mark.medium
def test_keys_of_different_positions_are_different() -> None:
    kernel = MnkKernel(as_lines("mnk:3,2,2"), 1 << 20)
    keys = set()
    with np.errstate(over="ignore"):
        for cells, disjoint in ((6, False), (40, False), (64, True)):
            game = kernel.game._replace(cells=np.uint64(cells))
            rng = random.Random(cells)
            boards: set[tuple[int, int, int]] = set()
            while len(boards) < 1500:
                first, second = rng.getrandbits(cells), rng.getrandbits(cells)
                first &= rng.getrandbits(cells) | rng.getrandbits(cells)
                boards.add((first, second & ~first if disjoint else second, rng.randrange(4)))
            for first, second, flags in boards:
                own, other, flag = map(np.uint64, (first, second, flags))
                low, high = key_of(own, other, flag, game, kernel.shared)
                assert int(high) < 1 << 46
                one, two = map(int, mixed(low, high))
                keys.add((cells, one, two))
                assert two < 1 << 46
    assert len(keys) == 4500


def test_mixing_a_key_can_be_undone() -> None:
    mask = (1 << 64) - 1
    first, second, third = (int(word) for word in MULTIPLIERS)
    rng = random.Random(1)
    for _ in range(300):
        low, high = rng.getrandbits(64), rng.getrandbits(46)
        with np.errstate(over="ignore"):
            one, two = map(int, mixed(np.uint64(low), np.uint64(high)))
        one = (one ^ one >> 32) * pow(first, -1, 1 << 64) & mask
        one ^= two * second & mask
        two ^= (one * third & mask) >> 18
        one = (one ^ one >> 32) * pow(second, -1, 1 << 64) & mask
        one ^= two * first & mask
        assert (one, two) == (low, high)


@pytest.mark.medium
@pytest.mark.parametrize(
    ("size", "stones", "turn"),
    [
        pytest.param((4, 4, 4), (43153, 17166), 1, id="a potential of exactly one"),
        pytest.param((6, 4, 4), (2236676, 8982536), 0, id="the refuting cell is tried, too"),
        pytest.param((4, 4, 3), (16384, 136), 0, id="a zone with its counter-attacks"),
    ],
)
def test_positions_in_which_a_proof_is_easily_wrong_have_the_plain_score(
    size: tuple[int, int, int], stones: tuple[int, int], turn: int
) -> None:
    columns, rows, length = size
    rules, position = LineRules(Shape(rows, columns), length), Position(stones, turn)
    with wrapping_words():
        plain = MnkKernel(rules, 1 << 16, code=MnkKernel.plain)
        for kernel in (plain, MnkKernel(rules, 1 << 16)):
            worker = begun(kernel.worker(), position)
            assert worker.narrow(1 << 60) == FINISHED
            score = Scale.of(rules, position).to_score(int(worker.control[LOW]))
            assert score == AlphaBeta(rules).score(position)


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
        *(
            pytest.param(f"mnk:{size}", 9, 100, marks=pytest.mark.slow)
            for size in ("4,3,3", "5,3,3", "4,4,4")
        ),
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
