"""Killing the server again and again while games are played loses nothing acknowledged."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from pathlib import Path

import pytest

from tests.machine import needs
from tests.online.bots import Bot, Table
from tests.online.evidence import find_faults, read_log, read_postgres
from tests.online.processes import PATIENCE, Server
from tests.online.world import until

#: After this number of kills the bots wait until every request has its answer.
PAUSE = 20
#: Games that are played at the same time.
TABLES = 3


class Kills:
    """A server that is killed by SIGKILL at random instants, and what comes of it.

    Args:
        folder: of the server.
        database: the address of the PostgreSQL database that keeps the games in place of a file.

    Attributes:
        count: the number of kills.
        acknowledged: the number of acknowledged requests, each of which is in the log once.
        faults: the broken promises.
    """

    def __init__(self, folder: Path, seed: int, database: str) -> None:
        self.rng = rng = random.Random(seed)
        self.database = database
        self.server = Server(folder, database=("--database", database) if database else ())
        url = self.server.url
        self.tables = [Table([url], random.Random(rng.getrandbits(64))) for _ in range(TABLES)]
        self.bots: list[Bot] = [bot for table in self.tables for bot in table.bots]
        self.count = self.acknowledged = 0
        self.faults: list[str] = []

    async def run(self, kills: int) -> None:
        """Kill the server a number of times; after every `PAUSE` of them wait for all answers."""
        server, said_before = self.server, 0
        server.launch()
        running = [asyncio.create_task(bot.run()) for bot in self.bots]
        try:
            while self.count < kills and not any(bot.faults for bot in self.bots):
                if not await self._kill_at_random():
                    self.faults.append("requests without an answer: nobody gets any more")
                    break
                self.count += 1
                said_before = len(server.said())
                server.launch()
                if self.count % PAUSE == 0 or self.count == kills:
                    unanswered = await self._fall_silent()
                    self.faults += unanswered
                    if unanswered:
                        break
        finally:
            for bot in self.bots:
                bot.end()
            await asyncio.wait(running, timeout=PATIENCE)
            if server.number:
                # One that is asked to stop before it is ready ends with 143.
                await until(
                    lambda: '"event": "ready"' in server.said()[said_before:], "it is ready"
                )
                code = await asyncio.to_thread(server.stop)
                if code:
                    self.faults.append(f"the server ended with {code}:\n{server.said()[-2000:]}")
        self._look_at_what_is_left()

    async def _kill_at_random(self) -> bool:
        """Kill the server after some answers, or while it starts; false if it does nothing."""
        rng = self.rng
        if rng.random() < 0.1:
            await asyncio.sleep(rng.uniform(0, 0.1))
        else:
            for _ in range(rng.randrange(1, 25)):
                table = rng.choice(self.tables)
                table.answered.clear()
                try:
                    await asyncio.wait_for(table.answered.wait(), PATIENCE)
                except asyncio.TimeoutError:
                    return False
            await asyncio.sleep(rng.uniform(0, 0.01))
        self.server.kill()
        return True

    async def _fall_silent(self) -> list[str]:
        """Ask for nothing until every request has its answer; return those that never get any."""
        for table in self.tables:
            table.going_on = False
        with suppress(AssertionError):
            await until(lambda: all(bot.is_quiet for bot in self.bots), "answers")
        for table in self.tables:
            table.going_on = True
        return [f"requests without an answer: {bot!r}" for bot in self.bots if not bot.is_quiet]

    def _look_at_what_is_left(self) -> None:
        said = self.server.said()
        if "Traceback" in said:
            self.faults.append(
                f"the server met an error:\n{said[said.index('Traceback') :][:2000]}"
            )
        acknowledged = [each for table in self.tables for each in table.acknowledged]
        self.acknowledged = len(set(acknowledged))
        self.faults += [fault for table in self.tables for fault in table.faults]
        log = read_postgres(self.database) if self.database else read_log(self.server.data)
        self.faults += find_faults(log, acknowledged, self.bots)


@pytest.mark.parametrize(
    ("kills", "store"),
    [
        pytest.param(120, "sqlite", marks=pytest.mark.slow),
        pytest.param(30, "postgres", marks=needs("postgres")),
        pytest.param(1_000, "sqlite", marks=pytest.mark.nightly),
        pytest.param(1_000, "postgres", marks=[needs("postgres"), pytest.mark.nightly]),
    ],
)
def test_after_many_kills_every_acknowledged_move_is_in_the_log_once(
    tmp_path: Path, request: pytest.FixtureRequest, kills: int, store: str
) -> None:
    database = request.getfixturevalue("postgres_url") if store == "postgres" else ""
    killed = Kills(tmp_path, 1, database)
    asyncio.run(killed.run(kills))
    assert not killed.faults, "\n  ".join(killed.faults[:20])
    assert killed.count == kills
    assert killed.acknowledged > 2.5 * kills
