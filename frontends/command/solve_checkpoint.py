"""The checkpoint of ``tic-tac-toe solve``, which a full disk does not end the search for."""

from __future__ import annotations

import time
from collections.abc import Callable

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.solver.checkpoint import INTERVAL_SECONDS, Checkpoint
from tic_tac_toe.solver.session import FastSolver


class SteadyCheckpoint(Checkpoint):
    """A checkpoint that says what keeps it from saving, lets the search go on and tries again.

    Args:
        folder, notice: as of `Checkpoint`.
        failed: called with what kept it from saving.
    """

    def __init__(
        self, folder: str, notice: Callable[[str], None], failed: Callable[[OSError], None]
    ) -> None:
        super().__init__(folder, notice=notice)
        self._failed = failed
        self._not_before = -1.0

    def save_now_and_then(self, solver: FastSolver, question: tuple[Position, int, int]) -> None:
        """Save the state if the last time is long ago, and it is possible."""
        if time.monotonic() < self._not_before:
            return
        try:
            super().save_now_and_then(solver, question)
        except OSError as error:
            self._not_before = time.monotonic() + INTERVAL_SECONDS
            self._failed(error)
