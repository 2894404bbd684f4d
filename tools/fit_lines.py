"""Fit the evaluation of the engine for lines to games that it played against itself.

    python -m tools.fit_lines gomoku --journal games.jsonl --to free.json

The chance of the side to move is a logistic function of a sum. Each empty place counts by what a
stone of either side would make there: by its class in each of four directions, by the kind that
these make together, and by the four classes themselves. Which kinds there are at all counts, too
(`search.mask_of`). The weights are found by L-BFGS with a ridge; the loss is that of openings which
the fit does not see: every fifth, mirrored and turned ones counted as the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from tic_tac_toe import find_rules
from tic_tac_toe.engines.lines import MACHINE_CODE
from tic_tac_toe.engines.lines.position import (
    AREA,
    COMBINATIONS,
    EMPTY,
    STONES,
    Arrays,
    endings_of,
    new_table,
)
from tic_tac_toe.engines.lines.search import mask_of
from tic_tac_toe.engines.lines.shapes import (
    CLASSES,
    MAKES_FIVE,
    WINNING_FOUR,
    kind_table,
)
from tic_tac_toe.engines.lines.values import (
    MASK_SIZE,
    ODDS_UNIT,
    combinations,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tools.selfplay import games_in

#: The ridge, for weights of classes and kinds, of combinations and of masks; and where they are
#: differences from other values.
RIDGE, RIDGE_OF_DIFFERENCES = (1e-6, 3e-5, 3e-6), (1e-4, 1e-3, 1e-3)
#: Counts are divided by these, so that all weights are of one size.
CLASS_SCALE, KIND_SCALE, CODE_SCALE = 10.0, 3.0, 3.0
ITERATIONS = 600
KIND_COUNT = 12


@dataclass(frozen=True)
class Samples:
    """Positions and how their games ended.

    Attributes:
        codes: how often each combination of classes occurs, by role (of the side to move, of the
            other) and, where the sides have different lines, by side.
        masks: the mask of the kinds, from `MASK_SIZE` on for the second side.
        results: 1 if the side to move won, 0 if it lost, else a half.
        groups: a number of the opening.
    """

    codes: csr_matrix
    masks: NDArray[np.int64]
    results: NDArray[np.float64]
    groups: NDArray[np.int64]


def samples_of(rules: LineRules, games: Sequence[dict[str, Any]]) -> Samples:
    """Return all positions of games but those that the next stones decide."""
    arrays = Arrays(rules, new_table(0))
    columns, ends, masks, results, groups = list[NDArray[np.int64]](), [0], [], [], []
    for game in games:
        group = opening_number(rules, game["cells"][: game["opening"]])
        for position in positions_of(rules, game):
            if (seen := features(rules, arrays, position)) is None:
                continue
            codes, mask = seen
            columns.append(codes)
            ends.append(ends[-1] + codes.size)
            masks.append(mask)
            winner = game["winner"]
            results.append(0.5 if winner is None else float(winner == position.turn))
            groups.append(group)
    _, one_of_each = combinations()
    shape = len(masks), 2 * sides_of(rules) * one_of_each.size
    ones = np.ones(ends[-1], np.float32)
    matrix = csr_matrix((ones, np.concatenate(columns), ends), shape)
    matrix.sum_duplicates()
    return Samples(matrix, np.array(masks), np.array(results), np.array(groups))


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


def features(
    rules: LineRules, arrays: Arrays, position: Position
) -> tuple[NDArray[np.int64], int] | None:
    """Return what is counted in a position, or ``None`` if the next stones decide it.

    That is the combination of each empty place for the side to move and then for the other, with
    blocks of numbers for either role and, where the sides have different lines, for either side;
    and the mask, from `MASK_SIZE` on for the second side.
    """
    MACHINE_CODE.begin(*arrays.load(position, (), np.zeros(1, np.int64)))
    side, sides = position.turn, sides_of(rules)
    fives = arrays.count(side, MAKES_FIVE), arrays.count(1 - side, MAKES_FIVE)
    if any(fives) or arrays.count(side, WINNING_FOUR):
        return None
    number, one_of_each = combinations()
    empty = np.flatnonzero(arrays.state[STONES : STONES + AREA] == EMPTY)
    codes = list[NDArray[np.int64]]()
    for role, of in enumerate((side, 1 - side)):
        block = role * sides + of % sides
        found = number[arrays.state[COMBINATIONS + of * AREA + empty]]
        codes.append(found + block * one_of_each.size)
    return np.concatenate(codes), side % sides * MASK_SIZE + mask_of(arrays.state, side)


@dataclass(frozen=True)
class Values:
    """What is fitted: the value of each combination, by role and side, and of each mask."""

    codes: NDArray[np.float64]
    masks: NDArray[np.float64]

    def __add__(self, other: Values) -> Values:
        return Values(self.codes + other.codes, self.masks + other.masks)

    @classmethod
    def read(cls, told: dict[str, Any], sides: int) -> Values:
        """Return those of a file, for as many sides with lines of their own."""
        signed = [np.array(told["mover"]), -np.array(told["waiter"]), np.array(told["masks"])]
        mover, waiter, masks = (
            np.tile(part, (sides // len(part), 1)).ravel() / ODDS_UNIT for part in signed
        )
        return cls(np.concatenate([mover, waiter]), masks)

    def told(self, sides: int) -> dict[str, list[list[int]]]:
        """Return them as a file has them."""
        codes, masks = (np.rint(ODDS_UNIT * part).astype(int) for part in (self.codes, self.masks))
        mover, waiter = np.split(codes, 2)
        parts = {"mover": mover, "waiter": -waiter, "masks": masks}  # a waiter's count against
        return {name: part.reshape(sides, -1).tolist() for name, part in parts.items()}


class Model:
    """Maps weights to values: of classes and kinds, then of combinations, then of masks."""

    def __init__(self, rules: LineRules) -> None:
        _, one_of_each = combinations()
        endings = endings_of(rules)
        sides = sides_of(rules)
        kinds = kind_table(endings)
        blocks = []
        for of in range(sides):
            by_class = np.zeros((one_of_each.size, CLASSES))
            for direction in range(4):
                classes = one_of_each >> 4 * direction & 15
                by_class[np.arange(one_of_each.size), classes] += 1 / CLASS_SCALE
            kind = kinds[of << 16 :][one_of_each] & 15
            by_kind = np.eye(KIND_COUNT)[kind] / KIND_SCALE
            blocks.append(np.hstack([by_class, by_kind]))
        self.plain = np.zeros((2 * sides * one_of_each.size, 2 * sides * (CLASSES + KIND_COUNT)))
        for at in range(2 * sides):
            rows = slice(at * one_of_each.size, (at + 1) * one_of_each.size)
            width = CLASSES + KIND_COUNT
            self.plain[rows, at * width : (at + 1) * width] = blocks[at % sides]
        self.masks = sides * MASK_SIZE
        self.sizes = (self.plain.shape[1], self.plain.shape[0], self.masks)

    def values(self, weights: NDArray[np.float64]) -> Values:
        """Return the value of each combination and mask."""
        plain, codes, masks = np.split(weights, np.cumsum(self.sizes)[:2])
        return Values(self.plain @ plain + codes / CODE_SCALE, masks)

    def fit(self, samples: Samples, base: Values | None = None) -> Values:
        """Return the values with the least loss.

        Args:
            base: what they differ from as little as the games allow: 0 unless given.
        """
        ridge = np.repeat(RIDGE if base is None else RIDGE_OF_DIFFERENCES, self.sizes)
        base = base or self.values(np.zeros(sum(self.sizes)))
        transposed = samples.codes.T.tocsr()
        total = samples.results.size
        # Steps are of like size in all directions: the diagonal of the second derivatives.
        squares = [
            ((samples.codes @ self.plain) ** 2).mean(axis=0),
            np.asarray(samples.codes.power(2).mean(axis=0)).ravel() / CODE_SCALE**2,
            np.bincount(samples.masks, minlength=self.masks) / total,
        ]
        scale = 1 / np.sqrt(np.concatenate(squares) / 4 + 2 * ridge)

        def loss(scaled: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            weights = scale * scaled
            logit = logits(base + self.values(weights), samples)
            error = 1 / (1 + np.exp(-logit)) - samples.results
            cost = np.logaddexp(0, logit).sum() - logit @ samples.results
            by_code = transposed @ error
            by_mask = np.bincount(samples.masks, error, self.masks)
            gradient = np.concatenate([self.plain.T @ by_code, by_code / CODE_SCALE, by_mask])
            cost = cost / total + (ridge * weights * weights).sum()
            return float(cost), scale * (gradient / total + 2 * ridge * weights)

        start = np.zeros(sum(self.sizes))
        options = {"maxiter": ITERATIONS, "maxcor": 20}
        found = minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
        return base + self.values(scale * found.x)


def logits(values: Values, samples: Samples) -> NDArray[np.float64]:
    """Return of each position the logarithm of the odds that the side to move wins."""
    found: NDArray[np.float64] = samples.codes @ values.codes + values.masks[samples.masks]
    return found


def loss_of(values: Values, samples: Samples) -> float:
    """Return the mean log-loss."""
    logit = logits(values, samples)
    return float(np.mean(np.logaddexp(0, logit) - logit * samples.results))


def part(samples: Samples, which: NDArray[np.bool_]) -> Samples:
    """Return some of the samples."""
    return Samples(
        samples.codes[which], samples.masks[which], samples.results[which], samples.groups[which]
    )


def digest_of(games: Sequence[dict[str, Any]]) -> str:
    """Return what tells these games from any others, whatever their order in the journal was."""
    lines = "".join(json.dumps(game, separators=(",", ":")) + "\n" for game in games)
    return hashlib.sha256(lines.encode()).hexdigest()


def main() -> int:
    """Fit, and write the values with where they come from."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("variant")
    parser.add_argument("--journal", type=Path, required=True)
    parser.add_argument("--base", type=Path, help="the values of a game that is much the same")
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    rules = find_rules(options.variant)
    assert isinstance(rules, LineRules)
    games = sorted(games_in(options.journal), key=lambda game: int(game["game"]))
    samples = samples_of(rules, games)
    unseen = samples.groups % 5 == 0
    seen, rest = part(samples, ~unseen), part(samples, unseen)
    model = Model(rules)
    base, sides = None, sides_of(rules)
    if options.base:
        base = Values.read(json.loads(options.base.read_text(encoding="ascii")), sides)
    values = model.fit(seen, base)
    loss = loss_of(values, rest)
    command = f"python -m tools.fit_lines {options.variant} --journal games.jsonl"
    told = {
        "commands": [
            f"python -m tools.selfplay {options.variant} --journal games.jsonl",
            f"{command} --base {options.base.name}" if options.base else command,
        ],
        "games": len(games),
        "positions": int(samples.results.size),
        "digest": digest_of(games),
        "loss": round(loss, 4),
        **values.told(sides),
    }
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in told.items()]
    options.to.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")
    print(f"{told['positions']:,} positions, loss {loss:.4f} on {rest.results.size:,} unseen")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
