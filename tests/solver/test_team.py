"""Workers on one table answer together what one answers alone, and share the work."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.solver.late_positions import ALONE, as_lines, late_positions, wrapping_words
from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, find_rules
from tic_tac_toe.solver import Checkpoint, FastSolver, Limits
from tic_tac_toe.solver.kernel_factory import kernel_for
from tic_tac_toe.solver.kernels.control import HIGH, LOW, NODES, SHARING
from tic_tac_toe.solver.kernels.gravity.kernel import GravityKernel
from tic_tac_toe.solver.kernels.kernel import Kernel, Worker
from tic_tac_toe.solver.scale import Scale
from tic_tac_toe.solver.team import Team

#: It takes some 400,000 nodes.
MIDDLE = parse_moves(GameState.new(CONNECT_FOUR), "4444432233").position


def team_of(
    checkpoint: Checkpoint | None = None, rules: Rules = CONNECT_FOUR, **limits: Any
) -> FastSolver:
    """Return a solver whose threads join in soon."""
    given = Limits(**{"memory": 4 << 20, **limits})
    return FastSolver(rules, given, checkpoint=checkpoint, nodes_alone=1000)


@pytest.mark.medium
@pytest.mark.parametrize("name", ["mnk:5,5,4,gravity", "mnk:5,5,4", "mnk:4,4,3,misere"])
def test_several_threads_find_what_one_finds(name: str) -> None:
    rules = find_rules(name)
    for position in late_positions("team", rules, 16 if "misere" not in name else 12, 5):
        together = team_of(rules=rules, threads=3)
        assert together.score(position) == FastSolver(rules, ALONE).score(position)


class NotingKernel(GravityKernel):
    """Notes how large the table is each time that workers are gathered."""

    sizes: tuple[int, ...] = ()

    def gather(self, workers: Sequence[Worker]) -> int:
        again = super().gather(workers)
        self.sizes += (self.words_in_use(workers[1]),)
        return again


@pytest.mark.medium
def test_the_table_of_a_team_grows_between_its_searches() -> None:
    kernel = NotingKernel(CONNECT_FOUR, 4 << 20, least_bits=4)
    limits = Limits(threads=2, memory=4 << 20)
    together = FastSolver(CONNECT_FOUR, limits, kernel=kernel, nodes_alone=1000)
    assert together.score(MIDDLE) == FastSolver(CONNECT_FOUR, ALONE).score(MIDDLE)
    first, *_, last = kernel.sizes
    assert first < last == 1 << 18


def test_one_solver_gathers_its_threads_again_for_each_question() -> None:
    together, alone = team_of(threads=2), FastSolver(CONNECT_FOUR, ALONE)
    for position in late_positions("again", CONNECT_FOUR, 26, 6):
        assert together.score(position) == alone.score(position)


@pytest.mark.parametrize("limit", [1_500, 20_000, 100_001])
def test_all_threads_together_keep_to_the_limit_of_nodes(limit: int) -> None:
    solver = team_of(threads=4, node_limit=limit)
    with pytest.raises(SearchLimitReached, match=f"no answer after {limit:,} positions"):
        solver.score(Position())
    assert solver.nodes == limit


@pytest.mark.medium
def test_a_state_that_is_saved_while_others_search_is_whole(tmp_path: Path) -> None:
    first = team_of(Checkpoint(tmp_path, interval=0.0), threads=3)
    assert first.score(MIDDLE) == FastSolver(CONNECT_FOUR, ALONE).score(MIDDLE)
    notices: list[Message] = []
    second = FastSolver(CONNECT_FOUR, ALONE, checkpoint=Checkpoint(tmp_path, notice=notices.append))
    assert second.score(MIDDLE) == first.score(MIDDLE)
    assert notices == []


@pytest.mark.medium
def test_the_table_of_one_that_goes_on_alone_grows_again(tmp_path: Path) -> None:
    memory = 16 << 20
    together = team_of(Checkpoint(tmp_path), threads=2, node_limit=30_000, memory=memory)
    with pytest.raises(SearchLimitReached):
        together.score(MIDDLE)
    together.save_news()
    limits = Limits(threads=1, memory=memory)
    alone = FastSolver(CONNECT_FOUR, limits, checkpoint=Checkpoint(tmp_path))
    assert alone.score(MIDDLE) == FastSolver(CONNECT_FOUR, ALONE).score(MIDDLE)
    before = together.kernel.words_in_use(together.lead)
    assert alone.kernel.words_in_use(alone.lead) > before


def test_what_a_helper_fails_by_is_raised() -> None:
    lead, helper = gathered(kernel_for(CONNECT_FOUR, 4 << 20), MIDDLE, sharing=True)
    not_a_number: Any = "?"
    with (
        pytest.raises(TypeError),
        Team(lead, [helper], 10**6, helping_nodes=not_a_number),
    ):
        lead.narrow(1000)


def gathered(kernel: Kernel, position: Position, sharing: bool) -> list[Worker]:
    """Return two workers that are set to find the exact score of a position."""
    workers = [kernel.worker(), kernel.worker()]
    for worker in workers:
        worker.control[LOW], worker.control[HIGH] = -42, 42
        worker.begin(position)
    kernel.gather(workers)
    for worker in workers:
        worker.control[SHARING] = sharing
    return workers


def by_turns(
    kernel: Kernel, position: Position, step: int, sharing: bool = True
) -> tuple[int, int]:
    """Return the score and the nodes of two workers that search by turns, ``step`` nodes each."""
    workers = gathered(kernel, position, sharing)
    with Team(workers[0], ()) as together:
        while workers[0].control[LOW] < workers[0].control[HIGH]:
            for worker in workers:
                worker.narrow(int(worker.control[NODES]) + step)
                together.share(worker)
    score = Scale.of(kernel.rules, position).to_score(int(workers[0].control[LOW]))
    return score, sum(int(worker.control[NODES]) for worker in workers)


@pytest.mark.medium
@pytest.mark.once
def test_workers_keep_out_of_each_others_way() -> None:
    nodes = np.zeros(3)
    for position in late_positions("x", CONNECT_FOUR, 28, 14):
        alone = FastSolver(CONNECT_FOUR, ALONE)
        score = alone.score(position)
        if 3_000 < alone.nodes < 20_000:
            apart, in_the_way = (
                by_turns(GravityKernel(CONNECT_FOUR, 4 << 20, least_bits=16), position, 1, sharing)
                for sharing in (True, False)
            )
            assert apart[0] == in_the_way[0] == score
            nodes += alone.nodes, apart[1], in_the_way[1]
    assert nodes[1] < 1.4 * nodes[0] < 1.5 * nodes[0] < nodes[2]


@pytest.mark.medium
def test_undecorated_workers_share_exactly_as_compiled_ones_do() -> None:
    rules = as_lines("mnk:5,4,4,gravity")
    alone = FastSolver(rules, ALONE)
    for position in late_positions("sharing", rules, 13, 4):
        compiled = by_turns(GravityKernel(rules, 4 << 20), position, 7)
        with wrapping_words():
            plain = GravityKernel(rules, 4 << 20, code=GravityKernel.plain)
            assert by_turns(plain, position, 7) == compiled
        assert compiled[0] == alone.score(position)
