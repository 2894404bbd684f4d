"""The fast solver: beside bitbully, which solves Connect Four in C++, and alone in other games.

What is timed of a position is its search alone, from an empty table. Making a board, setting a
solver up and resetting bitbully's table are not counted. That takes a clock around each call; only
"one batch of all" and "table kept" are many positions within one.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from benchmarks import connect_four, processes
from benchmarks.connect_four import MEMORY, Task
from benchmarks.measurement import (
    Contestant,
    Effort,
    Runs,
    Sample,
    Sampler,
    Unavailable,
    alternate,
    load,
)
from benchmarks.report import NODES, SECONDS, AtLeast, AtMost, Section
from tic_tac_toe import solver
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, find_rules

BY_ONE, ALONE = "`FastSolver.score`, a new solver for each", "a batch of each"
BATCH = "one batch of all"
BITBULLY, KEPT = "bitbully, table reset for each", "bitbully, table kept"
ONE, TWO = "one thread", "two threads"
NOT_INSTALLED = "the fast solver is not installed"

#: The number of parts of a set of positions; the contestants take turns at one after the other.
PARTS = 20
#: More rounds than these take long and tell little: one round is a thousand positions.
MOST_ROUNDS = 3
#: How many of the hardest positions two threads solve together.
SHARED = 6

#: Games that are solved from their empty boards, and the CPU time wanted.
GAMES: Mapping[str, float | None] = {
    "mnk:5,5,4": 1.0,
    "mnk:6,5,4": None,
    "mnk:6,6,5": None,
    "mnk:7,4,4": None,
    "mnk:7,5,4": 0.3,
    "mnk:7,6,5": 60.0,
    "mnk:7,7,5": 2.5,
}
#: The same, for --slow.
SLOW_GAMES: Mapping[str, float | None] = {
    "mnk:8,4,4": 5.0,
    "mnk:8,7,5": None,
    "mnk:8,8,5": 17.4 * 3600,  # published: 17.4 hours
}

FIRST_CALL = """
from time import process_time
from tic_tac_toe import GameState, find_rules, solver
state = GameState.new(find_rules("connect-four-5x4"))
start = process_time()
solver.solve(state)
seconds = process_time() - start
"""


class Work(NamedTuple):
    """What there is to solve.

    Attributes:
        published: the folder of the published sets.
        harder: the file of the project's own.
        games: solved from their empty boards, with the CPU time wanted.
        slow_games: the same, for --slow.
        given_up: seconds after which a slow game is given up.
        enumerated: the game of which every position is solved.
        analysed: the game of which every first move is scored.
        tries: how often two threads solve each position together, for the best time.
    """

    published: Path = connect_four.FACTS
    harder: Path = connect_four.HARDER
    games: Mapping[str, float | None] = GAMES
    slow_games: Mapping[str, float | None] = SLOW_GAMES
    given_up: float = 900.0
    enumerated: str = "mnk:4,4,4"
    analysed: str = "mnk:7,5,4"
    tries: int = 3


WORK = Work()


class PositionSet(NamedTuple):
    """Positions that all contestants solve.

    Attributes:
        title: what they are.
        read: returns them; raises `Unavailable`.
        nodes: how many on average are wanted.
        goals: for the time, by contestant.
        others: contestants that take part in some sets only.
        rounds: at most.
    """

    title: str
    read: Callable[[], list[Task]]
    nodes: float | None
    goals: Mapping[str, AtLeast]
    others: Sequence[str] = ()
    rounds: int = MOST_ROUNDS


#: Solves positions and returns what that took in all, searches only.
Racer = Callable[[Sequence[Task]], Sample]


def measure(effort: Effort, work: Work = WORK) -> list[Section]:
    """Return the figures of the fast solver."""
    sections: list[Section] = []
    for each in position_sets(work):
        sections += measure_set(each, effort)
    return [
        *sections,
        _measure_threads(work),
        measure_games(effort, work),
        _measure_analysis(effort, work.analysed),
        _measure_enumeration(work.enumerated),
        _measure_whole_board(effort),
        _measure_first_call(effort),
    ]


def position_sets(work: Work = WORK) -> list[PositionSet]:
    """Return what is raced over: three published sets, and the project's own."""

    def published(name: str) -> Callable[[], list[Task]]:
        return lambda: connect_four.read_tasks(work.published / name)

    middle = {BY_ONE: AtLeast(5), ALONE: AtLeast(5), BATCH: AtLeast(5)}
    harder = {BY_ONE: AtLeast(4), ALONE: AtLeast(4)}
    return [
        PositionSet(
            "L3_R1 (late, easy)",
            published("Test_L3_R1"),
            25,
            {BY_ONE: AtLeast(1), BATCH: AtLeast(10)},
            (BATCH, KEPT),
        ),
        PositionSet("L2_R2 (middle)", published("Test_L2_R2"), 18_800, middle, (BATCH,)),
        PositionSet("L1_R1 (early, easy)", published("Test_L1_R1"), 826, {}, (BATCH,)),
        PositionSet(
            "harder_positions.txt",
            lambda: connect_four.read_tasks(work.harder),
            None,
            harder,
            rounds=1,
        ),
    ]


# -- positions, one contestant after the other -----------------------------------------------------


def measure_set(each: PositionSet, effort: Effort) -> list[Section]:
    """Return the time and the nodes that each contestant takes for the positions of a set."""
    racers: dict[str, Callable[[], Racer]] = {BY_ONE: _by_one, ALONE: _alone, BATCH: _in_a_batch}
    racers |= {BITBULLY: _bitbully, KEPT: partial(_bitbully, kept=True)}
    racers = {
        name: make
        for name, make in racers.items()
        if name not in (BATCH, KEPT) or name in each.others
    }
    time, nodes = f"{each.title}, CPU time a position", f"{each.title}, nodes a position"
    try:
        tasks = each.read()[-effort.positions :]
    except Unavailable as reason:
        absent = Runs({}, dict.fromkeys(racers, str(reason)))
        return [
            Section(time, absent, SECONDS, reference=BITBULLY),
            Section(nodes, absent.only([ALONE, BITBULLY]), NODES),
        ]
    # Every part has positions of the whole set; the parts differ by one position at most.
    parts = [tasks[start::PARTS] for start in range(min(PARTS, len(tasks)))]
    contestants = [
        # A batch is about all positions each time: it is the batch that is measured.
        Contestant(name, partial(_take_turns, make, [tasks] if name == BATCH else parts))
        for name, make in racers.items()
    ]
    rounds = min(effort.rounds, each.rounds)
    runs = alternate(contestants, rounds * len(parts)).joined(len(parts))
    goals = {} if each.nodes is None else {ALONE: AtMost(each.nodes)}
    return [
        Section(time, runs, SECONDS, reference=BITBULLY, goals=each.goals),
        Section(nodes, runs.only([ALONE, BITBULLY]), NODES, goals=goals),
    ]


def _take_turns(make: Callable[[], Racer], parts: Sequence[Sequence[Task]]) -> Sampler:
    """Return a sampler that solves one part after the other; the mean of all is of a position."""
    race = make()
    race(parts[0][-1:])  # loads machine code, or makes it
    turns, share = cycle(parts), len(parts) / sum(map(len, parts))

    def take() -> Sample:
        gc.collect()
        gc.disable()
        try:
            cost = race(next(turns))
        finally:
            gc.enable()
        return Sample(cost.seconds * share, nodes=cost.nodes * share)

    return take


def _by_one() -> Racer:
    _require_solver()
    from tic_tac_toe.solver.support import Scale

    cells = CONNECT_FOUR.shape.cells

    def race(tasks: Sequence[Task]) -> Sample:
        seconds, nodes = 0.0, 0
        for task in tasks:
            one = solver.FastSolver(CONNECT_FOUR, solver.Limits(threads=1, memory=MEMORY))
            start = process_time()
            score = one.score(task.position)
            seconds += process_time() - start
            nodes += one.nodes
            check(task, Scale(cells, task.position.marks).to_marks(score))
        return Sample(seconds, nodes=nodes)

    return race


def _alone() -> Racer:
    """Solve what is handed over in batches of one."""
    race_all = _in_a_batch()

    def race(tasks: Sequence[Task]) -> Sample:
        costs = [race_all([task]) for task in tasks]
        return Sample(sum(each.seconds for each in costs), nodes=sum(each.nodes for each in costs))

    return race


def _in_a_batch() -> Racer:
    """Solve what is handed over in one compiled call; each position begins with an empty table."""
    _require_solver()
    import numpy as np

    from tic_tac_toe.solver.kernel import kernel_for
    from tic_tac_toe.solver.kernels import control as questions

    kernel, top = kernel_for(CONNECT_FOUR, MEMORY), CONNECT_FOUR.shape.cells

    def race(tasks: Sequence[Task]) -> Sample:
        lows, highs = np.full(len(tasks), -top), np.full(len(tasks), top)
        batch = kernel.batch([task.position for task in tasks], lows, highs)
        start = process_time()
        batch.narrow(questions.NEVER)
        seconds = process_time() - start
        for task, low in zip(tasks, lows):
            check(task, int(low))
        return Sample(seconds, nodes=int(batch.control[questions.NODES]))

    return race


def _bitbully(kept: bool = False) -> Racer:
    """Let bitbully solve one position after the other, without its book.

    Args:
        kept: whether its table holds what it learnt of earlier positions, and one clock times all.
    """
    package = load("bitbully")
    peer = package.BitBully(opening_book=None)

    def race(tasks: Sequence[Task]) -> Sample:
        boards = [package.Board(task.columns) for task in tasks]
        before, seconds = peer.get_node_counter(), 0.0
        if kept:
            peer.reset_transposition_table()
            start = process_time()
            scores = [peer.mtdf(board) for board in boards]
            seconds = process_time() - start
        else:
            scores = []
            for board in boards:
                peer.reset_transposition_table()
                start = process_time()
                score = peer.mtdf(board)
                seconds += process_time() - start
                scores.append(score)
        for task, score in zip(tasks, scores):
            check(task, score)
        return Sample(seconds, nodes=peer.get_node_counter() - before)

    return race


def check(task: Task, score: int) -> None:
    """Raise `RuntimeError` unless the score is the known one: then nothing is worth measuring."""
    if score != task.score:
        raise RuntimeError(f"{task.moves} is worth {task.score}, and the answer was {score}")


# -- several cores ---------------------------------------------------------------------------------


@contextmanager
def all_cores() -> Iterator[int]:
    """Let this process run on every core it may have, for a while, and give their number."""
    if not hasattr(os, "sched_setaffinity"):
        yield os.cpu_count() or 1
        return
    before = os.sched_getaffinity(0)
    try:
        # The system leaves out those that are not ours.
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        yield len(os.sched_getaffinity(0))
    finally:
        os.sched_setaffinity(0, before)


def _measure_threads(work: Work) -> Section:
    """Return the best wall time of several tries: on a busy machine others get in the way."""
    title = "the hardest of harder_positions.txt, wall time a position, best of several"
    try:
        _require_solver()
        tasks = connect_four.read_tasks(work.harder)[:SHARED]
        with all_cores() as cores:
            if cores < 2:
                raise Unavailable("needs two cores")
            _compile_sharing(tasks[0].position)
            times: dict[tuple[int, Task], list[float]] = {}
            for _ in range(work.tries):
                for task in tasks:
                    for threads in (1, 2):
                        times.setdefault((threads, task), []).append(_wall_time(task, threads))
    except Unavailable as reason:
        return Section(title, Runs({}, {ONE: str(reason), TWO: str(reason)}), SECONDS)
    means = [sum(min(times[threads, task]) for task in tasks) / len(tasks) for threads in (1, 2)]
    runs = Runs({name: [Sample(mean)] for name, mean in zip((ONE, TWO), means)})
    return Section(title, runs, SECONDS, reference=ONE, goals={TWO: AtLeast(1.6)})


def _wall_time(task: Task, threads: int) -> float:
    from tic_tac_toe.solver.support import Scale

    one = solver.FastSolver(CONNECT_FOUR, solver.Limits(threads=threads, memory=MEMORY))
    start = perf_counter()
    score = one.score(task.position)
    seconds = perf_counter() - start
    check(task, Scale(CONNECT_FOUR.shape.cells, task.position.marks).to_marks(score))
    return seconds


def _compile_sharing(position: Position) -> None:
    """Load, or make, the machine code that a search has need of when others join in."""
    from tic_tac_toe.solver.kernel import kernel_for

    kernel = kernel_for(CONNECT_FOUR, solver.Limits(memory=1 << 20).table_bytes)
    worker = kernel.worker()
    worker.begin(position)
    worker.narrow(1)
    kernel.gather([worker])


def _measure_whole_board(effort: Effort) -> Section:
    name, title = "`FastSolver.score`", "the empty 7x6 board, wall time, two threads and 1 GiB"

    def prepare() -> Sampler:
        _require_solver()
        if not effort.slow:
            raise Unavailable("left out without --slow")
        with all_cores():
            _compile_sharing(Position())
            one = solver.FastSolver(CONNECT_FOUR, solver.Limits(threads=2, memory=1 << 30))
            start = perf_counter()
            one.score(Position())
            seconds = perf_counter() - start
        return lambda: Sample(seconds, nodes=one.nodes)

    runs = alternate([Contestant(name, prepare, once=True)], 1)
    return Section(title, runs, SECONDS, goals={name: AtMost(20)})


# -- games from their empty boards -----------------------------------------------------------------


def measure_games(effort: Effort, work: Work = WORK) -> Section:
    """Return what each game takes from its empty board."""
    contestants, goals = [], {}
    for name, goal in {**work.games, **work.slow_games}.items():
        long, label = name in work.slow_games, f"`solve_outcome`, {name.removeprefix('mnk:')}"
        prepare = partial(_prepare_game, name, work.given_up, long, effort.slow)
        contestants.append(Contestant(label, prepare, once=long))
        if goal is not None:
            goals[label] = AtMost(goal)
    return Section(
        "who can force a win, from the empty board, CPU time",
        alternate(contestants, min(effort.rounds, MOST_ROUNDS)),
        SECONDS,
        goals=goals,
    )


def _prepare_game(name: str, given_up: float, long: bool, slow: bool) -> Sampler:
    """Return what solves a game; one that takes long is solved here, for it may be given up."""
    _require_solver()
    if long and not slow:
        raise Unavailable("left out without --slow")
    take = _timed(
        partial(solver.solve_outcome, limits=Limits(time_limit=given_up, threads=1)), name
    )
    if not long:
        return take
    try:
        sample = take()
    except SearchLimitReached as limit:
        raise Unavailable(str(limit)) from None
    return lambda: sample


def _timed(ask: Callable[[GameState], object], game: str) -> Sampler:
    """Return a sampler of the CPU time of one question, after its machine code has been loaded."""
    ask(GameState.new(find_rules("mnk:3,3,3")))
    state = GameState.new(find_rules(game))

    def take() -> Sample:
        start = process_time()
        ask(state)
        return Sample(process_time() - start)

    return take


def _measure_analysis(effort: Effort, game: str) -> Section:
    name = f"`analyse`, {game.removeprefix('mnk:')}"

    def prepare() -> Sampler:
        _require_solver()
        if not effort.slow:
            raise Unavailable("left out without --slow")
        return _timed(partial(solver.analyse, limits=Limits(threads=1)), game)

    return Section(
        "every move on an empty board, with distances, CPU time",
        alternate([Contestant(name, prepare)], 1),
        SECONDS,
        goals={name: AtMost(10)},
    )


def _measure_enumeration(game: str) -> Section:
    name = f"`enumerate_game`, {game.removeprefix('mnk:')}"

    def prepare() -> Sampler:
        _require_solver()
        from tic_tac_toe.solver.enumeration import enumerate_game

        rules = find_rules(game)
        enumerate_game(find_rules("mnk:2,2,2"))  # loads machine code, or makes it

        def take() -> Sample:
            start = process_time()
            solved = enumerate_game(rules)
            seconds = process_time() - start
            return Sample(seconds, nodes=sum(solved.positions))

        return take

    return Section(
        "every position of a game, with distances, CPU time",
        alternate([Contestant(name, prepare)], 1),
        SECONDS,
        goals={name: AtMost(10)},
    )


# -- a fresh process -------------------------------------------------------------------------------


def _measure_first_call(effort: Effort) -> Section:
    """Return what the first call takes where the machine code is in its cache."""
    call, whole = "`solve(state)`, with its imports", "the whole process"

    def prepare_call() -> Sampler:
        _require_solver()
        _told_by(FIRST_CALL)
        return lambda: Sample(_told_by(FIRST_CALL))

    def prepare_whole() -> Sampler:
        _require_solver()
        return processes.fresh(FIRST_CALL)()

    return Section(
        "first call of the fast solver in a fresh process, CPU time",
        alternate(
            [Contestant(call, prepare_call), Contestant(whole, prepare_whole)], effort.rounds
        ),
        SECONDS,
        goals={call: AtMost(0.5)},
    )


def _told_by(code: str) -> float:
    """Return the ``seconds`` that a fresh interpreter has measured itself."""
    command = [sys.executable, "-c", f"{code}\nprint(seconds)"]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def _require_solver() -> None:
    """Raise `Unavailable` unless what the fast solver needs is installed."""
    if not solver.is_installed():
        raise Unavailable(NOT_INSTALLED)
