"""What people do with online games: create, join, visit and leave them."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.requests import Leave

from .dom import start
from .lobby import Wish
from .seats import Seats


class Actions:
    """Does it with the client, and keeps the seats that it leads to.

    Args:
        act: does something with the client, and sends what it leads to.

    Attributes:
        seats: the seats that this browser keeps.
        elsewhere: the game in which another tab has this player's seat; empty for none.
    """

    def __init__(self, client: Client, act: Callable[[Callable[[Client], object]], object]) -> None:
        self._client, self._act = client, act
        self.seats = Seats(self._seat_taken)
        self.elsewhere = ""
        self._visits = 0
        self._cancelled: dict[str, tuple[str, str]] = {}

    def create(self, wish: Wish) -> None:
        """Create a game."""

        def create(client: Client) -> None:
            client.create(
                wish.variant,
                name=wish.name,
                seat=wish.seat,
                starting=wish.starting,
                opponent=wish.opponent,
                is_open=wish.is_open,
                clock=wish.clock,
            )
            self.seats.keep(client.address, client.token)

        self._act(create)

    def join(self, address: str, name: str) -> None:
        """Take the free seat of a game."""

        def join(client: Client) -> None:
            self.elsewhere = ""
            client.join(address, name)
            self.seats.keep(client.address, client.token)

        self._act(join)

    def visit(self, address: str, *, by_force: bool = False) -> None:
        """Go to a game: to this player's seat there, or to watch.

        Args:
            by_force: whether the seat is taken over from another tab.
        """
        start(self._visit(address, by_force))

    async def _visit(self, address: str, by_force: bool) -> None:
        self.stay()
        visit, token = self._visits, self.seats.token(address)
        is_free = not token or await self.seats.take(address, token, by_force=by_force)
        if visit == self._visits:
            self.elsewhere = "" if is_free else address
            self._act(lambda client: client.watch(address, token if is_free else ""))

    def stay(self) -> None:
        """Give up a visit that has not led to its game yet."""
        self._visits += 1

    def follow(self) -> None:
        """Go to the rematch."""

        def follow(client: Client) -> None:
            if client.game is not None and client.game.follower and client.seat:
                self.seats.keep(client.game.follower, client.token)
            client.follow()

        self._act(follow)

    def leave(self) -> None:
        """Go to the lobby; a game that still waits for an opponent is cancelled first."""

        def leave(client: Client) -> None:
            if any(isinstance(request, Leave) for request in client.pending):
                return
            seat = client.address, client.token
            client.leave()
            for request in client.pending:
                if isinstance(request, Leave):
                    self._cancelled[request.id] = seat

        self.stay()
        self._act(leave)

    def cancelled(self, request: Leave) -> str:
        """Return the game that a request has cancelled, and forget the seat there."""
        game, token = self._cancelled.pop(request.id)
        self.seats.forget(game, token)
        return game

    def _seat_taken(self, game: str, token: str) -> None:
        """Watch a game that another tab has taken the seat of."""
        if (self._client.address, self._client.token) == (game, token):
            self.elsewhere = game
            self._act(lambda client: client.watch(game))
