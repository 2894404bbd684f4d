"""A server that is killed again and again while games are played: nothing acknowledged is lost.

A trial is one SIGKILL.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.online.bots import Table
from tests.online.evidence import find_faults, read_log
from tests.online.guests import until
from tests.online.processes import PATIENCE, Server
from tests.online.races import read_postgres

#: After this number of kills the bots wait until every request has its answer.
PAUSE = 20
#: Games that are played at the same time.
TABLES = 3


@dataclass
class Findings:
    """What a run of trials has shown.

    Attributes:
        trials: the number of kills.
        acknowledged: the number of acknowledged requests, each of which is in the log once.
        resumptions: the number of connections after the first of each bot.
        faults: the broken promises.
    """

    trials: int = 0
    acknowledged: int = 0
    resumptions: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        told = (
            f"{self.trials} kills, {self.acknowledged} requests acknowledged, "
            f"{self.resumptions} resumptions: {len(self.faults)} faults"
        )
        return "\n  ".join([told, *self.faults[:20]])


async def kill_again_and_again(
    folder: Path,
    *,
    trials: int,
    seed: int = 1,
    broken: str = "",
    database: str = "",
    patience: float = PATIENCE,
) -> Findings:
    """Return what comes of kills at random instants, and of the games they fell into.

    Args:
        trials: the number of kills; after every `PAUSE` of them the bots wait for all answers.
        broken: the variant of the server.
        database: the address of the PostgreSQL database that keeps the games in place of a file.
        patience: the seconds that an answer may take.
    """
    rng = random.Random(seed)
    server = Server(folder, broken=broken, database=("--database", database) if database else ())
    playing = [Table([server.url], random.Random(rng.getrandbits(64))) for _ in range(TABLES)]
    bots = [bot for table in playing for bot in table.bots]
    findings = Findings()
    said_before = 0
    server.launch()
    running = [asyncio.create_task(bot.run()) for bot in bots]
    try:
        while findings.trials < trials and not any(bot.faults for bot in bots):
            if not await _kill_at_random(server, playing, rng, patience):
                findings.faults.append("requests without an answer: nobody gets any more")
                break
            findings.trials += 1
            said_before = len(server.said())
            server.launch()
            if findings.trials % PAUSE == 0 or findings.trials == trials:
                unanswered = await _fall_silent(playing, patience)
                findings.faults += unanswered
                if unanswered:
                    break
    finally:
        for bot in bots:
            bot.end()
        await asyncio.wait(running, timeout=PATIENCE)
        if server.number:
            if not broken:
                await _until_ready(server, said_before)
            code = await asyncio.to_thread(server.stop)
            if code and not broken:
                findings.faults.append(f"the server ended with {code}:\n{server.said()[-2000:]}")
    said = server.said()
    if "Traceback" in said:
        findings.faults.append(
            f"the server met an error:\n{said[said.index('Traceback') :][:2000]}"
        )
    acknowledged = [each for table in playing for each in table.acknowledged]
    findings.acknowledged = len(set(acknowledged))
    findings.resumptions = sum(bot.connections for bot in bots) - len(bots)
    findings.faults += [fault for table in playing for fault in table.faults]
    log = read_postgres(database) if database else read_log(server.data)
    findings.faults += find_faults(log, acknowledged, bots)
    return findings


async def _until_ready(server: Server, said_before: int) -> None:
    """Wait until it says that it is ready: one that is asked to stop earlier ends with 143."""
    for _ in range(int(PATIENCE / 0.01)):
        if '"event": "ready"' in server.said()[said_before:]:
            return
        await asyncio.sleep(0.01)


async def _kill_at_random(
    server: Server, playing: list[Table], rng: random.Random, patience: float
) -> bool:
    """Kill the server after some answers, or while it starts; false if it does nothing."""
    if rng.random() < 0.1:
        await asyncio.sleep(rng.uniform(0, 0.1))
    else:
        for _ in range(rng.randrange(1, 25)):
            table = rng.choice(playing)
            table.answered.clear()
            try:
                await asyncio.wait_for(table.answered.wait(), patience)
            except asyncio.TimeoutError:
                return False
        await asyncio.sleep(rng.uniform(0, 0.01))
    server.kill()
    return True


async def _fall_silent(playing: list[Table], patience: float) -> list[str]:
    """Ask for nothing until every request has its answer; return those that never get any."""
    bots = [bot for table in playing for bot in table.bots]
    for table in playing:
        table.going_on = False
    with suppress(AssertionError):
        await until(lambda: all(bot.is_quiet for bot in bots), "answers", patience)
    for table in playing:
        table.going_on = True
    return [f"requests without an answer: {bot!r}" for bot in bots if not bot.is_quiet]
