"""Attack a server: ``python -m benchmarks.online.attacks [NAME ...]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.online.attacks.catalogue import ATTACKS
from benchmarks.online.attacks.trial import SMALL, Extent, run
from benchmarks.report import format_table

HEAD = ("attack", "others before", "others during", "memory", "also", "the attacker", "goal")


def main(arguments: Sequence[str] | None = None) -> None:
    """Carry out some attacks, or all, and print what came of them."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.online.attacks",
        description="Attack one game server from one address, over the loopback.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(ATTACKS)}")
    parser.add_argument("--small", action="store_true", help="seconds, to see that it works")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.names if name not in ATTACKS]:
        parser.error(f"no attack is called {unknown[0]!r}; there are {', '.join(ATTACKS)}")
    rows = []
    for name in options.names or ATTACKS:
        print(f"attacking: {name} ...", file=sys.stderr, flush=True)
        outcome = run(name, SMALL if options.small else Extent())
        rows.append(outcome.cells())
        print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
    print(format_table(HEAD, rows))


if __name__ == "__main__":
    main()
