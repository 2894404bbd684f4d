"""A folder that keeps the newest state of a long computation, whenever the machine stops.

It has two generations of the state. Each replaces the older of the two as a whole, so that one of
them can be read at any moment.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from tic_tac_toe.atomic_file import UNFINISHED
from tic_tac_toe.limits import MEBIBYTE
from tic_tac_toe.logic.exceptions import Message
from tic_tac_toe.solver.checkpoint_file import (
    PIECE_BYTES,
    Arrays,
    InvalidCheckpoint,
    SavedState,
    read_state,
    read_table,
    write_state,
)

TRIED = ".try-"
GENERATIONS = ("state-a.checkpoint", "state-b.checkpoint")
#: Seconds between two saves; more where saving itself takes long.
INTERVAL_SECONDS = 30.0


class Checkpoint:
    """The folder in which a `FastSolver` saves its state.

    Args:
        folder: made unless it exists.
        notice: called with a `Message` where a damaged generation is passed over, or where the time
            limit is too short to search.
        failed: called with the error that keeps the state from being saved in the middle of a
            search, once until it can be saved again; the search goes on. Unless given, the error is
            raised.
        interval: seconds between two saves in the middle of a search.
        clock: returns the time in seconds.
        piece_bytes: how much of the table is read or written at once; a state can be read only with
            the size that it was written with.
        large_bytes: the size from which on a table tells how long saving takes.

    Raises:
        OSError: the folder cannot be made or written to.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        notice: Callable[[Message], None] | None = None,
        failed: Callable[[OSError], None] | None = None,
        interval: float = INTERVAL_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        piece_bytes: int = PIECE_BYTES,
        large_bytes: int = MEBIBYTE,
    ) -> None:
        self.folder: Path = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        # A folder that cannot be written to is better found out now than after half a minute.
        descriptor, _ = tempfile.mkstemp(dir=self.folder, prefix=TRIED)
        os.close(descriptor)
        for rest in self.folder.glob(".*-*"):  # of processes that were killed while they saved
            if rest.name.startswith((TRIED, UNFINISHED)):
                rest.unlink(missing_ok=True)
        self.failed: Callable[[OSError], None] | None = failed
        self.interval: float = interval
        self.clock: Callable[[], float] = clock
        self.piece_bytes: int = piece_bytes
        self.large_bytes: int = large_bytes
        self._notice = notice
        self._told_notices: set[Message] = set()

    def load(self, identity: Mapping[str, str]) -> tuple[list[SavedState], list[InvalidCheckpoint]]:
        """Return the states that can be read, the newest first, and what is wrong with the others.

        The tables are not read; see `read_table`.

        Args:
            identity: what a state has to belong to.
        """
        states: list[SavedState] = []
        errors: list[InvalidCheckpoint] = []
        for name in GENERATIONS:
            path = self.folder / name
            if path.exists():
                try:
                    states.append(read_state(path, identity))
                except InvalidCheckpoint as error:
                    errors.append(error)
        states.sort(key=lambda saved: saved.generation, reverse=True)
        return states, errors

    def read_table(
        self, saved: SavedState, table: NDArray[Any], stop: Callable[[], object]
    ) -> bool:
        """Read the table of a state into ``table``; see `checkpoint_file.read_table`."""
        return read_table(saved, table, stop, piece_bytes=self.piece_bytes)

    def save(
        self, identity: Mapping[str, str], generation: int, state: object, arrays: Arrays
    ) -> None:
        """Write a state over the older generation.

        Args:
            generation: the number of the newest state that can be read, plus 1.

        Raises:
            OSError: it cannot be written; both generations are unchanged.
        """
        path = self.folder / GENERATIONS[generation % 2]
        write_state(
            path, identity, generation, state, arrays, self.clock, piece_bytes=self.piece_bytes
        )

    def tell(self, notice: Message) -> None:
        """Call ``notice`` with a message, once."""
        if self._notice is not None and notice not in self._told_notices:
            self._notice(notice)
        self._told_notices.add(notice)
