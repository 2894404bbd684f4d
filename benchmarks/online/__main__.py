"""Measure one game server with many clients: ``python -m benchmarks.online``.

With ``--write`` the table goes into RESULTS.md as well; else nothing is written.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from benchmarks.online import bare
from benchmarks.online.attacks.catalogue import ATTACKS
from benchmarks.online.attacks.trial import SMALL as SMALL_EXTENT
from benchmarks.online.attacks.trial import Extent
from benchmarks.online.attacks.trial import run as attack
from benchmarks.online.crowds import measure_idle, measure_return, measure_watchers
from benchmarks.online.moves import begin_games, percentiles
from benchmarks.online.moves import measure as measure_moves
from benchmarks.online.serving import CORES, serving
from benchmarks.report import Marks, describe_platform, format_table, rewrite

RESULTS = Path(__file__).parents[1] / "RESULTS.md"
MARKS = Marks(
    "<!-- measured: python -m benchmarks.online --write -->",
    "<!-- end of what was measured online -->",
)
HEAD = ("figure", "measured", "goal")


class Size(NamedTuple):
    """How much is measured."""

    sockets: int = 10_000
    playing: int = 1_000
    rates: tuple[int, ...] = (500, 1_000, 2_000, 3_000, 5_000)
    seconds: float = 8.0
    watchers: int = 2_000
    moves: int = 20
    returning: int = 10_000


SMALL = Size(200, 40, (100,), 1.0, 50, 3, 60)
Row = tuple[str, str, str]


def idle(size: Size) -> list[Row]:
    """Return what idle sockets cost."""
    with serving() as server:
        found = asyncio.run(measure_idle(server, size.sockets))
    return [
        (
            f"{found.sockets:,} idle sockets in one process",
            f"{found.kibibytes:.1f} KiB each, {100 * found.cpu:.1f} % of a core; "
            f"opened in {found.seconds:.0f} s",
            "≤ 25 KiB each",
        )
    ]


def moves(size: Size) -> list[Row]:
    """Return how soon moves are acknowledged at some rates."""
    rows: list[Row] = []
    with serving() as server, serving(kind=bare.Bare) as loop:
        for rate in size.rates:
            for what, process, begin in (
                ("durable moves", server, begin_games),
                ("a bare loop beside it", loop, bare.begin),
            ):
                point = asyncio.run(
                    measure_moves(process, rate, begin, sockets=size.playing, seconds=size.seconds)
                )
                is_goal = process is server and rate == max(Size().rates)
                rows.append(
                    (
                        f"{what}, {size.playing:,} sockets, {point.asked:,}/s asked",
                        f"{point.done:,.0f}/s, {percentiles(point.delays, 1)}, "
                        f"{1e6 * point.cpu:.0f} µs of CPU a move",
                        f"p99 ≤ 50 ms at {rate:,}/s" if is_goal else "",
                    )
                )
    return rows


def watchers(size: Size) -> list[Row]:
    """Return how soon a crowd hears of a move."""
    with serving() as server:
        found = asyncio.run(measure_watchers(server, size.watchers, size.moves, 0.5))
    return [
        (
            f"{found.watchers:,} watchers of one game, {found.moves} moves",
            f"told after {percentiles(found.delays, 0)}",
            "p99 ≤ 250 ms",
        )
    ]


def returning(size: Size) -> list[Row]:
    """Return how soon everybody is back after the server was killed."""
    with serving() as server:
        found = asyncio.run(measure_return(server, size.returning))
    return [
        (
            f"{found.clients:,} clients coming back after SIGKILL",
            f"{found.same:,} with the same state after {found.seconds:.1f} s, "
            f"{found.attempts:,} attempts",
            "all within 30 s",
        )
    ]


def attacks(size: Size) -> list[Row]:
    """Return what the others notice of attacks by one address."""
    extent = SMALL_EXTENT if size is SMALL else Extent()
    return [attack(name, extent).row() for name in ATTACKS]


GROUPS: Mapping[str, Callable[[Size], list[Row]]] = {
    "idle": idle,
    "moves": moves,
    "watchers": watchers,
    "return": returning,
    "attacks": attacks,
}


def main(arguments: Sequence[str] | None = None, results: Path = RESULTS) -> None:
    """Measure what the arguments ask for, and print it."""
    options = _parse(arguments)
    size = SMALL if options.small else Size()
    rows: list[Row] = []
    for name in options.groups or GROUPS:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        rows += GROUPS[name](size)
    measured = f"{describe_run()}\n\n{format_table(HEAD, rows)}"
    print(measured)
    if options.write:
        rewrite(results, measured, MARKS)


def describe_run() -> str:
    """Return a sentence about what was measured with what."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("h11", "websockets"))
    cores = "two cores, one for the server and one for the load" if len(CORES) > 1 else "one core"
    return (
        f"{describe_platform()}; {packages}; SQLite, every commit synced; {cores}; "
        f"at the end the machine's load average was {os.getloadavg()[0]:.1f}."
    )


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.online",
        description="Measure one game server with many clients, over the loopback.",
    )
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"any of {', '.join(GROUPS)}")
    parser.add_argument("--small", action="store_true", help="few clients, to see that it works")
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.groups if name not in GROUPS]:
        parser.error(f"no group is called {unknown[0]!r}; there are {', '.join(GROUPS)}")
    if options.write and (options.groups or options.small):
        parser.error("--write replaces the whole table, so measure everything")
    return options


if __name__ == "__main__":
    main()
