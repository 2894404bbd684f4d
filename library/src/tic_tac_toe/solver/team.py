"""Workers that answer one question together, each in a thread of its own."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from types import TracebackType

from tic_tac_toe.solver.kernels.control import ALPHA, ASKING, DEPTH, HIGH, LOW, NODES
from tic_tac_toe.solver.kernels.kernel import Worker

#: The nodes that a helper looks at before it learns what others have found: some milliseconds.
HELPING_NODES = 1 << 15


class Team:
    """Helpers that search while the team is entered, beside a lead that its caller lets search.

    No thread waits for another: one that sleeps and wakes all the time is moved between cores,
    which costs more than the work that two threads do twice.

    Args:
        lead: set to a position and a range.
        helpers: set to the same, on the same table.
        nodes: how many all may look at from now on; ``None`` for any number.
        helping_nodes: how many a helper looks at before it learns what others have found.
    """

    def __init__(
        self,
        lead: Worker,
        helpers: Sequence[Worker],
        nodes: int | None = None,
        *,
        helping_nodes: int = HELPING_NODES,
    ) -> None:
        self._helpers = helpers
        self._low, self._high = int(lead.control[LOW]), int(lead.control[HIGH])
        self._nodes_left = nodes
        self._helping_nodes = helping_nodes
        self._lock = Lock()
        self._stopped = False
        self._pool: ThreadPoolExecutor | None = None
        self._helping: list[Future[None]] = []

    def __enter__(self) -> Team:
        self._stopped = False
        self._pool = ThreadPoolExecutor(max(1, len(self._helpers)))
        self._helping = [self._pool.submit(self._help, one) for one in self._helpers]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the helpers and wait for them; entered again, they go on."""
        self._stopped = True
        if self._pool is not None:
            self._pool.shutdown()
        for future in self._helping:
            future.result()

    def take(self, nodes: int) -> int:
        """Return how many of ``nodes`` may be looked at, and count them as looked at."""
        with self._lock:
            if self._nodes_left is None:
                return nodes
            taken = min(nodes, self._nodes_left)
            self._nodes_left -= taken
            return taken

    def share(self, worker: Worker) -> None:
        """Give a worker the range that all have proved together, and a new question for an old."""
        control = worker.control
        with self._lock:
            self._low = low = max(self._low, int(control[LOW]))
            self._high = high = min(self._high, int(control[HIGH]))
        control[LOW], control[HIGH] = low, high
        if control[ASKING] and not low <= control[ALPHA] < high:
            control[ASKING] = control[DEPTH] = 0

    def _help(self, worker: Worker) -> None:
        while not self._stopped and worker.control[LOW] < worker.control[HIGH]:
            nodes = self.take(self._helping_nodes)
            if nodes == 0:
                return
            worker.narrow(int(worker.control[NODES]) + nodes)
            self.share(worker)
