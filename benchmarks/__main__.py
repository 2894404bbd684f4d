"""Measure everything in one run and print the table: ``python -m benchmarks``.

With ``--write`` the table goes into RESULTS.md as well; else nothing is written.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks import (
    best_moves,
    browser,
    explaining,
    large_boards,
    processes,
    random_games,
    solver,
    solving,
    startup,
    tables,
)
from benchmarks.measurement import Effort
from benchmarks.report import Section, describe_platform, make_table, rewrite

RESULTS = Path(__file__).with_name("RESULTS.md")
Measure = Callable[[Effort], list[Section]]
#: Fresh processes first, while this one is small; see `processes.run`.
GROUPS: Mapping[str, Measure] = {
    "solving": solving.measure,
    "processes": processes.measure,
    "startup": startup.measure,
    "browser": browser.measure,
    "best-moves": best_moves.measure,
    "tables": tables.measure,
    "explaining": explaining.measure,
    "random-games": random_games.measure,
    "solver": solver.measure,
    "large-boards": large_boards.measure,
}


def main(
    arguments: Sequence[str] | None = None,
    results: Path = RESULTS,
    groups: Mapping[str, Measure] = GROUPS,
) -> None:
    """Measure what the arguments ask for, and print it."""
    options = _parse(arguments, groups)
    effort = Effort(options.rounds, options.seconds, options.board, options.slow, options.positions)
    sections: list[Section] = []
    for name in options.groups or groups:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        sections += groups[name](effort)
    measured = f"{describe_run(effort)}\n\n{make_table(sections)}"
    print(measured)
    if options.write:
        rewrite(results, measured)


def use_one_core() -> None:
    """Keep this process and its children on one core, where the system lets itself be told."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def describe_run(effort: Effort) -> str:
    """Return a sentence about what was measured with what."""
    peers = ", ".join(f"{name} {_version(name)}" for name in ("easyAI", "open_spiel", "bitbully"))
    rounds = f"{effort.rounds} round{'s' if effort.rounds > 1 else ''}"
    return f"{describe_platform()}; {peers}. CPU time, one core, {rounds} by turns."


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _parse(arguments: Sequence[str] | None, groups: Mapping[str, Measure]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure the speed of the library beside easyAI, OpenSpiel and bitbully.",
    )
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"any of {', '.join(groups)}")
    parser.add_argument("--rounds", type=_positive, default=Effort().rounds, help="turns for each")
    parser.add_argument("--seconds", type=float, default=Effort().seconds, help="CPU time a turn")
    parser.add_argument("--board", default=Effort().board, help="the game that is solved")
    parser.add_argument(
        "--slow",
        action="store_true",
        help="let OpenSpiel solve too, and the fast solver 7x6 and 7,7,5: minutes and gigabytes",
    )
    parser.add_argument(
        "--positions",
        type=_positive,
        default=Effort().positions,
        help="how many of each set the fast solver and its peer solve",
    )
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.groups if name not in groups]:
        parser.error(f"no group is called {unknown[0]!r}; there are {', '.join(groups)}")
    if options.write and options.groups:
        parser.error("--write replaces the whole table, so name no groups")
    return options


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("invalid: at least 1 is needed")
    return number


if __name__ == "__main__":
    use_one_core()
    main()
