"""The solver that gives jobs to the workers of a cluster.

The position is split into those after some plies, and each of these becomes a job for some worker.
A job is limited: what it cannot answer within its nodes is split further. So a worker that is lost
costs little, and a job that nobody needs any more ends soon. It needs the package
`distributed`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tic_tac_toe.limits import Limits, Progress
from tic_tac_toe.logic.exceptions import GameError
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.solver.cluster.job import Answer, BriefSolver, answer
from tic_tac_toe.solver.cluster.patience import PATIENCE_SECONDS, ClusterError, Patience
from tic_tac_toe.solver.cluster.tree import Node, Tree
from tic_tac_toe.solver.cluster.workers import (
    COUNT_SECONDS,
    FAILURES,
    LOOK_SECONDS,
    WORKER_SECONDS,
    Workers,
)
from tic_tac_toe.solver.meter import Meter, limit_error
from tic_tac_toe.solver.saving import code_digest
from tic_tac_toe.solver.scale import Scale

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


class ClusterSolver:
    """Exact scores from the workers of a cluster: a `Solver` for `find_verdict`.

    Args:
        rules: a game that `supports` says yes to.
        client: of a cluster whose workers can import this library, see `connect`.
        limits: for all questions together; ``memory`` is that of each worker's thread.
        retries: how often a job is tried again after an error of its worker.
        patience: how many seconds the scheduler may be out of reach, or lose every answer, before
            the search ends.
        local_nodes, leaf_nodes, job_nodes: how much is tried here on what is asked, here on a leaf,
            and within one job.
        worker_seconds: how long the cluster may have no worker before the search ends.
        look_seconds, count_seconds: the most that one look at the scheduler may take, and the time
            between two looks.
        job: what the workers run; see `cluster.job.answer`.
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
            # What the workers have begun they finish, unused; the rest is not begun.
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
