"""Compare two evaluations of the engine for lines.

    python -m tools.compare_values gomoku one.json other.json --nodes 30000 --sprt 0 10

The files are those of `tools.fit_lines`. Pairs of games begin with openings of `tools.selfplay`,
each played twice with the colours changed, with a fixed number of nodes a move. A game ends with a
proof. Both sides keep what they found out from move to move.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Sequence
from functools import lru_cache
from random import Random

from tic_tac_toe.contest.elo import estimate_elo
from tic_tac_toe.contest.pairs import PairCounts
from tic_tac_toe.contest.sprt import Sprt
from tic_tac_toe.engines.lines import NODES_PER_SECOND, CompiledLines
from tic_tac_toe.limits import Kept, Limits
from tic_tac_toe.logic.rules.line import LineRules
from tools.selfplay import MEMORY, engine_with, opening_of, play_on, rules_named

#: Of the engines that are compared, and how often the score is told.
OWN_MEMORY, BETWEEN = 16 << 20, 25


@lru_cache(maxsize=1)
def engines_of(name: str, files: tuple[str, str]) -> tuple[LineRules, Sequence[CompiledLines]]:
    """Return the rules, the engine that judges openings, and the two that are compared."""
    rules = rules_named(name)
    judge = CompiledLines(rules, MEMORY)
    return rules, (judge, *(engine_with(rules, file, OWN_MEMORY) for file in files))


def points_of(task: tuple[str, tuple[str, str], int, int]) -> float:
    """Return the points of the first evaluation in a pair of games; for a process of a pool."""
    name, files, number, nodes = task
    rules, (judge, *engines) = engines_of(name, files)
    rng, points = Random(f"pair {number}"), 0.0
    opening = opening_of(rules, judge, rng)
    for first in (0, 1):
        limits = [Limits(work=nodes / NODES_PER_SECOND, kept=Kept()) for _ in engines]
        players = [(engines[side ^ first], limits[side ^ first]) for side in (0, 1)]
        _, winner = play_on(rules, opening, players, rng)
        points += 0.5 if winner is None else float(winner == first)
    return points


def main() -> int:
    """Play pairs until all are played or a sequential test decides, and print the score."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("variant")
    parser.add_argument("files", nargs=2)
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=30_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first pair")
    parser.add_argument("--sprt", type=float, nargs=2, metavar="ELO", help="as in 0 10")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    test = Sprt(*options.sprt) if options.sprt else None
    tasks = [
        (options.variant, tuple(options.files), options.first + number, options.nodes)
        for number in range(options.pairs)
    ]
    points = list[float]()
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for one in pool.imap(points_of, tasks):
            points.append(one)
            counts = PairCounts.of(points)
            decision = test and test.decide(counts)
            if decision or len(points) in (len(tasks), *range(0, len(tasks), BETWEEN)):
                value, low, high = estimate_elo(counts)
                elo = f"Elo {value:+.0f} ({low:+.0f} to {high:+.0f})"
                print(f"{len(points)} pairs {[*counts]}, {100 * counts.score:.1f} %, {elo}")
            if decision:
                print(f"decided: {decision}")
                break
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
