"""The lobby shows the open games that wait, and soon, to everybody who listens."""

from __future__ import annotations

import asyncio
import time
from itertools import count
from pathlib import Path

import pytest

from tests.online.world import ask_async
from tests.online.world import Guest, any_token, opened, rest, turn_clock, until
from tests.online.processes import PATIENCE
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Created, Event, Joined
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.limits import LOBBY_GAMES
from tic_tac_toe.protocols.online.replies import OpenGames
from tic_tac_toe.protocols.online.requests import Create, Leave, Lobby
from tic_tac_toe_frontends.server.attendance import Attendance
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.lobby import Lobby as GamesLobby
from tic_tac_toe_frontends.server.storage.game_rows import GameRow
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.statements import WAITING
from tic_tac_toe_frontends.server.web.app import App

pytestmark = pytest.mark.anyio

FILE = "games.sqlite"


def shown(guest: Guest) -> set[str]:
    """Return the addresses that the lobby shows to a guest."""
    games = guest.last(OpenGames)
    return {game.game for game in games.games} if games else set()


async def listener(server: GameServer) -> Guest:
    """Return a guest who listens to the lobby."""
    guest = Guest(server)
    assert (await guest.ask(Lobby("on", True))).status == "ok"
    await guest.until(lambda: guest.last(OpenGames))
    return guest


async def open_games(maker: Guest, number: int) -> None:
    """Create open games by the names of n0, n1, ..."""
    for i in range(number):
        maker.send(Create(f"c{i}", any_token(), "tic-tac-toe", f"n{i}", open=True))
    await rest(maker.server)


async def test_the_plain_page_shows_no_game_whose_creator_is_gone(world: World) -> None:
    server = await world.open(tidy=3600.0)
    app, guest = App(server), await listener(server)
    maker = Guest(server)
    game = await maker.create(open=True)
    await guest.until(lambda: shown(guest) == {game})
    assert game in (await ask_async(app, "/games")).text
    maker.leave()
    server.attendance.away_seconds = -1
    await server.lobby.refresh()
    await guest.until(lambda: shown(guest) == set())
    assert game not in (await ask_async(app, "/games")).text


async def test_open_games_appear_and_vanish_when_joined_closed_and_expired(
    world: World,
) -> None:
    server = await world.open(tidy=3600.0, forget_after={WAITING: 1000.0})
    guest = await listener(server)
    assert shown(guest) == set()
    makers = [Guest(server) for _ in range(3)]
    joined, closed, expired = [await maker.create(open=True) for maker in makers]
    secret = await Guest(server).create(open=False)
    computer = await Guest(server).create(open=True, opponent="rules")
    await guest.until(lambda: shown(guest) == {joined, closed, expired})
    assert (await Guest(server).join(joined)).status == "ok"
    await until(lambda: shown(guest) == {closed, expired}, "it is shown no more", patience)
    assert (await makers[1].ask(Leave("l"))).status == "ok"
    await guest.until(lambda: shown(guest) == {expired})
    turn_clock(server, 2_000)
    await server.housekeeper.expire_games()
    await guest.until(lambda: shown(guest) == set())
    assert not {secret, computer} & {
        game.game
        for reply in guest.socket.replies
        if isinstance(reply, OpenGames)
        for game in reply.games
    }


async def test_a_game_is_hidden_while_its_creator_is_gone_and_comes_back_with_him(
    world: World,
) -> None:
    server = await world.open(tidy=0.05)
    server.attendance.away_seconds = 0.3
    guest, ann = await listener(server), Guest(server)
    game = await ann.create(open=True)
    await guest.until(lambda: shown(guest) == {game})
    ann.leave()
    await until(lambda: shown(guest) == set(), "it is shown no more", patience)
    again = Guest(server)
    await again.hello(game, ann.token)
    await guest.until(lambda: shown(guest) == {game})
    await asyncio.sleep(0.5)  # longer than somebody who is gone is shown
    assert shown(guest) == {game}


async def test_the_lobby_says_what_is_to_be_known_of_a_game(server: GameServer) -> None:
    guest = await listener(server)
    ann = Guest(server)
    await ann.create("gomoku", open=True, name="Ann", seat="O", clock=Clock(60, 2))
    await guest.until(lambda: shown(guest))
    games = guest.last(OpenGames)
    assert games is not None
    (game,) = games.games
    assert (game.variant, game.name, game.clock) == ("gomoku", "Ann", Clock(60, 2))
    assert game.seat == game.starting == "X"
    assert ann.token not in "".join(guest.socket.texts)


async def test_the_lobby_shows_a_limited_number_of_games_newest_first(
    server: GameServer,
) -> None:
    guest, maker = await listener(server), Guest(server)
    ticks = count(server.now())
    server.now = lambda: next(ticks)  # type: ignore[method-assign]
    await open_games(maker, LOBBY_GAMES + 20)
    names = [f"n{number}" for number in range(LOBBY_GAMES + 19, 19, -1)]
    await guest.until(
        lambda: (games := guest.last(OpenGames)) and [game.name for game in games.games] == names
    )


async def test_a_late_listener_sees_at_once_what_waits_and_after_a_restart_too(
    world: World,
) -> None:
    server = await world.open()
    game = await Guest(server).create(open=True)
    guest = await listener(server)
    await guest.until(lambda: shown(guest) == {game})
    server = await world.open()
    assert shown(await listener(server)) == {game}


async def test_a_client_that_no_longer_listens_or_is_gone_is_told_nothing(
    server: GameServer,
) -> None:
    one, two, three = [await listener(server) for _ in range(3)]
    assert (await one.ask(Lobby("off", False))).status == "ok"
    two.leave()
    assert server.lobby.listeners == {three.connection.socket}
    counts = [len(guest.socket.replies) for guest in (one, two)]
    game = await Guest(server).create(open=True)
    await three.until(lambda: shown(three) == {game})
    assert [len(guest.socket.replies) for guest in (one, two)] == counts


class SlowOnce(SqliteStore):
    """A store in which the second look at the lobby takes longer than those after it."""

    begun = ended = 0

    def open_games(self, limit: int) -> list[GameRow]:
        self.begun += 1
        slow = self.begun == 2
        rows = super().open_games(limit)
        if slow:
            time.sleep(0.6)
        self.ended += 1
        return rows


async def test_what_was_read_first_is_not_shown_last(world: World, tmp_path: Path) -> None:
    store = SlowOnce(tmp_path / FILE)
    server = await world.open(store)
    guest = await listener(server)
    one = await Guest(server).create(open=True)
    await until(lambda: store.begun == 2, "the slow look begins")
    two = await Guest(server).create(open=True)
    await guest.until(lambda: shown(guest) == {one, two})
    await until(lambda: store.begun == store.ended, "all looks have ended")
    await rest(server)
    assert shown(guest) == {one, two}


async def test_a_crowd_of_new_games_makes_few_messages(server: GameServer) -> None:
    guest, maker = await listener(server), Guest(server)
    started = time.monotonic()
    await open_games(maker, 300)
    await guest.until(lambda: len(shown(guest)) == LOBBY_GAMES)
    told = sum(isinstance(reply, OpenGames) for reply in guest.socket.replies)
    assert told <= 3 + 10 * (time.monotonic() - started)


async def test_order_begins_whatever_the_creator_asks_for(server: GameServer) -> None:
    guest = Guest(server)
    game = await guest.create("order-and-chaos", starting="O")
    (created,) = server.store.events(game)
    assert isinstance(created, Created)
    assert created.setup.starting == "X"
