"""The solver that gives jobs to the workers of a cluster.

The position is split into those after some plies, and each of these becomes a job for some worker.
A job has a node limit: a position that is too hard for it is split further. So a lost worker costs
little, and a job that is not needed any more ends soon. The package `distributed` is needed.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from tic_tac_toe.limits import LEAST_MEMORY, MEBIBYTE, Limits, Meter, Progress
from tic_tac_toe.logic.exceptions import GameError, SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.rules.wrappers import without_misere
from tic_tac_toe.logic.search.evaluation import MATE, back_up, final_score, push_down
from tic_tac_toe.logic.search.exact import cell_weights
from tic_tac_toe.solver.checkpoint import code_digest
from tic_tac_toe.solver.cluster.connection import (
    COUNT_SECONDS,
    FAILURES,
    LOOK_SECONDS,
    PATIENCE_SECONDS,
    WORKER_SECONDS,
    ClusterError,
    Patience,
    Workers,
)
from tic_tac_toe.solver.session import FastSolver, limit_error
from tic_tac_toe.solver.support import Scale

if TYPE_CHECKING:
    from distributed import Client, Future

#: The nodes with which a question is tried here first, before it goes to the cluster.
LOCAL_NODES = 1 << 20
#: The nodes with which a leaf is tried here first: most take less time than a message.
LEAF_NODES = 1 << 13
#: The most nodes of a job: some seconds.
JOB_NODES = 1 << 24
#: After this number of jobs they become larger, so that the tree here stays small.
JOBS_OF_A_SIZE = 512
#: How many leaves the tree has at least when the first jobs go out, and jobs under way, by thread.
LEAVES_PER_THREAD, JOBS_PER_THREAD = 8, 2
POLL_SECONDS = 0.01
#: Seconds within which an answer is to be fetched. Each failure doubles them, up to the second
#: number: on a loaded machine a short time is always too short, and limits wait meanwhile.
FETCH_SECONDS, MOST_FETCH_SECONDS = 0.05, 5.0
RETRIES = 3
#: The most that all tables of a worker take, as a part of its memory, and that each of them takes.
TABLES_SHARE = 0.5
MOST_TABLE = 256 * MEBIBYTE
#: More leaves than a tree can have.
NEVER = 1 << 60

_own = threading.local()


class OtherVersion(GameError, RuntimeError):
    """The solver of a worker is another version than the one that asks."""


class Answer(NamedTuple):
    """The result of a job: bounds on the score, settled or not, and the nodes that it took."""

    low: int
    high: int
    nodes: int


def answer(
    rules: Rules,
    stones: tuple[int, int],
    turn: int,
    bound: int,
    nodes: int,
    memory: int | None,
    code: str,
) -> Answer:
    """Answer on a worker whether the score of a position is at least ``bound``.

    Each thread keeps its solver, with the table, from one job of a game to the next. A table only
    saves time, so that the answer is the same wherever a job runs, and however often.

    Raises:
        OtherVersion: this worker's solver is another version than ``code``.
    """
    if code != code_digest():
        raise OtherVersion(
            "another version of the fast solver is installed there", "cluster_version"
        )
    solver: BriefSolver | None = getattr(_own, "solver", None)
    if solver is None or (solver.rules, solver.memory) != (rules, memory):
        _own.solver = None  # frees the old table before the new one is made
        solver = BriefSolver(rules, memory or _table_bytes())
        solver.memory = memory
        _own.solver = solver
    return solver.ask(Position(stones, turn), bound - 1, bound, nodes)


class ClusterSolver:
    """Exact scores from the workers of a cluster: a `Solver` for `find_verdict`.

    Args:
        rules: a game that `supports` says yes to.
        client: of a cluster whose workers can import this library, see `connect`.
        limits: for all questions together; ``memory`` is that of each worker's thread.
        retries: how often a job is tried again after an error of its worker.
        patience: how many seconds the scheduler may be out of reach, or lose every answer, before
            the search ends.
        local_nodes, leaf_nodes, job_nodes: spent here on a question before it goes to the cluster,
            here on each leaf, and within one job.
        worker_seconds: how long the cluster may have no worker before the search ends.
        look_seconds, count_seconds: the most that one look at the scheduler may take, and the time
            between two looks.
        job: the function that the workers run; see `answer`.
        code: the digest of the version that the workers have to run.
        sleep: waits for a number of seconds.

    Attributes:
        jobs: how many answers of workers have been used so far.
        under_way: the jobs that have been sent and not answered.

    Raises:
        InvalidVariant: the fast solver does not solve this game.
    """

    def __init__(
        self,
        rules: Rules,
        client: Client,
        limits: Limits | None = None,
        *,
        retries: int = RETRIES,
        patience: float = PATIENCE_SECONDS,
        local_nodes: int = LOCAL_NODES,
        leaf_nodes: int = LEAF_NODES,
        job_nodes: int = JOB_NODES,
        worker_seconds: float = WORKER_SECONDS,
        look_seconds: float = LOOK_SECONDS,
        count_seconds: float = COUNT_SECONDS,
        job: Callable[..., Answer] = answer,
        code: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if client.asynchronous:
            raise ValueError("the cluster solver needs a client that is not asynchronous")
        self.rules: Rules = rules
        self.client: Client = client
        self.limits: Limits = limits or Limits()
        self.jobs: int = 0
        self._retries = retries
        self._local_nodes, self._leaf_nodes, self._job_nodes = local_nodes, leaf_nodes, job_nodes
        self._job, self._code = job, code or code_digest()
        self._sleep = sleep
        self._meter = Meter(self.limits)
        self._local = BriefSolver(rules, self.limits.memory, self._is_over)
        self._remote_nodes = 0
        self._tree = Tree(rules)
        self.under_way: dict[Node, Future] = {}
        # Of looks at the scheduler, and of answers: either may work while the other does not.
        clock = self.limits.clock
        looking, self._fetching = Patience(patience, clock), Patience(patience, clock)
        self._workers = Workers(
            client,
            looking,
            clock,
            worker_seconds=worker_seconds,
            look_seconds=look_seconds,
            count_seconds=count_seconds,
        )
        self._fetch_seconds = FETCH_SECONDS

    def __repr__(self) -> str:
        return f"ClusterSolver({self.rules!r}, nodes={self.nodes:,}, jobs={self.jobs:,})"

    @property
    def nodes(self) -> int:
        """How many positions have been looked at so far, here and in answers of workers."""
        return self._local.nodes + self._remote_nodes

    def score(self, position: Position) -> int:
        """Return the exact score of a position, on the scale of `logic.search.evaluation`.

        Raises:
            SearchLimitReached: a limit came first; the exception tells the bounds.
            ClusterError: the cluster fails.
        """
        node = self._tree.node(position)
        if node.low < node.high:
            self._ask_here(node, -MATE, MATE, self._local_nodes)
        scale = Scale.of(self.rules, node.position)
        while node.low < node.high:
            low, high = scale.to_marks(node.low), scale.to_marks(node.high + 1) - 1
            if low == high:
                node.narrow(scale.to_score(low), scale.to_score(low))
            else:
                self._settle(node, scale.to_score(next_bound(low, high)))
        return node.low

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``.

        Raises:
            SearchLimitReached: a limit came first; the exception tells the bounds.
            ClusterError: the cluster fails.
        """
        node = self._tree.node(position)
        self._settle(node, bound)
        return node.low >= bound

    def _settle(self, node: Node, bound: int) -> None:
        """Find out whether the score of a node is at least ``bound``."""
        if node.settles(bound) or not self._tree.open_leaves(node, bound):
            return
        self._ask_here(node, bound - 1, bound, self._local_nodes)
        try:
            while not node.settles(bound):
                self._check_limits(node)
                self._workers.count()
                self._take_answers()
                if not self._give_jobs(node, bound):
                    self._tell(node)
                    self._sleep(POLL_SECONDS)
        finally:
            # The workers finish begun jobs, whose answers are not used; the rest is dropped.
            for future in self.under_way.values():
                future.release()
            self.under_way.clear()

    def _give_jobs(self, root: Node, bound: int) -> bool:
        """Send the most useful leaves to the workers; return whether one was settled here."""
        leaves = self._tree.open_leaves(root, bound)
        wanted = LEAVES_PER_THREAD * self._workers.threads
        while len(leaves) < wanted and not self.under_way.keys() & leaves.keys():
            if not leaves:
                return True
            shallowest = min(leaves, key=lambda one: one.position.marks)
            self._tree.open(shallowest)
            leaves = self._tree.open_leaves(root, bound)
        for node in self.under_way.keys() - leaves.keys():
            self.under_way.pop(node).release()
        for leaf, question in leaves.items():
            if len(self.under_way) >= JOBS_PER_THREAD * self._workers.threads:
                break
            if leaf in self.under_way:
                continue
            self._ask_here(leaf, question - 1, question, self._leaf_nodes)
            if leaf.settles(question):
                return True
            try:
                self.under_way[leaf] = self._submit(leaf, question)
            except FAILURES as error:  # the client has closed, or its loop
                self._fetching.fail(error)
                break
        return False

    def _submit(self, leaf: Node, bound: int) -> Future:
        """Send a job away; equal ones have the same key, and are one to the scheduler."""
        nodes = self._job_nodes * (1 + self.jobs // JOBS_OF_A_SIZE)
        if self.limits.node_limit is not None:
            nodes = max(1, min(nodes, self.limits.node_limit - self.nodes))
        stones, turn, _ = leaf.position
        memory, code = self.limits.memory, self._code
        name = variant_name(self.rules)
        key = f"tictactoe {name} {stones} {turn} reaches {bound}? {nodes} {memory} {code}"
        arguments = self.rules, stones, turn, bound, nodes, memory, code
        return self.client.submit(self._job, *arguments, key=key, retries=self._retries)

    def _take_answers(self) -> None:
        """Learn from the jobs that are done, and split the leaves that were too much for one."""
        for leaf, future in list(self.under_way.items()):
            if future.status in ("pending", "lost"):
                continue  # lost with its worker: the scheduler has it made again
            try:
                found: Answer = future.result(timeout=self._fetch_seconds)
            except (TimeoutError, asyncio.TimeoutError):
                self._fetch_seconds = min(2 * self._fetch_seconds, MOST_FETCH_SECONDS)
                continue
            except FAILURES as error:
                if future.status == "error":
                    raise _failure(error) from error
                self._lose(leaf, error)
                continue
            self.under_way.pop(leaf).release()
            self.jobs += 1
            self._fetching.succeed()
            self._fetch_seconds = max(self._fetch_seconds / 2, FETCH_SECONDS)
            self._remote_nodes += found.nodes
            leaf.narrow(found.low, found.high)
            if leaf.low < leaf.high and leaf.children is None:
                self._tree.open(leaf)

    def _lose(self, leaf: Node, error: BaseException) -> None:
        """Let a job be sent again whose answer went with its worker while it was fetched."""
        self._fetching.fail(error)
        self._workers.count(at_once=True)
        self.under_way.pop(leaf).release()

    def _ask_here(self, node: Node, low: int, high: int, nodes: int) -> None:
        found = self._local.ask(node.position, low, high, nodes)
        node.narrow(found.low, found.high)

    def _is_over(self) -> bool:
        return self._meter.limit_reached(self.nodes) is not None

    def _check_limits(self, node: Node) -> None:
        if reason := self._meter.limit_reached(self.nodes):
            scale = Scale.of(self.rules, node.position)
            low, high = scale.to_marks(node.low), scale.to_marks(node.high + 1) - 1
            raise limit_error(reason, scale, low, high)

    def _tell(self, node: Node) -> None:
        """Report the progress now and then; how full the workers' tables are is not known."""
        if self.limits.progress is not None and self._meter.may_tell():
            seconds = self._meter.seconds
            self.limits.progress(Progress(self.nodes, seconds, node.low, node.high, 0.0))


def next_bound(low: int, high: int) -> int:
    """Return the score to ask about, in marks: who wins comes first, then how soon, by halves."""
    if low <= 0 < high:
        return 1
    if low < 0 <= high:
        return 0
    return low + (high - low + 1) // 2


def _failure(error: BaseException) -> ClusterError:
    """Return the one error for a job that has failed."""
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return ClusterError(
            "one worker after another has died at the same job", "cluster_job_kills"
        )
    reason = error.message if isinstance(error, GameError) else str(error)
    return ClusterError("a worker cannot do its job: {reason}", "cluster_job_fails", reason=reason)


class BriefSolver:
    """A fast solver on one thread that gives up a question after some nodes, and goes on later.

    Args:
        rules: the game.
        memory: bytes for its table, see `Limits`.
        stop: asked many times a second; a question is given up soon after it says yes.
    """

    def __init__(
        self, rules: Rules, memory: int | None, stop: Callable[[], bool] = lambda: False
    ) -> None:
        self.rules: Rules = rules
        self.memory: int | None = memory
        self._until = 0
        self._stop = stop
        limits = Limits(memory=memory, threads=1, cancelled=self._has_enough)
        self._solver = FastSolver(rules, limits)

    @property
    def nodes(self) -> int:
        """How many positions have been looked at so far."""
        return self._solver.nodes

    def ask(self, position: Position, low: int, high: int, nodes: int) -> Answer:
        """Return the bounds of the score after these nodes: see `FastSolver.bounds`."""
        before = self._solver.nodes
        self._until = before + nodes
        try:
            found = self._solver.bounds(position, low, high)
        except SearchLimitReached as error:
            found = error.bounds or (-MATE, MATE)
        return Answer(*found, self._solver.nodes - before)

    def _has_enough(self) -> bool:
        return self._solver.nodes >= self._until or self._stop()


# The top of the tree.


class Node:
    """A position, bounds on its score, and the positions after it once it is opened.

    Attributes:
        position: the one that stands for all that are equivalent.
        low, high: the proved bounds of the score, on the scale of `search.evaluation`.
        children: unless they are ``None``, the positions after each move, the likely best first.
    """

    __slots__ = ("children", "high", "low", "position")

    def __init__(self, position: Position, low: int, high: int) -> None:
        self.position: Position = position
        self.low: int = low
        self.high: int = high
        self.children: list[Node] | None = None

    def settles(self, bound: int) -> bool:
        """Return whether it is known if the score is at least ``bound``."""
        return self.low >= bound or self.high < bound

    def narrow(self, low: int, high: int) -> None:
        """Learn bounds that were proved."""
        self.low, self.high = max(self.low, low), min(self.high, high)


class Tree:
    """Positions near the one that is asked about; equivalent ones are the same node.

    Args:
        rules: the game.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._canonical = symmetry_of(rules).canonical
        # Good moves of the game come first in its misère version, too: a tree needs some order, and
        # the numbers take over as soon as anything is known.
        self._weight = cell_weights(without_misere(rules)).__getitem__
        self._nodes: dict[Position, Node] = {}

    def node(self, position: Position) -> Node:
        """Return the node of a position; where the game is over its score is known."""
        key = self._canonical(position)
        if key not in self._nodes:
            outcome = self._rules.outcome(key)
            score = None if outcome is None else final_score(outcome, key.turn)
            low, high = (1 - MATE, MATE - 1) if score is None else (score, score)
            self._nodes[key] = Node(key, low, high)
        return self._nodes[key]

    def open(self, node: Node) -> None:
        """Give a node its children, each of them once."""
        moves = sorted(self._rules.moves(node.position), key=self._weight, reverse=True)
        children = (self.node(self._rules.play(node.position, move)) for move in moves)
        node.children = list(dict.fromkeys(children))

    def open_leaves(self, root: Node, bound: int) -> dict[Node, int]:
        """Return the leaves that matter to a question, with the bound to ask of each, best first.

        The question is whether the score of ``root`` is at least ``bound``. The leaves' bounds are
        backed up first, and if they answer the question no leaf is left.
        """
        self._back_up(root, bound, set())
        leaves: dict[Node, int] = {}
        self._collect(root, bound, {}, leaves)
        return leaves

    def _back_up(self, node: Node, bound: int, seen: set[Node]) -> None:
        """Narrow the bounds of a node, and of all below that matter, by those of its children."""
        if node.children is None or node.settles(bound) or node in seen:
            return
        seen.add(node)
        for child in node.children:
            self._back_up(child, push_down(bound) + 1, seen)
        node.narrow(
            max(back_up(child.high) for child in node.children),
            max(back_up(child.low) for child in node.children),
        )

    def _collect(
        self,
        node: Node,
        bound: int,
        numbers: dict[Node, tuple[int, int]],
        leaves: dict[Node, int],
    ) -> None:
        if node.settles(bound) or node in leaves:
            return
        if node.children is None:
            leaves[node] = bound
            return
        # The score reaches the bound where that of one child falls short of this one.
        below = push_down(bound) + 1
        for child in sorted(node.children, key=lambda one: _leaves(one, below, numbers)[1]):
            self._collect(child, below, numbers, leaves)


def _leaves(node: Node, bound: int, known: dict[Node, tuple[int, int]]) -> tuple[int, int]:
    """Return how many leaves at least prove that the score reaches the bound, and disprove it."""
    if node.low >= bound:
        return 0, NEVER
    if node.high < bound:
        return NEVER, 0
    if node.children is None:
        return 1, 1
    if node not in known:
        below = push_down(bound) + 1
        numbers = [_leaves(child, below, known) for child in node.children]
        proofs, disproofs = zip(*numbers)
        known[node] = min(disproofs), min(NEVER, sum(proofs))
    return known[node]


def _table_bytes() -> int | None:
    """Return the most bytes for the table of one thread of this worker."""
    from distributed import get_worker

    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    if not limit:
        return None
    share = int(limit * TABLES_SHARE) // int(worker.state.nthreads)
    return max(LEAST_MEMORY, min(MOST_TABLE, share))
