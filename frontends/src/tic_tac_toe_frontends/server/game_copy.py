"""The log of one game as far as this server has read it, and when it has to read on."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Protocol

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import Gap, Replaced

from .core import ServerCore
from .loaded_game import LoadedGame
from .loading import Load
from .rate_limits import Account
from .storage.game_rows import row_of
from .storage.store import DamagedGame


class Keeper(Protocol):
    """Who keeps a copy, and is called back when something has been read."""

    @property
    def payer(self) -> Account | None:
        """Which address pays if the whole game has to be loaded; ``None``: the server itself."""
        ...

    def tell(self, event: Event) -> None:
        """Take note of an event that another server has written."""

    def settle(self) -> None:
        """Take note that the game is another one than before."""

    def looked(self, *, is_known: bool) -> None:
        """Go on after the log has been read, or could not be."""

    def put_off(self, owner: Account | None, seconds: float) -> None:
        """Go on without the address that has had too many games loaded."""


class GameCopy:
    """What is in memory of one game.

    Attributes:
        loaded: the events, the game that they make, and its row.
        is_busy: whether the log is being read or written, or the copy is seized.
        is_known: whether the copy is as new as the log, as far as this server knows.
    """

    def __init__(self, core: ServerCore, address: str, keeper: Keeper) -> None:
        self.loaded = LoadedGame(address)
        self.is_busy = False
        self.is_known = False
        self._core = core
        self._address = address
        self._keeper = keeper

    def look(self) -> None:
        """Read what the log has above what is in memory."""
        self.is_busy = True
        after = self.loaded.version
        if after:
            self._core.readers.events(self._address, after, partial(self._read, after))
            return
        owner, pauses = self._keeper.payer, self._core.uptime.pauses
        put_off = partial(self._put_off, owner)
        self._core.loads.load(Load(self._address, owner, pauses, self._loaded, put_off))

    def seize(self) -> bool:
        """Let nothing be read or written until it is released, unless something goes on already."""
        if self.is_busy:
            return False
        self.is_busy = True
        return True

    def distrust(self) -> None:
        """Read the log before anything else is done."""
        self.is_known = False

    def clear(self) -> None:
        """Forget the game, for the log has less of it than was written there."""
        self.loaded.clear()
        self.distrust()

    def learn(self, events: Iterable[Event]) -> None:
        """Apply the events that are not in memory yet, and tell of them."""
        news = False
        try:
            for event in self.loaded.learn(events, self._core.uptime.pauses):
                self._keeper.tell(event)
                news = True
        except Gap:
            pass  # what comes after it cannot be applied
        except (Replaced, InvalidVariant) as error:
            self._give_up(str(error))
            return
        game = self.loaded.game
        if game is not None and (news or self.loaded.row is None):
            self.loaded.row = row_of(game, self.loaded.row)
            self._keeper.settle()

    def _loaded(self, loaded: LoadedGame | None) -> None:
        """Take over the game as the log has it, which was not known here."""
        self.is_busy = False
        if self.loaded.version:  # it has been created meanwhile
            self.look()
            return
        self.is_known = loaded is not None
        if loaded is not None and loaded.damage:
            self._give_up(loaded.damage)
        if loaded is not None and loaded.game is not None:
            self._core.damaged.discard(self._address)
            self.loaded.take_over(loaded)
            self._keeper.settle()
        self._keeper.looked(is_known=loaded is not None)

    def _put_off(self, owner: Account | None, seconds: float) -> None:
        self.is_busy = False
        self._keeper.put_off(owner, seconds)

    def _read(self, after: int, events: list[Event] | DamagedGame | None) -> None:
        self.is_busy = False
        if events is not None and after != self.loaded.version:  # it was started over meanwhile
            self.look()
            return
        self.is_known = events is not None
        if isinstance(events, DamagedGame):
            self._give_up(str(events))
        elif events is not None:
            self.learn(events)
        self._keeper.looked(is_known=events is not None)

    def _give_up(self, damage: str) -> None:
        """Be no game: without its end it is not what was played, and no part of it may be used."""
        self._core.found_damaged(self._address, damage)
        self.loaded.clear()
