"""Two servers with one PostgreSQL and one Redis: one wins every race, and games go on anywhere."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.machine import needs
from tests.online.bots import Table
from tests.online.callers import Caller
from tests.online.evidence import find_faults
from tests.online.guests import any_token, until
from tests.online.processes import Server
from tests.online.races import (
    compare_with_log,
    race_for_opponents,
    race_for_seats,
    race_for_versions,
    read_postgres,
    two_nodes,
)
from tests.online.redis import RedisServer
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.requests import Claim, Create, Join, Move

pytestmark = [pytest.mark.slow, needs("postgres", "redis-server")]


@pytest.fixture
def nodes(
    tmp_path: Path, postgres_url: str, redis_server: RedisServer
) -> Iterator[tuple[Server, Server]]:
    """Two servers that share everything."""
    with two_nodes(tmp_path, postgres_url, redis_server.url) as nodes:
        yield nodes


def test_of_two_players_who_race_for_a_seat_exactly_one_gets_it(
    nodes: tuple[Server, Server],
) -> None:
    races = asyncio.run(race_for_seats(nodes, 300))
    assert not races.faults, races.faults[:3]
    assert races.outcomes.total() == 300


def test_of_two_moves_for_one_version_exactly_one_is_played(
    nodes: tuple[Server, Server], postgres_url: str
) -> None:
    races = asyncio.run(race_for_versions(nodes, 300))
    assert not races.faults, races.faults[:3]
    assert races.outcomes.total() == 300
    assert not compare_with_log(races, read_postgres(postgres_url))


def test_of_those_who_want_to_play_now_at_two_nodes_each_gets_one_opponent(
    nodes: tuple[Server, Server], postgres_url: str
) -> None:
    assert not asyncio.run(race_for_opponents(nodes, postgres_url, 50))


def test_without_redis_players_at_two_nodes_find_each_other(
    tmp_path: Path, postgres_url: str
) -> None:
    with two_nodes(tmp_path, postgres_url) as nodes:
        assert not asyncio.run(race_for_opponents(nodes, postgres_url, 10))


def test_a_node_that_pairs_players_whom_the_other_has_paired_is_found_out(
    tmp_path: Path, postgres_url: str, redis_server: RedisServer
) -> None:
    shared = (tmp_path, postgres_url, redis_server.url)
    with two_nodes(*shared, broken="claims-everything") as nodes:
        faults = [
            fault
            for seed in range(5)
            for fault in asyncio.run(race_for_opponents(nodes, postgres_url, 20, seed))
        ]
    assert faults


@pytest.mark.parametrize("with_redis", [True, False])
def test_a_player_who_is_at_the_other_node_has_not_left(
    with_redis: bool, tmp_path: Path, postgres_url: str, redis_server: RedisServer
) -> None:
    redis = redis_server.url if with_redis else ""

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

    with two_nodes(tmp_path, postgres_url, redis) as nodes:
        asyncio.run(run(nodes))


@pytest.mark.parametrize("broken", ["claims-everything", "asks-before-it-writes"])
def test_nodes_that_claim_what_the_other_has_won_are_found_out(
    tmp_path: Path, postgres_url: str, redis_server: RedisServer, broken: str
) -> None:
    with two_nodes(tmp_path, postgres_url, redis_server.url, broken=broken) as nodes:
        seats = asyncio.run(race_for_seats(nodes, 100))
        versions = asyncio.run(race_for_versions(nodes, 100))
    assert any("ok ok" in fault for fault in seats.faults + versions.faults)


def play(table: Table, database: str, *steps: tuple[int, Callable[[], None]]) -> list[str]:
    """Let a table play, see `Table.play`; return faults."""
    asyncio.run(table.play(*steps))
    log = read_postgres(database)
    return table.faults + find_faults(log, table.acknowledged, table.bots)


def test_players_at_two_nodes_play_and_go_on_at_one_when_the_other_is_killed(
    nodes: tuple[Server, Server], postgres_url: str
) -> None:
    first, second = nodes

    def here() -> str:
        return first.url if first.number else second.url

    table = Table([here, second.url, here], random.Random(1), ("tic-tac-toe",))
    assert not play(table, postgres_url, (60, first.kill), (60, lambda: None))
    assert len(table.games) > 1


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


def test_games_go_on_while_redis_is_gone_and_after_it_is_back(
    nodes: tuple[Server, Server], postgres_url: str, redis_server: RedisServer
) -> None:
    table = Table([node.url for node in nodes], random.Random(2), ("tic-tac-toe",))
    steps = [(30, redis_server.stop), (12, redis_server.start), (30, lambda: None)]
    assert not play(table, postgres_url, *steps)


def test_without_redis_each_node_looks_by_itself_for_what_the_other_has_written(
    tmp_path: Path, postgres_url: str
) -> None:
    with two_nodes(tmp_path, postgres_url) as nodes:
        table = Table([node.url for node in nodes], random.Random(3), ("tic-tac-toe",))
        assert not play(table, postgres_url, (12, lambda: None))
