"""Process pools for work that would block the event loop."""

from __future__ import annotations

import logging
import multiprocessing
import os
from contextlib import suppress

from pebble import ProcessPool

from ..program.process import end_with_parent


def make_pool(processes: int, *, nice: int = 0) -> ProcessPool:
    """Return a pool of processes with a niceness, which start on demand and end with this one."""
    return ProcessPool(
        max_workers=processes,
        initializer=initialise,
        initargs=[os.getpid(), nice, logging.lastResort and logging.lastResort.formatter],
        context=multiprocessing.get_context("spawn"),
    )


def close_pool(pool: ProcessPool) -> None:
    """Stop all work, and end the processes."""
    pool.stop()  # type: ignore[no-untyped-call]  # untyped in Pebble
    with suppress(TimeoutError):  # they end with this process in any case
        pool.join(timeout=2)


def initialise(parent: int, nice: int, formatter: logging.Formatter | None) -> None:
    """Initialise a process of a pool: it ends with its parent, and gives way to others.

    Args:
        parent: the process id of the parent.
        nice: see `make_pool`.
        formatter: for what the library logs there; see `logs.configure`.
    """
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(formatter)
    end_with_parent(parent)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
