"""Follows the player's other online games while the page shows something else."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.link import ONLINE
from tic_tac_toe.protocols.online.news import GameLost, News

from .channel import BEAT, Channel
from .seats import WAITING, Seats

#: How long a game that waits for a player is followed before the next of them, in seconds.
STAY = 5.0


class Lookout:
    """Visits each unfinished game once, and then follows those that wait for a player.

    It has a connection of its own, and only while there is such a game.

    Args:
        url: where the game server listens.
        seats: the seats that this browser keeps.
        changed: called with the client when it knows more of the game that it is at, or when a
            game turns out not to be there.

    Attributes:
        has_seen_all: whether each unfinished game has been visited since it began to look.
    """

    def __init__(self, url: str, seats: Seats, changed: Callable[[Client], object]) -> None:
        self._seats, self._changed = seats, changed
        self._client = Client(random.SystemRandom(), time.monotonic)
        self._channel = Channel(self._client, url, self._tell, self._beat)
        self.has_seen_all = False
        self._is_looking = False
        self._besides = ""
        self._to_visit: deque[str] = deque()
        self._next_at = 0.0

    def look(self, besides: str) -> None:
        """Look at all games but one, which the page's own client looks at."""
        self._besides = besides
        if self._is_looking:
            return
        self._to_visit = deque(seat.game for seat in self._seats.unfinished())
        self._is_looking, self.has_seen_all = True, False
        self._go_on()

    def rest(self) -> None:
        """Look no longer."""
        self._is_looking = False
        self._client.watch("")
        self._channel.rest()

    def _go_on(self) -> None:
        """Visit the next game; close the connection if no game is left to visit."""
        waiting = [seat.game for seat in self._seats.unfinished() if seat.stage == WAITING]
        here = self._client.address
        while self._to_visit and self._to_visit[0] == self._besides:
            self._to_visit.popleft()
        if self._to_visit:
            there = self._to_visit.popleft()
        else:
            others = [game for game in waiting if game != self._besides]
            after = others.index(here) + 1 if here in others else 0
            there = others[after % len(others)] if others else ""
        self._next_at = time.monotonic() + (BEAT if self._to_visit else STAY)
        if there != here:
            self._client.watch(there, self._seats.token(there) if there else "")
        if there:
            self._channel.begin()
            self._channel.flush()
        else:
            self._channel.rest()

    def _beat(self) -> None:
        is_done = self._client.connection == ONLINE and time.monotonic() >= self._next_at
        if self._is_looking and is_done:
            self._go_on()

    def _tell(self, news: list[News]) -> None:
        is_there = self._client.game is not None
        for each in news:
            if isinstance(each, GameLost):
                self._seats.forget(each.game, self._seats.token(each.game))
                is_there = True
        self.has_seen_all |= is_there and not self._to_visit
        if news and self._is_looking:
            self._changed(self._client)
