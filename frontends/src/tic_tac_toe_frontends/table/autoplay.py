"""The moves of a game shown one after the other, as a film."""

from __future__ import annotations

from collections.abc import Callable

from .table import Table

#: How long each position is shown, in seconds.
STEP_SECONDS = 0.8


class Autoplay:
    """Steps through the game at a table until its last move.

    It stops where people step themselves, and where the game changes.

    Args:
        show: shows the table after every step, and when it starts and stops.
        later: calls back after `STEP_SECONDS`.

    Attributes:
        is_running: whether it steps now.
    """

    def __init__(
        self,
        table: Table,
        show: Callable[[], object],
        later: Callable[[Callable[[], object]], object],
    ) -> None:
        self.is_running = False
        self._table = table
        self._show = show
        self._later = later
        self._expected = (0, 0)
        self._run = 0

    def toggle(self) -> None:
        """Start, from the first position where the last one is shown, or stop."""
        table = self._table
        table.remark = ""
        if self.is_running:
            self.stop()
        elif table.match.ply:
            if table.replay.ply is None:
                table.replay.show(table.match, 0)
            self.is_running = True
            self._run += 1
            self._wait()
        self._show()

    def stop(self) -> None:
        """Stay at the position that is shown."""
        self.is_running = False

    def _wait(self) -> None:
        run = self._run
        self._expected = self._place
        self._later(lambda: self._step(run))

    @property
    def _place(self) -> tuple[int, int]:
        table = self._table
        return table.changes, table.replay.moment(table.match)

    def _step(self, run: int) -> None:
        if not self.is_running or run != self._run:
            return
        table = self._table
        if self._place == self._expected:
            table.replay.show(table.match, self._expected[1] + 1)
            self.is_running = table.replay.ply is not None
        else:
            self.is_running = False
        if self.is_running:
            self._wait()
        self._show()
