"""The limits of an answer and the progress reports on the way to it: the same everywhere."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from tic_tac_toe.logic.exceptions import GameError, Message, message, require
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.evaluation import MATE, too_many_positions

MEBIBYTE = 1 << 20
#: Unless a number is given the table takes a quarter of the free memory, and this at most.
MOST_MEMORY = 1024 * MEBIBYTE
LEAST_MEMORY = MEBIBYTE
MOST_THREADS = 256
#: The largest board that can be enumerated whole.
MAXIMUM_CELLS = 17
#: The listener of an engine is told of each new depth and best move, and after each of this number
#: of parts of the work.
PARTS = 100
#: About the seconds that a compiled call lasts: limits are looked at in between.
SLICE_SECONDS = 0.01
FIRST_SLICE, LONGEST_SLICE = 1 << 13, 1 << 24
PROGRESS_SECONDS = 0.2


class InvalidLimit(GameError, ValueError):
    """A limit that is negative, too large or not a number."""


class Progress(NamedTuple):
    """How far a search has got.

    Attributes:
        nodes: positions or playouts looked at so far.
        seconds: since a solver was made.
        low, high: the proved bounds of the score, on the scale of `search.evaluation`.
        table_fill: which part of a solver's table in use is taken, from 0 to 1.
        share: the part of an engine's work or time that is spent, from 0 to 1.
        depth: how many plies an engine has looked ahead, 0 where that means nothing.
        best: the move that looks best so far, ``None`` before there is one.
    """

    nodes: int = 0
    seconds: float = 0.0
    low: int = -MATE
    high: int = MATE
    table_fill: float = 0.0
    share: float = 0.0
    depth: int = 0
    best: int | None = None


#: Is told how far a search has got, in a thread of its choice.
Tell: TypeAlias = Callable[[Progress], object]


class Kept:
    """What a player has found out in a game so far: an engine goes on from it at the next move.

        >>> from tic_tac_toe import GameState, Limits, find_strategy
        >>> from tic_tac_toe.game.strategies import within
        >>> player = within("minimax", Limits(work=0.01, kept=Kept()))
        >>> state = GameState.new("mnk:9,9,5")
        >>> for _ in range(4):
        ...     state = player(state).after_state

    Each side has its own. A position that does not follow from the one before belongs to another
    game: nothing is left of the last one then, so that the same game gives the same moves. Pickled,
    it is empty.
    """

    def __init__(self) -> None:
        self._found: dict[int, tuple[object, Position, Any]] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type[Kept], tuple[()]]:
        return Kept, ()

    @contextmanager
    def going_on(
        self, engine: object, position: Position, make: Callable[[], Any]
    ) -> Iterator[Any]:
        """Lend what an engine found out before this position of a game, else what ``make`` returns.

        While an earlier thought that was ended still has it, the next one borrows something new.
        """
        if not self._lock.acquire(blocking=False):
            yield make()
            return
        try:
            owner, before, found = self._found.pop(position.turn, (None, position, None))
            if owner is not engine or not _follows(position, before):
                found = make()
            self._found[position.turn] = engine, position, found
            yield found
        finally:
            self._lock.release()


def _follows(position: Position, before: Position) -> bool:
    """Return whether stones were placed since, and none was taken away."""
    stays = all(new & old == old for new, old in zip(position.stones, before.stones))
    return stays and position.marks > before.marks


@dataclass(frozen=True)
class Limits:
    """The limits of an answer: there is no end where none is given.

    Args:
        time_limit: seconds in all, ``None`` for no end; reading a checkpoint and saving it at the
            end are among them. Machine code, which is made when it is first used on a machine,
            takes none of it.
        node_limit: positions for a solver to look at in all, ``None`` for no end.
        memory: bytes for the table; else a quarter of what is free, and 1 GiB at most.
        threads: how many search at once; else as many as there are processors for this process.
        cancelled: called many times a second; the search ends soon after it returns true.
        progress: called several times a second.
        work: the seconds that an ordinary machine takes, ``None`` for no end. Each search knows how
            many of its positions or playouts that is, and counts those, so that the same work gives
            the same answer on every machine; an answer that a clock or ``cancelled`` has ended need
            not come out the same again.
        clock: returns the time in seconds.
        started: when the time began; see `begun`.
        kept: what was found out in the game so far; ``None``: each thought begins anew.

    Raises:
        InvalidLimit: a `ValueError`; a limit is negative, or not a number; the message names it.
    """

    time_limit: float | None = None
    node_limit: int | None = None
    memory: int | None = None
    threads: int | None = None
    cancelled: Callable[[], bool] | None = None
    progress: Tell | None = None
    work: float | None = None
    clock: Callable[[], float] = time.monotonic
    started: float | None = None
    kept: Kept | None = None

    def __post_init__(self) -> None:
        for name in ("time_limit", "work", "node_limit", "memory", "threads"):
            value = getattr(self, name)
            kinds = (int, float) if name in ("time_limit", "work") else (int,)
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
        most = None if self.memory is None else total_memory()
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

    def begun(self) -> Limits:
        """Return the same limits with a time that counts from now, unless it counts already."""
        if self.time_limit is None or self.started is not None:
            return self
        return replace(self, started=self.clock())

    def share(self, part: float) -> Limits:
        """Return limits with this part of the work and of the time, which has not begun yet."""
        work, seconds = self.work, self.time_limit
        return replace(
            self,
            work=None if work is None else work * part,
            time_limit=None if seconds is None else seconds * part,
            started=None,
        )

    @property
    def elapsed(self) -> float:
        """Which part of the time is over, from 0 to 1; 0 where it has no end or has not begun."""
        if self.time_limit is None or self.started is None:
            return 0.0
        return min(1.0, (self.clock() - self.started) / max(self.time_limit, 1e-9))

    @property
    def is_watched(self) -> bool:
        """Whether a clock or a person may end the search, or a listener follows it."""
        return bool(self.time_limit is not None or self.cancelled or self.progress)

    def is_over(self) -> bool:
        """Return whether the time is over, or the search is cancelled."""
        return self.elapsed >= 1 or (self.cancelled is not None and self.cancelled())

    def cost(self, nodes_a_second: float) -> float:
        """Return the nodes that the work allows to a search of this speed; infinite without end."""
        return math.inf if self.work is None else self.work * nodes_a_second

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


#: What a person who plays is willing to wait for: an answer within a second, and within two in a
#: browser, where Python takes about two and a half times as long.
MOMENT = Limits(work=0.5 if sys.platform == "emscripten" else 1.0)


def require_limits(value: object) -> Limits:
    """Return a value if it is `Limits`, else raise `TypeError`."""
    require(value, Limits, "Limits, such as Limits(time_limit=5) or Limits(work=0.5)")
    assert isinstance(value, Limits), "it has been required"
    return value


class Meter:
    """Watches the limits of a search between its slices.

    Args:
        limits: of the search, by the clock that they name.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._clock = limits.clock
        self._started = self._told = self._slice_began = self._clock()
        self._slice = FIRST_SLICE

    @property
    def seconds(self) -> float:
        """How long the search has taken."""
        return self._clock() - self._started

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Let something happen that is not the search, such as making its machine code."""
        since = self._clock()
        yield
        self._started += self._clock() - since

    @property
    def seconds_left(self) -> float:
        """How much time is left, without end unless there is a limit."""
        return self.limits.seconds - self.seconds

    def limit_reached(self, nodes: int, seconds_after: float = 0.0) -> Message | None:
        """Return the limit that has been reached, as a message, or ``None``.

        Args:
            seconds_after: the part of the time that is kept for work after the search.
        """
        limits = self.limits
        if limits.node_limit is not None and nodes >= limits.node_limit:
            return too_many_positions(limits.node_limit)
        if limits.time_limit is not None and self.seconds_left <= seconds_after:
            if limits.time_limit == 1:
                return message("no answer after 1 second", "time_limit")
            seconds = shortest(limits.time_limit)
            return message("no answer after {count} seconds", "time_limit", count=seconds)
        if limits.cancelled is not None and limits.cancelled():
            return message("the search was cancelled", "cancelled")
        return None

    def look(self, nodes: int) -> Message | None:
        """Tell the progress if the last report is a while ago; return the limit that is reached."""
        if self.may_tell() and self.limits.progress is not None:
            self.limits.progress(Progress(nodes, self.seconds))
        return self.limit_reached(nodes)

    def next_slice(self, nodes: int) -> int:
        """Return how many nodes may be looked at now, from those looked at so far."""
        now = self._clock()
        seconds, self._slice_began = now - self._slice_began, now
        if seconds < SLICE_SECONDS / 2:
            self._slice = min(self._slice * 2, LONGEST_SLICE)
        elif seconds > SLICE_SECONDS * 2:
            self._slice = max(self._slice // 2, FIRST_SLICE)
        if self.limits.node_limit is None:
            return self._slice
        return min(self._slice, self.limits.node_limit - nodes)

    def start_slices(self) -> None:
        """Forget how long ago the last slice was: a new question begins."""
        self._slice_began = self._clock()
        self._slice = FIRST_SLICE

    def may_tell(self) -> bool:
        """Return whether progress is reported and the last report is a while ago."""
        now = self._clock()
        if self.limits.progress is None or now - self._told < PROGRESS_SECONDS:
            return False
        self._told = now
        return True


class Reporter:
    """Reports one thought to a listener, now and then; the thought does not depend on it.

    It may be called by two threads: the one that thinks and the one that watches it.

    Args:
        limits: of the thought; their listener is told.
        cost: the budget of the thought, in nodes or in the unit of `found`.
    """

    def __init__(self, limits: Limits, cost: float) -> None:
        self._limits = limits
        self._tell = limits.progress
        self._cost = max(cost, 1.0)
        self._told = Progress()
        self._lock = threading.Lock()

    def found(self, best: int, nodes: int, depth: int = 0, *, cost: float | None = None) -> None:
        """Report the move that looks best now, and its cost if that is not the nodes."""
        self._note(nodes, nodes if cost is None else cost, best, depth)

    def spent(self, nodes: int) -> None:
        """Report how much has been spent."""
        self._note(nodes, nodes, None, 0)

    def stop(self, nodes: int) -> bool:
        """Report how much has been spent, and return whether to stop."""
        self.spent(nodes)
        return self._limits.is_over()

    def _note(self, nodes: int, cost: float, best: int | None, depth: int) -> None:
        if self._tell is None:
            return
        with self._lock:
            told = self._told
            share = max(cost / self._cost, self._limits.elapsed)
            now = told._replace(
                share=max(told.share, min(1.0, share)),
                depth=max(told.depth, depth),
                best=told.best if best is None else best,
                nodes=max(told.nodes, nodes),
            )
            is_news = (now.best, now.depth) != (told.best, told.depth)
            if is_news or int(now.share * PARTS) > int(told.share * PARTS):
                self._told = now
                self._tell(now)
