"""Fit what threats are worth in Connect Four to games that the engine played against itself.

    python -m tools.fit_drops 8x8x4,gravity --journal games.jsonl --to even.json

The chance of the side that began is a logistic function of five numbers and of how many threats
each side has in odd and in even rows: see `tic_tac_toe.engines.playouts.drops`. They are found by
Newton's method; the loss that is told is that of every fifth game, which the fit does not see.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.engines.playouts.drops import MARKS, THREATS, WORTH, DropGame, odds_of
from tic_tac_toe.logic.rules.line import LineRules
from tools.fit_lines import digest_of, positions_of, write
from tools.selfplay import games_in, rules_named

Floats: TypeAlias = NDArray[np.float64]

#: How many numbers there are, and what is 1 in a file.
NUMBERS, UNIT = 5, 100
#: The ridge, and how many steps of Newton's method there are.
RIDGE, STEPS = 1e-3, 30


def samples_of(rules: LineRules, games: Sequence[dict[str, Any]]) -> tuple[Floats, Floats, Floats]:
    """Return how often each number counts in all positions of games, their results and games.

    A result is 1 if the side won that began, 0 if it lost, else a half.
    """
    game = DropGame(rules)
    tables = [game.tables.copy() for _ in range(NUMBERS)]
    for number, table in enumerate(tables):
        table[WORTH:] = 0
        table[WORTH + number] = 1
    counts, results, of = list[list[int]](), list[float](), list[int]()
    for played in games:
        winner = played["winner"]
        for position in positions_of(rules, played):
            words = game.state(position).view(np.uint64)
            taken = words[MARKS] | words[MARKS + 1]
            threats = words[THREATS], words[THREATS + 1]
            with np.errstate(over="ignore"):
                counts.append([int(odds_of(*threats, taken, table)) for table in tables])
            results.append(0.5 if winner is None else float(winner == 0))
            of.append(played["game"])
    return np.array(counts, float), np.array(results), np.array(of)


def fitted(counts: Floats, results: Floats) -> Floats:
    """Return the numbers that make the log-loss small."""
    numbers = np.zeros(NUMBERS)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-counts @ numbers))
        slope = counts.T @ (results - chances) - RIDGE * numbers
        curve = (counts.T * (chances * (1 - chances))) @ counts + RIDGE * np.eye(NUMBERS)
        numbers += np.linalg.solve(curve, slope)
    return numbers


def loss_of(numbers: Floats, counts: Floats, results: Floats) -> float:
    """Return the mean log-loss."""
    logit = counts @ numbers
    return float((np.logaddexp(0, logit) - logit * results).mean())


def main() -> int:
    """Fit, and write the numbers with where they come from."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("variant")
    parser.add_argument("--journal", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    games = sorted(games_in(options.journal), key=lambda game: int(game["game"]))
    counts, results, of = samples_of(rules_named(options.variant), games)
    unseen = of % 5 == 0
    numbers = fitted(counts[~unseen], results[~unseen])
    loss = loss_of(numbers, counts[unseen], results[unseen])
    lines = {
        "commands": [
            f"python -m tools.{tool} {options.variant} --journal games.jsonl"
            for tool in ("selfplay", "fit_drops")
        ],
        "games": len(games),
        "positions": len(results),
        "digest": digest_of(games),
        "loss": round(loss, 4),
        "worth": np.rint(UNIT * numbers).astype(int).tolist(),
    }
    write(options.to, lines, int(unseen.sum()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
