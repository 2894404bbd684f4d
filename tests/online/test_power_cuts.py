"""Power cuts: nothing that was acknowledged is lost, and stores that sync less are caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.online.disk import Disk
from tests.online.power_cuts import cut_power
from tic_tac_toe_frontends.server.storage.sqlite_store import NORMAL, SqliteStore
from tic_tac_toe_frontends.server.storage.store import Store

#: Enough for each of the broken stores to be caught many times.
IMAGES = 2_000


@pytest.mark.slow
def test_no_power_cut_loses_what_was_acknowledged() -> None:
    looked, problems = cut_power(5_000, seed=1)
    assert looked == 5_000
    assert problems == []


@pytest.mark.parametrize(("synchronous", "is_corrupt"), [(NORMAL, False), ("OFF", True)])
def test_a_store_that_syncs_less_loses_moves_and_one_that_never_syncs_is_corrupt(
    synchronous: str, is_corrupt: bool
) -> None:
    def make(path: Path, disk: Disk) -> Store:
        return SqliteStore(path, synchronous, 0, disk)

    _, problems = cut_power(IMAGES, 1, make)
    assert any("lost" in problem for problem in problems)
    assert any("corrupt" in problem for problem in problems) == is_corrupt


def test_a_store_that_believes_what_a_killed_server_had_not_synced_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Disk, "rewrite", lambda disk, path: None)
    _, problems = cut_power(IMAGES, 1, enough=1)
    assert any("lost" in problem for problem in problems)
