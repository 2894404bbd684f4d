"""Joining, visiting and leaving online games."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.requests import Leave

from .seats import Seats


class Actions:
    """Hands the reader's requests to the client, and stores the seats that they take.

    Args:
        on_request: called after a request has been handed to the client.

    Attributes:
        prepare: called with the address of a game before its free seat is taken.
        elsewhere: the game in which another tab has this player's seat; empty for none.
    """

    def __init__(self, client: Client, on_request: Callable[[], object]) -> None:
        self._client, self._on_request = client, on_request
        self.seats = Seats(self._watch_instead)
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
            by_force: take the seat over from another tab.
        """
        self.cancel_visit()
        visit, token = self._visits, self.seats.token(address)
        is_free = not token or await self.seats.claim(address, token, by_force=by_force)
        if visit == self._visits:
            self.elsewhere = "" if is_free else address
            self._client.watch(address, token if is_free else "")
            self._on_request()

    def cancel_visit(self) -> None:
        """Cancel a visit that has not reached its game yet."""
        self._visits += 1

    def go_to_rematch(self) -> None:
        """Go to the rematch."""
        client = self._client
        if client.game is not None and client.game.follower and client.seat:
            self.seats.add(client.game.follower, client.token)
        client.follow()
        self._on_request()

    def leave(self) -> None:
        """Go to the lobby; cancel a game that still waits for an opponent."""
        self.cancel_visit()
        seat = self._client.address, self._client.token
        is_leaving = any(isinstance(request, Leave) for request in self._client.pending)
        if not is_leaving and (request := self._client.leave()):
            self._cancelled[request.id] = seat
        self._on_request()

    def forget_cancelled(self, request: Leave) -> str:
        """Delete the seat in the game that a request cancelled, and return the game's address."""
        game, token = self._cancelled.pop(request.id)
        self.seats.delete(game, token)
        return game

    def keep_seat(self) -> None:
        """Store the seat that the client has requested."""
        self.seats.add(self._client.address, self._client.token)
        self._on_request()

    def _watch_instead(self, game: str, token: str) -> None:
        """Watch a game whose seat another tab has taken."""
        if (self._client.address, self._client.token) == (game, token):
            self.elsewhere = game
            self._client.watch(game)
            self._on_request()
