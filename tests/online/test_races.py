"""Several servers with one PostgreSQL and one Redis: one wins every race, games go on anywhere."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from benchmarks.online.moves import quiet_cells
from tests.machine import needs
from tests.online.bots import Caller, Table
from tests.online.evidence import find_faults, games_of, read_postgres
from tests.online.machines import Cluster, Proxy, RedisServer, running_proxy
from tests.online.processes import PATIENCE, Server, closing_code, web_socket
from tests.online.world import any_token, until
from tic_tac_toe.protocols.online.addresses import hash_of_token, new_token
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import Event, Moved, details_of
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe.protocols.online.messages import PROTOCOL
from tic_tac_toe.protocols.online.requests import Claim, Create, Hello, Join, Move, Pair

pytestmark = pytest.mark.slow

on_nodes = needs("postgres", "redis-server")
behind_nginx = needs("nginx", "openssl")
#: Races that are run at the same time.
LANES = 4
#: After this number of races a new game is begun.
MOVES = 80


@contextmanager
def two_nodes(
    folder: Path, database: str, redis: str = "", **settings: Any
) -> Iterator[tuple[Server, Server]]:
    """Run two servers that share everything.

    Args:
        settings: more for each `Server`.
    """
    shared = ("--database", database, *(("--redis", redis) if redis else ()))
    one, two = (Server(folder, database=shared, **settings) for _ in range(2))
    with one.running(), two.running():
        yield one, two


@dataclass
class Races:
    """What came of races.

    Attributes:
        outcomes: the number of races by the statuses of their answers, in alphabetical order.
        faults: races that nobody or more than one has won.
        wins: the cell that was played, by game and version.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    wins: dict[tuple[str, int], int] = field(default_factory=dict)

    def count(self, answers: list[dict[str, Any]], expected: str) -> None:
        """Count a race."""
        outcome = " ".join(sorted(str(answer["status"]) for answer in answers))
        self.outcomes[outcome] += 1
        if outcome != expected:
            self.faults.append(f"{outcome}: {answers}")


async def race_for_seats(nodes: tuple[Server, Server], count: int) -> Races:
    """Return what comes of `count` races of two for the free seat of a game, at two nodes."""
    races = Races()
    numbers = itertools.count()

    async def lane(rng: random.Random) -> None:
        creator, *racers = [await Caller.at(node) for node in (nodes[0], *nodes)]
        while (number := next(numbers)) < count:
            created = await creator.ask(Create(f"c{number}", new_token(rng), "tic-tac-toe"))
            rng.shuffle(racers)
            joining = [
                racer.ask(Join(f"j{number}-{i}", created["game"], new_token(rng)))
                for i, racer in enumerate(racers)
            ]
            races.count(list(await asyncio.gather(*joining)), "illegal ok")
        for caller in (creator, *racers):
            await caller.close()

    await asyncio.gather(*(lane(random.Random(seed)) for seed in range(LANES)))
    return races


async def _seated_at_both(
    nodes: tuple[Server, Server], rng: random.Random
) -> tuple[str, list[list[Caller]]]:
    """Return a new game, and for each of its seats a caller at each node."""
    tokens = [new_token(rng), new_token(rng)]
    callers = [[await Caller.at(node) for node in nodes] for _ in tokens]
    creation = Create("create", tokens[0], "gomoku", seat="X")
    address = (await callers[0][0].ask(creation))["game"]
    await callers[1][0].ask(Join("join", address, tokens[1]))
    for token, pair in zip(tokens, callers):
        for caller in pair:
            await caller.ask(Hello("hello", PROTOCOL, address, token))
    return address, callers


async def race_for_versions(nodes: tuple[Server, Server], count: int) -> Races:
    """Return what comes of `count` races of two moves of one seat, sent at two nodes.

    Every fifth is one of two messages with the same id, which is done once and answered twice.
    """
    races = Races()
    numbers = itertools.count()

    async def lane(rng: random.Random) -> None:
        while await game(rng):
            pass

    async def game(rng: random.Random) -> bool:
        """Play one game of races; return whether there are more, and none was won wrongly."""
        address, callers = await _seated_at_both(nodes, rng)
        cells, version, goes_on = quiet_cells(rng), 2, True
        for ply in range(MOVES):
            number = next(numbers)
            goes_on = number < count and not races.faults
            if not goes_on:
                break
            mine, same = cells[ply % 2], number % 5 == 0
            tried = [mine.pop()] * 2 if same else [mine.pop(), mine[-1]]
            asked = [
                caller.ask(Move(f"{letter}{number}", version, cell))
                for caller, letter, cell in zip(callers[ply % 2], "mm" if same else "mn", tried)
            ]
            answers = list(await asyncio.gather(*asked))
            races.count(answers, "duplicate ok" if same else "ok stale")
            winner = next((i for i in range(2) if answers[i]["status"] == "ok"), 0)
            if winner == 1 and not same:
                mine[-1] = tried[0]
            version = answers[winner].get("version", 0)
            races.wins[address, version] = tried[winner]
        for caller in itertools.chain(*callers):
            await caller.close()
        return goes_on

    await asyncio.gather(*(lane(random.Random(seed)) for seed in range(LANES)))
    return races


async def race_for_opponents(nodes: tuple[Server, Server], database: str, count: int) -> list[str]:
    """Let clients want to play now, at two nodes by turns and all at once; return what went wrong.

    Args:
        count: the number of clients, an even one.
    """
    rng = random.Random(1)
    callers = [await Caller.at(nodes[number % 2]) for number in range(count)]
    tokens = [new_token(rng) for _ in callers]
    asked = [
        caller.ask(Pair(f"p{number}", token, "connect-four"))
        for number, (caller, token) in enumerate(zip(callers, tokens))
    ]
    answers = await asyncio.gather(*asked)
    faults = [f"not answered: {answer}" for answer in answers if answer["status"] != "ok"]
    with suppress(AssertionError):
        await until(lambda: len(_pairs(read_postgres(database))) >= count // 2, "all are paired")
    await asyncio.sleep(2)  # for what is wrong, such as a second opponent
    log = read_postgres(database)
    times = Counter(itertools.chain(*_pairs(log)))
    keys = [hash_of_token(token) for token in tokens]
    faults += [f"a player has {times[key]} opponents" for key in keys if times[key] != 1]
    known = {(event.game, event.version): event.kind for event in log}
    for caller in callers:
        told = [news for news in caller.heard if news["type"] == "event"]
        faults += [
            f"somebody was told of {news}, which is not in the log"
            for news in told
            if known.get((news["game"], news["version"])) != news["kind"]
        ]
        await caller.close()
    return faults + find_faults(log, [])


def _pairs(log: list[Event]) -> list[list[str]]:
    """Return who plays whom, by the hashes of their tokens."""
    stands = [replay(events) for events in games_of(log).values()]
    return [
        [player.key for player in game.players if player is not None]
        for game in stands
        if game is not None and None not in game.players
    ]


def compare_with_log(races: Races, log: list[Event]) -> list[str]:
    """Return where the log does not hold what was won, and what else is wrong with it."""
    faults = find_faults(log, [])
    kept = {(event.game, event.version): details_of(event).get("cell") for event in log}
    faults += [f"{won} is not in the log" for won, cell in races.wins.items() if kept[won] != cell]
    moves = sum(isinstance(event, Moved) for event in log)
    if moves != len(races.wins):
        faults.append(f"{len(races.wins)} races were won, and the log has {moves} moves")
    return faults


@pytest.fixture
def nodes(
    tmp_path: Path, postgres_url: str, redis_server: RedisServer
) -> Iterator[tuple[Server, Server]]:
    """Two servers that share everything."""
    with two_nodes(tmp_path, postgres_url, redis_server.url) as nodes:
        yield nodes


@on_nodes
@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_of_two_players_who_race_for_a_seat_or_a_version_exactly_one_gets_it(
    nodes: tuple[Server, Server], postgres_url: str, count: int
) -> None:
    for race in (race_for_seats, race_for_versions):
        races = asyncio.run(race(nodes, count))
        assert not races.faults, races.faults[:3]
        assert races.outcomes.total() == count
    assert not compare_with_log(races, read_postgres(postgres_url))


@on_nodes
def test_of_those_who_want_to_play_now_at_two_nodes_each_gets_one_opponent(
    nodes: tuple[Server, Server], postgres_url: str
) -> None:
    assert not asyncio.run(race_for_opponents(nodes, postgres_url, 50))


@on_nodes
def test_without_redis_players_at_two_nodes_find_each_other(
    tmp_path: Path, postgres_url: str
) -> None:
    with two_nodes(tmp_path, postgres_url) as nodes:
        assert not asyncio.run(race_for_opponents(nodes, postgres_url, 10))


@on_nodes
def test_a_player_who_is_at_the_other_node_has_not_left(
    nodes: tuple[Server, Server], tmp_path: Path, postgres: Cluster
) -> None:
    """With Redis, and without."""

    async def run(nodes: tuple[Server, Server]) -> None:
        ann, bob = await Caller.at(nodes[0]), await Caller.at(nodes[1])
        create = Create("a", any_token(), "tic-tac-toe", seat="X", clock=Clock(60, 3600))
        game = (await ann.ask(create))["game"]
        assert (await bob.ask(Join("b", game, any_token())))["status"] == "ok"
        for version, mover, cell in ((2, ann, 4), (3, bob, 0), (4, ann, 8), (5, bob, 1)):
            assert (await mover.ask(Move(f"m{version}", version, cell)))["status"] == "ok"
        await asyncio.sleep(1.2 * 15)  # a claim would be possible after 15 seconds
        assert (await ann.ask(Claim("c", 6)))["reason"] == "not_gone"
        await bob.close()
        claims = 0
        while (answer := await ann.ask(Claim(f"d{claims}", 6)))["status"] != "ok":
            assert answer["reason"] == "not_gone", answer
            claims += 1
            await asyncio.sleep(0.5)
        # The other node's last word counts for 15 seconds, and then the wait begins.
        assert claims > 20
        await ann.close()

    async def run_both(lonely: tuple[Server, Server]) -> None:
        await asyncio.gather(run(nodes), run(lonely))

    with two_nodes(tmp_path, postgres.new_database()) as lonely:
        asyncio.run(run_both(lonely))


def play(table: Table, database: str, *steps: tuple[int, Callable[[], None]]) -> list[str]:
    """Let a table play, see `Table.play`; return faults."""
    asyncio.run(table.play(*steps))
    log = read_postgres(database)
    return table.faults + find_faults(log, table.acknowledged, table.bots)


@on_nodes
def test_players_at_two_nodes_play_and_go_on_at_one_when_the_other_is_killed(
    nodes: tuple[Server, Server], postgres_url: str
) -> None:
    first, second = nodes

    def here() -> str:
        return first.url if first.number else second.url

    table = Table([here, second.url, here], random.Random(1), ("tic-tac-toe",))
    assert not play(table, postgres_url, (60, first.kill), (60, lambda: None))
    assert len(table.games) > 1


@on_nodes
def test_the_flag_of_a_game_falls_though_its_node_is_dead_and_nobody_comes_back(
    nodes: tuple[Server, Server], postgres_url: str
) -> None:
    async def run() -> None:
        ann, bob = await Caller.at(nodes[0]), await Caller.at(nodes[0])
        create = Create("a", any_token(), "tic-tac-toe", seat="X", clock=Clock(5, 0))
        game = (await ann.ask(create))["game"]
        assert (await bob.ask(Join("b", game, any_token())))["status"] == "ok"
        assert (await ann.ask(Move("m", 2, 4)))["status"] == "ok"
        assert (await bob.ask(Move("n", 3, 0)))["status"] == "ok"
        await asyncio.to_thread(nodes[0].kill)
        await until(lambda: read_postgres(postgres_url)[-1].kind == "flag", "a flag falls")
        last = read_postgres(postgres_url)[-1]
        assert (last.game, last.version, last.seat) == (game, 5, "X")

    asyncio.run(run())


@on_nodes
def test_games_go_on_while_redis_is_gone_and_after_it_is_back(
    nodes: tuple[Server, Server], postgres_url: str, redis_server: RedisServer
) -> None:
    table = Table([node.url for node in nodes], random.Random(2), ("tic-tac-toe",))
    steps = [(30, redis_server.stop), (12, redis_server.start), (30, lambda: None)]
    assert not play(table, postgres_url, *steps)


@on_nodes
def test_without_redis_each_node_looks_by_itself_for_what_the_other_has_written(
    tmp_path: Path, postgres_url: str
) -> None:
    with two_nodes(tmp_path, postgres_url) as nodes:
        table = Table([node.url for node in nodes], random.Random(3), ("tic-tac-toe",))
        assert not play(table, postgres_url, (12, lambda: None))


# -- behind a reverse proxy, as docs/how-to/server.md sets it up -----------------------------------


BEHIND = ("--behind-proxy", "127.0.0.1")


def figure(server: Server, name: str) -> float:
    """Return one of a server's figures, asked for without the proxy."""
    lines = server.get("/metrics")[1].splitlines()
    (value,) = [line.split()[1] for line in lines if line.startswith(f"{name} ")]
    return float(value)


async def crowd(url: str, **options: Any) -> list[ClientConnection]:
    """Open three connections that claim to come from three addresses."""
    return [
        await web_socket(url, additional_headers={"X-Forwarded-For": f"192.0.2.{n}"}, **options)
        for n in range(3)
    ]


@on_nodes
@behind_nginx
def test_players_behind_the_proxy_go_on_at_another_server_when_theirs_is_killed(
    tmp_path: Path,
    postgres_url: str,
    redis_server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with two_nodes(tmp_path, postgres_url, redis_server.url, options=BEHIND) as nodes:
        steps = [(20, step) for node in nodes for step in (node.kill, node.start)]
        with running_proxy(tmp_path, [node.port for node in nodes]) as proxy:
            monkeypatch.setenv("SSL_CERT_FILE", str(proxy.certificate))
            table = Table([proxy.socket], random.Random(5))
            asyncio.run(table.play(*steps))
            status, page = proxy.get(f"/games/{table.address}")
            assert status == 200
            assert "Ann (" in page
            assert proxy.get("/metrics")[0] == 404
        assert [figure(node, "tictactoe_unanswered") for node in nodes] == [0, 0]

    assert table.faults == []
    assert sum(bot.connections for bot in table.bots) > len(table.bots)


@behind_nginx
@pytest.mark.parametrize("is_told_of_proxy", [True, False])
def test_nobody_behind_the_proxy_can_claim_another_address(
    tmp_path: Path, is_told_of_proxy: bool
) -> None:
    options = ("--connections", "2", *(BEHIND if is_told_of_proxy else ()))
    server = Server(tmp_path, options=options)

    async def code_of_the_third(proxy: Proxy) -> int | None:
        sockets = await crowd(proxy.socket, ssl=proxy.trust)
        code = await closing_code(sockets[-1])
        for socket in sockets:
            await socket.close()
        return code

    with server.running(), running_proxy(tmp_path, [server.port]) as proxy:
        assert asyncio.run(code_of_the_third(proxy)) == 1013


def test_a_proxy_that_adds_to_what_clients_claim_would_be_noticed(tmp_path: Path) -> None:
    server = Server(tmp_path, options=("--connections", "2", *BEHIND))

    async def is_the_third_welcome() -> bool:
        sockets = await crowd(server.url)
        await sockets[-1].send('{"type":"hello","id":"a","protocol":1}')
        text = await asyncio.wait_for(sockets[-1].recv(), PATIENCE)
        for socket in sockets:
            await socket.close()
        return "welcome" in str(text)

    with server.running():
        assert asyncio.run(is_the_third_welcome())  # who talks as the proxy can say what it likes


@behind_nginx
def test_behind_the_proxy_the_own_page_plays_and_no_other(tmp_path: Path) -> None:
    server = Server(tmp_path, options=BEHIND)

    async def status(proxy: Proxy, origin: str) -> int:
        try:
            async with web_socket(proxy.socket, ssl=proxy.trust, origin=Origin(origin)) as client:
                assert client.response is not None
                return client.response.status_code
        except InvalidStatus as error:
            return error.response.status_code

    with server.running(), running_proxy(tmp_path, [server.port]) as proxy:
        assert asyncio.run(status(proxy, f"https://127.0.0.1:{proxy.port}")) == 101
        assert asyncio.run(status(proxy, "https://evil.example")) == 403
