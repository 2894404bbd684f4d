"""The compiled kernels agree with the plain search, with published scores, and with themselves."""

from __future__ import annotations

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
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, find_rules
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.verdict import analyse_moves, find_verdict
from tic_tac_toe.solver import FastSolver, solve_many, solve_outcome
from tic_tac_toe.solver.kernel_factory import kernel_for
from tic_tac_toe.solver.kernels.control import FINISHED, HIGH, LOW, NEVER, NODES
from tic_tac_toe.solver.kernels.gravity.kernel import ConnectFourKernel, GravityKernel
from tic_tac_toe.solver.kernels.kernel import Kernel
from tic_tac_toe.solver.kernels.misere.kernel import MisereKernel
from tic_tac_toe.solver.kernels.mnk.kernel import MnkKernel
from tic_tac_toe.solver.scale import Scale

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


@pytest.mark.medium
@pytest.mark.parametrize("count", [15, pytest.param(300, marks=pytest.mark.slow)])
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
        assert fast.score(parse_moves(start, moves).position) == int(score), moves


@pytest.mark.slow
@pytest.mark.skipif(not FACTS.is_dir(), reason="the published position sets are not part of this")
@pytest.mark.parametrize("name", ["Test_L3_R1", "Test_L2_R2", "Test_L1_R1"])
def test_every_published_score_is_found(name: str) -> None:
    entries = [line.split() for line in (FACTS / name).read_text(encoding="ascii").splitlines()]
    start = GameState.new(CONNECT_FOUR)
    states = [parse_moves(start, moves) for moves, _ in entries]
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
            worker = kernel.worker()
            worker.control[LOW], worker.control[HIGH] = -42, 42
            worker.begin(position)
            worker.narrow(NEVER)
            counts.append(worker.control[[LOW, HIGH, NODES]].tolist())
        assert counts[0] == counts[1]


@pytest.mark.medium
@pytest.mark.parametrize(
    "kernel", [GravityKernel(CONNECT_FOUR, 1 << 20), MnkKernel(as_lines("mnk:8,7,5"), 1 << 20)]
)
def test_a_worker_stops_at_the_node_that_it_was_told(kernel: Kernel) -> None:
    worker = kernel.worker()
    worker.control[LOW], worker.control[HIGH] = -20, 20
    worker.begin(Position())
    for until in (1, 2, 1000, 1001, 20_000):
        worker.narrow(until)
        assert worker.control[NODES] == until
