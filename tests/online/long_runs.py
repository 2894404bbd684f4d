"""The long runs of what the tests do briefly: ``python -m tests.online.long_runs kills``."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.online.frame_mutations import read_mutated_frames
from tests.online.kills import kill_again_and_again
from tests.online.model import walk
from tests.online.mutations import read_mutations
from tests.online.postgres import running_cluster
from tests.online.power_cuts import cut_power
from tests.online.races import (
    compare_with_log,
    race_for_seats,
    race_for_versions,
    read_postgres,
    two_nodes,
)
from tests.online.redis import running_redis

#: What a run says in the end, and the faults that it has found.
Result = tuple[str, Sequence[str]]


def run_kills(count: int, seed: int, folder: Path) -> Result:
    """Kill a server `count` times."""
    findings = asyncio.run(kill_again_and_again(folder, trials=count, seed=seed))
    return str(findings), findings.faults


def run_postgres_kills(count: int, seed: int, folder: Path) -> Result:
    """Kill a server on PostgreSQL `count` times."""
    with running_cluster() as cluster:
        database = cluster.new_database()
        findings = asyncio.run(
            kill_again_and_again(folder, trials=count, seed=seed, database=database)
        )
    return str(findings), findings.faults


def run_model(count: int, seed: int, folder: Path) -> Result:
    """Compare `count` steps of a server and of a model."""
    done = walk(folder / "games.sqlite", count, seed)
    return f"{count} steps, {done.games} games, {done.crashes} crashes: they agree", ()


def run_mutations(count: int, seed: int, folder: Path) -> Result:
    """Read `count` changed messages."""
    return f"{count} mutated messages: {read_mutations(count, seed)}", ()


def run_frames(count: int, seed: int, folder: Path) -> Result:
    """Send `count` changed frames to connections."""
    tally = asyncio.run(read_mutated_frames(folder, count, seed))
    return f"{count} mutated frames: {tally}", ()


def run_power_cuts(count: int, seed: int, folder: Path) -> Result:
    """Look into `count` images of a disk."""
    looked, problems = cut_power(count, seed)
    return f"{looked} images, {len(problems)} with something lost or corrupt", problems


def run_races(count: int, seed: int, folder: Path) -> Result:
    """Run `count` races for a seat, and as many for a version."""
    with running_cluster() as cluster, running_redis() as redis:
        database = cluster.new_database()
        with two_nodes(folder, database, redis.url) as nodes:
            seats = asyncio.run(race_for_seats(nodes, count, seed))
            versions = asyncio.run(race_for_versions(nodes, count, seed))
        faults = compare_with_log(versions, read_postgres(database))
    return f"seats: {seats}; versions: {versions}", seats.faults + versions.faults + faults


#: The runs by their names, and their usual counts.
RUNS: dict[str, tuple[Callable[[int, int, Path], Result], int]] = {
    "frames": (run_frames, 100_000),
    "kills": (run_kills, 1_000),
    "kills-postgres": (run_postgres_kills, 1_000),
    "model": (run_model, 100_000),
    "mutations": (run_mutations, 1_000_000),
    "power-cuts": (run_power_cuts, 5_000),
    "races": (run_races, 10_000),
}


def main() -> int:
    """Make a long run, and say what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.online.long_runs", description=__doc__)
    parser.add_argument("run", choices=RUNS)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    run, usual = RUNS[options.run]
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        said, faults = run(options.count or usual, options.seed, Path(folder))
    print(f"{said}; {time.monotonic() - started:.0f} s", *faults[:20], sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
