"""Set up what the tests of online play share: they run once, on Python 3.11 or newer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.online.servers import postgres, postgres_url, redis_server, redis_url

__all__ = ["postgres", "postgres_url", "redis_server", "redis_url"]

collect_ignore_glob = ["*"] if sys.version_info < (3, 11) else []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.once)
