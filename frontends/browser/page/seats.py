"""The seats that this browser keeps, so that a player who comes back is the same player.

A token never leaves the browser but to the server; it is in no address. Each tab knows besides
which game it is at: two tabs can be two players.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import js
from pyodide.ffi import create_proxy

from tic_tac_toe.protocols.online.addresses import is_address

from .dom import forget, names_remembered, options, remember, remembered, window

#: So many seats are kept; the oldest are forgotten.
MOST = 40
_NAME = "seat."


class Seat(NamedTuple):
    """A seat in a game.

    Attributes:
        token: what claims it.
        title: what the player calls the game by.
        is_over: whether the game has ended.
        time: when it was kept, in seconds since 1970.
    """

    game: str
    token: str
    title: str = ""
    is_over: bool = False
    time: int = 0


class Seats:
    """Keeps tokens by the addresses of games."""

    def __init__(self) -> None:
        self._let_go: Callable[[], object] | None = None
        self._held = ""

    @property
    def game(self) -> str:
        """The game that this tab is at; empty for none."""
        game = remembered("game", by_tab=True) or ""
        return game if is_address(game) else ""

    @game.setter
    def game(self, address: str) -> None:
        remember("game", address, by_tab=True)

    def keep(self, game: str, token: str) -> None:
        """Keep a seat, before anybody is asked for it."""
        self._write(Seat(game, token))
        remember(_NAME + game, token, by_tab=True)
        for seat in self.all()[MOST:]:
            forget(_NAME + seat.game)

    def note(self, game: str, title: str, is_over: bool) -> None:
        """Note what has become of a game with a seat that is kept."""
        seat = self._read(game)
        if seat is not None and (seat.title, seat.is_over) != (title, is_over):
            self._write(seat._replace(title=title, is_over=is_over))

    def forget(self, game: str, token: str) -> None:
        """Forget a seat that there is not."""
        seat = self._read(game)
        if seat is not None and seat.token == token:
            forget(_NAME + game)
        forget(_NAME + game, by_tab=True)

    def all(self) -> list[Seat]:
        """Return all seats that are kept, the newest first."""
        games = [name.removeprefix(_NAME) for name in names_remembered(_NAME)]
        seats = [seat for game in games if (seat := self._read(game)) is not None]
        return sorted(seats, key=lambda seat: -seat.time)

    async def token(self, game: str, *, claim: bool = False) -> str:
        """Return the token of a game's seat, empty where there is none for this tab.

        Args:
            claim: whether it may be the seat that another tab is at, too.
        """
        if own := remembered(_NAME + game, by_tab=True):
            return own
        seat = self._read(game)
        if seat is None or (not claim and await _is_held(game)):
            return ""
        return seat.token

    def hold(self, game: str) -> None:
        """Let other tabs know that this one has a seat of a game; empty for none."""
        if game == self._held:
            return
        self._held = game
        if self._let_go is not None:
            self._let_go()
            self._let_go = None
        locks = getattr(window.navigator, "locks", None)
        if not game or locks is None:
            return

        def keep(resolve: Any, _reject: Any) -> None:
            self._let_go = resolve

        # Shared, for a tab that was duplicated has the same seat.
        until_let_go = js.Promise.new(create_proxy(keep))
        locks.request(
            _lock(game), options(mode="shared"), create_proxy(lambda _granted: until_let_go)
        )

    def _read(self, game: str) -> Seat | None:
        try:
            found = json.loads(remembered(_NAME + game) or "")
            token, title, is_over, kept = found
        except (ValueError, TypeError):
            return None
        if not (is_address(game) and isinstance(token, str) and is_address(token)):
            return None
        return Seat(game, token, str(title), bool(is_over), int(kept))

    def _write(self, seat: Seat) -> None:
        kept = seat.time or int(time.time())
        remember(_NAME + seat.game, json.dumps([seat.token, seat.title, seat.is_over, kept]))


async def _is_held(game: str) -> bool:
    """Return whether another tab is at the same seat, as far as the browser tells."""
    locks = getattr(window.navigator, "locks", None)
    if locks is None:
        return False
    found = await locks.query()
    return any(lock.name == _lock(game) for lock in found.held)


def _lock(game: str) -> str:
    return f"tic-tac-toe.{_NAME}{game}"
