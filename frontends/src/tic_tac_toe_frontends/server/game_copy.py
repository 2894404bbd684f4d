"""One game as far as this server has read its log, and when to read more."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Protocol

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import Gap, Replaced

from .budgets import Budget
from .core import ServerCore
from .loaded_game import LoadedGame
from .loading import Load
from .storage.game_rows import row_of
from .storage.store import DamagedGame


class CopyOwner(Protocol):
    """The session of a copy, which is called back after reads."""

    @property
    def payer(self) -> Budget | None:
        """The budget that pays for loading the whole game; ``None``: the server's own work."""
        ...

    def send_event(self, event: Event) -> None:
        """Send an event that another server has written."""

    def game_changed(self) -> None:
        """Handle that the game is not as it was before."""

    def log_was_read(self, *, is_known: bool) -> None:
        """Go on after reading the log, or after failing to."""

    def postpone(self, owner: Budget | None, seconds: float) -> None:
        """Refuse the requests of an address that may load no games now."""


class GameCopy:
    """One game in memory.

    Attributes:
        loaded: the events, the game that they make, and its row.
        is_busy: whether the log is being read or written, or the copy is seized.
        is_known: whether the copy is as new as the log, as far as this server knows.
    """

    def __init__(self, core: ServerCore, address: str, keeper: CopyOwner) -> None:
        self.loaded = LoadedGame(address)
        self.is_busy = False
        self.is_known = False
        self._core = core
        self._address = address
        self._owner = keeper

    def read_log(self) -> None:
        """Read the events that are not in memory yet."""
        self.is_busy = True
        after = self.loaded.version
        if after:
            self._core.readers.events(self._address, after, partial(self._events_read, after))
            return
        owner, pauses = self._owner.payer, self._core.uptime.pauses
        put_off = partial(self._load_refused, owner)
        self._core.loads.load(Load(self._address, owner, pauses, self._game_loaded, put_off))

    def seize(self) -> bool:
        """Block reads and writes until released; return `False` if one is going on."""
        if self.is_busy:
            return False
        self.is_busy = True
        return True

    def mark_stale(self) -> None:
        """Require a read of the log before the next request."""
        self.is_known = False

    def clear(self) -> None:
        """Drop the game from memory."""
        self.loaded.clear()
        self.mark_stale()

    def apply(self, events: Iterable[Event]) -> None:
        """Apply the events that are not in memory yet, and send them to the followers."""
        has_new = False
        try:
            for event in self.loaded.learn(events, self._core.uptime.pauses):
                self._owner.send_event(event)
                has_new = True
        except Gap:
            pass  # later events cannot be applied without the missing one
        except (Replaced, InvalidVariant) as error:
            self._discard_damaged(str(error))
            return
        game = self.loaded.game
        if game is not None and (has_new or self.loaded.row is None):
            self.loaded.row = row_of(game, self.loaded.row)
            self._owner.game_changed()

    def _game_loaded(self, loaded: LoadedGame | None) -> None:
        """Take over a game that was not in memory; ``None``: the log could not be read."""
        self.is_busy = False
        if self.loaded.version:  # created meanwhile by a request
            self.read_log()
            return
        self.is_known = loaded is not None
        if loaded is not None and loaded.damage:
            self._discard_damaged(loaded.damage)
        if loaded is not None and loaded.game is not None:
            self._core.damaged.discard(self._address)
            self.loaded.take_over(loaded)
            self._owner.game_changed()
        self._owner.log_was_read(is_known=loaded is not None)

    def _load_refused(self, owner: Budget | None, seconds: float) -> None:
        self.is_busy = False
        self._owner.postpone(owner, seconds)

    def _events_read(self, after: int, events: list[Event] | DamagedGame | None) -> None:
        self.is_busy = False
        if events is not None and after != self.loaded.version:  # dropped meanwhile
            self.read_log()
            return
        self.is_known = events is not None
        if isinstance(events, DamagedGame):
            self._discard_damaged(str(events))
        elif events is not None:
            self.apply(events)
        self._owner.log_was_read(is_known=events is not None)

    def _discard_damaged(self, damage: str) -> None:
        """Drop a damaged game: without its last events it is not what was played."""
        self._core.report_damaged(self._address, damage)
        self.loaded.clear()
