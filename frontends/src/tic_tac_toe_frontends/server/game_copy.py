"""The log of one game as far as this server has read it, and when it has to read on."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Protocol

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.replica import Gap, Replaced

from .budgets import AddressBudget
from .core import ServerCore
from .loaded_game import LoadedGame
from .loading import Load
from .storage.game_rows import row_of
from .storage.store import DamagedGame


class CopyOwner(Protocol):
    """Who keeps a copy, and is called back when something has been read."""

    @property
    def payer(self) -> AddressBudget | None:
        """Which address pays if the whole game has to be loaded; ``None``: the server itself."""
        ...

    def send_event(self, event: Event) -> None:
        """Take note of an event that another server has written."""

    def game_changed(self) -> None:
        """Take note that the game is another one than before."""

    def log_was_read(self, *, is_known: bool) -> None:
        """Go on after the log has been read, or could not be."""

    def postpone(self, owner: AddressBudget | None, seconds: float) -> None:
        """Go on without the address that has had too many games loaded."""


class GameCopy:
    """What is in memory of one game.

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
        """Read what the log has above what is in memory."""
        self.is_busy = True
        after = self.loaded.version
        if after:
            self._core.readers.events(self._address, after, partial(self._events_read, after))
            return
        owner, pauses = self._owner.payer, self._core.uptime.pauses
        put_off = partial(self._load_refused, owner)
        self._core.loads.load(Load(self._address, owner, pauses, self._game_loaded, put_off))

    def seize(self) -> bool:
        """Let nothing be read or written until it is released, unless something goes on already."""
        if self.is_busy:
            return False
        self.is_busy = True
        return True

    def mark_stale(self) -> None:
        """Read the log before anything else is done."""
        self.is_known = False

    def clear(self) -> None:
        """Forget the game, for the log has less of it than was written there."""
        self.loaded.clear()
        self.mark_stale()

    def apply(self, events: Iterable[Event]) -> None:
        """Apply the events that are not in memory yet, and tell of them."""
        news = False
        try:
            for event in self.loaded.learn(events, self._core.uptime.pauses):
                self._owner.send_event(event)
                news = True
        except Gap:
            pass  # what comes after it cannot be applied
        except (Replaced, InvalidVariant) as error:
            self._discard_damaged(str(error))
            return
        game = self.loaded.game
        if game is not None and (news or self.loaded.row is None):
            self.loaded.row = row_of(game, self.loaded.row)
            self._owner.game_changed()

    def _game_loaded(self, loaded: LoadedGame | None) -> None:
        """Take over the game as the log has it, which was not known here."""
        self.is_busy = False
        if self.loaded.version:  # it has been created meanwhile
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

    def _load_refused(self, owner: AddressBudget | None, seconds: float) -> None:
        self.is_busy = False
        self._owner.postpone(owner, seconds)

    def _events_read(self, after: int, events: list[Event] | DamagedGame | None) -> None:
        self.is_busy = False
        if events is not None and after != self.loaded.version:  # it was started over meanwhile
            self.read_log()
            return
        self.is_known = events is not None
        if isinstance(events, DamagedGame):
            self._discard_damaged(str(events))
        elif events is not None:
            self.apply(events)
        self._owner.log_was_read(is_known=events is not None)

    def _discard_damaged(self, damage: str) -> None:
        """Be no game: without its end it is not what was played, and no part of it may be used."""
        self._core.report_damaged(self._address, damage)
        self.loaded.clear()
