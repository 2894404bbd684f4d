"""Fit the evaluation of the engine for lines to games that it played against itself.

    python -m tools.fit_lines gomoku --journal games.jsonl --to free.json

The chance of the side to move is a logistic function of what the network of
`tic_tac_toe.engines.lines.values` says. The rows of a combination of classes are those of its four
classes and of its kind, and a difference of its own that is learnt more slowly. The weights are
found by Adam (Kingma and Ba, 2015) on the log-loss; the loss that is told is that of openings which
the fit does not see: every fifth, mirrored and turned ones counted as the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tic_tac_toe import find_rules
from tic_tac_toe.engines.lines import MACHINE_CODE
from tic_tac_toe.engines.lines.position import (
    AREA,
    EMPTY,
    NUMBERS,
    STONES,
    Arrays,
    endings_of,
    new_table,
)
from tic_tac_toe.engines.lines.shapes import CLASSES, MAKES_FIVE, WINNING_FOUR
from tic_tac_toe.engines.lines.values import (
    INPUTS,
    MOST_INPUT,
    NUMBER_BITS,
    NUMBER_MASK,
    ODDS_UNIT,
    OUTPUT_SHIFT,
    PARTS,
    SIDED,
    START_UNIT,
    UNIT,
    WEIGHT_UNIT,
    combinations,
    number_table,
    parts_of,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tools.selfplay import games_in

Floats: TypeAlias = NDArray[np.float32]
Parts: TypeAlias = dict[str, Floats]

#: How often all positions are gone through, how many make a step, and how large steps are at first:
#: of all weights, and, as a part of these, of the combinations' own.
EPOCHS, BATCH, RATE, OWN_RATE = 20, 2048, 0.003, 0.3
#: The same where a network is fitted to a game that is much the same as that of another one.
MORE_EPOCHS, MORE_RATE = 6, 0.001
#: In which part of all steps they become as large as that.
WARMING = 0.05
#: Adam's memory of gradients and of their squares.
MEMORY = 0.9, 0.999
#: The ridge of what a combination and a pair of kinds have of their own, and of the others.
RIDGE, LEAST_RIDGE = 3e-5, 1e-6
#: What the inputs are on an empty board at first, and which part of the gradient passes beyond the
#: bounds of an input, for else it might never come back.
FIRST_INPUTS, LEAK = np.linspace(-1, 3, INPUTS, dtype=np.float32), np.float32(0.1)
KIND_COUNT = 12
#: What is 1 in each part of a file.
UNITS = {
    **dict.fromkeys(("mover", "waiter", "pairs", "hidden_start"), UNIT),
    "start": START_UNIT,
    "hidden": WEIGHT_UNIT,
    "output": (ODDS_UNIT << OUTPUT_SHIFT) // UNIT,
}
BOUND = MOST_INPUT / UNIT


@dataclass(frozen=True)
class Samples:
    """Positions and how their games ended.

    Attributes:
        own: by empty place, the number of the combination of the side to move.
        other: the same of the other side.
        ends: before which place the places of a position begin, and at last how many there are.
        movers: the side to move, 0 for both where they have the same lines.
        results: 1 if the side to move won, 0 if it lost, else a half.
        groups: a number of the opening.
    """

    own: NDArray[np.uint16]
    other: NDArray[np.uint16]
    ends: NDArray[np.int64]
    movers: NDArray[np.int64]
    results: Floats
    groups: NDArray[np.int64]


def samples_of(rules: LineRules, games: Sequence[dict[str, Any]]) -> Samples:
    """Return all positions of games but those that the next stones decide."""
    arrays, sides = Arrays(rules, new_table(0)), sides_of(rules)
    numbers, ends, movers, results, groups = list[NDArray[np.uint16]](), [0], [], [], []
    for game in games:
        group = opening_number(rules, game["cells"][: game["opening"]])
        for position in positions_of(rules, game):
            if (found := features(arrays, position)) is None:
                continue
            numbers.append(found)
            ends.append(ends[-1] + found.shape[1])
            movers.append(position.turn % sides)
            winner = game["winner"]
            results.append(0.5 if winner is None else float(winner == position.turn))
            groups.append(group)
    own, other = np.concatenate(numbers, axis=1)
    results_of = np.array(results, np.float32)
    return Samples(own, other, np.array(ends), np.array(movers), results_of, np.array(groups))


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

    That is by empty place the number of the combination of the side to move, and that of the other;
    places without any are left out.
    """
    MACHINE_CODE.begin(*arrays.load(position, (), np.zeros(1, np.int64)))
    side = position.turn
    fives = arrays.count(side, MAKES_FIVE), arrays.count(1 - side, MAKES_FIVE)
    if any(fives) or arrays.count(side, WINNING_FOUR):
        return None
    state = arrays.state
    packed = state[NUMBERS : NUMBERS + AREA][state[STONES : STONES + AREA] == EMPTY]
    packed = packed[packed != 0]
    both = np.stack([packed & NUMBER_MASK, packed >> NUMBER_BITS])
    return both[[side, 1 - side]].astype(np.uint16)


# -- what the network says, and what its weights change in that ------------------------------------


def add_rows(
    chosen: Any,
    own: Any,
    other: Any,
    ends: Any,
    movers: Any,
    parts: Any,
    kinds: Any,
    sums: Any,
    is_back: Any,
) -> None:
    """Add the rows that count in positions to their inputs, or ``is_back`` what these are to them.

    The second is how a gradient comes back.
    """
    mover, waiter, pairs, start = parts
    for at in range(chosen.size):
        number = chosen[at]
        side = movers[number]
        rest = len(mover) - 1 - side
        row = sums[at]
        if is_back:
            start[side] += row
        else:
            row[:] = start[side]
        for place in range(ends[number], ends[number + 1]):
            one, two = own[place], other[place]
            pair = kinds[side, one] * 16 + kinds[rest, two]
            for lane in range(row.size):
                if is_back:
                    mover[side, one, lane] += row[lane]
                    waiter[rest, two, lane] += row[lane]
                    pairs[side, pair, lane] += row[lane]
                else:
                    row[lane] += mover[side, one, lane] + waiter[rest, two, lane]
                    row[lane] += pairs[side, pair, lane]


@lru_cache(maxsize=1)
def compiled_rows() -> Callable[..., None]:
    """Return machine code of `add_rows`."""
    code: Callable[..., None] = njit(fastmath=True)(add_rows)
    return code


class Network:
    """The numbers while they are learnt, in units of 1.

    Args:
        rules: the game.
        base: the parts of a network for a game that is much the same.
    """

    def __init__(self, rules: LineRules, base: Parts | None = None) -> None:
        rng = np.random.default_rng(1)
        sides = sides_of(rules)
        tables = number_table(endings_of(rules))[1 << 16 :].reshape(2, -1)[:sides]
        self.kinds: NDArray[np.int64] = tables.astype(np.int64)
        self.plain: Floats = np.stack([_plain_features(kinds) for kinds in self.kinds])
        shapes = {
            name: (sides, *shape) if name in SIDED else shape for name, shape in PARTS.items()
        }
        width = CLASSES + KIND_COUNT
        shapes |= {f"{name}_plain": (sides, width, INPUTS) for name in ("mover", "waiter")}
        self.weights: Parts = {name: np.zeros(each, np.float32) for name, each in shapes.items()}
        if base is None:
            spread = {"mover_plain": 0.05, "waiter_plain": 0.05, "output": 0.3}
            spread["hidden"] = INPUTS**-0.5
            for name, deviation in spread.items():
                shape = shapes[name]
                self.weights[name] = (deviation * rng.standard_normal(shape)).astype(np.float32)
            self.weights["output"][-1] = 1
            self.weights["start"] = FIRST_INPUTS - bare_sums(rules, self.parts())
        else:
            for name, part in base.items():
                self.weights[name] += part
        self.start: Parts = {name: part.copy() for name, part in self.weights.items()}

    def parts(self) -> Parts:
        """Return the parts of a file."""
        weights = self.weights
        found = {name: weights[name].copy() for name in PARTS}
        for name in ("mover", "waiter"):
            found[name] += np.matmul(self.plain, weights[f"{name}_plain"])
            found[name][:, 0] = 0
        return found

    def gradient(self, samples: Samples, chosen: NDArray[np.int64]) -> Parts:
        """Return the gradient of the mean loss of the chosen positions."""
        parts = self.parts()
        sums = inputs_of(parts, self.kinds, samples, chosen)
        bounded, hidden, logit = outputs_of(parts, sums)
        error = (1 / (1 + np.exp(-logit)) - samples.results[chosen]) / chosen.size
        error = error.astype(np.float32)
        units = np.maximum(hidden, 0)
        by_unit = np.outer(error, parts["output"][:-1]) * (hidden > 0)
        inside = np.where((sums[:, :-1] > 0) & (sums[:, :-1] < BOUND), np.float32(1), LEAK)
        errors = np.empty_like(sums)
        errors[:, :-1] = by_unit @ parts["hidden"].T * inside
        errors[:, -1] = error * parts["output"][-1]
        found = {
            "hidden": bounded.T @ by_unit,
            "hidden_start": by_unit.sum(axis=0),
            "output": np.append(units.T @ error, np.float32(0)),  # the last stays 1
        }
        rows = [np.zeros_like(part) for part in (*_rows(parts), parts["start"])]
        where = (samples.own, samples.other, samples.ends, samples.movers)
        compiled_rows()(chosen, *where, tuple(rows), self.kinds, errors, True)
        for name, part in zip(SIDED, rows, strict=True):
            found[name] = part.reshape(parts[name].shape)
        for name in ("mover", "waiter"):
            found[name][:, 0] = 0
            found[f"{name}_plain"] = np.matmul(self.plain.swapaxes(1, 2), found[name])
        found["pairs"][:, 15], found["pairs"][:, :, 15] = 0, 0
        return found

    def fit(self, samples: Samples, epochs: int, rate: float) -> None:
        """Make the loss small."""
        rng = np.random.default_rng(2)
        mean = {name: np.zeros_like(part) for name, part in self.weights.items()}
        square = {name: np.zeros_like(part) for name, part in self.weights.items()}
        batch = min(BATCH, samples.results.size)
        steps, done = epochs * (samples.results.size // batch), 0
        for _ in range(epochs):
            order = rng.permutation(samples.results.size)
            for first in range(0, order.size - batch + 1, batch):
                found = self.gradient(samples, np.sort(order[first : first + batch]))
                done += 1
                step = rate * min(1 - done / (steps + 1), done / (WARMING * steps))
                for name, weight in self.weights.items():
                    is_own = name in ("mover", "waiter")
                    ridge = RIDGE if is_own or name == "pairs" else LEAST_RIDGE
                    change = found[name] + 2 * ridge * (weight - self.start[name])
                    mean[name] += (1 - MEMORY[0]) * (change - mean[name])
                    square[name] += (1 - MEMORY[1]) * (change * change - square[name])
                    one = mean[name] / (1 - MEMORY[0] ** done)
                    two = np.sqrt(square[name] / (1 - MEMORY[1] ** done)) + 1e-8
                    weight -= (step * (OWN_RATE if is_own else 1) * one / two).astype(np.float32)

    def loss(self, samples: Samples) -> float:
        """Return the mean log-loss."""
        parts, total = self.parts(), 0.0
        for first in range(0, samples.results.size, BATCH):
            chosen = np.arange(first, min(first + BATCH, samples.results.size))
            *_, logit = outputs_of(parts, inputs_of(parts, self.kinds, samples, chosen))
            total += float((np.logaddexp(0, logit) - logit * samples.results[chosen]).sum())
        return total / samples.results.size


def _plain_features(kinds: NDArray[np.int64]) -> Floats:
    """Return by combination how many directions have each class, and which kind they make."""
    _, one_of_each = combinations()
    found = np.zeros((one_of_each.size, CLASSES + KIND_COUNT), np.float32)
    for direction in range(4):
        found[np.arange(one_of_each.size), one_of_each >> 4 * direction & 15] += 0.25
    found[np.arange(1, one_of_each.size), CLASSES + kinds[1:]] = 1
    return found


def _rows(parts: Parts) -> tuple[Floats, ...]:
    """Return the rows of combinations, of the side to move and of the other, and of pairs."""
    pairs = parts["pairs"]
    return parts["mover"], parts["waiter"], pairs.reshape(len(pairs), 256, INPUTS)


def inputs_of(
    parts: Parts, kinds: NDArray[np.int64], samples: Samples, chosen: NDArray[np.int64]
) -> Floats:
    """Return the inputs of the chosen positions."""
    sums = np.empty((chosen.size, INPUTS), np.float32)
    where = (samples.own, samples.other, samples.ends, samples.movers)
    compiled_rows()(chosen, *where, (*_rows(parts), parts["start"]), kinds, sums, False)
    return sums


def outputs_of(parts: Parts, sums: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the bounded inputs, the hidden units before they are cut off at 0, and the output."""
    bounded = np.clip(sums[:, :-1], 0, BOUND)
    hidden = bounded @ parts["hidden"] + parts["hidden_start"]
    output = parts["output"]
    logit = np.maximum(hidden, 0) @ output[:-1] + sums[:, -1] * output[-1]
    return bounded, hidden, logit


def part(samples: Samples, which: NDArray[np.bool_]) -> Samples:
    """Return some of the samples."""
    sizes = np.diff(samples.ends)
    places = np.repeat(which, sizes)
    return Samples(
        samples.own[places],
        samples.other[places],
        np.concatenate([[0], np.cumsum(sizes[which])]),
        samples.movers[which],
        samples.results[which],
        samples.groups[which],
    )


# -- files -----------------------------------------------------------------------------------------


def bare_sums(rules: LineRules, parts: Parts) -> Floats:
    """Return what a board without stones counts, for each side to move."""
    arrays = Arrays(rules, new_table(0))
    MACHINE_CODE.begin(*arrays.load(Position(), (), np.zeros(1, np.int64)))
    packed = arrays.state[NUMBERS : NUMBERS + AREA][arrays.state[STONES : STONES + AREA] == EMPTY]
    numbers = packed & NUMBER_MASK, packed >> NUMBER_BITS
    kinds = number_table(endings_of(rules))[1 << 16 :].reshape(2, -1)
    mover, waiter, pairs = (np.broadcast_to(part, (2, *part.shape[1:])) for part in _rows(parts))
    found = [
        mover[side, numbers[side]].sum(axis=0)
        + waiter[rest, numbers[rest]].sum(axis=0)
        + pairs[side, 16 * kinds[side, numbers[side]] + kinds[rest, numbers[rest]]].sum(axis=0)
        for side, rest in ((0, 1), (1, 0))
    ]
    return np.stack(found[: sides_of(rules)]).astype(np.float32)


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
    network = Network(rules, read(rules, options.base) if options.base else None)
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
    texts = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in lines.items()]
    options.to.write_text("{\n" + ",\n".join(texts) + "\n}\n", encoding="ascii")
    print(f"{lines['positions']:,} positions, loss {loss:.4f} on {rest.results.size:,} unseen")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
