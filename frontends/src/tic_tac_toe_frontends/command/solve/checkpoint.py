"""The checkpoint of ``tic-tac-toe solve``, which a full disk does not end the search for."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.solver.checkpoint import INTERVAL_SECONDS, Checkpoint
from tic_tac_toe.solver.session import FastSolver

Question = tuple[Position, int, int]


class SteadyCheckpoint(Checkpoint):
    """A checkpoint that says what keeps it from saving, lets the search go on and tries again.

    Args:
        folder, notice, interval: as of `Checkpoint`.
        failed: called with what keeps it from saving, once and not at each attempt.
    """

    def __init__(
        self,
        folder: str,
        notice: Callable[[str], None],
        failed: Callable[[OSError], None],
        interval: float | None = None,
    ) -> None:
        super().__init__(
            folder, notice=notice, interval=INTERVAL_SECONDS if interval is None else interval
        )
        self._failed = failed
        self._told: int | None = None  # the number of the error

    def save_in_passing(self, solver: FastSolver, question: Question) -> None:
        """Save the state in the middle of a question, if it is possible."""
        try:
            super().save_in_passing(solver, question)
        except OSError as error:
            if error.errno != self._told:
                self._failed(error)
            self._told = error.errno

    def save(self, solver: FastSolver, question: Question | None = None) -> None:
        """Save the state; see `Checkpoint.save`."""
        super().save(solver, question)
        self._told = None
