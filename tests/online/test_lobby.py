"""The lobby shows the open games that wait, and soon, to everybody who listens."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path
from typing import Any

import pytest

from tests.online.halls import Guest, opened, play, rest
from tic_tac_toe.protocols.online.addresses import new_token
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.limits import LOBBY_GAMES
from tic_tac_toe.protocols.online.replies import OpenGames
from tic_tac_toe.protocols.online.requests import Create, Leave, Lobby
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.store import GameRow

FILE = "games.sqlite"


def shown(guest: Guest) -> set[str]:
    """Return the addresses that the lobby shows to a guest."""
    games = guest.last(OpenGames)
    return {game.game for game in games.games} if games else set()


async def listener(hall: GameServer) -> Guest:
    """Return a guest who listens to the lobby."""
    guest = Guest(hall)
    assert (await guest.ask(Lobby("on", True))).status == "ok"
    await guest.until(lambda: guest.last(OpenGames))
    return guest


async def check_lobby(tmp_path: Path, kind: type[GameServer] = GameServer) -> None:
    """Open games, and join, close and let expire one each."""
    async with opened(tmp_path / FILE, kind, forget_waiting=1000.0) as hall:
        guest = await listener(hall)
        assert shown(guest) == set()
        makers = [Guest(hall) for _ in range(3)]
        joined, closed, expired = [await maker.create(open=True) for maker in makers]
        secret = await Guest(hall).create(open=False)
        computer = await Guest(hall).create(open=True, opponent="rules")
        await guest.until(lambda: shown(guest) == {joined, closed, expired})
        assert (await Guest(hall).join(joined)).status == "ok"
        end = time.monotonic() + 5
        await guest.until(lambda: shown(guest) == {closed, expired} or time.monotonic() > end)
        assert shown(guest) == {closed, expired}
        assert (await makers[1].ask(Leave("l"))).status == "ok"
        await guest.until(lambda: shown(guest) == {expired})
        hall.now = lambda now=hall.now: now() + 2_000_000  # type: ignore[method-assign,misc]
        await hall.housekeeper.expire_games()
        await guest.until(lambda: shown(guest) == set())
        assert not {secret, computer} & {
            game.game
            for reply in guest.socket.replies
            if isinstance(reply, OpenGames)
            for game in reply.games
        }


class Forgetful(GameServer):
    """Does not notice that games are joined."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        honest = self.lobby.wrote

        def wrote(event: Event, game: OnlineGame) -> None:
            if all(each.game is None or each.game.waiting for each in self.sessions.values()):
                honest(event, game)

        self.lobby.wrote = wrote  # type: ignore[method-assign]


def test_open_games_appear_and_vanish_when_joined_closed_and_expired(tmp_path: Path) -> None:
    play(check_lobby(tmp_path))


def test_a_lobby_that_goes_on_showing_a_joined_game_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        play(check_lobby(tmp_path, Forgetful))


def test_the_lobby_says_what_is_to_be_known_of_a_game(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            guest = await listener(hall)
            ann = Guest(hall)
            await ann.create("gomoku", open=True, name="Ann", seat="O", clock=Clock(60, 2))
            await guest.until(lambda: shown(guest))
            games = guest.last(OpenGames)
            assert games is not None
            (game,) = games.games
            assert (game.variant, game.name, game.seat, game.starting, game.clock) == (
                "gomoku",
                "Ann",
                "X",
                "X",
                Clock(60, 2),
            )
            assert ann.token not in "".join(guest.socket.texts)

    play(run())


def test_the_lobby_shows_so_many_games_the_newest_first(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            guest, maker = await listener(hall), Guest(hall)
            tick = 0
            start = hall.now()
            hall.now = lambda: start + tick  # type: ignore[method-assign]
            for number in range(LOBBY_GAMES + 20):
                tick += 1
                token = new_token(random.SystemRandom())
                maker.send(Create(f"c{number}", token, "tic-tac-toe", f"n{number}", open=True))
            await rest(hall)
            names = [f"n{number}" for number in range(LOBBY_GAMES + 19, 19, -1)]
            await guest.until(
                lambda: (
                    (games := guest.last(OpenGames))
                    and [game.name for game in games.games] == names
                )
            )

    play(run())


def test_who_comes_later_sees_at_once_what_waits_and_after_a_restart_too(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            game = await Guest(hall).create(open=True)
            guest = await listener(hall)
            await guest.until(lambda: shown(guest) == {game})
        async with opened(tmp_path / FILE) as hall:
            assert shown(await listener(hall)) == {game}

    play(run())


def test_who_no_longer_listens_and_who_is_gone_is_told_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            one, two, three = [await listener(hall) for _ in range(3)]
            assert (await one.ask(Lobby("off", False))).status == "ok"
            two.leave()
            assert hall.lobby.listeners == {three.connection.socket}
            counts = [len(guest.socket.replies) for guest in (one, two)]
            game = await Guest(hall).create(open=True)
            await three.until(lambda: shown(three) == {game})
            assert [len(guest.socket.replies) for guest in (one, two)] == counts

    play(run())


class SlowOnce(SqliteStore):
    """A store in which the second look at the lobby takes longer than those after it."""

    looks = 0

    def open_games(self, limit: int) -> list[GameRow]:
        self.looks += 1
        slow = self.looks == 2
        rows = super().open_games(limit)
        if slow:
            time.sleep(0.6)
        return rows


def test_what_was_read_first_is_not_shown_last(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(SlowOnce(tmp_path / FILE)) as hall:
            guest = await listener(hall)
            one = await Guest(hall).create(open=True)
            await asyncio.sleep(0.2)
            two = await Guest(hall).create(open=True)
            await guest.until(lambda: shown(guest) == {one, two})
            await asyncio.sleep(0.8)
            assert shown(guest) == {one, two}

    play(run())


def test_a_crowd_of_new_games_makes_few_messages(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / FILE) as hall:
            guest, maker = await listener(hall), Guest(hall)
            started = time.monotonic()
            for number in range(300):
                token = new_token(random.SystemRandom())
                maker.send(Create(f"c{number}", token, "tic-tac-toe", f"n{number}", open=True))
            await rest(hall)
            await guest.until(lambda: len(shown(guest)) == LOBBY_GAMES)
            told = sum(isinstance(reply, OpenGames) for reply in guest.socket.replies)
            assert told <= 3 + 10 * (time.monotonic() - started)

    play(run())
