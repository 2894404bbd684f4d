"""A server opens the database of the version in which a move was a cell, and its games go on.

The database was written by the code of commit 4d2afed: unfinished games of each of its variants, a
finished one with a rematch, one that waits, one against a computer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette

from tests.online.logs import opened
from tests.online.world import ask
from tests.protocols.games import event_after
from tic_tac_toe.logic.notation import format_state
from tic_tac_toe.protocols.online.game import OnlineGame, replay
from tic_tac_toe.protocols.online.requests import Move
from tic_tac_toe_frontends.server.computers import Question, choose
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.storage.backup import verify
from tic_tac_toe_frontends.server.storage.game_rows import Transaction, row_of
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.store import Store
from tic_tac_toe_frontends.server.web.http import routes

DUMP = (Path(__file__).parents[1] / "data" / "4d2afed" / "online-games.sql").read_text("utf-8")
#: The address of each game, its variant, its state in a line, and the seat to move.
EXPECTED = {
    about.split()[1]: (about.split()[2], state, turn.strip("-"))
    for about, state, turn in (
        line.split(" | ") for line in DUMP.splitlines() if line.startswith("-- ") and " | " in line
    )
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    path = tmp_path / "games.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(DUMP)
    connection.close()
    SqliteStore(path).upgrade()
    with opened(SqliteStore(path)) as store:
        yield store


def load(store: Store, address: str) -> OnlineGame:
    game = replay(store.events(address))
    assert game is not None
    return game


def test_each_game_stands_as_the_server_before_left_it(store: Store) -> None:
    found = {}
    for address in store.all_games():
        game = load(store, address)
        found[address] = (game.setup.variant, format_state(game.state), game.turn)

    assert found == EXPECTED
    assert verify(store).problems == ()


@pytest.mark.medium
def test_each_unfinished_game_is_played_to_its_end(store: Store) -> None:
    for address, (_, _, turn) in EXPECTED.items():
        if not turn:
            continue
        game = load(store, address)
        while game.turn:
            setup = game.setup
            question = Question(setup.variant, setup.starting, game.moves, "random")
            number = choose(question, game.version)
            move = Move(f"n-{game.version}", game.version, number)
            event = event_after(game, game.turn, move, game.time)
            game = game.apply(event)
            assert store.commit([Transaction((event,), (row_of(game),))]) == [True]

        assert game.end is not None
        assert load(store, address).end == game.end
    assert verify(store).problems == ()


def test_the_plain_pages_show_each_game(store: Store) -> None:
    app = Starlette(routes=routes(GameServer(store), None))

    for address, (_, state, _) in EXPECTED.items():
        reply = ask(app, f"/games/{address}")
        assert reply.status == 200
        assert state in reply.text
    assert ask(app, "/games").status == 200
