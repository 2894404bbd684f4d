"""What an engine is asked, what it answers, and how compiled code is stopped."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.evaluation import Evaluation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: No estimate is nearer than this to a certain loss or win.
LEAST_CHANCE = 0.02
#: How many positions or playouts plain Python looks at between two questions whether to stop.
BETWEEN_STOPS = 64


class Engine(Protocol):
    """Thinks about the positions of one game."""

    def think(self, position: Position, limits: Limits, rng: Random) -> Evaluation:
        """Return what looks best within the limits; all chance comes from ``rng``.

        At least one move looks best. A win in one is never missed, and a loss in the next ply is
        stopped wherever it can be, however little the work. Engines for large boards of lines stop
        an open three, too.

        Args:
            limits: the work and the time; whether to stop is asked every few milliseconds.

        Raises:
            ValueError: the game is over.
        """
        ...


def chance_of(value: float, unit: float) -> float:
    """Return what can be expected where an evaluation has a value.

    Args:
        unit: the difference that multiplies the odds of winning by 2.7.
    """
    return bounded(0.5 + 0.5 * math.tanh(value / (2 * unit)))


def bounded(chance: float) -> float:
    """Return a chance that claims no certainty."""
    return min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE)


#: The seconds between two questions whether to stop.
POLL_SECONDS = 0.004


@contextmanager
def stop_cell(stop: Callable[[], bool] | None) -> Iterator[NDArray[np.int64]]:
    """Yield an array of one number, which becomes 1 once ``stop`` returns true.

    Compiled code runs without the interpreter's lock, so that it sees the change in the midst of
    its search. An exception of ``stop`` ends the search, too, and is raised when the block ends.
    """
    import numpy as np

    cell: NDArray[np.int64] = np.zeros(1, np.int64)
    if stop is None:
        yield cell
        return
    ended, raised = threading.Event(), list[BaseException]()

    def watch(asked: Callable[[], Any]) -> None:
        try:
            while not asked():
                if ended.wait(POLL_SECONDS):
                    return
        except BaseException as error:
            raised.append(error)
        cell[0] = 1

    watcher = threading.Thread(target=watch, args=(stop,), daemon=True)
    watcher.start()
    try:
        yield cell
    finally:
        ended.set()
        watcher.join()
    if raised:
        raise raised[0]
