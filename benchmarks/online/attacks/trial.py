"""One attack on a server with its usual limits: what the others notice before it and during it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

from benchmarks.online.attacks.catalogue import ATTACKS
from benchmarks.online.attacks.honest import Crowd, Heard
from benchmarks.online.attacks.probes import PROBES, Easy
from benchmarks.online.moves import percentiles
from benchmarks.online.serving import Serving, Setting, serving

#: No slower than this many times what it was before, and never slower than this, in seconds.
TIMES, SLOWEST = 3.0, 0.25
#: Megabytes that an attack may cost.
MOST_MEMORY = 64.0
#: What begins so in the counts should not happen to honest players.
WRONG = ("busy", "illegal", "stale", "closed", "cut off", "refused", "HTTP 4", "HTTP 5")
#: Seconds in which the honest players warm the server up, and that an attacker is waited for.
WARM, PATIENCE = 1.5, 90.0


class Extent(NamedTuple):
    """How much is done.

    Attributes:
        games: of two honest players each.
        before, during: seconds.
        scale: connections and games of a full attack count as these many parts of one.
    """

    games: int = 20
    before: float = 8.0
    during: float = 12.0
    scale: float = 1.0


SMALL = Extent(3, 1.0, 1.5, 0.04)


class Outcome(NamedTuple):
    """What an attack did.

    Attributes:
        before, during: how the honest players fared.
        megabytes: of the server's memory before it, and at most during it.
        seen: what the probe saw before and during it.
        is_fair: whether the probe found that fair.
        counts: what came of it for the attacker.
        lost: acknowledged events that the server does not have any more.
    """

    name: str
    before: Heard
    during: Heard
    megabytes: tuple[float, float]
    seen: tuple[str, str]
    is_fair: bool
    counts: dict[str, int]
    lost: int

    @property
    def reached(self) -> bool:
        """Whether the others notice no more than they may."""
        before, during = p99(self.before.delays), p99(self.during.delays)
        grown = self.megabytes[1] - self.megabytes[0]
        is_quick = during <= min(SLOWEST, TIMES * before) and grown <= MOST_MEMORY
        is_whole = not (self.lost or self.during.unanswered or self.during.refused)
        if ATTACKS[self.name].is_honest:
            is_whole &= not any(what.startswith(WRONG) for what in self.counts)
        return is_quick and is_whole and self.is_fair

    def row(self) -> tuple[str, str, str]:
        """Return the row of a table of figures: about, measured, goal."""
        about, before, during, memory, seen, counts, goal = self.cells()
        facts = (f"others {before} before, {during} during it", memory, seen, f"it got {counts}")
        wanted = f"p99 ≤ {TIMES:.0f} × before and ≤ {1000 * SLOWEST:.0f} ms, + {MOST_MEMORY:.0f} MB"
        return f"attack: {about}", "; ".join(filter(None, facts)), f"{wanted}: {goal}"

    def cells(self) -> tuple[str, ...]:
        """Return the row of a table: about, before, during, memory, what else, attacker, goal."""
        first, peak = self.megabytes
        wrong = [
            f"{number} {what}"
            for number, what in (
                (self.during.unanswered, "unanswered"),
                (len(self.during.refused), "refused"),
                (self.lost, "lost"),
            )
            if number
        ]
        late = f"own clock {1000 * p99(self.during.late or [0.0]):.0f} ms late"
        return (
            ATTACKS[self.name].about,
            percentiles(self.before.delays, 0),
            "; ".join([percentiles(self.during.delays, 0), *wrong, late]),
            f"{first:.0f} to {peak:.0f} MB",
            " → ".join(filter(None, self.seen)),
            ", ".join(f"{number:,} {what}" for what, number in sorted(self.counts.items())),
            "reached" if self.reached else "missed",
        )


def p99(delays: Sequence[float]) -> float:
    """Return what 99 % of the delays stayed below, in seconds."""
    return sorted(delays)[len(delays) * 99 // 100]


def run(name: str, extent: Extent) -> Outcome:
    """Attack once.

    Raises:
        RuntimeError: what the attack needs is not there.
    """
    attack = ATTACKS[name]
    extent = extent._replace(during=extent.during * attack.longer)
    shared: dict[str, object] = {}

    with ExitStack() as stack:

        def prepare(setting: Setting) -> None:
            setting.options = ()
            shared.update(attack.prepare(setting, stack, extent.scale))

        server = stack.enter_context(serving(prepare))
        return asyncio.run(_run(name, server, extent, shared))


async def _run(name: str, server: Serving, extent: Extent, shared: dict[str, object]) -> Outcome:
    crowd = Crowd(extent.games)
    await crowd.begin(server.port)
    await crowd.play(WARM)
    probe = PROBES[ATTACKS[name].probe](server) if ATTACKS[name].probe else None

    async def look(seconds: float) -> str:
        return await probe.look(seconds) if probe else ""

    if isinstance(probe, Easy):
        await look(1.0)  # computers load what they need with their first move
    before, seen_before = await asyncio.gather(crowd.play(extent.before), look(extent.before))
    told = {
        "name": name,
        "port": server.port,
        "seconds": extent.during,
        "scale": extent.scale,
        "games": crowd.addresses,
        "shared": shared,
    }
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.online.attacks.assault"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as attacker:
        assert attacker.stdin is not None
        assert attacker.stdout is not None
        attacker.stdin.write(json.dumps(told) + "\n")
        attacker.stdin.flush()
        await asyncio.to_thread(attacker.stdout.readline)
        megabytes = server.kibibytes / 1000
        server.forget_peak()
        attacker.stdin.write("go\n")
        attacker.stdin.flush()
        during, seen = await asyncio.gather(crowd.play(extent.during), look(extent.during))
        counts = json.loads(await asyncio.to_thread(attacker.stdout.readline) or "{}")
    peak = server.peak_kibibytes / 1000
    lost = await crowd.lost()
    crowd.close()
    if probe is not None:
        probe.close()
    await asyncio.sleep(0)  # in which the connections end
    is_fair = probe is None or probe.is_fair
    return Outcome(
        name, before, during, (megabytes, peak), (seen_before, seen), is_fair, counts, lost
    )
