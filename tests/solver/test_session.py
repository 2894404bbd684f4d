"""The fast solver keeps its limits alone and with several threads, and knows the pie rule."""

from __future__ import annotations

import doctest
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.solver.late_positions import ALONE, as_lines, late_positions, wrapping_words
from tic_tac_toe.limits import free_memory
from tic_tac_toe.logic.exceptions import InvalidVariant, Message, SearchLimitReached, message
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.wrappers import without_misere
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.logic.search.exact import AlphaBeta, analyse_moves, find_verdict
from tic_tac_toe.solver import (
    Checkpoint,
    FastSolver,
    Limits,
    Progress,
    analyse,
    objection,
    solve,
    solve_many,
    solve_outcome,
    supports,
    verdict,
)
from tic_tac_toe.solver.answers import is_for_plain_python
from tic_tac_toe.solver.kernel import GravityKernel, Kernel, Worker, kernel_for
from tic_tac_toe.solver.kernels.control import HIGH, LOW, NODES, SHARING, Code
from tic_tac_toe.solver.session import Team, limit_error
from tic_tac_toe.solver.support import Scale

EMPTY = GameState.new(CONNECT_FOUR)
MIDDLE = play_moves(EMPTY, "444443")
WON = play_moves(EMPTY, "4455667")


class Clock:
    """A clock that goes a second further each time that it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.mark.medium
def test_a_verdict_says_what_the_engine_says() -> None:
    for name in ("connect-four-5x4", "tic-tac-toe", "misere-tic-tac-toe", "4x4x3"):
        rules = find_rules(name)
        for position in late_positions("verdict", rules, 7, 5):
            found = solve(GameState.at(rules, position))
            assert found == find_verdict(rules, position)._replace(source="solver")


def test_a_game_that_is_over_has_a_verdict_too() -> None:
    assert (solve(WON).outcome, solve(WON).plies) == ("loss", 0)
    assert analyse(WON) == ()
    assert solve_outcome(WON) == "loss"


def test_many_states_are_solved_at_once_whatever_their_order() -> None:
    states = [
        GameState.at(CONNECT_FOUR, one) for one in late_positions("many", CONNECT_FOUR, 10, 40)
    ]
    states.insert(7, WON)
    values = solve_many(states)
    assert (values[7].outcome, values[7].plies) == ("loss", 0)
    assert solve_many(states[::-1]) == values[::-1]
    for state, value in list(zip(states, values))[::8]:
        verdict = solve(state)
        assert (value.score, value.plies) == (verdict.score, verdict.plies)
    assert solve_many([]) == []


def test_a_batch_of_several_games_is_refused() -> None:
    with pytest.raises(InvalidVariant, match="all states of a batch must be of the same game"):
        solve_many([EMPTY, GameState.new()])


def test_a_batch_keeps_its_node_limit_and_says_how_far_it_got() -> None:
    with pytest.raises(SearchLimitReached, match=r"after 5,000 positions; \d+ of 2 are solved"):
        solve_many([WON, MIDDLE, EMPTY], Limits(node_limit=5_000))


def test_a_node_limit_is_kept_to_the_node_and_leaves_bounds() -> None:
    solver = FastSolver(CONNECT_FOUR, Limits(node_limit=40_000, threads=1, memory=4 << 20))
    with pytest.raises(SearchLimitReached, match="no answer after 40,000 positions; ") as caught:
        solver.score(EMPTY.position)
    assert solver.nodes == 40_000
    assert caught.value.bounds is not None
    low, high = caught.value.bounds
    assert -MATE <= low < MATE - 41 + 1  # the first player wins with the 41st mark
    assert low <= MATE - 41 <= high


@pytest.mark.parametrize(
    ("low", "high", "known"),
    [
        *((1, 3, "a win, but not how soon"), (-3, -1, "a loss, but not how late")),
        *((0, 3, "at least a draw"), (-3, 0, "at most a draw"), (-3, 3, "the outcome is open")),
    ],
)
def test_what_is_known_of_the_outcome_is_told_in_words(low: int, high: int, known: str) -> None:
    scale = Scale.of(CONNECT_FOUR, EMPTY.position)
    error = limit_error(message("no time", "time_limit"), scale, low, high)
    assert str(error) == f"no time; {known}"
    assert error.bounds == scale.to_bounds(low, high)


def test_bounds_that_are_proved_never_exclude_the_exact_score() -> None:
    rules = find_rules("mnk:5,5,4,gravity")
    for position in late_positions("bounds", rules, 14, 12):
        exact = FastSolver(rules, Limits(threads=1)).score(position)
        for nodes in (1, 10, 50, 200, 1_000):
            solver = FastSolver(rules, Limits(threads=1, node_limit=nodes))
            try:
                assert solver.score(position) == exact
            except SearchLimitReached as limit:
                low, high = limit.bounds or (0, 0)
                assert low <= exact <= high


def test_a_time_limit_ends_the_search() -> None:
    solver = FastSolver(CONNECT_FOUR, Limits(time_limit=30, threads=1, clock=Clock()))
    with pytest.raises(SearchLimitReached, match="no answer after 30 seconds; "):
        solver.score(EMPTY.position)


def test_the_time_in_which_machine_code_is_made_is_not_counted() -> None:
    rules, clock, made = as_lines("mnk:5,4,4,gravity"), Clock(), list[str]()

    def slow(function: Callable[..., Any]) -> Callable[..., Any]:
        def load_and_run(*arguments: Any) -> Any:
            if function.__name__ not in made:
                clock.now += 3600
                made.append(function.__name__)
            return getattr(GravityKernel.machine_code, function.__name__)(*arguments)

        return load_and_run

    plain = GravityKernel.plain
    begin, narrow, batch, fill_table = map(slow, plain[:4])
    code = Code(begin, narrow, batch, fill_table, plain.grows_at)
    kernel = GravityKernel(rules, 4 << 20, code=code)
    limits = Limits(time_limit=1800, threads=1, clock=clock)
    solver = FastSolver(rules, limits, kernel=kernel)
    assert solver.score(GameState.new(rules).position) == 0
    assert solver.seconds < 1800
    assert made[:2] == ["begin", "narrow"]


def test_a_search_is_cancelled_from_another_thread() -> None:
    begun, stop = threading.Event(), threading.Event()

    def cancelled() -> bool:
        begun.set()
        return stop.is_set()

    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(solve, EMPTY, Limits(cancelled=cancelled))
        assert begun.wait(timeout=600)
        stop.set()
        with pytest.raises(SearchLimitReached, match="the search was cancelled; "):
            search.result(timeout=600)


@pytest.mark.medium
def test_a_search_is_asked_about_cancelling_many_times_a_second() -> None:
    """By a clock that goes by positions: ten million take a second."""
    a_second, asked, solvers = 10_000_000, 0, list[FastSolver]()

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 20

    def clock() -> float:
        return solvers[0].nodes / a_second if solvers else 0.0

    solver = FastSolver(CONNECT_FOUR, Limits(cancelled=cancelled, threads=1, clock=clock))
    solvers.append(solver)
    with pytest.raises(SearchLimitReached):
        solver.score(EMPTY.position)
    assert solver.seconds < 2


@pytest.mark.medium
def test_progress_tells_more_nodes_and_narrower_bounds_each_time() -> None:
    reports: list[Progress] = []
    limits = Limits(node_limit=3_000_000, threads=1, progress=reports.append, clock=Clock())
    solver = FastSolver(CONNECT_FOUR, limits)
    with pytest.raises(SearchLimitReached):
        solver.score(EMPTY.position)
    assert len(reports) > 3
    for before, after in pairwise(reports):
        assert before.nodes < after.nodes
        assert before.seconds < after.seconds
        assert (before.low, before.high) == (max(before.low, -MATE), before.high)
        assert before.low <= after.low <= after.high <= before.high
        assert 0 <= after.table_fill <= 1
    assert reports[-1].table_fill > 0


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"time_limit": -1}, "time_limit must not be negative, and it is -1"),
        ({"time_limit": float("nan")}, "time_limit must be a number, not nan"),
        ({"node_limit": -5}, "node_limit must not be negative, and it is -5"),
        ({"node_limit": 1.5}, "node_limit must be a number, not 1.5"),
        ({"memory": 5}, "memory must be 1048576 bytes at least, not 5"),
        ({"memory": "much"}, "memory must be a number, not 'much'"),
        ({"threads": 0}, "threads must be from 1 to 256, not 0"),
        ({"threads": 1000}, "threads must be from 1 to 256, not 1000"),
        ({"threads": True}, "threads must be a number, not True"),
    ],
)
def test_senseless_limits_are_refused(limits: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Limits(**limits)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ultimate", "the fast solver does not know the rules Ultimate"),
        ("gomoku", "the fast solver takes boards of 64 cells at most, not 225"),
        ("gomoku-standard", "the fast solver does not know lines of an exact length"),
        ("mnk:9,7,4,gravity", r"9 columns with 7 rows make 72"),
        ("mnk:9,8,4", "the fast solver takes boards of 64 cells at most, not 72"),
        ("score-four", "knows a torus and layers only without gravity and misère"),
        ("3x3x3,misere", "knows a torus and layers only without gravity and misère"),
        ("mnk:8,8,3,torus", "takes boards with 224 possible lines at most, not 256"),
        ("wild", "the fast solver does not know the rules Wild"),
        ("mnk:9,8,4,pie", "the fast solver takes boards of 64 cells at most, not 72"),
        ("mnk:9,8,4,gravity,misere", "the fast solver takes boards of 64 cells at most, not 72"),
    ],
)
def test_games_that_are_not_supported_are_refused_by_name(name: str, reason: str) -> None:
    rules = find_rules(name)
    assert not supports(rules)
    doors: list[Callable[[GameState], object]] = [solve_outcome, lambda state: solve_many([state])]
    if not is_for_plain_python(rules, Position()):
        doors.append(solve)
    for door in doors:
        with pytest.raises(InvalidVariant, match=reason):
            door(GameState.new(rules))


def test_all_other_games_of_the_catalogue_are_supported() -> None:
    knows_lines = {
        name for name, rules in VARIANTS.items() if type(without_misere(rules)) is LineRules
    }
    refused = {name for name in VARIANTS if not supports(VARIANTS[name])}
    assert knows_lines & refused == {"gomoku", "gomoku-standard", "score-four"}
    assert {"3x3x3", "qubic"} <= knows_lines
    assert refused >= VARIANTS.keys() - knows_lines
    assert objection(CONNECT_FOUR) is None


def test_free_memory_is_guessed_where_the_system_does_not_tell(tmp_path: Any) -> None:
    (tmp_path / "meminfo").write_text("MemTotal: 5 kB\nMemAvailable: 4096 kB\n", encoding="ascii")
    assert free_memory(tmp_path / "meminfo") == 4096 * 1024
    assert free_memory(tmp_path / "missing") == 1 << 30
    (tmp_path / "odd").write_text("MemAvailable: much\n", encoding="ascii")
    assert free_memory(tmp_path / "odd") == 1 << 30


def test_a_solver_shows_its_game_and_its_nodes() -> None:
    solver = FastSolver(CONNECT_FOUR, Limits(threads=1))
    solver.score(play_moves(MIDDLE, "26262").position)
    assert repr(solver).startswith("FastSolver(LineRules(shape=Shape(rows=6, columns=7), length=4")
    assert f"nodes={solver.nodes:,}" in repr(solver)


#: It takes some 400,000 nodes.
LONG = play_moves(GameState.new(CONNECT_FOUR), "4444432233").position


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
    assert together.score(LONG) == FastSolver(CONNECT_FOUR, ALONE).score(LONG)
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
    assert first.score(LONG) == FastSolver(CONNECT_FOUR, ALONE).score(LONG)
    notices: list[Message] = []
    second = FastSolver(CONNECT_FOUR, ALONE, checkpoint=Checkpoint(tmp_path, notice=notices.append))
    assert second.score(LONG) == first.score(LONG)
    assert notices == []


@pytest.mark.medium
def test_the_table_of_one_that_goes_on_alone_grows_again(tmp_path: Path) -> None:
    memory = 16 << 20
    together = team_of(Checkpoint(tmp_path), threads=2, node_limit=30_000, memory=memory)
    with pytest.raises(SearchLimitReached):
        together.score(LONG)
    together.save_news()
    limits = Limits(threads=1, memory=memory)
    alone = FastSolver(CONNECT_FOUR, limits, checkpoint=Checkpoint(tmp_path))
    assert alone.score(LONG) == FastSolver(CONNECT_FOUR, ALONE).score(LONG)
    before = together.kernel.words_in_use(together.lead)
    assert alone.kernel.words_in_use(alone.lead) > before


def test_what_a_helper_fails_by_is_raised() -> None:
    lead, helper = gathered(kernel_for(CONNECT_FOUR, 4 << 20), LONG, sharing=True)
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


WITH_PIE = ["mnk:3,3,3,pie", "mnk:4,3,3,pie", "mnk:4,3,3,gravity,pie", "mnk:3,3,3,misere,pie"]
TORUS = "mnk:4,3,4,torus,pie"


def pie_states(rules: Rules) -> list[GameState]:
    """Return the empty board, and boards before and after the second player's first move."""
    start = GameState.new(rules)
    found = [start]
    for move in start.legal_moves:
        after = start.make_move_to(move).after_state
        found += [after, *(after.make_move_to(reply).after_state for reply in after.legal_moves)]
    return [state for state in found if not state.game_over]


@pytest.mark.medium
@pytest.mark.parametrize("name", [*WITH_PIE, TORUS])
def test_every_door_says_what_the_plain_search_of_the_whole_game_says(name: str) -> None:
    rules = find_rules(name)
    plain = AlphaBeta(rules)
    for state in pie_states(rules)[:40:6]:
        position = state.position
        expected = find_verdict(rules, position, plain)
        for found in (verdict(state), solve(state)):
            assert (found.score, found.plies, found.best) == (
                expected.score,
                expected.plies,
                expected.best,
            )
        assert solve_outcome(state) == expected.outcome
        values = [(move.move, move.outcome, move.plies) for move in analyse(state)]
        assert values == [
            (move.move, move.outcome, move.plies) for move in analyse_moves(rules, position, plain)
        ]


def test_the_book_of_connect_four_tells_the_fair_columns() -> None:
    start = GameState.new(find_rules("connect-four,pie"))
    assert solve_outcome(start, Limits(node_limit=0)) == "draw"
    values = [(move.outcome, move.plies) for move in analyse(start, Limits(node_limit=0))]
    assert values[:4] == [("loss", 40), ("loss", 42), ("draw", 42), ("loss", 42)]
    outcomes = [
        solve_outcome(play_moves(start, column), Limits(node_limit=0)) for column in "1234567"
    ]
    assert outcomes == ["win", "win", "draw", "win", "draw", "win", "win"]


@pytest.mark.parametrize("name", WITH_PIE)
def test_the_kernels_refuse_the_pie_rule_in_a_sentence(name: str) -> None:
    rules = find_rules(name)
    for door in (FastSolver, lambda one: solve_many([GameState.new(one)])):
        with pytest.raises(InvalidVariant, match=r"^a kernel searches the game without the pie"):
            door(rules)


def test_a_checkpoint_of_a_game_with_the_pie_rule_is_one_of_the_game_without(
    tmp_path: Path,
) -> None:
    plain, pie = (GameState.new(find_rules(f"mnk:4,4,3,gravity{flag}")) for flag in ("", ",pie"))
    found = solve(pie, checkpoint=Checkpoint(str(tmp_path)))
    assert solve(plain, checkpoint=Checkpoint(str(tmp_path))).outcome == "win"
    assert found.outcome == "loss"


@pytest.mark.parametrize(
    "name",
    [
        "logic.search.tables",
        "solver",
        "solver.answers",
        "solver.checkpoint",
        "solver.enumeration",
        "solver.session",
        "solver.support",
    ],
)
def test_the_examples_of_what_is_public_run(name: str) -> None:
    failed, attempted = doctest.testmod(import_module(f"tic_tac_toe.{name}"))
    assert (failed, attempted > 0) == (0, True)
