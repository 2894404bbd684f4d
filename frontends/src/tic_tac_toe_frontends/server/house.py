"""What a game session needs of the server that it lives in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import OnlineGame

from .writer import Writer


class House(Protocol):
    """What a session needs of its server."""

    @property
    def writer(self) -> Writer:
        """The one way to the log."""

    @property
    def clock(self) -> Callable[[], float]:
        """Seconds from any start."""

    @property
    def pauses(self) -> Pauses:
        """The times that no clock is charged for."""

    @property
    def is_shared(self) -> bool:
        """Whether other servers write to the same log."""

    @property
    def is_full(self) -> bool:
        """Whether there are as many unfinished games as there may be."""

    @property
    def has_slept(self) -> bool:
        """Whether this server stood still for a while, and nothing has been done about it yet."""

    def now(self) -> int:
        """Return the time of day, in milliseconds since 1970."""

    def read(self, address: str, after: int, then: Callable[[list[Event] | None], None]) -> None:
        """Read a game's log, and call back; with ``None`` if that failed."""

    def wrote(self, address: str, game: OnlineGame, event: Event) -> None:
        """Spread the news that this server has written an event."""

    def take_up(self, address: str) -> None:
        """Load a game whose clock is running."""

    def consider(self, address: str, game: OnlineGame, seat: str, strategy: str) -> None:
        """Let a computer at a seat think or answer, if it is its turn."""

    def presence_changed(self, address: str, seats: tuple[str, ...], watchers: int) -> None:
        """Tell other servers who follows a game here."""

    def report_damage(self, address: str, error: Exception) -> None:
        """Log that a game cannot be replayed."""

    def drop(self, address: str) -> None:
        """Forget a game that is not there."""
