"""The cluster solver answers like one process, whatever happens to its workers."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import dask
import distributed
import pytest

from tic_tac_toe import GameState, find_rules
from tic_tac_toe.logic.exceptions import InvalidVariant, SearchLimitReached
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.search.evaluation import MATE, back_up
from tic_tac_toe.logic.search.exact import AlphaBeta
from tic_tac_toe.solver import Checkpoint, FastSolver, Limits, Progress, analyse, solve
from tic_tac_toe.solver.checkpoint import code_digest
from tic_tac_toe.solver.cluster import ClusterSolver, connect
from tic_tac_toe.solver.cluster.connection import ClusterError
from tic_tac_toe.solver.cluster.solver import Answer, Tree, answer, next_bound

pytestmark = [
    *(pytest.mark.slow, pytest.mark.cluster),
    pytest.mark.xdist_group("cluster"),
]

MEMORY = 1 << 22
SMALL = Limits(memory=MEMORY)
WIDE = find_rules("mnk:6,5,4,gravity")
CONNECT_FOUR = find_rules("connect-four")
GAMES = [
    ("connect-four-5x4", ""),
    ("mnk:6,5,4,gravity", "3344"),
    ("connect-four", "2745522241"),
    ("4x4", "A1 B2"),
    ("mnk:4,4,3,misere", "A1 B2 D4"),
    ("mnk:5,4,4,gravity,misere", "1122"),
]


#: Two positions of `WIDE`, of which the later one takes a moment.
EARLY, LATE = (play_moves(GameState.new(WIDE), moves).position for moves in ("33", "33443344"))

#: Seconds after which something that is waited for hangs, on a machine however busy.
HANGS = 3600.0
#: Dask's own limits that a busy machine reaches: the seconds after which a local cluster gives up a
#: worker that has ended and not come back, and those in which a connection is to be made or used.
PATIENT_DASK = {
    "distributed.deploy.lost-worker-timeout": HANGS,
    "distributed.comm.timeouts.connect": HANGS,
    "distributed.comm.timeouts.tcp": HANGS,
    "distributed.scheduler.worker-ttl": None,
}


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    """A cluster of two worker processes."""
    with (
        dask.config.set(PATIENT_DASK),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as two,
    ):
        yield two


@pytest.fixture(scope="module")
def client(workers: Any) -> Iterator[Any]:
    with connect(workers.scheduler_address, timeout=HANGS) as client:
        client.wait_for_workers(2, timeout=HANGS)
        yield client


def split(
    rules: Rules, client: Any, limits: Limits = SMALL, job_nodes: int = 1 << 13, **more: Any
) -> ClusterSolver:
    """Return a solver that does nothing here and little in a job: a small game makes many jobs."""
    few: Any = {"local_nodes": 0, "leaf_nodes": 0, "job_nodes": job_nodes}
    slow: Any = {"patience": HANGS, "worker_seconds": HANGS, "look_seconds": HANGS}
    return ClusterSolver(rules, client, limits, **{**few, **slow, **more})


def position_of(rules: Rules, moves: str) -> Position:
    return play_moves(GameState.new(rules), moves).position


def assert_right_score(solver: ClusterSolver, position: Position) -> None:
    """Check a score against that of one process."""
    assert solver.score(position) == FastSolver(solver.rules, SMALL).score(position)


def assert_nothing_is_under_way(client: Any) -> None:
    """What is released is released in the client's own time."""
    until = time.monotonic() + HANGS
    while client.futures:
        assert time.monotonic() < until, client.futures
        time.sleep(0.01)


@pytest.mark.parametrize(("name", "moves"), GAMES, ids=str)
def test_a_cluster_finds_the_score_of_one_process(client: Any, name: str, moves: str) -> None:
    rules = find_rules(name)
    solver = split(rules, client, job_nodes=1 << 10)
    assert_right_score(solver, position_of(rules, moves))
    assert solver.jobs > 0
    assert_nothing_is_under_way(client)


def test_a_cluster_finds_the_verdict_of_one_process(client: Any) -> None:
    state = GameState.at(WIDE, LATE)
    limits = Limits(memory=MEMORY)
    assert solve(state, limits, client=client) == solve(state, limits)
    assert analyse(state, limits, client=client) == analyse(state, limits)


def test_a_small_position_never_leaves_this_process(client: Any) -> None:
    rules = find_rules("connect-four-5x4")
    solver = ClusterSolver(rules, client, Limits(memory=MEMORY))
    assert solver.score(Position()) == 0
    assert (solver.jobs, solver.nodes > 0) == (0, True)


def test_a_job_that_was_too_much_is_split_and_ends_with_the_same_score(client: Any) -> None:
    assert_right_score(split(WIDE, client, job_nodes=1), LATE)


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_worker_killed_in_the_middle_changes_nothing(client: Any, deaths: int) -> None:
    client.wait_for_workers(2, timeout=HANGS)
    victims = list(client.run(os.getpid).values())[:deaths]

    def kill_after_some_jobs() -> bool:
        if victims and solver.jobs >= 3:
            os.kill(victims.pop(), signal.SIGKILL)
        return False

    limits = Limits(memory=MEMORY, cancelled=kill_after_some_jobs)
    solver = split(WIDE, client, limits)
    assert_right_score(solver, EARLY)
    assert not victims
    assert solver.jobs > 3


@pytest.mark.parametrize("slow", [False, True], ids=["lost", "slow"])
def test_answers_that_are_lost_or_take_long_to_fetch_are_asked_for_again(
    client: Any, monkeypatch: pytest.MonkeyPatch, slow: bool
) -> None:
    """Slow as on a loaded machine: an attempt with as little time as the first fetches nothing."""
    fetch = distributed.Future.result
    failures: list[Any] = []

    def fetch_or_fail(future: Any, timeout: float) -> Any:
        if timeout < 1 if slow else len(failures) < 3:
            failures.append(future.key)
            assert len(failures) < 10_000, "the time never becomes longer"
            raise TimeoutError if slow else distributed.CancelledError(future.key)
        return fetch(future, timeout)

    monkeypatch.setattr(distributed.Future, "result", fetch_or_fail)
    assert_right_score(split(WIDE, client), LATE)
    assert failures


def test_answers_that_are_lost_until_patience_ends_are_one_clear_error(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(future: Any, *_: Any, **__: Any) -> None:
        raise distributed.CancelledError(future.key)

    monkeypatch.setattr(distributed.Future, "result", lose)
    solver = split(WIDE, client, patience=0)
    with pytest.raises(ClusterError, match="the connection to the cluster has been lost") as caught:
        solver.score(Position())
    assert isinstance(caught.value.__cause__, distributed.CancelledError)
    assert_nothing_is_under_way(client)


@pytest.mark.parametrize("failures", [1, 5])
def test_looks_at_the_scheduler_that_fail_do_not_end_the_search(
    client: Any, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """They fail in a row while jobs are under way; the broken variant has no patience."""
    look = client.nthreads
    failed: list[OSError] = []

    def look_or_fail(**options: Any) -> Any:
        if solver.under_way and len(failed) < failures:
            failed.append(TimeoutError("no answer"))
            raise failed[-1]
        return look(**options)

    monkeypatch.setattr(client, "nthreads", look_or_fail)
    solver = split(WIDE, client, count_seconds=0.0)
    assert_right_score(solver, EARLY)
    assert len(failed) == failures

    failed.clear()
    solver = split(WIDE, client, patience=0, count_seconds=0.0)
    with pytest.raises(ClusterError) as caught:
        solver.score(EARLY)
    assert caught.value.__cause__ is failed[0]


class NobodyThere:
    """A client whose scheduler answers no look, or all but the first ones."""

    asynchronous = False

    def __init__(self, answers: int = 0) -> None:
        self.answers = answers
        self.failures: list[Exception] = []

    def nthreads(self, **_: Any) -> dict[str, int]:
        if self.answers:
            self.answers -= 1
            return {}
        self.failures.append(OSError("the network is down"))
        raise self.failures[-1]


@pytest.mark.parametrize("answers", [0, 3])
@pytest.mark.parametrize("patience", [60.0, 3600.0])
def test_a_scheduler_that_stays_away_ends_the_search_after_the_patience(
    answers: int, patience: float
) -> None:
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += 100 * seconds

    nobody = NobodyThere(answers)
    limits = replace(SMALL, clock=lambda: now)
    solver = split(CONNECT_FOUR, nobody, limits, patience=patience, sleep=sleep)
    message = f"the connection to the cluster has been lost for {patience:g} seconds"
    with pytest.raises(ClusterError, match=message) as caught:
        solver.score(Position())
    assert caught.value.__cause__ is nobody.failures[-1]
    assert len(nobody.failures) > patience / 5, "it has looked again and again"
    assert patience <= now < patience + 20


def test_jobs_that_somebody_cancels_are_sent_again(client: Any) -> None:
    cancelled: list[Any] = []

    def cancel_some() -> bool:
        if len(cancelled) < 3 and (futures := list(solver.under_way.values())):
            cancelled.extend(futures)
            client.cancel(futures, force=True)
        return False

    solver = split(WIDE, client, Limits(memory=MEMORY, cancelled=cancel_some))
    assert_right_score(solver, LATE)
    assert cancelled


def test_a_job_that_kills_every_worker_is_one_clear_error(
    client: Any, workers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        os._exit(1)

    monkeypatch.setattr(workers.scheduler, "allowed_failures", 0)
    solver = split(WIDE, client, job=die)
    with pytest.raises(ClusterError, match="one worker after another has died at the same job"):
        solver.score(Position())
    assert_nothing_is_under_way(client)
    client.wait_for_workers(2, timeout=HANGS)


def test_a_job_that_fails_is_one_clear_error_after_its_retries(client: Any) -> None:
    solver = split(WIDE, client, retries=1, code="another")
    with pytest.raises(ClusterError, match="cannot do its job: another version of the fast solver"):
        solver.score(Position())


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"time_limit": 1}, "no answer after 1 second; "),
        ({"node_limit": 200_000}, "no answer after 200,000 positions"),
        ({}, "the search was cancelled; "),
    ],
)
def test_a_limit_ends_the_search_with_bounds_while_jobs_are_under_way(
    client: Any, limits: dict[str, Any], message: str
) -> None:
    """Progress is told while the workers search; where no other limit is set, it cancels."""
    seen: list[Progress] = []

    def cancelled() -> bool:
        return not limits and bool(seen and solver.under_way)

    told = Limits(memory=MEMORY, cancelled=cancelled, progress=seen.append, **limits)
    solver = split(CONNECT_FOUR, client, told)
    with pytest.raises(SearchLimitReached, match=message) as caught:
        solver.score(Position())
    low, high = caught.value.bounds or (0, 0)
    assert low <= MATE - 41 <= high
    if "node_limit" in limits:
        assert 200_000 <= solver.nodes < 300_000
    if not limits:
        assert seen[-1].low <= MATE - 41 <= seen[-1].high
    assert_nothing_is_under_way(client)


def test_an_address_where_nobody_answers_is_one_error_within_the_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        silence = f"tcp://127.0.0.1:{port}"
        for address in (silence, "tcp://127.0.0.1:1", "nowhere", "x://y:1", "", "\0"):
            with pytest.raises(ConnectionError, match='no Dask scheduler answers at "'):
                connect(address, timeout=0.5)


def test_a_cluster_without_workers_is_an_error() -> None:
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as empty,
        connect(empty.scheduler_address) as client,
    ):
        solver = split(CONNECT_FOUR, client, worker_seconds=0.3, count_seconds=0.1)
        with pytest.raises(ConnectionError, match=r"no worker for 0\.3 seconds"):
            solver.score(Position())


def test_a_scheduler_that_dies_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--no-dashboard", "--dashboard-address", ":0"]
    with (
        subprocess.Popen(command, stderr=subprocess.DEVNULL) as scheduler,
        connect(f"tcp://127.0.0.1:{port}", timeout=HANGS) as client,
    ):
        quick: Any = {"patience": 0.3, "count_seconds": 0.1, "look_seconds": 0.1}
        solver = split(CONNECT_FOUR, client, **quick)
        scheduler.kill()
        with pytest.raises(ConnectionError, match=r"has been lost for 0\.3 seconds") as caught:
            solver.score(Position())
        assert caught.value.__cause__ is not None


def test_without_dask_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "\./library\[cluster\]"'):
        connect("tcp://127.0.0.1:1")


def test_what_cannot_be_is_refused(client: Any, tmp_path: Any) -> None:
    with pytest.raises(InvalidVariant):
        ClusterSolver(find_rules("ultimate"), client)
    with pytest.raises(ValueError, match="a checkpoint saves the search of one process"):
        solve(GameState.new(CONNECT_FOUR), client=client, checkpoint=Checkpoint(tmp_path))


def test_a_job_answers_one_question_and_then_the_next() -> None:
    rules, code = find_rules("connect-four-5x4"), code_digest()
    first = answer(rules, (0, 0), 0, 1, 1 << 22, MEMORY, code)
    assert isinstance(first, Answer)
    assert first.high < 1
    assert answer(rules, (0, 0), 0, 0, 1 << 22, MEMORY, code).low >= 0
    assert answer(rules, (0, 0), 0, 1, 1 << 22, MEMORY, code).nodes == 0


@pytest.mark.parametrize("score", range(-6, 7))
def test_the_next_bound_always_narrows_the_range(score: int) -> None:
    low, high = -6, 6
    while low < high:
        bound = next_bound(low, high)
        assert low < bound <= high
        low, high = (bound, high) if score >= bound else (low, bound - 1)
    assert low == score


@pytest.mark.parametrize("name", ["tic-tac-toe", "misere-tic-tac-toe", "mnk:4,3,3,gravity"])
def test_the_tree_backs_up_what_its_leaves_tell(name: str) -> None:
    """Leaves answered in order of usefulness, by the plain search, give the plain score."""
    rules = find_rules(name)
    plain = AlphaBeta(rules)
    score = plain.score(Position())
    for bound in (score - 1, score, score + 1, 0, 1):
        tree = Tree(rules)
        root = tree.node(Position())
        tree.open(root)
        answers = 0
        while leaves := tree.open_leaves(root, bound):
            leaf, question = next(iter(leaves.items()))
            if leaf.position.marks < 3:
                tree.open(leaf)
            else:
                reached = plain.reaches(leaf.position, question)
                leaf.narrow(*((question, MATE) if reached else (-MATE, question - 1)))
                answers += 1
        assert root.settles(bound)
        assert (root.low >= bound) == (score >= bound)
        assert answers < 60


def test_equal_positions_are_one_node() -> None:
    rules = find_rules("tic-tac-toe")
    tree = Tree(rules)
    root = tree.node(Position())
    tree.open(root)
    assert root.children is not None
    assert len(root.children) == 3
    assert tree.node(Position((1, 0), 1)) is tree.node(Position((256, 0), 1))
    won = tree.node(Position((0b111, 0b11000), 1))
    assert (won.low, won.high, back_up(won.low)) == (-MATE, -MATE, MATE - 1)
