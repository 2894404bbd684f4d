"""Games that are not in memory: read and replayed in threads, for one address after the other."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from typing import NamedTuple

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.protocols.online.clocks import Pauses
from tic_tac_toe.protocols.online.game import Gap, Replaced

from .loaded_game import LoadedGame
from .rate_limits import Account
from .readers import Readers
from .storage.game_rows import row_of
from .storage.store import DamagedGame, Store

#: Games that are loaded at once, and those of one owner among them: the server itself may load as
#: many as it can.
AT_ONCE, EACH = 4, 2
#: Events for which an owner pays who asks for a game that cannot be replayed.
DAMAGED_EVENTS = 1_000


class Load(NamedTuple):
    """A game that is to be loaded.

    Attributes:
        then: called with the game, without events if there is none; with ``None`` if the log cannot
            be read.
        refused: called instead with the seconds after which the owner may load games again.
    """

    address: str
    owner: Account | None
    pauses: Pauses
    then: Callable[[LoadedGame | None], None]
    refused: Callable[[float], None]


class Loads:
    """Games that wait for being loaded, by the accounts of the addresses that ask for them.

    An owner pays for each event. Whoever is in debt is refused, whatever loads wait.

    Args:
        clock: seconds from any start.
    """

    def __init__(self, readers: Readers, clock: Callable[[], float]) -> None:
        self._readers = readers
        self._clock = clock
        self._waiting: dict[Account | None, deque[Load]] = {}
        self._running: Counter[Account | None] = Counter()

    def __len__(self) -> int:
        return self._running.total() + sum(map(len, self._waiting.values()))

    def load(self, load: Load) -> None:
        """Load a game when it is its turn."""
        self._waiting.setdefault(load.owner, deque()).append(load)
        self._begin()

    def _begin(self) -> None:
        while self._running.total() < AT_ONCE:
            owners = [each for each in self._waiting if not each or self._running[each] < EACH]
            if not owners:
                return
            owner = owners[0]
            loads = self._waiting.pop(owner)
            load = loads.popleft()
            if loads:  # the owner's turn comes again after those of the others
                self._waiting[owner] = loads
            wait = 0.0 if owner is None else owner.replays.wait(self._clock())
            if wait:
                load.refused(wait)
            else:
                self._running[owner] += 1
                self._readers.call(read_game, load.address, load.pauses, then=self._end(load))

    def _end(self, load: Load) -> Callable[[LoadedGame | None], None]:
        def done(loaded: LoadedGame | None) -> None:
            self._running[load.owner] -= 1
            if not self._running[load.owner]:
                del self._running[load.owner]
            if load.owner is not None and loaded is not None:
                events = DAMAGED_EVENTS if loaded.damage else loaded.version
                load.owner.replays.charge(self._clock(), events)
            try:
                load.then(loaded)
            finally:
                self._begin()

        return done


def read_game(store: Store, address: str, pauses: Pauses) -> LoadedGame:
    """Return a game as the log has it; of one that cannot be replayed, nothing.

    Raises:
        StorageError: the log cannot be read.
    """
    loaded = LoadedGame(address)
    try:
        for _ in loaded.learn(store.events(address), pauses):
            pass
    except (DamagedGame, Gap, Replaced, InvalidVariant) as error:
        # Without its end the game is not what was played: no part of it may be used.
        loaded.damage = str(error) or f"event {loaded.version + 1} is missing"
        loaded.clear()
    if loaded.game is not None:
        loaded.row = row_of(loaded.game)
    return loaded
