"""What a search may use, and what it reports while it works."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import GameError, Message, SearchLimitReached, message
from tic_tac_toe.logic.search.scores import result_of
from tic_tac_toe.solver.scale import Scale

MEBIBYTE = 1 << 20
#: Unless a number is given the table takes a quarter of the free memory, and this at most.
MOST_MEMORY = 1024 * MEBIBYTE
LEAST_MEMORY = MEBIBYTE
MOST_THREADS = 256
#: The largest board that can be enumerated whole.
MAXIMUM_CELLS = 17


class InvalidLimit(GameError, ValueError):
    """A limit that is negative, too large or not a number."""


class Progress(NamedTuple):
    """How far a search has got.

    Attributes:
        nodes: positions looked at so far.
        seconds: since the solver was made.
        low, high: what is proved of the score that is looked for, on the scale of `search.scores`.
        table_fill: which part of the table in use is taken, from 0 to 1.
    """

    nodes: int
    seconds: float
    low: int
    high: int
    table_fill: float


@dataclass(frozen=True)
class Limits:
    """What a solver may use.

    Args:
        time_limit: seconds in all, ``None`` for no end; reading a checkpoint and saving it at the
            end are among them. Machine code, which is made when it is first used on a machine,
            takes none of it.
        node_limit: positions to look at in all, ``None`` for no end.
        memory: bytes for the table; else a quarter of what is free, and 1 GiB at most.
        threads: how many search at once; else as many as there are processors for this process.
        cancelled: called many times a second; the search ends soon after it returns true.
        progress: called several times a second.

    Raises:
        InvalidLimit: a `ValueError`; a limit is negative, or not a number; the message names it.
    """

    time_limit: float | None = None
    node_limit: int | None = None
    memory: int | None = None
    threads: int | None = None
    cancelled: Callable[[], bool] | None = None
    progress: Callable[[Progress], None] | None = None

    def __post_init__(self) -> None:
        for name in ("time_limit", "node_limit", "memory", "threads"):
            value = getattr(self, name)
            kinds = (int, float) if name == "time_limit" else (int,)
            if value is None:
                continue
            if type(value) not in kinds or (value != value):
                raise InvalidLimit(
                    "{name} must be a number, not {value}",
                    "limit_type",
                    name=name,
                    value=f"{value!r:.40}",
                )
            if value < 0:
                raise InvalidLimit(
                    "{name} must not be negative, and it is {value}",
                    "limit_negative",
                    name=name,
                    value=value,
                )
        if self.memory is not None and self.memory < LEAST_MEMORY:
            raise InvalidLimit(
                "memory must be {limit} bytes at least, not {memory}",
                "limit_memory_least",
                limit=LEAST_MEMORY,
                memory=self.memory,
            )
        most = total_memory()
        if self.memory is not None and most is not None and self.memory > most:
            raise InvalidLimit(
                "memory must be {limit} bytes at most, which is all that this machine has, "
                "not {memory}",
                "limit_memory_most",
                limit=most,
                memory=self.memory,
            )
        if self.threads is not None and not 1 <= self.threads <= MOST_THREADS:
            raise InvalidLimit(
                "threads must be from 1 to {limit}, not {threads}",
                "limit_threads",
                limit=MOST_THREADS,
                threads=self.threads,
            )

    @property
    def seconds(self) -> float:
        """The time limit, infinite unless there is one."""
        return math.inf if self.time_limit is None else self.time_limit

    @property
    def workers(self) -> int:
        """The number of threads."""
        return self.threads or usable_processors()

    @property
    def table_bytes(self) -> int:
        """The most that a table may take."""
        if self.memory is not None:
            return self.memory
        return max(LEAST_MEMORY, min(MOST_MEMORY, free_memory() // 4))


def limit_error(reason: Message, scale: Scale, low: int, high: int) -> SearchLimitReached:
    """Return the exception that names the limit and what was proved; its code is the limit's."""
    return SearchLimitReached(
        "{reason}; {known}",
        reason.code,
        bounds=scale.to_bounds(low, high),
        reason=reason,
        known=_proved(low, high),
    )


def _proved(low: int, high: int) -> Message:
    """Return a sentence about bounds on a score."""
    at_least, at_most = result_of(low), result_of(high)
    if at_least == at_most == "win":
        return message("a win, but not how soon", "known_win")
    if at_least == at_most:
        return message("a loss, but not how late", "known_loss")
    if at_least == "draw":
        return message("at least a draw", "known_at_least_draw")
    if at_most == "draw":
        return message("at most a draw", "known_at_most_draw")
    return message("the outcome is open", "known_nothing")


def shortest(seconds: float) -> float:
    """Return the same number, as an int if it is one, so that messages show it without ``.0``."""
    return int(seconds) if float(seconds).is_integer() else seconds


def usable_processors() -> int:
    """Return how many processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory(meminfo: Path = Path("/proc/meminfo")) -> int:
    """Return how many bytes of memory are free, or 1 GiB where the system does not tell."""
    return _bytes_of("MemAvailable:", meminfo) or MOST_MEMORY


def total_memory(meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """Return how many bytes of memory the machine has; ``None`` where the system does not tell."""
    return _bytes_of("MemTotal:", meminfo)


def _bytes_of(field: str, meminfo: Path) -> int | None:
    try:
        for line in meminfo.read_text(encoding="ascii").splitlines():
            if line.startswith(field):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None
