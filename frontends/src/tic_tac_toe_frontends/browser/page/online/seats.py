"""The player's seats in the browser's storage, so that they can return to their games.

Tokens are sent to the server only; no address contains one. Each tab also stores its own game: two
tabs can be two players. In browsers with the Web Locks API, which needs HTTPS or localhost, at most
one tab has a seat at a time.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import js
from pyodide.ffi import create_proxy

from tic_tac_toe.protocols.online.addresses import hash_of_token, is_address
from tic_tac_toe.protocols.online.events import SEATS, SIDES, Closed, Event
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.messages import OWN_GAMES
from tic_tac_toe.protocols.online.replies import OwnGame

from ....words.online_text import standing_of, standing_of_own
from ..dom import delete_item, item_names, load_item, options, save_item, start_task, window

#: The maximum number of stored seats; the oldest are deleted, those of finished games first.
MOST = OWN_GAMES
_NAME = "seat."

#: The last known stage of a game. A finished game is `ENDED` until the player has seen its end. A
#: `REMOVED` one is hidden at the player's request.
STAGES = ("waiting", "playing", "ended", "seen", "removed")
WAITING, PLAYING, ENDED, SEEN, REMOVED = STAGES


class Seat(NamedTuple):
    """A seat in a game, and the last known facts of the game.

    Attributes:
        token: claims the seat.
        stage: of `STAGES`.
        time: when the seat was stored, in seconds since 1970.
        variant: the name of the game; empty while unknown.
        opponent, strategy: the other player's name, or the name of the computer player.
        standing: the result or state of the game for the player, of `online_text.standing_of`.
    """

    game: str
    token: str
    stage: str = PLAYING
    time: int = 0
    variant: str = ""
    opponent: str = ""
    strategy: str = ""
    standing: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether the game has no opponent yet."""
        return self.stage == WAITING

    @property
    def is_unfinished(self) -> bool:
        """Whether the game waits or goes on."""
        return self.stage in (WAITING, PLAYING)

    @property
    def rank(self) -> int:
        """The place in a list: games that go on, those that wait, unseen ends, all others."""
        order = (PLAYING, WAITING, ENDED)
        return order.index(self.stage) if self.stage in order else len(order)

    @property
    def is_seen(self) -> bool:
        """Whether the player knows how the game ended."""
        return not self.is_unfinished and self.stage != ENDED


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
        self._write(Seat(game, token, WAITING))
        save_item(_NAME + game, token, by_tab=True)
        self._delete_oldest()

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
        seat = self._read(game.address)
        if seat is None:
            return False
        if game.end is None:
            stage = WAITING if game.waiting else PLAYING
        else:
            stage = SEEN if is_shown or seat.stage == SEEN else ENDED
        other = game.player(SEATS[1 - SIDES[mark]])
        noted = seat._replace(
            stage=stage,
            variant=game.setup.variant,
            opponent="" if other is None else other.name,
            strategy="" if other is None else other.strategy,
            standing=standing_of(game, mark),
        )
        if noted != seat:
            self._write(noted)
        return (seat.stage, stage) == (WAITING, PLAYING)

    def merge_server_games(self, games: Iterable[OwnGame], token: str) -> None:
        """Merge the server's list of a token's games into the stored seats."""
        for game in games:
            seat = self._read(game.game)
            if seat is None and game.was_cancelled:
                continue
            if seat is None:
                seat = Seat(game.game, token, SEEN, game.time // 1000)
            if seat.stage == REMOVED or seat.token != token or game.seat not in SIDES:
                continue
            stage = game.stage if game.stage in (WAITING, PLAYING) else SEEN
            if stage == SEEN and seat.stage in (WAITING, PLAYING, ENDED):
                stage = ENDED
            other = (game.naughts, game.crosses)[SIDES[game.seat]]
            learned = seat._replace(
                stage=stage,
                variant=game.variant,
                opponent=seat.opponent if seat.strategy else other,
                standing=standing_of_own(game),
            )
            if learned != self._read(game.game):
                self._write(learned)
        self._delete_oldest()

    def remove(self, game: str) -> None:
        """Hide a game for good, also if the server lists it again."""
        seat = self._read(game)
        if seat is not None:
            self._write(seat._replace(stage=REMOVED))
        delete_item(_NAME + game, by_tab=True)

    def delete(self, game: str, token: str) -> None:
        """Delete a seat that the server does not know."""
        seat = self._read(game)
        if seat is not None and seat.token == token:
            delete_item(_NAME + game)
        delete_item(_NAME + game, by_tab=True)

    def all(self) -> list[Seat]:
        """Return all seats except removed ones, the newest first."""
        return [seat for seat in self._stored() if seat.stage != REMOVED]

    def unfinished(self) -> list[Seat]:
        """Return the seats in unfinished games, the newest first."""
        return [seat for seat in self.all() if seat.is_unfinished]

    def token(self, game: str) -> str:
        """Return the token of a game's seat, first of this tab's own seat; empty for none."""
        if own := load_item(_NAME + game, by_tab=True):
            return own
        seat = self._read(game)
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
        lock = f"tic-tac-toe.{_NAME}{game}.{hash_of_token(token)}"
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

    def _stored(self) -> list[Seat]:
        games = [name.removeprefix(_NAME) for name in item_names(_NAME)]
        seats = [seat for game in games if (seat := self._read(game)) is not None]
        return sorted(seats, key=lambda seat: -seat.time)

    def _delete_oldest(self) -> None:
        seats = self._stored()
        seats.sort(key=lambda seat: not seat.is_unfinished)
        for seat in seats[MOST:]:
            delete_item(_NAME + seat.game)

    def _read(self, game: str) -> Seat | None:
        try:
            kept = json.loads(load_item(_NAME + game) or "")
        except ValueError:
            return None
        if not isinstance(kept, dict) or not is_address(game):
            return None
        seat = Seat(game, "")
        for name, value in kept.items():
            if name in seat._fields and type(value) is type(getattr(seat, name)):
                seat = seat._replace(**{name: value})
        seat = seat._replace(game=game)
        return seat if is_address(seat.token) and seat.stage in STAGES else None

    def _write(self, seat: Seat) -> None:
        kept = seat._replace(time=seat.time or int(time.time()))._asdict()
        del kept["game"]
        save_item(_NAME + seat.game, json.dumps(kept))


def paired_with(event: Event) -> str:
    """Return the game that a waiting player was paired into; empty for any other event."""
    return event.follower if isinstance(event, Closed) else ""
