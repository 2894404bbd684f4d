"""What people do with online games: join, visit and leave them."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.requests import Leave

from .seats import Seats


class Actions:
    """Asks the client for what people do, and keeps the seats that result.

    Args:
        acted: called after the client has been asked for something.

    Attributes:
        prepare: called with the game whose free seat is taken, before it is.
        elsewhere: the game in which another tab has this player's seat; empty for none.
    """

    def __init__(self, client: Client, acted: Callable[[], object]) -> None:
        self._client, self._acted = client, acted
        self.seats = Seats(self._seat_taken)
        self.elsewhere = ""
        self.prepare: Callable[[str], object] = lambda _game: None
        self._visits = 0
        self._cancelled: dict[str, tuple[str, str]] = {}

    def join(self, address: str, name: str) -> None:
        """Take the free seat of a game."""
        self.elsewhere = ""
        self.prepare(address)
        self._client.join(address, name)
        self.keep_seat()

    async def visit(self, address: str, *, by_force: bool = False) -> None:
        """Go to a game: to this player's seat there, or to watch.

        Args:
            by_force: whether the seat is taken over from another tab.
        """
        self.stay()
        visit, token = self._visits, self.seats.token(address)
        is_free = not token or await self.seats.take(address, token, by_force=by_force)
        if visit == self._visits:
            self.elsewhere = "" if is_free else address
            self._client.watch(address, token if is_free else "")
            self._acted()

    def stay(self) -> None:
        """Give up a visit that has not led to its game yet."""
        self._visits += 1

    def follow(self) -> None:
        """Go to the rematch."""
        client = self._client
        if client.game is not None and client.game.follower and client.seat:
            self.seats.keep(client.game.follower, client.token)
        client.follow()
        self._acted()

    def leave(self) -> None:
        """Go to the lobby; a game that still waits for an opponent is cancelled first."""
        self.stay()
        seat = self._client.address, self._client.token
        is_leaving = any(isinstance(request, Leave) for request in self._client.pending)
        if not is_leaving and (request := self._client.leave()):
            self._cancelled[request.id] = seat
        self._acted()

    def cancelled(self, request: Leave) -> str:
        """Return the game that a request has cancelled, and forget the seat there."""
        game, token = self._cancelled.pop(request.id)
        self.seats.forget(game, token)
        return game

    def keep_seat(self) -> None:
        """Keep the seat that the client has asked for."""
        self.seats.keep(self._client.address, self._client.token)
        self._acted()

    def _seat_taken(self, game: str, token: str) -> None:
        """Watch a game that another tab has taken the seat of."""
        if (self._client.address, self._client.token) == (game, token):
            self.elsewhere = game
            self._client.watch(game)
            self._acted()
