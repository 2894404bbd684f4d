"""Nobody can make the server hold or do more than its limits, nor take the others' share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
from starlette.applications import Starlette

from tests.online.world import (
    GENEROUS,
    MANY,
    Guest,
    World,
    answers_to,
    any_token,
    ask_async,
    crowd,
    limited,
    play_moves,
    rest,
    seated,
    strangers,
    turn_clock,
    until,
)
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.messages import EVENTS_AT_ONCE
from tic_tac_toe.protocols.online.replies import Answer
from tic_tac_toe.protocols.online.requests import (
    PLAYER_NAME,
    Block,
    Chat,
    Create,
    Events,
    Hello,
    Join,
    Mine,
    Report,
    Request,
    Talk,
)
from tic_tac_toe_frontends.server import budgets
from tic_tac_toe_frontends.server.budgets import Addresses, Bucket, ClientLimits
from tic_tac_toe_frontends.server.connection import MOST_INVALID, MOST_REFUSED
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.nodes import Nodes
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.statements import PLAYING, WAITING
from tic_tac_toe_frontends.server.web.http import routes

pytestmark = pytest.mark.anyio

#: Where an attacker comes from.
ATTACKER = "198.51.100.7"

# -- credit ----------------------------------------------------------------------------------------


class Case(NamedTuple):
    """What may be asked for, and the answer to who asks for more.

    Attributes:
        most: requests that are let through.
        seconds: after which to ask again.
        request: makes the request of this number; gets the games that there are, too.
        connections: over which an attacker asks.
        place: where the attacker is: "nowhere", "watching" a game or "seated" in it.
        reason: of the refusals; any but ``too_fast`` holds until the attacker gives something up.
    """

    most: int
    seconds: float
    request: Callable[[int, list[str]], Request]
    connections: int = 1
    place: str = "nowhere"
    reason: str = "too_fast"


def ask_for_events(number: int, _: list[str]) -> Request:
    """Return a request that costs no more than a request."""
    return Events(f"r{number}", 0)


def create(number: int, _: list[str]) -> Request:
    return Create(f"r{number}", any_token(), "gomoku")


def create_open(number: int, _: list[str]) -> Request:
    return Create(f"r{number}", any_token(), "gomoku", open=True)


def join(number: int, games: list[str]) -> Request:
    return Join(f"r{number}", games[number], any_token())


def join_nothing(number: int, _: list[str]) -> Request:
    """Return a wish to join a game that there is not: it costs what any other would."""
    return Join(f"r{number}", any_token(), any_token())


CASES = {
    "messages": Case(20, 0.5, ask_for_events),
    "address_messages": Case(30, 1 / 3, ask_for_events, connections=10),
    "games": Case(3, 1200.0, create, connections=5),
    "own_joins": Case(5, 5.0, join_nothing),
    "joins": Case(40, 1.0, join_nothing, connections=60),
    "pages": Case(2, 1.0, lambda number, _: Mine(f"r{number}", any_token())),
    "reports": Case(
        3, 1200.0, lambda number, _: Report(f"r{number}", PLAYER_NAME, seat="O"), place="watching"
    ),
    "blocks": Case(
        4, 900.0, lambda number, _: Block(f"r{number}", on=number % 2 == 0), place="seated"
    ),
    "talk": Case(10, 1.0, lambda number, _: Talk(f"r{number}", "spam"), place="watching"),
    "unfinished": Case(7, 60.0, create, connections=3, reason="too_many_games"),
    "open_games": Case(3, 5.0, create_open, connections=3, reason="too_many_open"),
    "own_unmoved": Case(2, 5.0, join, reason="first_moves"),
    "unmoved": Case(5, 5.0, join, connections=3, reason="first_moves"),
}


@pytest.mark.parametrize("name", CASES)
async def test_whoever_asks_too_often_is_told_when_to_come_again_and_others_are_not_slowed_down(
    name: str, world: World
) -> None:
    case = CASES[name]
    comes_back = case.reason == "too_fast"
    limits = limited(GENEROUS, **{name: (case.most, 1 / case.seconds if comes_back else 0)})
    server = await world.open(limits=limits, still=True)
    ann = Guest(server)
    games = [await ann.create()]
    if case.request is join:
        games = [await host.create(open=True) for host in strangers(server, case.most + 5)]
    attackers = crowd(server, case.connections, ATTACKER)
    bystander = Guest(server, "192.0.2.2")
    if case.place == "seated":
        assert (await attackers[0].join(games[0])).status == "ok"
        bystander = ann
    elif case.place == "watching":
        await Guest(server).join(games[0])
        for guest in (attackers[0], bystander):
            await guest.hello(games[0])

    async def ask(number: int) -> Answer:
        attacker = attackers[number % case.connections]
        return await attacker.ask(case.request(number, games))

    answers = [await ask(number) for number in range(case.most + 5)]
    assert [answer.status == "busy" for answer in answers] == [False] * case.most + [True] * 5
    assert {answer.reason for answer in answers[case.most :]} == {case.reason}
    assert answers[-1].retry >= 1000 * case.seconds
    assert (await bystander.ask(case.request(0, games))).status != "busy"
    if comes_back:
        world.seconds += case.seconds + 0.001
        assert [(await ask(number)).status == "busy" for number in (1000, 1020)] == [False, True]
    assert server.metrics.unanswered == 0


@pytest.mark.parametrize(("path", "status"), [("/games", 200), ("/values", 400)])
async def test_whoever_asks_for_too_many_pages_is_told_when_to_come_again(
    path: str, status: int, world: World
) -> None:
    server = await world.open(limits=limited(pages=(3, 0.001)))
    app = Starlette(routes=routes(server, None))
    replies = [await ask_async(app, path) for _ in range(5)]
    assert [reply.status for reply in replies] == [status] * 3 + [429] * 2
    assert int(replies[-1].headers["retry-after"]) >= 1
    assert (await ask_async(app, "/health")).status == 200


def test_limits_grow_and_shrink_with_their_options() -> None:
    usual = ClientLimits()
    options = usual.options
    double = ClientLimits.of(**{name: 2 * limit.number for name, limit in options.items()})
    for name, limit in usual.rows.items():
        factor = 2 if limit.by else 1
        more = 100 if name == "sockets" else (factor - 1) * limit.size
        assert double.rows[name].size == limit.size + more
        assert double.rows[name].rate == factor * limit.rate
    least = ClientLimits.of(**dict.fromkeys(options, 1))
    assert min(limit.size for limit in least.rows.values()) == 1
    assert ClientLimits.of(**{name: limit.number for name, limit in options.items()}) == usual


async def test_a_client_that_goes_on_asking_too_fast_is_closed(world: World) -> None:
    server = await world.open(limits=ClientLimits.of(messages=2), still=True)
    guest, other = Guest(server), Guest(server)
    answers = answers_to(guest, [Events(f"e{i}", 0) for i in range(20 + MOST_REFUSED + 5)])
    assert len(answers) == 20 + MOST_REFUSED + 1
    assert guest.socket.closed == (1008, "too many messages")
    assert answers_to(other, [Events("e", 0)])[0].status == "ok"


def test_credit_comes_back_with_time() -> None:
    bucket = Bucket(size=10, rate=2)
    assert [bucket.spend(0) for _ in range(11)] == [0.0] * 10 + [0.5]
    assert bucket.spend(0.4) > 0
    assert bucket.spend(0.5) == 0
    assert bucket.spend(0.5) > 0
    assert bucket.is_full(100)
    assert [bucket.spend(100) for _ in range(11)] == [0.0] * 10 + [0.5]


async def test_an_address_has_a_limited_number_of_bytes_written(world: World) -> None:
    server = await world.open(limits=limited(messages=(MANY, MANY)), still=True)
    ann, bob, game = await seated(server)
    stored = ann.connection.budget.stored
    stored.charge(0.0, stored.left - 200)
    assert (await ann.say("a")).status == "ok"
    refused = await ann.say("b")
    assert (refused.status, refused.reason) == ("busy", "too_fast")
    assert [event.kind for event in server.store.events(game)].count("chat") == 1
    elsewhere = Guest(server, "192.0.2.8")
    await elsewhere.hello(game, bob.token)
    assert (await elsewhere.say("c")).status == "ok"


def test_all_addresses_of_one_ipv6_network_are_one() -> None:
    addresses = Addresses(limited(connections=(2, 0)), lambda: 0.0)
    assert addresses.connect("2001:db8:1:2::1") is not None
    assert addresses.connect("2001:db8:1:2:ffff::9") is not None
    assert addresses.connect("2001:db8:1:2:3::") is None
    assert addresses.connect("2001:db8:1:3::1") is not None
    assert addresses.connect("::ffff:192.0.2.1") is addresses.connect("192.0.2.1")
    assert addresses.connect("") is not None
    assert addresses.connect("a name") is not None


async def test_a_client_that_goes_on_sending_invalid_requests_is_closed(server: GameServer) -> None:
    guest = Guest(server)
    for _ in range(MOST_INVALID):
        guest.connection.receive("{")
    assert guest.socket.closed is None
    guest.connection.receive("{")
    assert guest.socket.closed is not None
    assert guest.socket.closed[0] == 1008


def test_accounts_of_addresses_that_are_gone_are_forgotten() -> None:
    now = 0.0
    addresses = Addresses(ClientLimits(), lambda: now)
    for number in range(100):
        budget = addresses.connect(f"192.0.2.{number}")
        assert budget is not None
        budget.address_messages.spend(0)
        budget.connections -= number != 7
    now = 60.0
    addresses.forget()
    assert len(addresses) == 1


def test_addresses_are_forgotten_in_slices_the_oldest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budgets, "SLICE", 10)
    addresses = Addresses(ClientLimits(), lambda: 0.0)
    for number in range(100):
        addresses.budget_of(f"192.0.2.{number}")
    used = [addresses.budget_of(f"192.0.2.{number}") for number in (0, 15)]
    for budget in used:
        budget.address_messages.spend(0)
    for left in (90, 80, 70, 60, 50, 40, 30, 20, 10, 2, 2):
        addresses.forget()
        assert len(addresses) == left
    assert [addresses.budget_of(f"192.0.2.{number}") for number in (0, 15)] == used


def test_one_address_too_many_costs_nobody_but_the_oldest_its_debts() -> None:
    addresses = Addresses(ClientLimits(), lambda: 0.0, most=4)
    known = [addresses.budget_of(f"192.0.2.{number}") for number in range(4)]
    for budget in known:
        budget.games.spend(0)
    known[0].connections = 1
    addresses.budget_of("198.51.100.1")
    found = [addresses.budget_of(f"192.0.2.{number}") for number in (0, 2, 3)]
    assert found == [known[0], known[2], known[3]]
    assert len(addresses) == 4
    assert addresses.budget_of("192.0.2.1") is not known[1]


# -- games -----------------------------------------------------------------------------------------


async def test_the_server_holds_a_limited_number_of_unfinished_games(world: World) -> None:
    server = await world.open(limits=limited(GENEROUS, most_games=(5, 0)))
    guest = Guest(server)
    requests: list[Request] = [Create(f"c{i}", any_token(), "tic-tac-toe") for i in range(20)]
    for request in requests:
        guest.send(request)
    await rest(server)
    answers = [guest.answers(request.id)[0] for request in requests]
    refused = [answer for answer in answers if answer.status == "busy"]
    assert len(answers) - len(refused) == 5 == server.store.count_unfinished()
    assert {answer.reason for answer in refused} == {"full"}
    assert all(answer.retry >= 1000 for answer in refused)


async def test_a_creator_is_told_of_the_game_again_however_full_the_server_is(world: World) -> None:
    request = Create("c", any_token(), "tic-tac-toe", seat="X")
    for most, status in ((1, "ok"), (0, "duplicate")):
        server = await world.open(limits=limited(GENEROUS, most_games=(most, 0)))
        guest = Guest(server)
        answer = await guest.ask(request)
        assert (answer.status, answer.seat) == (status, "X")
        other = await guest.ask(Create("n", any_token(), "tic-tac-toe"))
        assert (other.status, other.reason) == ("busy", "full")
        await rest(server)
        assert len(server.sessions) == 1


async def test_a_game_that_ends_makes_room_for_another(world: World) -> None:
    server = await world.open(limits=limited(GENEROUS, most_games=(1, 0)))
    ann, bob, _ = await seated(server)
    await play_moves((ann, 0), (bob, 3), (ann, 1), (bob, 4), (ann, 2))
    await until(lambda: not server.lobby.is_full, "a game that has ended is not counted")
    assert (await bob.ask(Create("c", bob.token, "tic-tac-toe"))).status == "ok"


class Counting(SqliteStore):
    """Counts how often the events of a game are read."""

    reads = 0

    def events(self, game: str, after: int = 0) -> list[Event]:
        self.reads += 1
        return super().events(game, after)


async def test_what_a_watcher_must_not_do_is_refused_without_a_look_into_a_shared_log(
    world: World,
) -> None:
    store = Counting(world.path)
    server = await world.open(store, nodes=Nodes("n1"))
    ann, _, game = await seated(server)
    watcher = Guest(server)
    await watcher.hello(game)
    await rest(server)
    before = store.reads
    for cell in range(9):
        assert (await watcher.move(cell)).reason == "not_seated"
        assert (await watcher.say()).reason == "not_seated"
    assert store.reads == before
    assert (await ann.move(0)).status == "ok"


async def test_unknown_addresses_leave_nothing_behind(server: GameServer) -> None:
    guest = Guest(server)
    for number in range(50):
        address = any_token()
        for request in (
            Hello(f"h{number}", 1, address),
            Hello(f"t{number}", 1, address, guest.token),
            Join(f"j{number}", address, guest.token),
        ):
            assert (await guest.ask(request)).reason == "unknown_game"
    await rest(server)
    assert len(server.sessions) == 0
    assert list(server.store.all_games()) == []


async def test_of_many_events_a_limited_number_is_told_at_once(server: GameServer) -> None:
    ann, bob, _ = await seated(server)
    for start in range(0, EVENTS_AT_ONCE, 50):
        for number in range(start, start + 50):
            ann.send(Chat(f"c{number}", "so"))
        await rest(server)
    told = await bob.ask(Events("e", 0))
    assert (len(told.events), told.head) == (EVENTS_AT_ONCE, EVENTS_AT_ONCE + 2)


# -- time ------------------------------------------------------------------------------------------


async def tidied(server: GameServer) -> None:
    """Do what the server does every few seconds, as often as it takes."""
    for _ in range(3):
        await server.housekeeper.expire_games()
        await rest(server)


async def test_games_that_nobody_joins_and_nobody_plays_come_to_an_end(world: World) -> None:
    server = await world.open(forget_after={WAITING: 100.0, PLAYING: 1000.0})
    waiting = await Guest(server).create()
    ann, bob, playing = await seated(server)
    server.sessions.pop(waiting)
    turn_clock(server, 50)
    await tidied(server)
    assert server.store.count_unfinished() == 2
    turn_clock(server, 150)
    await tidied(server)
    assert [event.kind for event in server.store.events(waiting)] == ["create", "expire"]
    assert server.store.count_unfinished() == 1
    assert (await ann.move(4)).status == "ok"
    turn_clock(server, 900)
    await tidied(server)
    assert server.store.count_unfinished() == 1
    turn_clock(server, 200)
    await tidied(server)
    await bob.until(lambda: bob.heard("expire"))
    assert server.store.count_unfinished() == 0
    assert (await bob.move(0)).reason == "game_over"
    assert len(server.store.events(playing)) == 4


async def test_many_games_that_are_played_slowly_keep_none_from_expiring(world: World) -> None:
    server = await world.open(forget_after={WAITING: 100.0, PLAYING: 1e6})
    guest = Guest(server)
    for number in range(120):
        token = any_token()
        guest.send(Create(f"c{number}", token, "tic-tac-toe", opponent="rules", seat="X"))
    await rest(server)
    waiting = await guest.create()
    turn_clock(server, 300)
    await tidied(server)
    assert [event.kind for event in server.store.events(waiting)] == ["create", "expire"]
    assert server.store.count_unfinished() == 120


async def test_games_that_nobody_follows_leave_the_memory(world: World) -> None:
    server = await world.open(tidy=0.01)
    server.housekeeper.idle_seconds = -1.0
    ann, bob, game = await seated(server)
    timed = (await seated(server, clock=(600, 0)))[2]
    left = (await seated(server))[2]
    ann.leave()
    for connection in tuple(server.connections):
        if connection is not bob.connection:
            server.disconnect(connection)
    await until(lambda: left not in server.sessions, "games are looked through")
    assert game in server.sessions
    bob.leave()
    await until(lambda: game not in server.sessions, "the game leaves the memory")
    assert {session.address for session in server.sessions.values()} == {timed}
    await Guest(server).hello(game, ann.token)
