"""The process of an attacker: ``python -m benchmarks.online.attacks.assault`` is for `trial`.

It is told of the attack in one line of JSON, says that it is ready, begins when it reads another
line, and says at the end what came of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

from benchmarks.online.attacks.catalogue import ATTACKS
from benchmarks.online.attacks.hostile import Hostile

#: How much the attacker gives way to the honest players, who measure on the same core.
NICE = 10


def main() -> None:
    """Attack once."""
    told = json.loads(sys.stdin.readline())
    name = told.pop("name")
    if hasattr(os, "sched_setscheduler"):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    if hasattr(os, "nice"):
        os.nice(NICE)
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(asyncio.run(_attack(name, told))), flush=True)


async def _attack(name: str, told: dict[str, object]) -> dict[str, int]:
    hostile = Hostile(**told)  # type: ignore[arg-type]  # as `trial` has written it
    act = asyncio.ensure_future(ATTACKS[name].act(hostile))
    # What waits for an answer that does not come is not waited for.
    await asyncio.wait([act], timeout=hostile.seconds + 1.0)
    if act.done():
        act.result()
    act.cancel()
    return dict(hostile.counts)


if __name__ == "__main__":
    main()
