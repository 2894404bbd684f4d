"""The drill: backups are made while games are played, and restored, and nothing is missing."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.online.bots import Acknowledged, Table
from tests.online.callers import Caller
from tests.online.evidence import find_faults, read_log
from tests.online.processes import PATIENCE, Server
from tic_tac_toe.protocols.online.events import Event
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe.protocols.online.requests import Hello
from tic_tac_toe_frontends.server.cli import main

pytestmark = pytest.mark.slow

#: Acknowledgements before each backup that is made while games are played.
ROUNDS = (60, 60, 60)


def restored(copy: Path, folder: Path) -> Server:
    """Return a server, which does not run yet, on a backup that is put into a new place."""
    folder.mkdir()
    server = Server(folder)
    server.data.write_bytes(copy.read_bytes())
    return server


def back_up(server: Server, target: Path) -> Path:
    """Copy the games of a server at work as an operator does."""
    assert main(["backup", "--data", str(server.data), str(target), "--lang", "en"]) == 0
    return target


def games_of(log: Iterable[Event]) -> Mapping[str, list[Event]]:
    """Return the events of each game."""
    games: dict[str, list[Event]] = {}
    for event in log:
        games.setdefault(event.game, []).append(event)
    return games


def page_of(server: Server, path: str) -> str:
    """Return a page, as soon as the server lets so many be asked for."""
    end = time.monotonic() + PATIENCE
    while True:
        status, text = server.get(path)
        if status != 429:
            assert status == 200, f"{path}: {status}"
            return text
        assert time.monotonic() < end
        time.sleep(0.2)


def pages_of(server: Server, games: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the page and the record of each game."""
    return {
        game: tuple(page_of(server, f"/games/{game}{end}") for end in ("", "/record.txt"))
        for game in games
    }


def missing_in(copy: Path, folder: Path, acknowledged: Iterable[Acknowledged]) -> list[str]:
    """Restore a backup, and return what is wrong with it: first of what the operator sees.

    Args:
        acknowledged: what was acknowledged before the backup began.
    """
    server = restored(copy, folder)
    if main(["verify", str(server.data), "--lang", "en"]):
        return ["verify finds problems"]
    with server.running():
        assert server.get("/ready")[0] == 200
    return find_faults(read_log(server.data), [*acknowledged])


def test_backups_of_a_server_at_work_are_restored_without_a_loss(tmp_path: Path) -> None:
    (tmp_path / "live").mkdir()
    backups: list[tuple[Path, list[Acknowledged]]] = []
    with Server(tmp_path / "live").running() as live:
        table = Table([live.url], random.Random(18))

        def step() -> None:
            acknowledged = list(table.acknowledged)
            backups.append((back_up(live, tmp_path / f"{len(backups)}.sqlite"), acknowledged))

        asyncio.run(table.play(*((count, step) for count in ROUNDS)))
        last = back_up(live, tmp_path / "last.sqlite")
        games = games_of(read_log(last))
        over = [game for game, log in games.items() if (known := replay(log)) and known.end]
        assert over
        shown = pages_of(live, games)

    for number, (copy, acknowledged) in enumerate(backups):
        assert acknowledged
        assert missing_in(copy, tmp_path / f"place-{number}", acknowledged) == []
        earlier = games_of(read_log(copy))
        assert all(log == games[game][: len(log)] for game, log in earlier.items())

    with restored(last, tmp_path / "new").running() as new:
        assert pages_of(new, games) == shown
        assert find_faults(read_log(last), table.acknowledged, table.bots) == []
        asyncio.run(come_back(new, table))


async def come_back(server: Server, table: Table) -> None:
    """Let both players find their seats again, with all that they had seen."""
    for bot in table.bots[:2]:
        caller = await Caller.at(server)
        seen = bot.client.following.version
        welcome = await caller.ask(
            Hello("back", 1, bot.client.address, bot.client.token, last_seen_version=seen)
        )
        assert (welcome["seat"], welcome["head"]) == (bot.client.seat, seen)
        await caller.close()


def test_a_restored_backup_that_lacks_an_event_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "live").mkdir()
    with Server(tmp_path / "live").running() as live:
        table = Table([live.url], random.Random(19))
        copies: list[Path] = []

        def step() -> None:
            copies.append(back_up(live, tmp_path / "early.sqlite"))

        asyncio.run(table.play((20, step), (20, lambda: None)))
    faults = missing_in(copies[0], tmp_path / "place", table.acknowledged)
    assert any("is in the log 0 times" in fault for fault in faults)
