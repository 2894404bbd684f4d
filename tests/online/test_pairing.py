"""Play now: whoever wants the same game gets one opponent, and nobody gets two or himself."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.online.world import Guest, any_token, opened, rest, until
from tests.online.processes import PATIENCE
from tests.online.test_lobby import listener, shown
from tic_tac_toe.protocols.online.addresses import hash_of_token
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Closed, Event, Joined
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe.protocols.online.judge import judge, pair_up
from tic_tac_toe.protocols.online.link import ONLINE
from tic_tac_toe.protocols.online.replies import Answer, write_reply
from tic_tac_toe.protocols.online.requests import Join, Leave, Pair, read_request
from tic_tac_toe_frontends.server import pairing
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.session import GameSession
from tic_tac_toe_frontends.server.storage.game_rows import Transaction, row_of

pytestmark = pytest.mark.anyio



def wish(guest: Guest, variant: str = "gomoku", **fields: Any) -> str:
    """Ask to play now, and return the id of the request."""
    return guest.send(Pair(guest.new_id(), guest.token, variant, **fields))


async def pair(guest: Guest, variant: str = "gomoku", **fields: Any) -> str:
    """Ask to play now, and return the game where the guest waits."""
    answer = await guest.answer(wish(guest, variant, **fields))
    assert answer.status == "ok"
    return str(answer.game)


def opponents(server: GameServer, guests: list[Guest]) -> dict[str, list[str]]:
    """Return the tokens' hashes at each game that has two players, and check each log."""
    found: dict[str, list[str]] = defaultdict(list)
    for address in server.store.all_games():
        game = replay(server.store.events(address))
        assert game is not None
        if None not in game.players:
            found[address] = [player.key for player in game.players if player is not None]
    known = {hash_of_token(guest.token) for guest in guests}
    assert {key for keys in found.values() for key in keys} <= known
    return found


async def check_crowd(server: GameServer, count: int, patience: float = PATIENCE) -> None:
    """Let many want the same game at once: each gets exactly one opponent."""
    guests = [Guest(server) for _ in range(count)]
    for guest in guests:
        wish(guest, "connect-four")
    await until(lambda: len(opponents(server, guests)) == count // 2, "all are paired", patience)
    await rest(server)
    times = Counter(key for keys in opponents(server, guests).values() for key in keys)
    assert set(times.values()) == {1}
    assert len(times) == count
    assert all(keys[0] != keys[1] for keys in opponents(server, guests).values())
    assert server.metrics.unanswered == 0


async def test_of_fifty_who_want_the_same_at_once_each_gets_exactly_one_opponent(
    server: GameServer,
) -> None:
    await check_crowd(server, 50)


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
    await server.lobby.refresh()
    await rest(server)
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
    await server.lobby.refresh()
    await rest(server)
    assert not opponents(server, [ann, bob])


async def test_who_has_withdrawn_is_paired_with_nobody(server: GameServer) -> None:
    ann, bob = Guest(server), Guest(server)
    await pair(ann)
    assert (await ann.ask(Leave(ann.new_id()))).status == "ok"
    await pair(bob)
    await server.lobby.refresh()
    await rest(server)
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
    server.attendance.away_seconds = 0.1
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


async def test_an_answer_of_a_former_server_is_understood() -> None:
    client = Client(random.Random(1), lambda: 0.0)
    client.pair("gomoku")
    client.connected()
    hello = read_request(client.take_outgoing()[0])
    client.received(f'{{"type": "welcome", "id": "{hello.id}", "protocol": 1}}')
    (asked,) = map(read_request, client.take_outgoing())
    client.received(write_reply(Answer(asked.id, "illegal", reason="invalid", text="no type")))
    assert client.address == ""
