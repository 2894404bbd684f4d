"""Fit the evaluation of the engine for lines to games that it played against itself.

    python -m tools.fit_lines gomoku --journal games.jsonl --to free.json

The chance of the side to move is a logistic function of what the network of
`tic_tac_toe.engines.lines.values` says. Its inputs are sums over the empty places, so that a
position is how often each pair of classes and each pair of kinds occurs. The weights are found by
Adam (Kingma and Ba, 2015) on the log-loss; the loss that is told is that of openings which the fit
does not see: every fifth, mirrored and turned ones counted as the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe import find_rules
from tic_tac_toe.engines.lines import MACHINE_CODE
from tic_tac_toe.engines.lines.position import (
    AREA,
    COMBINATIONS,
    EMPTY,
    KINDS,
    STONES,
    Arrays,
    endings_of,
    new_table,
)
from tic_tac_toe.engines.lines.shapes import DIRECTIONS, MAKES_FIVE, WINNING_FOUR
from tic_tac_toe.engines.lines.values import (
    INPUTS,
    KIND_ROWS,
    MOST_INPUT,
    ODDS_UNIT,
    OUTPUT_SHIFT,
    PARTS,
    SIDED,
    START_ROW,
    START_UNIT,
    UNIT,
    WEIGHT_UNIT,
    parts_of,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tools.selfplay import games_in

Floats: TypeAlias = NDArray[np.float32]
Parts: TypeAlias = dict[str, Floats]

#: How often all positions are gone through, how many make a step, and how large steps are at first.
EPOCHS, BATCH, RATE = 20, 2048, 0.003
#: The same where a network is fitted to a game that is much the same as that of another one.
MORE_EPOCHS, MORE_RATE = 6, 0.001
#: In which part of all steps they become as large as that.
WARMING = 0.05
#: Adam's memory of gradients and of their squares; the ridge.
MEMORY, RIDGE = (0.9, 0.999), 1e-6
#: What the inputs are at first for a usual position, and which part of the gradient passes beyond
#: the bounds of an input, for else it might never come back.
FIRST_INPUTS, LEAK = np.linspace(-1, 3, INPUTS, dtype=np.float32), np.float32(0.1)
#: What is 1 in each part of a file.
UNITS = {
    **dict.fromkeys(("classes", "kinds", "hidden_start"), UNIT),
    "start": START_UNIT,
    "hidden": WEIGHT_UNIT,
    "output": (ODDS_UNIT << OUTPUT_SHIFT) // UNIT,
}
BOUND = MOST_INPUT / UNIT


@dataclass(frozen=True)
class Samples:
    """Positions and how their games ended.

    Attributes:
        counts: by row, how often it counts: see `features`.
        movers: the side to move, 0 for both where they have the same lines.
        results: 1 if the side to move won, 0 if it lost, else a half.
        groups: a number of the opening.
    """

    counts: NDArray[np.uint16]
    movers: NDArray[np.int64]
    results: Floats
    groups: NDArray[np.int64]


def samples_of(rules: LineRules, games: Sequence[dict[str, Any]]) -> Samples:
    """Return all positions of games but those that the next stones decide."""
    arrays, sides = Arrays(rules, new_table(0)), sides_of(rules)
    counts, movers, results, groups = list[NDArray[np.uint16]](), [], [], []
    for game in games:
        group = opening_number(rules, game["cells"][: game["opening"]])
        for position in positions_of(rules, game):
            if (found := features(arrays, position)) is None:
                continue
            counts.append(found)
            movers.append(position.turn % sides)
            winner = game["winner"]
            results.append(0.5 if winner is None else float(winner == position.turn))
            groups.append(group)
    results_of = np.array(results, np.float32)
    return Samples(np.array(counts), np.array(movers), results_of, np.array(groups))


def sides_of(rules: LineRules) -> int:
    """Return how many kinds of lines the sides have: 1 where both have the same."""
    return len(set(endings_of(rules)))


def positions_of(rules: LineRules, game: dict[str, Any]) -> Iterator[Position]:
    """Yield the positions of a game from the end of its opening on."""
    position = Position()
    for number, cell in enumerate(game["cells"]):
        if number >= game["opening"]:
            yield position
        position = rules.play(position, cell)
    if rules.outcome(position) is None:
        yield position


def opening_number(rules: LineRules, cells: Sequence[int]) -> int:
    """Return the same number for openings that are turned or mirrored."""
    rows, columns = rules.shape
    square = rows == columns
    texts = []
    for turn in range(8 if square else 4):
        signs = []
        for index, cell in enumerate(cells):
            row, column = divmod(cell, columns)
            row = rows - 1 - row if turn & 1 else row
            column = columns - 1 - column if turn & 2 else column
            row, column = (column, row) if turn & 4 else (row, column)
            signs.append((index & 1, row, column))
        texts.append(str(sorted(signs)))
    return int.from_bytes(hashlib.sha256(min(texts).encode()).digest()[:4], "big")


def features(arrays: Arrays, position: Position) -> NDArray[np.uint16] | None:
    """Return what is counted in a position, or ``None`` if the next stones decide it.

    That is how many empty places have each class of the side to move, times 16, and of the other,
    in all directions; then the same of kinds.
    """
    MACHINE_CODE.begin(*arrays.load(position, (), np.zeros(1, np.int64)))
    side = position.turn
    fives = arrays.count(side, MAKES_FIVE), arrays.count(1 - side, MAKES_FIVE)
    if any(fives) or arrays.count(side, WINNING_FOUR):
        return None
    return counts_of(arrays, side)


def counts_of(arrays: Arrays, side: int) -> NDArray[np.uint16]:
    """Return how often each row counts for a side to move in the position that is loaded."""
    state = arrays.state
    empty = np.flatnonzero(state[STONES : STONES + AREA] == EMPTY)
    own, other = (
        (state[COMBINATIONS + of * AREA + empty], state[KINDS + of * AREA + empty])
        for of in (side, 1 - side)
    )
    pairs = [
        (own[0] >> 4 * direction & 15) * 16 + (other[0] >> 4 * direction & 15)
        for direction in range(DIRECTIONS)
    ]
    kinds = KIND_ROWS + (own[1] & 15) * 16 + (other[1] & 15)
    counts = np.bincount(np.concatenate([*pairs, kinds]), minlength=START_ROW)
    return counts.astype(np.uint16)


class Network:
    """The numbers while they are learnt, in units of 1.

    Counts are taken less their mean and divided by their deviation, so that steps are of like size.

    Args:
        rules: the game.
        samples: positions that say what is usual.
        base: the parts of a network for a game that is much the same.
    """

    def __init__(self, rules: LineRules, samples: Samples, base: Parts | None = None) -> None:
        sides = sides_of(rules)
        some = samples.counts[:: max(1, len(samples.counts) // 20_000)].astype(np.float32)
        self.mean: Floats = some.mean(axis=0)
        self.scale: Floats = 1 / (some.std(axis=0) + np.float32(0.3))
        self.scale *= some.max(axis=0) > 0  # what never occurs counts nothing
        self.scale[[KIND_ROWS - 1, START_ROW - 1]] = 0
        self.weights: Parts
        if base is None:
            rng = np.random.default_rng(1)

            def random(deviation: float, *shape: int) -> Floats:
                return (deviation * rng.standard_normal(shape)).astype(np.float32)

            self.weights = {
                "rows": random(0.15, sides, START_ROW, INPUTS),
                "start": np.tile(FIRST_INPUTS, (sides, 1)),
                "hidden": random(INPUTS**-0.5, *PARTS["hidden"]),
                "hidden_start": np.zeros(PARTS["hidden_start"], np.float32),
                "output": random(0.3, *PARTS["output"]),
            }
            self.weights["output"][-1] = 1
        else:
            rows = np.concatenate([base[name].reshape(-1, 256, INPUTS) for name in SIDED[:2]], 1)
            self.weights = {name: base[name].copy() for name in PARTS if name not in SIDED}
            divisor = np.where(self.scale > 0, self.scale, 1)[:, None]
            self.weights["rows"] = np.tile(rows / divisor, (sides // len(rows), 1, 1))
            start = base["start"] + np.matmul(self.mean * (self.scale > 0), rows)
            self.weights["start"] = np.tile(start, (sides // len(start), 1))

    def parts(self) -> Parts:
        """Return the parts of a file."""
        rows = self.weights["rows"] * self.scale[:, None]
        classes, kinds = (part.reshape(-1, 16, 16, INPUTS) for part in np.split(rows, 2, axis=1))
        start = self.weights["start"] - np.matmul(self.mean, rows)
        rest = {name: self.weights[name] for name in PARTS if name not in SIDED}
        return {"classes": classes, "kinds": kinds, "start": start, **rest}

    def _scaled(self, samples: Samples, chosen: NDArray[np.int64]) -> Floats:
        scaled: Floats = (samples.counts[chosen].astype(np.float32) - self.mean) * self.scale
        return scaled

    def outputs(
        self, samples: Samples, chosen: NDArray[np.int64]
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Return of positions the inputs, these within their bounds, hidden units and the output.

        The hidden units are those before they are cut off at 0.
        """
        counts, weights = self._scaled(samples, chosen), self.weights
        inputs = np.empty((chosen.size, INPUTS), np.float32)
        for side, rows in enumerate(weights["rows"]):
            of = samples.movers[chosen] == side
            inputs[of] = counts[of] @ rows + weights["start"][side]
        bounded = np.clip(inputs[:, :-1], 0, BOUND)
        hidden = bounded @ weights["hidden"] + weights["hidden_start"]
        output = weights["output"]
        logit = np.maximum(hidden, 0) @ output[:-1] + inputs[:, -1] * output[-1]
        return inputs, bounded, hidden, logit

    def gradient(self, samples: Samples, chosen: NDArray[np.int64]) -> Parts:
        """Return the gradient of the mean loss of the chosen positions."""
        inputs, bounded, hidden, logit = self.outputs(samples, chosen)
        weights = self.weights
        error = (1 / (1 + np.exp(-logit)) - samples.results[chosen]) / np.float32(chosen.size)
        by_unit = np.outer(error, weights["output"][:-1]) * (hidden > 0)
        inside = np.where((inputs[:, :-1] > 0) & (inputs[:, :-1] < BOUND), np.float32(1), LEAK)
        errors = np.empty_like(inputs)
        errors[:, :-1] = by_unit @ weights["hidden"].T * inside
        errors[:, -1] = error * weights["output"][-1]
        found = {
            "rows": np.zeros_like(weights["rows"]),
            "start": np.zeros_like(weights["start"]),
            "hidden": bounded.T @ by_unit,
            "hidden_start": by_unit.sum(axis=0),
            # The last stays 1.
            "output": np.append(np.maximum(hidden, 0).T @ error, np.float32(0)),
        }
        counts = self._scaled(samples, chosen)
        for side in range(len(weights["rows"])):
            of = samples.movers[chosen] == side
            found["rows"][side] = counts[of].T @ errors[of]
            found["start"][side] = errors[of].sum(axis=0)
        return found

    def fit(self, samples: Samples, epochs: int, rate: float) -> None:
        """Make the loss small."""
        rng = np.random.default_rng(2)
        mean = {name: np.zeros_like(part) for name, part in self.weights.items()}
        square = {name: np.zeros_like(part) for name, part in self.weights.items()}
        start = self.weights["rows"].copy()
        batch = min(BATCH, samples.results.size)
        steps, done = epochs * (samples.results.size // batch), 0
        for _ in range(epochs):
            order = rng.permutation(samples.results.size)
            for first in range(0, order.size - batch + 1, batch):
                found = self.gradient(samples, np.sort(order[first : first + batch]))
                found["rows"] += 2 * RIDGE * (self.weights["rows"] - start)
                done += 1
                step = rate * min(1 - done / (steps + 1), done / (WARMING * steps))
                for name, change in found.items():
                    mean[name] += (1 - MEMORY[0]) * (change - mean[name])
                    square[name] += (1 - MEMORY[1]) * (change * change - square[name])
                    one = mean[name] / (1 - MEMORY[0] ** done)
                    two = np.sqrt(square[name] / (1 - MEMORY[1] ** done)) + 1e-8
                    self.weights[name] -= (step * one / two).astype(np.float32)

    def loss(self, samples: Samples) -> float:
        """Return the mean log-loss."""
        total = 0.0
        for first in range(0, samples.results.size, BATCH):
            chosen = np.arange(first, min(first + BATCH, samples.results.size))
            *_, logit = self.outputs(samples, chosen)
            total += float((np.logaddexp(0, logit) - logit * samples.results[chosen]).sum())
        return total / samples.results.size


def part(samples: Samples, which: NDArray[np.bool_]) -> Samples:
    """Return some of the samples."""
    return Samples(
        samples.counts[which], samples.movers[which], samples.results[which], samples.groups[which]
    )


# -- files -----------------------------------------------------------------------------------------


def bare_sums(rules: LineRules, parts: Parts) -> Floats:
    """Return what a board without stones counts, for each side to move."""
    arrays = Arrays(rules, new_table(0))
    MACHINE_CODE.begin(*arrays.load(Position(), (), np.zeros(1, np.int64)))
    rows = np.concatenate([parts[name].reshape(-1, 256, INPUTS) for name in SIDED[:2]], axis=1)
    found = [counts_of(arrays, side) @ rows[side % len(rows)] for side in range(sides_of(rules))]
    return np.stack(found).astype(np.float32)


def told(rules: LineRules, parts: Parts) -> dict[str, str]:
    """Return the numbers as a file has them: see `values.parts_of`.

    The search counts what differs from the empty board, which is put into the beginning.
    """
    parts = {**parts, "start": parts["start"] + bare_sums(rules, parts)}
    rounded = {name: np.rint(UNITS[name] * part).astype(int) for name, part in parts.items()}
    assert all(np.abs(part).max() < 1 << 15 for part in rounded.values())
    return {
        name: b64encode(part.astype("<i2").tobytes()).decode() for name, part in rounded.items()
    }


def read(rules: LineRules, file: Path) -> Parts:
    """Return the parts of a file in units of 1, for a network to begin with."""
    parts = parts_of(json.loads(file.read_text(encoding="ascii")))
    found = {name: (part / UNITS[name]).astype(np.float32) for name, part in parts.items()}
    return {**found, "start": found["start"] - bare_sums(rules, found)}


def digest_of(games: Sequence[dict[str, Any]]) -> str:
    """Return what tells these games from any others, whatever their order in the journal was."""
    lines = "".join(json.dumps(game, separators=(",", ":")) + "\n" for game in games)
    return hashlib.sha256(lines.encode()).hexdigest()


def write(file: Path, fit: Mapping[str, Any], unseen: int) -> None:
    """Write what a fit found, a line for each part, and tell how good it is.

    Args:
        fit: the parts of the file.
        unseen: the positions that the loss is of.
    """
    parts = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in fit.items()]
    file.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="ascii")
    print(f"{fit['positions']:,} positions, loss {fit['loss']:.4f} on {unseen:,} unseen")


def main() -> int:
    """Fit, and write the numbers with where they come from."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("variant")
    parser.add_argument("--journal", type=Path, required=True)
    parser.add_argument("--base", type=Path, help="the numbers of a game that is much the same")
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    rules = find_rules(options.variant)
    assert isinstance(rules, LineRules)
    games = sorted(games_in(options.journal), key=lambda game: int(game["game"]))
    samples = samples_of(rules, games)
    unseen = samples.groups % 5 == 0
    seen, rest = part(samples, ~unseen), part(samples, unseen)
    network = Network(rules, seen, read(rules, options.base) if options.base else None)
    network.fit(seen, *((MORE_EPOCHS, MORE_RATE) if options.base else (EPOCHS, RATE)))
    loss = network.loss(rest)
    command = f"python -m tools.fit_lines {options.variant} --journal games.jsonl"
    lines = {
        "commands": [
            f"python -m tools.selfplay {options.variant} --journal games.jsonl",
            f"{command} --base {options.base.name}" if options.base else command,
        ],
        "games": len(games),
        "positions": int(samples.results.size),
        "digest": digest_of(games),
        "loss": round(loss, 4),
        **told(rules, network.parts()),
    }
    write(options.to, lines, rest.results.size)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
