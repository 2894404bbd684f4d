"""Fixtures of what online play needs beside its own server: PostgreSQL and Redis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.online.postgres import Cluster, running_cluster
from tests.online.redis import RedisServer, running_redis


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL that runs; who stops it starts it again."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def postgres_url(postgres: Cluster) -> str:
    """The address of an empty database."""
    return postgres.new_database()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """A Redis that runs; who stops it starts it again."""
    with running_redis() as server:
        yield server


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """The address of a Redis."""
    return redis_server.url
