"""The lobby shows the open games that wait, and whoever wants to play now gets one opponent."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from tests.online.world import (
    Guest,
    World,
    any_token,
    ask_async,
    listener,
    opponents,
    pair,
    paired_as_far_as_can_be,
    rest,
    seated,
    shown,
    turn_clock,
    until,
    wish,
)
from tic_tac_toe.protocols.online.client import ONLINE, Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Closed, Created, Joined
from tic_tac_toe.protocols.online.judge import judge
from tic_tac_toe.protocols.online.messages import LOBBY_GAMES
from tic_tac_toe.protocols.online.replies import OpenGames
from tic_tac_toe.protocols.online.requests import (
    Block,
    Create,
    Join,
    Leave,
    Lobby,
    Pair,
    read_request,
)
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.storage.game_rows import GameRow, Transaction, row_of
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.statements import WAITING
from tic_tac_toe_frontends.server.web.app import App

pytestmark = pytest.mark.anyio


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
    server.presence.away_seconds = -1
    await server.lobby.refresh()
    await guest.until(lambda: shown(guest) == set())
    assert game not in (await ask_async(app, "/games")).text


@pytest.mark.medium
async def test_open_games_appear_and_vanish_when_joined_closed_and_expired(world: World) -> None:
    server = await world.open(tidy=3600.0, forget_after={WAITING: 1000.0})
    guest = await listener(server)
    assert shown(guest) == set()
    makers = [Guest(server) for _ in range(3)]
    joined, closed, expired = [await maker.create(open=True) for maker in makers]
    secret = await Guest(server).create(open=False)
    computer = await Guest(server).create(open=True, opponent="rules")
    await guest.until(lambda: shown(guest) == {joined, closed, expired})
    assert (await Guest(server).join(joined)).status == "ok"
    await until(lambda: shown(guest) == {closed, expired}, "it is shown no more")
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
    server = await world.open(tidy=0.02)
    server.presence.away_seconds = 0.05
    guest, ann = await listener(server), Guest(server)
    game = await ann.create(open=True)
    await guest.until(lambda: shown(guest) == {game})
    ann.leave()
    await until(lambda: shown(guest) == set(), "it is shown no more")
    again = Guest(server)
    await again.hello(game, ann.token)
    await guest.until(lambda: shown(guest) == {game})
    await asyncio.sleep(0.1)  # longer than somebody who is gone is shown
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


async def test_the_lobby_shows_a_limited_number_of_games_newest_first(server: GameServer) -> None:
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
            time.sleep(0.3)
        self.ended += 1
        return rows


@pytest.mark.medium
async def test_what_was_read_first_is_not_shown_last(world: World) -> None:
    store = SlowOnce(world.path)
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


# -- play now ----------------------------------------------------------------------------------


async def test_of_fifty_who_want_the_same_at_once_each_gets_exactly_one_opponent(
    server: GameServer,
) -> None:
    guests = [Guest(server) for _ in range(50)]
    for guest in guests:
        wish(guest, "connect-four")
    await until(lambda: len(opponents(server, guests)) == 25, "all are paired")
    await rest(server)
    found = opponents(server, guests).values()
    times = Counter(key for keys in found for key in keys)
    assert set(times.values()) == {1}
    assert len(times) == 50
    assert all(first != second for first, second in found)
    assert server.metrics.unanswered == 0


async def test_two_who_look_for_each_other_at_once_are_paired_without_an_error(
    server: GameServer, caplog: pytest.LogCaptureFixture
) -> None:
    guests = [Guest(server), Guest(server)]
    for guest in guests:
        wish(guest, "connect-four")
    await paired_as_far_as_can_be(server)
    assert len(opponents(server, guests)) == 1
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_who_comes_second_is_taken_to_the_game_of_the_first(server: GameServer) -> None:
    ann, bob = Guest(server), Guest(server)
    first = await pair(ann, name="Ann", clock=Clock(180, 2))
    second = await pair(bob, name="Bob", clock=Clock(180, 2))
    (news,) = await bob.until(lambda: bob.heard("close"))
    assert (news.event.game, news.event.follower) == (second, first)
    (joined,) = await ann.until(lambda: ann.heard("join"))
    assert joined.event.name == "Bob"

    welcome = await bob.hello(first, bob.token)
    seats = {ann.connection.seat, welcome.seat}
    assert seats == {"X", "O"}


@pytest.mark.parametrize(
    ("variant", "fields"),
    [("connect-four", {}), ("gomoku", {"clock": Clock(60)}), ("gomoku,pie", {})],
)
async def test_nobody_is_paired_who_wants_something_else(
    server: GameServer, variant: str, fields: dict[str, Any]
) -> None:
    ann, bob = Guest(server), Guest(server)
    await pair(ann)
    await pair(bob, variant, **fields)
    await paired_as_far_as_can_be(server)
    assert not opponents(server, [ann, bob])


async def test_the_oldest_open_game_of_somebody_who_is_there_is_joined(server: GameServer) -> None:
    gone, first, second, bob = (Guest(server) for _ in range(4))
    left = await gone.create("gomoku", open=True)
    gone.leave()
    older = await first.create("gomoku", open=True)
    await second.create("gomoku", open=True)
    await pair(bob)
    (news,) = await bob.until(lambda: bob.heard("close"))
    assert news.event.follower == older != left


async def test_a_game_for_a_friend_is_offered_to_nobody(server: GameServer) -> None:
    ann, bob = Guest(server), Guest(server)
    await ann.create("gomoku", open=False)
    await pair(bob)
    await paired_as_far_as_can_be(server)
    assert not opponents(server, [ann, bob])


async def test_who_has_withdrawn_is_paired_with_nobody(server: GameServer) -> None:
    ann, bob = Guest(server), Guest(server)
    await pair(ann)
    assert (await ann.ask(Leave(ann.new_id()))).status == "ok"
    await pair(bob)
    await paired_as_far_as_can_be(server)
    assert not opponents(server, [ann, bob])


async def test_who_has_gone_is_paired_with_nobody_and_again_once_back(server: GameServer) -> None:
    ann, bob = Guest(server), Guest(server)
    first = await pair(ann)
    ann.leave()
    await pair(bob)
    await rest(server)
    assert not opponents(server, [ann, bob])

    again = Guest(server)
    await again.hello(first, ann.token)
    await until(lambda: opponents(server, [ann, bob]), "they are paired")


async def test_a_game_whose_player_does_not_come_back_is_closed(world: World) -> None:
    server = await world.open(tidy=0.05)
    server.presence.away_seconds = 0.1
    ann = Guest(server)
    game = await pair(ann)
    ann.leave()
    await until(lambda: len(server.store.events(game)) == 2, "the game is closed")
    (*_, last) = server.store.events(game)
    assert isinstance(last, Closed)
    assert not last.follower


async def test_a_wish_that_is_sent_twice_is_one_wish(server: GameServer) -> None:
    ann, bob = Guest(server), Guest(server)
    request = Pair("p", ann.token, "gomoku")
    first = await ann.ask(request)
    again = await Guest(server).ask(request)
    assert (again.status, again.game) == ("duplicate", first.game)
    await pair(bob)
    await until(lambda: opponents(server, [ann, bob]), "they are paired")
    late = await Guest(server).ask(request)
    assert (late.status, late.game) == ("duplicate", first.game)
    assert len([*server.store.all_games()]) == 2


async def test_players_who_are_taken_elsewhere_and_others_who_join_never_share_a_seat(
    server: GameServer,
) -> None:
    """While many are paired, others try to join the same games by hand."""
    rng, guests, joins = random.Random(4), [Guest(server) for _ in range(30)], []
    waiting: list[str] = []
    for guest in guests:
        if waiting and rng.random() < 0.4:
            request = Join(guest.new_id(), rng.choice(waiting), guest.token)
            joins.append((guest, guest.send(request)))
        else:
            waiting.append(await pair(guest))
    await rest(server)
    for guest, asked in joins:
        (answer,) = guest.answers(asked)
        assert answer.status in ("ok", "illegal")
    found = opponents(server, guests)
    times = Counter(key for keys in found.values() for key in keys)
    assert max(times.values()) == 1
    for address in found:
        joined = [each for each in server.store.events(address) if isinstance(each, Joined)]
        assert len(joined) == 1


async def test_who_finds_the_seat_taken_goes_on_waiting(server: GameServer) -> None:
    ann, bob = Guest(server), Guest(server)
    first = await pair(ann)
    game = server.sessions[first].game
    assert game is not None
    rival = judge(game, "", Join("r", first, any_token()), server.now())
    assert isinstance(rival, Joined)
    row = row_of(game.apply(rival))
    assert await server.writer.run(server.store.commit, [Transaction((rival,), (row,))]) == [True]
    second = await pair(bob)
    await rest(server)
    assert [event.kind for event in server.store.events(first)] == ["create", "join"]
    assert [event.kind for event in server.store.events(second)] == ["create"]
    assert (await ann.until(lambda: ann.heard("join")))[0].event == replace(rival, id="", key="")


async def test_a_client_goes_by_itself_to_the_game_that_it_is_taken_to(server: GameServer) -> None:
    ann, line = Guest(server), Guest(server)
    first = await pair(ann, name="Ann")
    client = Client(random.Random(1), lambda: 0.0)
    client.pair("gomoku", name="Bob")
    waited, token = client.address, client.token
    client.connected()
    seen = 0
    while not (client.connection is ONLINE and client.address == first and client.game):
        for text in client.take_outgoing():
            line.send(read_request(text))
        await line.until(lambda: len(line.socket.texts) > seen)  # noqa: B023  # used at once
        for text in line.socket.texts[seen:]:
            client.received(text)
            seen += 1
    assert waited != first
    assert client.token == token
    assert client.seat
    assert client.game is not None
    assert not client.game.waiting


async def test_who_waits_is_shown_in_the_lobby_until_somebody_comes(server: GameServer) -> None:
    guest, ann, bob = await listener(server), Guest(server), Guest(server)
    first = await pair(ann)
    await guest.until(lambda: shown(guest) == {first})
    await pair(bob)
    await guest.until(lambda: shown(guest) == set())


@pytest.mark.parametrize("change", ["the guest goes", "the host goes", "one blocks the other"])
async def test_who_cannot_be_paired_any_more_once_the_games_are_free_is_not(
    server: GameServer, change: str
) -> None:
    ann, bob, _ = await seated(server)
    host, guest = Guest(server), Guest(server)
    host.token, guest.token = ann.token, bob.token
    game = await host.create("gomoku", open=True)
    async with server.sessions[game].turn:
        await pair(guest)
        await asyncio.sleep(0.02)
        if change == "one blocks the other":
            assert (await ann.ask(Block("b"))).status == "ok"
        else:
            (guest if change == "the guest goes" else host).leave()
    await rest(server)
    assert [event.kind for event in server.store.events(game)] == ["create"]


async def test_who_comes_to_the_lobby_just_after_a_game_is_shown_it(server: GameServer) -> None:
    game = await Guest(server).create(open=True)
    guest = await listener(server)
    assert [len(each.games) for each in guest.socket.replies if isinstance(each, OpenGames)] == [1]
    assert shown(guest) == {game}
