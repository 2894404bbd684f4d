"""How much work an answer may take, while a person waits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

#: The shares of a thinking time that go into solving, and into keeping what was proved by then.
SOLVE_SHARE, KEEP_SHARE = 0.45, 0.1
#: From this number of seconds on the fast solver gets a larger table.
LONG_SECONDS = 4.0
LARGE_MEMORY = 640 << 20


@dataclass(frozen=True)
class Effort:
    """How much work an answer may take: by default less than a second.

    Without a clock the counts end the work, so that the same state gets the same answer on every
    machine.

    Args:
        solve_nodes: the positions that plain Python looks at to solve: half a second.
        fast_nodes: the positions that the fast solver, where it is ready, looks at to find the best
            moves: half a second.
        fast_seconds: ends that search on slow machines.
        keep_nodes: the additional positions to find moves that keep what was proved by then.
        keep_seconds: ends that search on slow machines.
        fast_memory: the bytes of the fast solver's table; a larger one finds no more in that time.
        think_seconds: the budget of the engine that thinks where nothing is solved; see `Budget`.
        stop_solving: ends the search in plain Python when true.
        stop: ends the engine's thinking when true.
    """

    solve_nodes: int = 200_000
    fast_nodes: int = 4_000_000
    fast_seconds: float = 2.0
    keep_nodes: int = 1_000_000
    keep_seconds: float = 0.5
    fast_memory: int = 80 << 20
    think_seconds: float = 0.4
    stop_solving: Callable[[], bool] | None = None
    stop: Callable[[], bool] | None = None

    def share(self, part: float) -> Effort:
        """Return an effort of which every count and budget is a part of this one's."""
        return replace(
            self,
            solve_nodes=int(self.solve_nodes * part),
            fast_nodes=int(self.fast_nodes * part),
            keep_nodes=int(self.keep_nodes * part),
            think_seconds=self.think_seconds * part,
        )


#: What a person who plays is willing to wait for: an answer within a second.
MOMENT = Effort()
#: What a person who asks for an analysis is willing to wait for: some seconds.
STUDY = Effort(
    solve_nodes=1_000_000,
    fast_nodes=12_000_000,
    fast_seconds=8.0,
    keep_nodes=3_000_000,
    keep_seconds=2.0,
    think_seconds=2.0,
)


def effort_lasting(seconds: float, clock: Callable[[], float] = time.monotonic) -> Effort:
    """Return the effort of an answer that begins now and is given after ``seconds`` by the clock.

    Where the answer is exact it comes as soon as it is found.
    """
    start = clock()
    solved, end = start + SOLVE_SHARE * seconds, start + seconds
    return Effort(
        solve_nodes=1 << 62,
        fast_nodes=1 << 62,
        fast_seconds=SOLVE_SHARE * seconds,
        keep_nodes=1 << 62,
        keep_seconds=KEEP_SHARE * seconds,
        fast_memory=Effort.fast_memory if seconds < LONG_SECONDS else LARGE_MEMORY,
        think_seconds=math.inf,
        stop_solving=lambda: clock() >= solved,
        stop=lambda: clock() >= end,
    )
