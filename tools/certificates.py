"""Prove games, check the proofs, and see that a proof with a gap is refused.

    python -m tools.certificates [NAME ...] [--folder DIR] [--threads NUMBER]

A name is columns,rows,length with the flags gravity and misere if so, as in 5,4,4,gravity; without
names it is the games below that take seconds. The certificates are kept if a folder for them is
named; then a proof that was interrupted goes on where it was. The fast solver is used where it is
installed and knows the game.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tic_tac_toe.certificate_check import InvalidCertificate, check
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.exact import Solver, default_solver
from tic_tac_toe.solver import is_installed, supports
from tic_tac_toe.solver.book import with_book
from tic_tac_toe.solver.certificates import journal_beside, write_certificate
from tic_tac_toe.solver.certificates.plan_search import plans_for

#: What each game is known to be worth to the first player; these take seconds to prove.
QUICK: Mapping[str, str] = {
    "3,3,3": "draw",
    "4,3,3": "win",
    "4,4,4": "draw",
    "5,5,4": "draw",
    "6,5,4": "win",
    "6,6,5": "draw",
    "7,6,5": "draw",
    "4,4,4,gravity": "draw",
    "5,4,4,gravity": "draw",
    "4,5,4,gravity": "draw",
    "6,4,4,gravity": "loss",
    "5,5,4,gravity": "draw",
}
#: The same of games that take minutes, and the last one hours.
LONG: Mapping[str, str] = {
    "7,5,4": "win",
    "7,7,5": "draw",
    "5,6,4,gravity": "draw",
    "7,4,4,gravity": "draw",
    "6,5,4,gravity": "draw",
    "7,5,4,gravity": "draw",
    "6,6,4,gravity": "loss",
    "7,6,4,gravity": "win",
}
KNOWN: Mapping[str, str] = {**QUICK, **LONG}


class Proved(NamedTuple):
    """What it took to prove a game, in seconds, and what the proof is."""

    outcome: str
    theorems: int
    size: int
    writing: float
    checking: float


def prove(name: str, path: Path, limits: Limits) -> Proved:
    """Write the certificate of an empty board, check it, and try it with a gap.

    Raises:
        InvalidVariant: the name is of no game that has certificates.
        RuntimeError: the checker disagrees, or the outcome is not the known one, or a certificate
            with a gap is accepted.
    """
    rules = find_rules(f"mnk:{name}")
    start = time.perf_counter()
    written = write_certificate(
        rules,
        Position(),
        solver_for(rules, limits),
        path,
        plans=plans_for(rules, limits),
        journal=journal_beside(path),
        progress=tell_findings if sys.stderr.isatty() else None,
    )
    between = time.perf_counter()
    claim = check(path)
    end = time.perf_counter()
    if claim.outcome != written.outcome or claim.outcome != KNOWN.get(name, claim.outcome):
        raise RuntimeError(f"{name}: {claim.outcome} is not what it is known to be")
    try:
        check(io.BytesIO(without_a_theorem(path.read_bytes())))
    except InvalidCertificate:
        return Proved(*written, between - start, end - between)
    raise RuntimeError(f"{name}: the certificate is accepted without one of its theorems")


def tell_findings(count: int) -> None:
    """Show how many positions are settled."""
    print(f"\r{count:,} positions", end="", file=sys.stderr, flush=True)


def solver_for(rules: Rules, limits: Limits) -> Solver:
    """Return the fastest solver there is for a game."""
    if is_installed() and supports(rules):
        from tic_tac_toe.solver import FastSolver

        return with_book(rules, FastSolver(rules, limits))
    return default_solver(rules, Position())


def without_a_theorem(certificate: bytes) -> bytes:
    """Return a certificate without a theorem from its middle, and with a closing line that fits.

    One that has no theorems loses the line before the closing one.
    """
    lines = certificate.splitlines(keepends=True)[:-1]
    theorems = [i for i, line in enumerate(lines) if i >= 4 and not line.startswith(b"proof ")]
    del lines[theorems[len(theorems) // 2] if theorems else -1]
    text, count = b"".join(lines), max(len(theorems) - 1, 0)
    return text + f"end {count} sha256 {hashlib.sha256(text).hexdigest()}\n".encode()


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the games that are named, print a line for each, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.certificates")
    parser.add_argument("names", metavar="NAME", nargs="*", default=list(QUICK))
    parser.add_argument("--folder", metavar="DIR", type=Path, help="keep the certificates there")
    parser.add_argument(
        "--threads", metavar="NUMBER", type=int, help="one a processor unless given"
    )
    options = parser.parse_args(arguments)
    limits = Limits(threads=options.threads)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'game':<16} outcome  theorems      bytes  written  checked  with a gap")
        for name in options.names:
            try:
                proved = prove(name, folder / f"{name.replace(',', '-')}.certificate", limits)
            except (InvalidVariant, RuntimeError, OSError) as error:
                print(f"{name}: {error}", file=sys.stderr)
                return 1
            print(
                f"{name:<16} {proved.outcome:<7} {proved.theorems:>9,} {proved.size:>10,} "
                f"{proved.writing:>6.1f} s {proved.checking:>6.1f} s  refused",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
