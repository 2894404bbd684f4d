"""The clients that follow one game, here and on other servers, and how they are told of it."""

from __future__ import annotations

import asyncio

from tic_tac_toe.protocols.online.events import SEATS
from tic_tac_toe.protocols.online.replies import Presence

from .core import ServerCore
from .hints import PRESENCE, Hint
from .loaded_game import LoadedGame
from .web_socket import WebSocket, frame_of

#: Clients that another server told of count as connected for this many seconds.
PRESENCE_SECONDS = 15.0


class Followers:
    """The clients that follow a game."""

    def __init__(self, core: ServerCore, loaded: LoadedGame) -> None:
        self._core = core
        self._loaded = loaded
        self._seats: dict[WebSocket, str] = {}
        self._elsewhere: dict[str, tuple[Hint, float]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._seats)

    def add(self, follower: WebSocket, seat: str) -> None:
        """Let a client follow the game, from a seat or as a watcher."""
        self._seats[follower] = seat
        self.tell_others()
        self._tell_soon()

    def remove(self, follower: WebSocket) -> None:
        """Let a client go."""
        if self._seats.pop(follower, None) is not None:
            self.tell_others()
            self._tell_soon()

    def heard(self, hint: Hint) -> None:
        """Remember which clients another server has told of."""
        self._elsewhere[hint.node] = hint, self._core.clock()
        self._tell_soon()

    def say(self, frame: bytes) -> None:
        """Send a frame to all clients here."""
        for follower in tuple(self._seats):
            follower.say(frame)

    def close(self, code: int, reason: str) -> None:
        """Close the connections of all clients here."""
        for follower in tuple(self._seats):
            follower.close(code, reason)

    def here(self) -> tuple[str, int]:
        """Return the seats that are connected to this server, and the number of watchers here."""
        seats = set(self._seats.values())
        watchers = sum(not seat for seat in self._seats.values())
        return "".join(seat for seat in SEATS if seat in seats), watchers

    @property
    def presence(self) -> Presence:
        """The clients of this server, and of others that have told of theirs lately."""
        seats, watchers = self.here()
        present = set(seats)
        recent = self._core.clock() - PRESENCE_SECONDS
        for hint, heard in self._elsewhere.values():
            if heard >= recent:
                present.update(hint.seats)
                watchers += hint.watchers
        if (game := self._loaded.game) is not None:
            present.update(
                seat for seat in SEATS if (player := game.player(seat)) and player.strategy
            )
        return Presence(
            self._loaded.address, tuple(seat for seat in SEATS if seat in present), watchers
        )

    def tell_others(self) -> None:
        """Tell other servers which clients follow here."""
        self._core.hints.tell(PRESENCE, self._loaded.address, *self.here())

    def _tell_soon(self) -> None:
        """Tell the clients here soon: at once for a few, less often for a crowd."""
        if self._timer is None and self._seats:
            delay = 0.05 + len(self._seats) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self._tell)

    def _tell(self) -> None:
        self._timer = None
        self.say(frame_of(self.presence))
