"""The player's seats in the browser's storage, so that they can return to their games.

Tokens are sent to the server only; no address contains one. Each tab also stores its own game: two
tabs can be two players. In browsers with the Web Locks API, which needs HTTPS or localhost, at most
one tab has a seat at a time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import js
from pyodide.ffi import create_proxy

from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.protocols.online.addresses import hash_of_token, is_address
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import Closed, Event
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.messages import OWN_GAMES
from tic_tac_toe.protocols.online.replies import OwnGame
from tic_tac_toe.protocols.online.seat_book import (
    PLAYING,
    REMOVED,
    WAITING,
    Seat,
    SeatBook,
    dump_muted,
    dump_seat,
    muted_in,
    parse_muted,
    parse_seat,
)

from ..dom import delete_item, item_names, load_item, options, save_item, start_task, window

#: The maximum number of stored seats; the oldest are deleted, those of finished games first.
MOST = OWN_GAMES
#: For how many of the newest games the page remembers who is muted.
MOST_MUTED = 40
_SEAT, _MUTED = "seat.", "muted"


class Seats:
    """Stores the seats by the addresses of games.

    Args:
        lost: called with the game and the token of a seat that another tab took over.
    """

    def __init__(self, lost: Callable[[str, str], object]) -> None:
        self._lost = lost
        self._held: dict[tuple[str, str], Callable[[], object]] = {}  # each releases a lock
        self._at = ("", "")

    @property
    def game(self) -> str:
        """The game of this tab; empty for none."""
        game = load_item("game", by_tab=True) or ""
        return game if is_address(game) else ""

    @game.setter
    def game(self, address: str) -> None:
        save_item("game", address, by_tab=True)

    def add(self, game: str, token: str) -> None:
        """Store a seat, before the request is sent to the server."""
        seat = Seat(game, token, stage=WAITING, time=int(time.time()))
        self._change(lambda book: book.add(seat))
        save_item(_SEAT + game, token, by_tab=True)

    def move(self, game: str, token: str, follower: str) -> None:
        """Move a seat to the game that the player was paired into; the token is the same."""
        self.delete(game, token)
        self.add(follower, token)

    def update(self, game: OnlineGame, mark: str, *, is_shown: bool) -> bool:
        """Update a stored seat from its game; return whether an opponent has just joined.

        Args:
            mark: the player's side.
            is_shown: whether the player sees the game.
        """
        before = _read(game.address)
        if before is None:
            return False
        seat = before.learned(game, mark, is_shown=is_shown)
        if seat != before:
            _write(seat)
        return (before.stage, seat.stage) == (WAITING, PLAYING)

    def merge_server_games(self, games: Iterable[OwnGame], token: str) -> None:
        """Merge the server's list of a token's games into the stored seats."""
        self._change(lambda book: book.merge(games, token))

    def remove(self, game: str) -> None:
        """Hide a game for good, also if the server lists it again."""
        if (seat := _read(game)) is not None:
            _write(replace(seat, stage=REMOVED))
        delete_item(_SEAT + game, by_tab=True)

    def delete(self, game: str, token: str) -> None:
        """Delete a seat that the server does not know."""
        self._change(lambda book: book.delete(game, token=token) if token else book)
        delete_item(_SEAT + game, by_tab=True)

    def all(self) -> list[Seat]:
        """Return all seats except removed ones, the newest first."""
        return [seat for seat in reversed(_load().at("")) if seat.stage != REMOVED]

    def unfinished(self) -> list[Seat]:
        """Return the seats in unfinished games, the newest first."""
        return [seat for seat in self.all() if seat.is_unfinished]

    def token(self, game: str) -> str:
        """Return the token of a game's seat, first of this tab's own seat; empty for none."""
        if own := load_item(_SEAT + game, by_tab=True):
            return own
        seat = _read(game)
        return "" if seat is None else seat.token

    async def claim(self, game: str, token: str, *, by_force: bool = False) -> bool:
        """Lock a seat for this tab, and return whether that succeeded.

        Args:
            by_force: take the lock from another tab.
        """
        key, locks = (game, token), getattr(window.navigator, "locks", None)
        if key in self._held or locks is None:
            return True
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def answered(lock: Any) -> Any:
            if not answer.done():
                answer.set_result(bool(lock))
            return js.Promise.new(create_proxy(keep)) if lock else None

        def keep(let_go: Any, _reject: Any) -> None:
            self._held[key] = lambda: let_go(None)

        how = options(steal=True) if by_force else options(ifAvailable=True)
        lock = f"tic-tac-toe.{_SEAT}{game}.{hash_of_token(token)}"
        request = locks.request(lock, how, create_proxy(answered))
        start_task(self._wait_for_end(request, key, answer))
        return await answer

    async def _wait_for_end(
        self, request: Any, key: tuple[str, str], answer: asyncio.Future[bool]
    ) -> None:
        """Wait for the end of a lock; report if another tab took it."""
        try:
            await request
        except Exception:  # JavaScript's error
            if not answer.done():
                answer.set_result(True)  # as in a browser without locks
            elif self._held.pop(key, None) is not None:
                self._lost(*key)

    def hold_only(self, game: str, token: str) -> None:
        """Hold the lock of this tab's seat and release all others; an empty token holds none."""
        key = (game, token)
        if key == self._at:
            return
        self._at = key
        for other in [each for each in self._held if each != key]:
            self._held.pop(other)()
        if token:
            start_task(self.claim(game, token))

    def _change(self, change: Callable[[SeatBook], SeatBook]) -> None:
        """Change the stored seats; only those that differ are written: other tabs write others."""
        before = _load()
        after = change(before).trimmed(MOST)
        for _server, game in before.seats.keys() - after.seats.keys():
            delete_item(_SEAT + game)
        for place, seat in after.seats.items():
            if seat != before.seats.get(place):
                _write(seat)


def _load() -> SeatBook:
    """Return the stored seats, the newest last."""
    seats = [_read(name.removeprefix(_SEAT)) for name in item_names(_SEAT)]
    by_time = sorted(filter(None, seats), key=lambda seat: seat.time)
    return SeatBook({seat.place: seat for seat in by_time})


def _read(game: str) -> Seat | None:
    try:
        return parse_seat(load_item(_SEAT + game) or "", game)
    except InvalidNotation:
        return None


def _write(seat: Seat) -> None:
    save_item(_SEAT + seat.game, dump_seat(seat))


def save_muted(client: Client) -> None:
    """Save who is muted in a client's game, and whether the opponent is blocked."""
    book = _load_muted().mute(muted_in(client), client.address)
    save_item(_MUTED, dump_muted(book, MOST_MUTED))


def restore_muted(client: Client) -> None:
    """Mute the people that the reader muted earlier in the client's present game."""
    _load_muted().restore_muted(client)


def _load_muted() -> SeatBook:
    try:
        return parse_muted(load_item(_MUTED) or "{}")
    except InvalidNotation:
        return SeatBook()


def paired_with(event: Event) -> str:
    """Return the game that a waiting player was paired into; empty for any other event."""
    return event.follower if isinstance(event, Closed) else ""
