"""Stops compiled code, which reads no clock, from a thread beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: The seconds between two questions whether to stop.
POLL_SECONDS = 0.004


@contextmanager
def stop_cell(stop: Callable[[], bool] | None) -> Iterator[NDArray[np.int64]]:
    """Yield an array of one number, which becomes 1 once ``stop`` returns true.

    Compiled code runs without the interpreter's lock, so that it sees the change in the midst of
    its search. An exception of ``stop`` ends the search, too, and is raised when the block ends.
    """
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
