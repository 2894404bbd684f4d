"""Set up what the tests of online play share; they need Python 3.11 or newer."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.online.console import Consoles
    from tests.online.machines import Cluster, RedisServer
    from tests.online.world import World
    from tic_tac_toe_frontends.server.game_server import GameServer

# The server's libraries want Python 3.11 too, so nothing here may import them at its top.
collect_ignore_glob = ["*"] if sys.version_info < (3, 11) else []


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What runs the tests that are coroutines."""
    return "asyncio"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A data file on which the test opens servers in its own process."""
    from tests.online.world import World

    world = World(tmp_path / "games.sqlite")
    yield world
    await world.close()


@pytest.fixture
async def server(world: World) -> GameServer:
    """A server in the test's own process that nobody is connected to."""
    return await world.open()


@pytest.fixture
async def console(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Consoles]:
    """Consoles at a server of the test's own."""
    from tests.online.console import Consoles

    monkeypatch.setattr("tic_tac_toe_frontends.console.online.seats.LOCK_SECONDS", 0.05)
    monkeypatch.setattr("tic_tac_toe_frontends.console.online.link.TICK_SECONDS", 0.02)
    consoles = Consoles(tmp_path)
    consoles.go_to((await world.listen())[1])
    yield consoles
    await consoles.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL that runs; a test that stops it starts it again."""
    from tests.online.machines import running_cluster

    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def postgres_url(postgres: Cluster) -> str:
    """The address of an empty database."""
    return postgres.new_database()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """A Redis that runs; a test that stops it starts it again."""
    from tests.online.machines import running_redis

    with running_redis() as server:
        yield server


@pytest.fixture(autouse=True)
def quiet(loggers_as_before: None) -> None:
    """Undo what each test here does to the loggers."""
