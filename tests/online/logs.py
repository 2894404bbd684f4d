"""Units as a server writes them, for the tests of what keeps them."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from tests.protocols.games import happening
from tic_tac_toe.protocols.online.addresses import hash_of_token, new_token
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import REMATCH, Event, GameSetup, Player
from tic_tac_toe.protocols.online.game import OnlineGame, begin, rematch_of
from tic_tac_toe_frontends.server.storage.game_rows import GameRow, Transaction, row_of
from tic_tac_toe_frontends.server.storage.store import Store

AnyStore = TypeVar("AnyStore", bound=Store)
#: When the games of the tests begin, in milliseconds since 1970.
START = 1_790_000_000_000


@contextmanager
def opened(store: AnyStore) -> Iterator[AnyStore]:
    """Open a store for a while."""
    store.open()
    try:
        yield store
    finally:
        store.close()


def all_events(store: Store) -> tuple[Event, ...]:
    """Return every event of a store."""
    return tuple(event for game in store.all_games() for event in store.events(game))


def leave_a_log(path: Path) -> None:
    """Let a server that is killed write a game into the log beside a file."""
    script = (
        "import os; from pathlib import Path; from tests.online.logs import created;"
        "from tic_tac_toe_frontends.server.storage.game_rows import Transaction, row_of;"
        "from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore;"
        "from tic_tac_toe.protocols.online.game import begin;"
        f"store = SqliteStore(Path({str(path)!r}), checkpoint_events=0); store.open();"
        "event = created('game');"
        "store.commit([Transaction((event,), (row_of(begin(event)),))]); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


class Writer:
    """Plays games at random, and returns each step as the unit that a server writes.

    Args:
        rng: makes all choices.
        count: the number of games that go on at once.
    """

    def __init__(self, rng: random.Random, count: int = 5) -> None:
        self._rng = rng
        self._count = count
        self._time = START
        self._numbers = 0
        self._games: list[OnlineGame] = []
        self._rows: dict[str, GameRow] = {}

    def unit(self) -> Transaction:
        """Return the next step of one of the games, or the first of a new one."""
        self._time += self._rng.randrange(50)
        if len(self._games) < self._count:
            return self._new_game()
        index = self._rng.randrange(len(self._games))
        game = self._games[index]
        if game.waiting:
            name, key = "Zoë", hash_of_token(new_token(self._rng))
            return self._step(index, self._event(game, "join", game.free_seat, text=name, key=key))
        if self._rng.random() < 0.15:
            return self._step(index, self._event(game, "chat", "X", text="well – played"))
        if game.end is None:
            cell = self._rng.choice(game.state.legal_cells)
            return self._step(index, self._event(game, "move", game.turn, cell=cell))
        if not game.offers:
            return self._step(index, self._event(game, "offer", "X", text=REMATCH))
        follower = new_token(self._rng)
        accepted = self._event(game, "accept", "O", text=REMATCH, follower=follower)
        created = rematch_of(game, follower, self._time)
        self._games[index] = begin(created)
        row = self._rows[follower] = row_of(self._games[index])
        return Transaction((accepted, created), (row,))

    def _new_game(self) -> Transaction:
        me = Player("Ann", hash_of_token(new_token(self._rng)))
        setup = GameSetup("tic-tac-toe", players=(me, None), is_open=self._rng.random() < 0.5)
        event = happening(
            new_token(self._rng), 1, "create", "X", self._time, self._id(), setup=setup
        )
        game = begin(event)
        self._games.append(game)
        row = self._rows[game.address] = row_of(game)
        return Transaction((event,), (row,))

    def _step(self, index: int, event: Event) -> Transaction:
        before = self._rows[event.game]
        game = self._games[index] = self._games[index].apply(event)
        row = self._rows[event.game] = row_of(game, before)
        return Transaction((event,), (row,) if row != before else ())

    def _event(self, game: OnlineGame, kind: str, seat: str, **details: object) -> Event:
        version, number = game.version + 1, self._id()
        return happening(game.address, version, kind, seat, self._time, number, **details)

    def _id(self) -> str:
        self._numbers += 1
        return f"m-{self._numbers}"


def created(game: str, time: int = START, clock: Clock | None = None) -> Event:
    """Return the first event of an open game with a free seat."""
    players = (Player("Ann", "a" * 64), None)
    setup = GameSetup("tic-tac-toe", players=players, is_open=True, clock=clock)
    return happening(game, 1, "create", "X", time, "first", setup=setup)


def moved(game: str, version: int, cell: int = 4, message: str = "", time: int = START) -> Event:
    """Return a move of X."""
    return happening(game, version, "move", "X", time, message or f"move-{version}", cell=cell)
