"""How far a thought has come: what engines tell while they think."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

#: A listener is told of each new depth and best move, and after each of this number of parts of the
#: budget.
PARTS = 100
#: How many positions or playouts plain Python looks at between two questions whether to stop.
BETWEEN_STOPS = 64


class Progress(NamedTuple):
    """How far a thought has come.

    Attributes:
        share: the part of what the answer may cost that is spent, from 0 to 1; searches may end
            sooner.
        depth: how many plies were looked ahead, 0 where that means nothing.
        best: the move that looks best so far, ``None`` before there is one.
        nodes: the positions or playouts so far.
    """

    share: float = 0.0
    depth: int = 0
    best: int | None = None
    nodes: int = 0


#: Is told how far a thought has come, in a thread of the engine's choice.
Tell = Callable[[Progress], object]


class Reporter:
    """Tells a listener about one thought, now and then; the thought does not depend on it.

    It may be called by two threads: the one that thinks and the one that watches it.

    Args:
        tell: the listener, if there is one.
        limit: what the thought may cost, in nodes or in another unit that `found` is told.
        elapsed: which part of the time is over, where a clock ends the thought.
    """

    def __init__(
        self, tell: Tell | None, limit: float, elapsed: Callable[[], float] | None = None
    ) -> None:
        self._tell = tell
        self._limit = max(limit, 1.0)
        self._elapsed = elapsed
        self._told = Progress()
        self._lock = threading.Lock()

    def found(self, best: int, nodes: int, depth: int = 0, *, cost: float | None = None) -> None:
        """Tell which move looks best now, and what it has cost if that is not the nodes."""
        if self._tell is not None:
            self._note(nodes, nodes if cost is None else cost, best, depth)

    def spent(self, nodes: int) -> None:
        """Tell how much has been spent."""
        if self._tell is not None:
            self._note(nodes, nodes, None, 0)

    def _note(self, nodes: int, cost: float, best: int | None, depth: int) -> None:
        assert self._tell is not None, "it was asked for"
        with self._lock:
            told = self._told
            share = cost / self._limit if self._elapsed is None else self._elapsed()
            now = Progress(
                max(told.share, min(1.0, share)),
                max(told.depth, depth),
                told.best if best is None else best,
                max(told.nodes, nodes),
            )
            is_news = (now.best, now.depth) != (told.best, told.depth)
            if is_news or int(now.share * PARTS) > int(told.share * PARTS):
                self._told = now
                self._tell(now)
