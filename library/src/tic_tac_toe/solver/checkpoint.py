"""Saving a long search so that it can be stopped at any instant and go on.

A checkpoint is a folder with two generations of the state. Each is written to a temporary file,
synced and renamed over the older of the two, so that whenever the machine stops one of them is
whole.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tic_tac_toe.atomic_file import UNFINISHED
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.solver.checkpoint_file import (
    Arrays,
    InvalidCheckpoint,
    SavedState,
    read_state,
    read_table,
    write_state,
)
from tic_tac_toe.solver.limits import MEBIBYTE

if TYPE_CHECKING:
    from tic_tac_toe.solver.session import FastSolver

FORMAT = "tictactoe-engine checkpoint 2"
TRIED = ".try-"
GENERATIONS = ("state-a.checkpoint", "state-b.checkpoint")
#: The state is saved this often, in seconds, and less often where saving itself takes long.
INTERVAL_SECONDS = 30.0
#: Saving lasts longer with a larger table; even so it is never longer than this until the next.
LONGEST_PAUSE = 55.0
#: How long saving takes until it is known; and how much longer than the last time it may take.
GUESSED_SECONDS_A_BYTE = 1 / (200 * MEBIBYTE)
MARGIN, LEAST_SECONDS = 1.25, 0.05

#: A position, and the scores between which its score is looked for.
Question = tuple[Position, int, int]


class Checkpoint:
    """The folder in which a `FastSolver` saves its state.

    Args:
        folder: made unless it exists.
        notice: called with a sentence where a damaged generation is passed over, or where the time
            limit is too short to search.
        interval: the state is saved so often, in seconds.
        clock: tells the seconds.

    Raises:
        OSError: the folder cannot be made or written to.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        notice: Callable[[str], None] | None = None,
        interval: float = INTERVAL_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.folder: Path = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        # A folder that cannot be written to is better found out now than after half a minute.
        descriptor, _ = tempfile.mkstemp(dir=self.folder, prefix=TRIED)
        os.close(descriptor)
        for rest in self.folder.glob(".*-*"):  # of processes that were killed while they saved
            if rest.name.startswith((TRIED, UNFINISHED)):
                rest.unlink(missing_ok=True)
        self._notice = notice
        self._told_notices: set[str] = set()
        self._clock = clock
        self._saved = clock()
        self._interval = self._pause = interval
        self._generation = 0
        self._nodes = 0  # of the state that was read or saved last
        self._seconds_a_byte = GUESSED_SECONDS_A_BYTE
        self._states: list[SavedState] = []  # the newest last; none once the table is read
        self._errors: list[InvalidCheckpoint] = []
        self._pending: tuple[Question, Arrays] | None = None

    def restore(self, solver: FastSolver) -> None:
        """Give a new solver what the last one of this folder had learnt, the table apart.

        Raises:
            InvalidCheckpoint: neither generation can be used.
        """
        for name in GENERATIONS:
            path = self.folder / name
            if path.exists():
                try:
                    self._states.append(read_state(path, identity(solver)))
                except InvalidCheckpoint as error:
                    self._errors.append(error)
        self._states.sort(key=lambda saved: saved.generation)
        self._take_newest(solver)

    def _take_newest(self, solver: FastSolver) -> None:
        """Give the solver the newest state that is left; the table is still to be read."""
        while self._states:
            saved = self._states[-1]
            try:
                seconds_a_byte = saved.seconds_a_byte
                question = solver.take_state(saved)
            except (ArithmeticError, LookupError, MemoryError, TypeError, ValueError):
                name = saved.path.name
                self._errors.append(InvalidCheckpoint(f"{name} holds what no search has saved"))
                self._states.pop()
                continue
            self._generation, self._nodes = saved.generation, solver.nodes
            self._seconds_a_byte = seconds_a_byte or GUESSED_SECONDS_A_BYTE
            self._pending = None if question is None else (question, saved.arrays)
            break
        if self._errors and not self._states:
            raise self._errors[0]
        for damage in self._errors:
            self.tell(f"{damage}; the older state is used")
        self._errors.clear()

    def load(
        self, solver: FastSolver, limit_reached: Callable[[], str | None] = lambda: None
    ) -> str | None:
        """Read the table of the state that the solver was given, unless it is read already.

        It may take seconds, so that it is only done when there is something to search for, and in
        pieces; what is known is known without it. Until it is read nothing is searched or saved.

        Args:
            limit_reached: asked after each piece; what it returns ends the reading.

        Returns:
            The limit, if one was reached.

        Raises:
            InvalidCheckpoint: the table is damaged, and so is the older generation.
        """
        reached: list[str] = []

        def stop() -> bool:
            reached.extend(filter(None, [limit_reached()]))
            return bool(reached)

        while self._states and not reached:
            self._read_table(solver, stop)
        return reached[0] if reached else None

    def _read_table(self, solver: FastSolver, stop: Callable[[], bool]) -> None:
        """Read the table of the newest state, or give the solver the other one if it is damaged."""
        try:
            if read_table(self._states[-1], solver.table, stop):
                self._states.clear()
        except InvalidCheckpoint as error:
            self._errors.append(error)
            self._states.pop()
            self._take_newest(solver)

    def tell(self, notice: str) -> None:
        """Give a sentence to whoever wants to hear it, once."""
        if self._notice is not None and notice not in self._told_notices:
            self._notice(notice)
        self._told_notices.add(notice)

    def seconds_to_save(self, size: int) -> float:
        """Return how many seconds saving ``size`` bytes may take, judged by the last save."""
        return LEAST_SECONDS + MARGIN * self._seconds_a_byte * size

    def resume(self, solver: FastSolver, question: Question) -> bool:
        """Set the solver's search to where it was saved, if this is the question it was saved at.

        Only the first question can be: any other one changes the table that the search relies on.
        """
        pending, self._pending = self._pending, None
        if pending is None or pending[0] != question:
            return False
        solver.take_search(pending[1])
        return True

    def is_due(self) -> bool:
        """Return whether the last time that the state was saved is long ago."""
        return self._clock() - self._saved >= self._pause

    def save_in_passing(self, solver: FastSolver, question: Question) -> None:
        """Save the state in the middle of a question; the next time is due a while later."""
        before = self._clock()
        self._saved = before  # should it fail, the next time is no sooner than otherwise
        self.save(solver, question)
        self._saved = self._clock()
        self._pause = min(self._interval + 3 * (self._saved - before), LONGEST_PAUSE)

    def save_news(self, solver: FastSolver) -> None:
        """Save the state at the end, unless nothing has been searched since it was read or saved.

        Raises:
            OSError: it cannot be written; both generations are as they were.
        """
        if solver.nodes != self._nodes:
            self.save(solver)

    def save(self, solver: FastSolver, question: Question | None = None) -> None:
        """Save the state, in the middle of a question or of the one that a limit has ended.

        Raises:
            OSError: it cannot be written; both generations are as they were.
        """
        self.load(solver)
        began = self._clock()
        state, arrays = solver.give_state(question)
        generation = self._generation + 1
        path = self.folder / GENERATIONS[generation % 2]
        write_state(path, identity(solver), generation, state, arrays, self._clock)
        self._generation = generation  # now, and not before: the newest is never written over
        self._nodes = solver.nodes
        if (size := arrays["table"].nbytes) >= MEBIBYTE:
            self._seconds_a_byte = (self._clock() - began) / size


def identity(solver: FastSolver) -> dict[str, str]:
    """Return what a state belongs to: the format, the game, and the program that made it."""
    return {"format": FORMAT, "game": variant_name(solver.rules), "code": code_digest()}


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Return a digest of the solver's own source, for arrays mean nothing to another version."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
