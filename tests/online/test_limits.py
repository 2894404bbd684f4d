"""Nobody can make the server hold or do more than its limits, nor take the others' share."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol

from tests.online.processes import PATIENCE, closing_code, web_socket
from tests.online.world import (
    GENEROUS,
    Guest,
    World,
    agree_on_rematch,
    any_token,
    crowd,
    listener,
    pair,
    play_moves,
    rest,
    seated,
    shown,
    strangers,
    turn_clock,
    until,
    wish,
)
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.limits import EVENTS_AT_ONCE, LOBBY_GAMES
from tic_tac_toe.protocols.online.replies import Answer
from tic_tac_toe.protocols.online.requests import (
    Abort,
    Chat,
    Create,
    Events,
    Hello,
    Join,
    Leave,
    Pair,
    Request,
    write_request,
)
from tic_tac_toe_frontends.server import holdings
from tic_tac_toe_frontends.server.connection import MOST_INVALID, MOST_REFUSED
from tic_tac_toe_frontends.server.creation import COMPUTER_WAITS, STRANGER_WAITS
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.hints import PRESENCE, Hints
from tic_tac_toe_frontends.server.net.http_protocol import HttpProtocol
from tic_tac_toe_frontends.server.net.web_socket import MOST_BYTES, MOST_MESSAGES, WebSocket
from tic_tac_toe_frontends.server.rate_limits import Account, AddressLimits, Allowance, Bucket
from tic_tac_toe_frontends.server.storage.sqlite_store import SqliteStore
from tic_tac_toe_frontends.server.storage.statements import PLAYING, WAITING

pytestmark = pytest.mark.anyio

# == Nobody can make the server hold, do or send more than its limits.

FILE = "games.sqlite"


def answers_to(guest: Guest, requests: list[Request]) -> list[Answer]:
    """Return the answers to requests that are answered at once."""
    return [
        answer
        for request in requests
        for answer in guest.answers(guest.send(request))
        if isinstance(answer, Answer)
    ]


# -- credit ----------------------------------------------------------------------------------------


async def test_a_client_that_asks_too_fast_is_told_when_to_come_again_and_closed_at_last(
    world: World,
) -> None:
    server = await world.open(allowance=Allowance(messages=2))
    server.clock = server.limits.clock = lambda: 0.0
    guest, other = Guest(server), Guest(server)
    requests: list[Request] = [Events(f"e{i}", 0) for i in range(20 + MOST_REFUSED + 5)]
    answers = answers_to(guest, requests)
    assert [answer.status for answer in answers[:20]] == ["ok"] * 20
    assert {answer.reason for answer in answers[20:]} == {"too_fast"}
    assert all(answer.retry >= 500 for answer in answers[20:])
    assert len(answers) == 20 + MOST_REFUSED + 1
    assert guest.socket.closed is not None
    assert guest.socket.closed[0] == 1008
    assert answers_to(other, [Events("e", 0)])[0].status == "ok"


def test_credit_comes_back_with_time() -> None:
    bucket = Bucket(size=10, rate=2, now=0)
    assert [bucket.spend(0) for _ in range(11)] == [0.0] * 10 + [0.5]
    assert bucket.spend(0.4) > 0
    assert bucket.spend(0.5) == 0
    assert bucket.spend(0.5) > 0
    assert bucket.is_full(100)
    assert [bucket.spend(100) for _ in range(11)] == [0.0] * 10 + [0.5]


async def test_an_address_has_one_credit_for_all_its_connections(world: World) -> None:
    allowance = Allowance(messages=1000, address_messages=3)
    server = await world.open(allowance=allowance)
    server.clock = server.limits.clock = lambda: 0.0
    guests = [Guest(server, "192.0.2.7") for _ in range(10)]
    answers = [
        answer
        for number in range(10)
        for guest in guests
        for answer in answers_to(guest, [Events(f"e{number}", 0)])
    ]
    assert [answer.status for answer in answers] == ["ok"] * 30 + ["busy"] * 70
    elsewhere = Guest(server, "192.0.2.8")
    assert answers_to(elsewhere, [Events("e", 0)])[0].status == "ok"


async def test_an_address_has_a_limited_number_of_bytes_written(world: World) -> None:
    server = await world.open(allowance=Allowance(messages=1e6))
    server.clock = server.limits.clock = lambda: 0.0
    ann, bob, game = await seated(server)
    stored = ann.connection.account.stored
    stored.charge(0.0, stored.left - 200)
    assert (await ann.say("a")).status == "ok"
    refused = await ann.say("b")
    assert (refused.status, refused.reason) == ("busy", "too_fast")
    assert [event.kind for event in server.store.events(game)].count("chat") == 1
    elsewhere = Guest(server, "192.0.2.8")
    await elsewhere.hello(game, bob.token)
    assert (await elsewhere.say("c")).status == "ok"


def test_all_addresses_of_one_ipv6_network_are_one() -> None:
    addresses = AddressLimits(Allowance(connections=2), lambda: 0.0)
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
        guest.connection.text("{")
    assert guest.socket.closed is None
    guest.connection.text("{")
    assert guest.socket.closed is not None
    assert guest.socket.closed[0] == 1008


async def test_an_address_holds_a_limited_number_of_connections(world: World) -> None:
    server = await world.open(allowance=Allowance(connections=3))
    guests = [Guest(server, "192.0.2.7") for _ in range(3)]
    assert server.connect(guests[0].connection.socket, "192.0.2.7") is None
    assert server.registry.get_sample_value("tictactoe_connections") == 3
    Guest(server, "192.0.2.8")
    guests[0].leave()
    Guest(server, "192.0.2.7")
    assert server.connect(guests[0].connection.socket, "192.0.2.7") is None


def test_accounts_of_addresses_that_are_gone_are_forgotten() -> None:
    now = 0.0
    addresses = AddressLimits(Allowance(), lambda: now)
    for number in range(100):
        account = addresses.connect(f"192.0.2.{number}")
        assert account is not None
        account.messages.spend(0)
        account.connections -= number != 7
    now = 60.0
    addresses.forget()
    assert len(addresses) == 1


# -- games -----------------------------------------------------------------------------------------


async def test_the_server_holds_a_limited_number_of_unfinished_games(world: World) -> None:
    server = await world.open(most_games=5)
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
        server = await world.open(most_games=most)
        guest = Guest(server)
        answer = await guest.ask(request)
        assert (answer.status, answer.seat) == (status, "X")
        other = await guest.ask(Create("n", any_token(), "tic-tac-toe"))
        assert (other.status, other.reason) == ("busy", "full")
        await rest(server)
        assert len(server.sessions) == 1


async def test_a_game_that_ends_makes_room_for_another(world: World) -> None:
    server = await world.open(most_games=1)
    ann, bob, _ = await seated(server)
    await play_moves((ann, 0), (bob, 3), (ann, 1), (bob, 4), (ann, 2))
    await until(lambda: not server.lobby.is_full, "a game that has ended is not counted")
    assert (await bob.ask(Create("c", bob.token, "tic-tac-toe"))).status == "ok"


async def test_an_address_creates_a_limited_number_of_games(world: World) -> None:
    allowance = Allowance(games=3)
    server = await world.open(allowance=allowance)
    server.clock = server.limits.clock = lambda: 0.0
    guests = [Guest(server) for _ in range(5)]
    answers = [await g.ask(Create("c", g.token, "tic-tac-toe")) for g in guests]
    assert [answer.reason for answer in answers] == ["", "", "", "too_fast", "too_fast"]
    server.clock = lambda: 1300.0
    assert (await guests[4].ask(Create("d", guests[4].token, "tic-tac-toe"))).status == "ok"


class Counting(SqliteStore):
    """Counts how often the events of a game are read."""

    reads = 0

    def events(self, game: str, after: int = 0) -> list[Event]:
        self.reads += 1
        return super().events(game, after)


async def test_what_a_watcher_must_not_do_is_refused_without_a_look_into_a_shared_log(
    world: World, tmp_path: Path
) -> None:
    store = Counting(tmp_path / FILE)
    server = await world.open(store, node="n1")
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


# -- sockets ---------------------------------------------------------------------------------------


async def test_one_connection_too_many_is_closed_with_try_again_later(world: World) -> None:
    server, url = await world.listen(allowance=Allowance(connections=2))
    async with web_socket(url) as one, web_socket(url):
        async with web_socket(url) as three:
            assert await closing_code(three) == 1013
        await one.close()
        await until(lambda: len(server.connections) == 1, "the connection is closed")
        async with web_socket(url) as four:
            await four.send(write_request(Events("e", 0)))
            assert json.loads(await four.recv())["status"] == "ok"


class Impatient(HttpProtocol):
    """Waits for a request for half a second."""

    patience = 0.5


async def check_slow_requests(world: World, door: type[H11Protocol]) -> None:
    """Send a request byte by byte, and nothing at all: both have to be closed."""
    _, url = await world.listen(door=door)
    port = urlsplit(url).port
    slow = await asyncio.open_connection("127.0.0.1", port)
    silent = await asyncio.open_connection("127.0.0.1", port)
    ends = [asyncio.create_task(reader.read()) for reader, _ in (slow, silent)]
    for byte in b"GET /health HTTP/1.1\r\nX-Long: " + b"x" * 60:
        if all(end.done() for end in ends):
            break
        slow[1].write(bytes((byte,)))
        await asyncio.sleep(0.05)
    is_closed = [end.done() for end in ends]
    for end in ends:
        end.cancel()
    await asyncio.gather(*ends, return_exceptions=True)
    for _, writer in (slow, silent):
        writer.transport.abort()
    assert all(is_closed)


async def test_a_client_that_never_ends_its_request_is_sent_away(tmp_path: Path) -> None:
    await check_slow_requests(tmp_path, Impatient)


async def test_a_websocket_stays_open_longer_than_a_request_may_take(world: World) -> None:
    _, url = await world.listen(door=Impatient)
    async with web_socket(url) as client:
        silent, writer = await asyncio.open_connection("127.0.0.1", urlsplit(url).port)
        await silent.read()  # which is closed as soon as its time is up
        writer.close()
        await client.send(write_request(Events("e", 0)))
        assert json.loads(await client.recv())["status"] == "ok"


async def slow_reader_is_cut(
    world: World, wire: type[WebSocket], length: int, patience: float = PATIENCE
) -> tuple[bool, int]:
    """Let one client read nothing while lines of chat of a length are said.

    Return whether it was cut off, and the largest number of bytes that the server kept for it.
    """
    server, url = await world.listen(wire)
    ann, bob, game = await seated(server)
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect(("127.0.0.1", urlsplit(url).port))
    async with web_socket(url, sock=link, max_queue=1) as deaf:
        await deaf.send(write_request(Hello("h", 1, game)))
        await ann.until(lambda: len(server.sessions[game].followers) == 3)
        (connection,) = set(server.connections) - {ann.connection, bob.connection}
        kept = 0
        for _ in range(499):
            if (await ann.say("😀" * length)).status != "ok":
                break
            if connection not in server.connections:
                break
            kept = max(kept, connection.socket.transport.get_write_buffer_size())
        with suppress(AssertionError):
            await until(lambda: connection not in server.connections, "it is cut off", patience)
        return connection not in server.connections, kept


@pytest.mark.slow
@pytest.mark.parametrize(("length", "most"), [(1, MOST_MESSAGES * 200), (200, MOST_BYTES)])
async def test_a_client_that_does_not_read_is_cut_off(
    length: int, most: int, tmp_path: Path
) -> None:
    is_cut, kept = await slow_reader_is_cut(tmp_path, WebSocket, length)
    assert is_cut
    assert 0 < kept <= most


# == No address takes the others' share: of the lobby, of their time, or of the games that there are.

USUAL = Allowance()
#: Where an attacker and a class of pupils come from.
ATTACKER, SCHOOL = "198.51.100.7", "203.0.113.5"
PUPILS = 30


async def answered(asked: list[tuple[Guest, str]]) -> list[Answer]:
    """Return the answers to requests, once they have come."""
    return [await guest.answer(message_id) for guest, message_id in asked]


async def hosts_of_open_games(server: GameServer, count: int) -> dict[str, Guest]:
    """Return open games of strangers, and who waits there."""
    return {await guest.create(open=True): guest for guest in strangers(server, count)}


def pairs_of(server: GameServer) -> int:
    return server.matchmaker.count


# -- places in the lobby ---------------------------------------------------------------------------


async def test_one_address_takes_a_few_places_in_the_lobby_and_others_see_theirs(
    world: World,
) -> None:
    server = await world.open(allowance=USUAL)
    looking, ann = await listener(server), Guest(server)
    pupils = crowd(server, 100, ATTACKER)
    asked = [(each, each.send(Create("c", each.token, "gomoku", open=True))) for each in crowd]
    answers = await answered(asked[:50])
    assert sum(answer.status == "ok" for answer in answers) <= USUAL.open_games
    for each, variant in zip(crowd[50:], VARIANTS):
        wish(each, variant)
    await rest(server)
    own = await ann.create(open=True, clock=Clock(777, 7))  # which nobody else wants
    await looking.until(lambda: own in shown(looking))
    taken = shown(looking) - {own}
    assert 0 < len(taken) <= USUAL.open_games
    assert len(taken) + 45 <= LOBBY_GAMES


async def test_games_whose_creators_have_gone_leave_their_places_but_are_limited_too(
    world: World,
) -> None:
    server = await world.open(allowance=USUAL)
    server.attendance.away_seconds = -1.0
    reasons = []
    for guest in crowd(server, 30, ATTACKER):
        answer = await guest.ask(Create("c", guest.token, "gomoku", open=True))
        reasons.append(answer.reason)
        guest.leave()
    allowed = holdings.AWAY * USUAL.open_games
    assert reasons == [""] * allowed + ["too_many_open"] * (30 - allowed)
    alone = Guest(server, ATTACKER)
    assert (await alone.ask(Create("p", alone.token, "gomoku"))).status == "ok"


async def test_a_place_is_free_again_once_somebody_has_joined_or_the_game_is_withdrawn(
    world: World,
) -> None:
    server = await world.open(allowance=USUAL)
    makers = crowd(server, USUAL.open_games, ATTACKER)
    waiting = [await maker.create(open=True) for maker in makers]
    late = Guest(server, ATTACKER)

    async def one_more() -> Answer:
        return await late.ask(Create(late.new_id(), any_token(), "gomoku", open=True))

    refused = await one_more()
    assert (refused.status, refused.reason) == ("busy", "too_many_open")
    assert refused.retry >= 1_000
    assert (await makers[0].ask(Leave("l"))).status == "ok"
    assert (await one_more()).status == "ok"
    assert (await one_more()).reason == "too_many_open"
    assert (await Guest(server).join(waiting[1])).status == "ok"
    assert (await one_more()).status == "ok"


async def test_a_creator_whose_address_has_no_place_left_is_told_of_the_game_again(
    world: World,
) -> None:
    server = await world.open(allowance=replace(USUAL, games=24))
    request = Create("c", any_token(), "gomoku", open=True)
    first = await Guest(server).ask(request)
    again = await Guest(server).ask(request)
    assert (again.status, again.game) == ("duplicate", first.game)


class Told(Hints):
    """Keeps what other servers are told of the players who are here."""

    def __init__(self) -> None:
        super().__init__()
        self.seats: dict[str, str] = {}

    def tell(
        self, kind: str, address: str = "", seats: str = "", watchers: int = 0, text: str = ""
    ) -> None:
        if kind == PRESENCE:
            self.seats[address] = seats


async def test_other_servers_are_told_of_no_more_players_who_wait_than_have_places(
    world: World,
) -> None:
    hints = Told()
    server = await world.open(allowance=USUAL, hints=hints)
    for guest, variant in zip(crowd(server, 20, ATTACKER), VARIANTS):
        await pair(guest, variant)
    here = await pair(Guest(server), "connect-four")  # for which nobody else waits
    told = {each.address for each in server.sessions.values() if each.followers.attending()}
    assert here in told
    assert len(told) == USUAL.open_games + 1
    for session in server.sessions.values():
        session.followers.tell_others()
    assert {address for address, seats in hints.seats.items() if seats} == told


# -- other players' time ---------------------------------------------------------------------------


async def check_joins(world: World, count: int, most: int) -> None:
    """Let connections of one address join all open games."""
    server = await world.open(allowance=USUAL)
    games = await hosts_of_open_games(server, LOBBY_GAMES)
    looking = await listener(server)
    pupils = crowd(server, count, ATTACKER)
    asked = []
    for number, game in enumerate([*games] * 2):
        guest = crowd[number % count]
        asked.append((guest, guest.send(Join(guest.new_id(), game, any_token()))))
    answers = await answered(asked)
    joined = {answer.game for answer in answers if answer.status == "ok"}
    assert 0 < len(joined) <= most
    assert all(answer.retry >= 500 for answer in answers if answer.status == "busy")
    await looking.until(lambda: shown(looking) == {*games} - joined)
    bob = Guest(server)
    assert (await bob.join(next(iter(shown(looking))))).status == "ok"


async def test_one_connection_joins_two_games_before_it_moves(tmp_path: Path) -> None:
    await check_joins(tmp_path, 1, USUAL.own_unmoved)


async def test_one_address_joins_ten_games_before_it_moves(tmp_path: Path) -> None:
    await check_joins(tmp_path, 60, USUAL.unmoved)


async def test_who_has_moved_or_given_the_game_up_joins_further_ones(world: World) -> None:
    server = await world.open(allowance=USUAL)
    games = await hosts_of_open_games(server, 5)
    guest = Guest(server, ATTACKER)
    first, second, third, fourth, fifth = games
    assert (await guest.join(first)).status == "ok"
    assert (await guest.join(second)).status == "ok"
    refused = await guest.join(third)
    assert (refused.status, refused.reason) == ("busy", "first_moves")
    assert (await games[second].move(4)).status == "ok"
    assert (await guest.move(0)).status == "ok"
    assert (await guest.join(third)).status == "ok"
    assert (await guest.join(fourth)).reason == "first_moves"
    assert (await guest.ask(Abort("a"))).status == "ok"
    assert (await guest.join(fourth)).status == "ok"
    assert (await games[first].ask(Abort("a"))).status == "ok"
    assert (await guest.join(fifth)).status == "ok"


async def test_joins_cost_credit_whatever_becomes_of_them(world: World) -> None:
    server = await world.open(allowance=USUAL)
    server.clock = server.limits.clock = lambda: 0.0
    guest = Guest(server)
    answers = [await guest.join(any_token()) for _ in range(8)]
    assert [answer.reason for answer in answers] == ["unknown_game"] * 5 + ["too_fast"] * 3
    pupils = crowd(server, 60, ATTACKER)
    many = [await each.join(any_token()) for each in crowd]
    assert sum(answer.reason == "unknown_game" for answer in many) == USUAL.games // 3


async def test_an_address_that_does_not_move_is_given_ten_strangers_and_no_more(
    world: World,
) -> None:
    server = await world.open(allowance=USUAL)
    names = [*VARIANTS][:20]
    for guest, variant in zip(crowd(server, len(names), ATTACKER), names):
        await pair(guest, variant)
    victims = strangers(server, len(names))
    for guest, variant in zip(victims, names):
        await pair(guest, variant)
    await server.lobby.refresh()
    await rest(server)
    assert pairs_of(server) == USUAL.unmoved
    for guest, variant in zip(strangers(server, len(names)), names):
        await pair(guest, variant)
    await until(lambda: pairs_of(server) == len(names), "the others are paired")


async def test_an_address_whose_open_games_keep_ten_strangers_waiting_opens_no_more(
    world: World,
) -> None:
    server = await world.open(allowance=USUAL)
    hosts, held = crowd(server, 20, ATTACKER), 0
    for host, victim in zip(hosts, strangers(server, 20)):
        answer = await host.ask(Create("c", host.token, "gomoku", seat="X", open=True))
        if answer.status == "ok":
            assert (await victim.join(answer.game)).status == "ok"
            held += 1
    assert held == USUAL.unmoved
    assert (await hosts[0].move(0)).status == "ok"
    late = hosts[-1]
    assert (await late.ask(Create("d", late.token, "gomoku", open=True))).status == "ok"


async def test_who_joins_ten_games_of_a_class_and_does_nothing_does_not_shut_the_class_out(
    world: World,
) -> None:
    server = await world.open(allowance=USUAL)
    attackers = crowd(server, 40, ATTACKER)
    joined = []
    for pupil, attacker in zip(crowd(server, 12, SCHOOL), attackers):
        created = Create("c", pupil.token, "gomoku", seat="O", open=True)
        game = (await pupil.ask(created)).game
        joined.append((await attacker.join(game)).status == "ok")
        if not joined[-1]:
            await pupil.ask(Leave("l"))
    assert joined == [True] * USUAL.unmoved + [False] * 2
    victim, other = Guest(server, SCHOOL), Guest(server)
    assert (await victim.join(await other.create(open=True))).status == "ok"
    late = Guest(server, SCHOOL)
    assert (await late.ask(Create("d", late.token, "gomoku", open=True))).status == "ok"


async def test_games_in_which_strangers_begin_are_limited_too(world: World) -> None:
    server = await world.open(allowance=USUAL)
    most, held = holdings.REPLYING * USUAL.unmoved, 0
    for host, victim in zip(crowd(server, 50, ATTACKER), strangers(server, 50)):
        account = host.connection.account  # as after an hour
        account.games.left, account.joins.left = USUAL.games, 40.0
        answer = await host.ask(Create("c", host.token, "gomoku", seat="O", open=True))
        if answer.status == "ok":
            assert (await victim.join(answer.game)).status == "ok"
            held += 1
    assert held == most


async def test_a_crowd_of_strangers_at_one_moment_is_not_given_to_one_address(world: World) -> None:
    server = await world.open(allowance=USUAL)
    for number, guest in enumerate(strangers(server, 40)):
        guest.send(Create(f"c{number}", guest.token, "gomoku", open=True))
    await rest(server)
    for guest in crowd(server, 40, ATTACKER):
        wish(guest, "gomoku")
    await rest(server)
    assert pairs_of(server) == USUAL.unmoved + (40 - USUAL.unmoved) // 2


async def first_moves_are_waited_for(server: GameServer, seconds: float) -> None:
    """Let some time pass, and the server do what is due."""
    turn_clock(server, seconds)
    await server.housekeeper.take_up_overdue_games()
    await rest(server)
    for session in tuple(server.sessions.values()):
        session.check_flag()
    await rest(server)


async def test_without_a_clock_a_stranger_is_waited_for_ten_minutes_at_each_first_move(
    server: GameServer,
) -> None:
    held, slow, private = Guest(server), Guest(server), Guest(server)
    left = await held.create("gomoku", open=True)
    moved = await slow.create("gomoku", open=True)
    friends = await private.create("gomoku", open=False)
    bob, carl, dora = Guest(server), Guest(server), Guest(server)
    for guest, game in ((bob, left), (carl, moved), (dora, friends)):
        assert (await guest.join(game)).status == "ok"
    assert (await held.move(4)).status == "ok"
    await first_moves_are_waited_for(server, STRANGER_WAITS - 60)
    assert (await slow.move(4)).status == "ok"
    assert (await bob.say()).status == "ok"  # which is no move
    await first_moves_are_waited_for(server, 90)
    (news,) = await held.until(lambda: held.heard("expire"))
    assert (news.event.seat, news.event.what) == ("O", "idle")
    assert (await carl.move(0)).status == "ok"
    await first_moves_are_waited_for(server, 86_400)
    for guest in (slow, private):
        assert guest.game is not None
        assert guest.game.end is None


async def test_a_first_move_is_waited_for_where_the_game_has_left_the_memory_or_the_server_stopped(
    world: World,
) -> None:
    server = await world.open()
    ann, bob = Guest(server), Guest(server)
    game = await ann.create("gomoku", open=True)
    assert (await bob.join(game)).status == "ok"
    ann.leave()
    bob.leave()
    server.sessions.drop(server.sessions[game])
    assert game not in server.sessions
    assert server.store.running_clocks() == [game]
    server = await world.open()
    turn_clock(server, STRANGER_WAITS + 60)
    await first_moves_are_waited_for(server, 0)
    await until(lambda: server.store.count_unfinished() == 0, "the game is aborted")


async def test_a_game_against_a_computer_is_given_up_after_an_hour_without_a_first_move(
    server: GameServer,
) -> None:
    left, played = Guest(server), Guest(server)
    await left.create("tic-tac-toe", opponent="rules", seat="X")
    await played.create("tic-tac-toe", opponent="rules", seat="X")
    assert (await played.move(4)).status == "ok"
    await until(lambda: played.version == 3, "the computer moves")
    await first_moves_are_waited_for(server, COMPUTER_WAITS + 1)
    await left.until(lambda: left.heard("expire"))
    assert played.game is not None
    assert played.game.end is None


# -- all games -------------------------------------------------------------------------------------


async def test_one_address_does_not_fill_the_server_with_games(world: World) -> None:
    allowance = replace(USUAL, games=12)
    server = await world.open(allowance=allowance, most_games=50)
    now = 0.0
    server.clock = server.limits.clock = lambda: now
    guest = Guest(server, ATTACKER)
    reasons = []
    for number in range(60):
        now += 3_600.0
        answer = await guest.ask(Create(f"c{number}", any_token(), "gomoku"))
        reasons.append(answer.reason)
    assert reasons == [""] * allowance.unfinished + ["too_many_games"] * (60 - allowance.unfinished)
    bob = Guest(server)
    assert (await bob.ask(Create("c", bob.token, "gomoku"))).status == "ok"
    guest.leave()
    server.limits.forget()
    guest = Guest(server, ATTACKER)
    late = await guest.ask(Create("late", any_token(), "gomoku"))
    assert late.reason == "too_many_games"


async def test_games_at_one_moment_are_counted_before_they_are_written(world: World) -> None:
    server = await world.open(allowance=USUAL)
    guest = Guest(server, ATTACKER)
    guest.connection.account.games.left = 1_000.0
    asked = [(guest, guest.send(Create(f"c{n}", any_token(), "gomoku"))) for n in range(90)]
    crowd = [guest, *crowd(server, 4, ATTACKER)]
    for number in range(400):
        each = crowd[number % 5]
        asked.append((each, each.send(Create(f"d{number}", any_token(), "gomoku"))))
    answers = await answered(asked)
    assert sum(answer.status == "ok" for answer in answers) <= USUAL.unfinished


async def test_games_that_end_are_held_no_more_wherever_they_end(world: World) -> None:
    server = await world.open(allowance=USUAL)
    ann, bob = Guest(server, "192.0.2.7"), Guest(server, "192.0.2.8")
    game = await ann.create(open=True)
    assert (await bob.join(game)).status == "ok"
    accounts = [guest.connection.account for guest in (ann, bob)]
    assert [len(account.share.seats) for account in accounts] == [1, 1]
    await play_moves((ann, 4), (bob, 0))
    follower = await agree_on_rematch(ann, bob)
    held = [account.share.seats for account in accounts]
    assert held == [set(), {(follower, "X")}]
    await ann.hello(follower, ann.token)
    assert accounts[0].share.seats == {(follower, "O")}
    erased = await bob.create()
    assert await server.writer.run(server.store.erase, erased)
    bob.leave()
    del server.sessions[erased]
    await server.housekeeper.free_games_that_are_over()
    assert accounts[1].share.seats == {(follower, "X")}
    assert len(server.holdings) == 1
    await ann.resign()
    await rest(server)
    assert len(server.holdings) == 0
    assert all(not account.share.seats for account in accounts)


async def test_rematches_count_as_games_of_who_wants_them(world: World) -> None:
    allowance = replace(GENEROUS, games=120)
    server = await world.open(allowance=allowance)
    ann, bob = Guest(server, "192.0.2.7"), Guest(server, "192.0.2.8")
    game = await ann.create()
    assert (await bob.join(game)).status == "ok"
    await ann.resign()
    full = {(any_token(), "X") for _ in range(allowance.unfinished)}
    for guest in (ann, bob):
        guest.connection.account.share.seats |= full
        assert (await guest.offer("rematch")).reason == "too_many_games"
        guest.connection.account.share.seats -= full
    assert (await ann.offer("rematch")).status == "ok"
    bob.connection.account.share.seats |= full
    assert (await bob.accept("rematch")).reason == "too_many_games"


async def test_an_account_that_holds_games_is_remembered(world: World) -> None:
    server = await world.open(allowance=USUAL)
    guest = Guest(server, ATTACKER)
    await guest.create()
    account = guest.connection.account
    guest.leave()
    turned = server.clock() + 100_000.0
    server.clock = server.limits.clock = lambda: turned
    server.limits.forget()
    assert server.limits.account_of(ATTACKER) is account


# -- a class behind one address --------------------------------------------------------------------


async def test_a_class_behind_one_address_plays_now_all_at_once_three_times(world: World) -> None:
    server = await world.open(allowance=USUAL)
    pupils = crowd(server, PUPILS, SCHOOL)
    stranger = Guest(server)
    for played in range(1, 4):
        # Two of the games that an hour allows are spent for each pair.
        pupils[0].connection.account.games.left = USUAL.games
        await everybody_pairs(server, pupils)
        assert pairs_of(server) == played * PUPILS // 2
        for pupil in pupils:
            pupil.token = any_token()
    assert (await stranger.ask(Pair("p", stranger.token, "gomoku"))).status == "ok"


async def everybody_pairs(server: GameServer, pupils: list[Guest]) -> None:
    """Let all want to play now, at once or when they are told, and resign."""
    asked = [(each, each.send(Pair(each.new_id(), each.token, "tic-tac-toe"))) for each in pupils]
    answers = await answered(asked)
    for (pupil, _), answer in zip(asked, answers):
        if answer.reason == "too_fast":
            account: Account = pupil.connection.account
            account.joins.left += 1.0  # a second has passed
            assert (await pupil.ask(Pair(pupil.new_id(), pupil.token, "tic-tac-toe"))).game
    await rest(server)
    for pupil in pupils:
        if pupil.game is not None and pupil.game.follower:
            await pupil.hello(pupil.game.follower, pupil.token)
    for pupil in pupils:
        await pupil.resign()
    await rest(server)


async def test_a_class_behind_one_address_joins_each_others_private_games_all_at_once(
    world: World,
) -> None:
    server = await world.open(allowance=USUAL)
    pupils = crowd(server, PUPILS, SCHOOL)
    games = [await pupil.create() for pupil in pupils[: PUPILS // 2]]
    for pupil, game in zip(pupils[PUPILS // 2 :], games):
        answer = await pupil.join(game)
        assert answer.status == "ok", answer
