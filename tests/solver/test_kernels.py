"""The compiled kernels agree with the plain search, with published scores, and with themselves.

What the kernel for m,n,k games sees without a search holds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import oracles
from tests.solver.late_positions import (
    ALONE,
    as_lines,
    disagreements,
    late_positions,
    wrapping_words,
)
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.search.exact import AlphaBeta, analyse_moves, find_verdict
from tic_tac_toe.logic.search.tables import solve_table
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.solver import FastSolver, Limits, solve_many, solve_outcome
from tic_tac_toe.solver.kernel import (
    ConnectFourKernel,
    GravityKernel,
    Kernel,
    MisereKernel,
    MnkKernel,
    Worker,
    kernel_for,
)
from tic_tac_toe.solver.kernels.bits import U0
from tic_tac_toe.solver.kernels.control import ALPHA, FINISHED, HIGH, LOW, NEVER, NODES, TABLE_BITS
from tic_tac_toe.solver.kernels.mnk.board import holds_by_pairs, key_of
from tic_tac_toe.solver.kernels.mnk.search import fill_root
from tic_tac_toe.solver.kernels.wide_table import MULTIPLIERS, mixed
from tic_tac_toe.solver.support import Scale

DATA = Path(__file__).parents[1] / "data"
FACTS = Path(__file__).parents[3] / "shared" / "facts" / "connect-four"
MEMORY = 4 << 20
KNOWN = oracles.published()

#: Each kind of game with the number of empty cells from which the plain search is quick.
GRAVITY = {
    "mnk:7,6,4,gravity": 9,
    "mnk:8,7,4,gravity": 8,
    "mnk:6,9,4,gravity": 8,
    "mnk:4,4,4,gravity": 9,
    "mnk:5,5,4,gravity": 9,
    "mnk:4,4,3,gravity": 8,
    "mnk:3,7,3,gravity": 9,
    "mnk:10,3,3,gravity": 8,
    "mnk:5,3,4,gravity": 9,
    "mnk:6,5,5,gravity": 9,
    "mnk:8,7,6,gravity": 8,
    "mnk:3,9,4,gravity": 9,
    "mnk:2,5,2,gravity": 8,
    "mnk:4,3,2,gravity": 10,
    "mnk:1,5,3,gravity": 5,
    "mnk:26,1,5,gravity": 8,
}
MISERE = {
    "mnk:3,3,3,misere": 9,
    "mnk:4,4,3,misere": 8,
    "mnk:5,4,3,misere": 8,
    "mnk:8,8,4,misere": 7,
    "mnk:8,8,5,misere": 7,
    "mnk:7,7,5,misere": 7,
    "mnk:7,6,4,gravity,misere": 9,
    "mnk:5,5,4,gravity,misere": 9,
    "mnk:8,8,4,gravity,misere": 8,
    "mnk:4,3,2,misere": 10,
    "mnk:2,3,3,gravity,misere": 6,
    "mnk:1,6,3,misere": 6,
}
LINES = {
    "mnk:3,3,3": 9,
    "mnk:3,3,2": 9,
    "mnk:4,3,3": 9,
    "mnk:4,4,3": 9,
    "mnk:4,4,4": 9,
    "mnk:5,4,4": 9,
    "mnk:5,5,3": 8,
    "mnk:5,5,4": 9,
    "mnk:5,5,5": 9,
    "mnk:6,5,4": 8,
    "mnk:6,6,5": 8,
    "mnk:7,7,5": 8,
    "mnk:9,6,5": 8,
    "mnk:11,5,4": 8,
    "mnk:8,7,5": 8,
    "mnk:8,8,4": 8,
    "mnk:8,8,5": 8,
    "mnk:8,8,6": 8,
    "mnk:16,4,4": 8,
    "mnk:2,8,3": 9,
    "mnk:4,2,4": 8,
    "mnk:3,7,5": 8,
    "mnk:1,9,3": 9,
    "mnk:12,1,3": 9,
    "mnk:26,2,4": 8,
    "mnk:26,1,5": 8,
    "mnk:5,2,2": 8,
}
#: Tori and boards in layers, which the same kernel solves.
OTHER_LINES = {
    "mnk:3,3,3,torus": 9,
    "mnk:4,4,3,torus": 8,
    "mnk:4,4,4,torus": 9,
    "mnk:5,4,4,torus": 8,
    "mnk:5,3,4,torus": 9,
    "mnk:8,7,7,torus": 8,
    "3x3x3": 8,
    "qubic": 8,
}
KINDS = GRAVITY | MISERE | LINES | OTHER_LINES


def begun(worker: Worker, position: Position, most: int = 40) -> Worker:
    """Return the worker, set to find the score of a position between two marks."""
    worker.control[LOW], worker.control[HIGH] = -most, most
    worker.begin(position)
    return worker


@pytest.mark.medium
@pytest.mark.parametrize(
    "count",
    [15, pytest.param(100, marks=pytest.mark.slow), pytest.param(300, marks=pytest.mark.nightly)],
)
@pytest.mark.parametrize("name", KINDS)
def test_the_kernels_know_the_scores_that_the_plain_search_finds(name: str, count: int) -> None:
    positions = late_positions(f"{name} {count}", find_rules(name), KINDS[name], count)
    assert disagreements(name, positions) == []


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "empty", "count"),
    [
        ("mnk:7,6,4,gravity", 9, 30),
        ("mnk:8,7,4,gravity", 8, 30),
        ("mnk:5,4,3,misere", 8, 30),
        ("mnk:4,3,3", 8, 12),
        ("mnk:5,5,4", 8, 12),
        ("mnk:8,8,5", 8, 12),
        ("mnk:5,4,4,torus", 8, 12),
        ("3x3x3", 8, 12),
    ],
)
def test_verdicts_and_the_values_of_all_moves_are_those_of_the_engine(
    name: str, empty: int, count: int
) -> None:
    rules = find_rules(name)
    fast, plain = FastSolver(rules, ALONE), AlphaBeta(rules)
    for position in late_positions("verdicts", rules, empty, count):
        assert find_verdict(rules, position, fast) == find_verdict(rules, position, plain)
        assert analyse_moves(rules, position, fast) == analyse_moves(rules, position, plain)


@pytest.mark.medium
def test_our_own_connect_four_positions_have_the_scores_of_the_plain_search() -> None:
    lines = (DATA / "connect-four-scores.txt").read_text(encoding="ascii").splitlines()
    entries = [line.split() for line in lines if not line.startswith("#")]
    assert len(entries) >= 200
    fast = FastSolver(CONNECT_FOUR, ALONE)
    start = GameState.new(CONNECT_FOUR)
    for moves, score in entries:
        assert fast.score(play_moves(start, moves).position) == int(score), moves


@pytest.mark.slow
@pytest.mark.skipif(not FACTS.is_dir(), reason="the published position sets are not part of this")
@pytest.mark.parametrize("name", ["Test_L3_R1", "Test_L2_R2", "Test_L1_R1"])
def test_every_published_score_is_found(name: str) -> None:
    entries = [line.split() for line in (FACTS / name).read_text(encoding="ascii").splitlines()]
    start = GameState.new(CONNECT_FOUR)
    states = [play_moves(start, moves) for moves, _ in entries]
    for (moves, score), state, value in zip(entries, states, solve_many(states)):
        marks, cells = int(score), CONNECT_FOUR.shape.cells
        outcome = "win" if marks > 0 else "loss" if marks < 0 else "draw"
        plies = plies_of_published(marks, state.position.marks) if marks else cells - len(moves)
        assert (value.outcome, value.plies) == (outcome, plies), moves


def plies_of_published(score: int, ply: int) -> int:
    """Return the plies to the end: the winner wins with 22 - abs(score) marks on the board."""
    marks_of_winner = 22 - abs(score)
    first_wins = (ply % 2 == 0) == (score > 0)
    return 2 * marks_of_winner - (1 if first_wins else 0) - ply


@pytest.mark.parametrize(
    ("size", "value"),
    [item for item in KNOWN["connect_four_values"].items() if item[0] not in ("note", "7x6")],
)
def test_connect_four_on_small_boards_has_its_published_value(size: str, value: str) -> None:
    columns, rows = size.split("x")
    state = GameState.new(find_rules(f"mnk:{columns},{rows},4,gravity"))
    assert solve_outcome(state) == value


def undecorated(name: str, **more: Any) -> Kernel:
    """Return a kernel of a game as plain Python."""
    usual: Any = kernel_for(find_rules(name), 1 << 16)
    kind = GravityKernel if isinstance(usual, GravityKernel) else type(usual)
    kernel: Kernel = kind(usual.rules, MEMORY, code=kind.plain, **more)
    return kernel


def counts(name: str, positions: list[Position], kernel: Kernel | None) -> list[tuple[int, int]]:
    """Return the scores that one solver finds, and how many nodes it has looked at by then."""
    fast = FastSolver(find_rules(name), ALONE, kernel=kernel)
    return [(fast.score(position), fast.nodes) for position in positions]


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "empty", "kernel"),
    [
        ("mnk:7,6,4,gravity", 12, ConnectFourKernel),
        ("mnk:5,6,4,gravity", 11, GravityKernel),
        ("mnk:6,5,5,gravity", 11, GravityKernel),
        ("mnk:4,4,3,gravity", 12, GravityKernel),
        ("mnk:4,4,3,misere", 9, MisereKernel),
        ("mnk:8,8,4,gravity,misere", 7, MisereKernel),
        ("mnk:3,3,3", 9, MnkKernel),
        ("mnk:4,4,3", 9, MnkKernel),
        ("mnk:6,5,4", 9, MnkKernel),
        ("mnk:8,8,5", 9, MnkKernel),
        ("mnk:26,1,5", 9, MnkKernel),
    ],
)
def test_undecorated_kernels_do_exactly_what_the_compiled_ones_do(
    name: str, empty: int, kernel: type[Kernel]
) -> None:
    """One after the other, and some of them in a batch."""
    rules = find_rules(name)
    positions = late_positions("undecorated", rules, empty, 4)
    assert type(kernel_for(rules, 1 << 16)) is kernel
    lows, highs = np.full(2, -40), np.full(2, 40)
    with wrapping_words():
        found = counts(name, positions, undecorated(name))
        assert undecorated(name).batch(positions[:2], lows, highs).narrow(NEVER) == FINISHED
    assert found == counts(name, positions, None)
    for position, marks, (score, _) in zip(positions, lows.tolist(), found):
        assert Scale.of(rules, position).to_score(marks) == score
    assert (lows == highs).all()


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "empty"), [("mnk:5,4,4,gravity", 13), ("mnk:5,4,3,misere", 9), ("mnk:5,4,4", 12)]
)
def test_an_undecorated_table_grows_without_losing_or_inventing_anything(
    name: str, empty: int
) -> None:
    positions = late_positions("growing", find_rules(name), empty, 4)
    with wrapping_words():
        found = [score for score, _ in counts(name, positions, undecorated(name, least_bits=1))]
        shared = undecorated(name, least_bits=1)
        worker = shared.worker()
        worker.begin(positions[0])
        worker.control[NODES] = 1 << 30
        assert shared.gather([worker]) == NEVER
    assert found == [score for score, _ in counts(name, positions, None)]
    assert shared.words_in_use(worker) == shared.table.size


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "empty", "count"), [("mnk:5,4,4,gravity", 12, 40), ("mnk:5,4,4", 9, 15)]
)
def test_a_question_in_the_middle_of_the_range_proves_nothing_beyond_it(
    name: str, empty: int, count: int
) -> None:
    rules = find_rules(name)
    for position in late_positions("clamped", rules, empty, count):
        exact = AlphaBeta(rules).score(position)
        fast = FastSolver(rules, ALONE)
        for low in (-2, -1, 0, 1):
            found = fast.bounds(position, low, low + 1)
            assert found[0] <= exact <= found[1]
            assert found[0] >= low + 1 or found[1] <= low


def test_the_two_scales_are_translated_without_loss() -> None:
    for cells in (9, 10, 25, 42, 64):
        for ply in range(cells):
            for misere in (False, True):
                scale = Scale(cells, ply, misere)
                for plies in range(1 + misere, cells - ply + 1, 2):
                    score = 1000 - plies
                    marks = scale.to_marks(score)
                    assert scale.to_score(marks) == score
                    assert scale.to_score(marks - 1) < score


def test_code_for_one_game_does_exactly_what_that_for_all_does() -> None:
    for position in late_positions("constant", CONNECT_FOUR, 20, 20):
        counts = []
        for kernel in (ConnectFourKernel(1 << 20), GravityKernel(CONNECT_FOUR, 1 << 20)):
            worker = begun(kernel.worker(), position, 42)
            worker.narrow(NEVER)
            counts.append(worker.control[[LOW, HIGH, NODES]].tolist())
        assert counts[0] == counts[1]


@pytest.mark.medium
@pytest.mark.parametrize(
    "kernel", [GravityKernel(CONNECT_FOUR, 1 << 20), MnkKernel(as_lines("mnk:8,7,5"), 1 << 20)]
)
def test_a_worker_stops_at_the_node_that_it_was_told(kernel: Kernel) -> None:
    worker = begun(kernel.worker(), Position(), 20)
    for until in (1, 2, 1000, 1001, 20_000):
        worker.narrow(until)
        assert worker.control[NODES] == until


# -- lines on any board ----------------------------------------------------------------------------


@pytest.mark.medium
@pytest.mark.parametrize("starter", [0, 1])
def test_the_kernel_knows_every_position_of_the_classic_game(starter: int) -> None:
    table = solve_table(TIC_TAC_TOE, Position(turn=starter))
    positions = [position for position, entry in table.items() if entry[1]]
    kernel = MnkKernel(TIC_TAC_TOE, 1 << 20)
    lows, highs = np.full(len(positions), -40), np.full(len(positions), 40)
    assert kernel.batch(positions, lows, highs).narrow(NEVER) == FINISHED
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


@pytest.mark.medium
def test_a_search_that_is_stopped_at_every_node_does_what_one_does_that_is_not() -> None:
    rules = as_lines("mnk:5,5,4")
    for position in late_positions("stopped", rules, 11, 10):
        whole = begun(MnkKernel(rules, 1 << 20).worker(), position)
        assert whole.narrow(NEVER) == FINISHED
        stopped = begun(MnkKernel(rules, 1 << 20).worker(), position)
        while stopped.narrow(int(stopped.control[NODES]) + 1) != FINISHED:
            pass
        assert (stopped.control[[LOW, HIGH, NODES]] == whole.control[[LOW, HIGH, NODES]]).all()


@pytest.mark.medium
def test_a_search_goes_on_from_its_arrays_in_another_process() -> None:
    rules = as_lines("mnk:6,5,4")
    whole = begun(MnkKernel(rules, 1 << 20).worker(), Position())
    whole.narrow(NEVER)
    first = begun(MnkKernel(rules, 1 << 20).worker(), Position())
    first.narrow(900)
    second = MnkKernel(rules, 1 << 20).worker()
    for name, array in second.arrays().items():
        array[:] = first.arrays()[name]
    second.kernel.table[:] = first.kernel.table
    assert second.narrow(NEVER) == FINISHED
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
        assert alone.narrow(NEVER) == FINISHED
        counts.append(int(alone.control[NODES]))
        for other in workers:
            other.narrow(int(other.control[NODES]) + 50_000)
    assert len(set(counts)) == 3
    for worker in workers:
        assert worker.narrow(NEVER) == FINISHED
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
            assert worker.narrow(NEVER) == FINISHED
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
    held, _ = holds_by_pairs(worker.frames, U0, turn, True, empty, U0, kernel.game)
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
