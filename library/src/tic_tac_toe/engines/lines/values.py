"""The evaluation of the engine for lines: a small network, fitted to games which it had played.

An empty place adds numbers to 16 inputs of a side to move: for what each of the sides would make
there in each direction, both classes together, and for the two kinds together. The inputs but the
last are bounded and go to eight hidden units; these and the last input make the logarithm of the
odds. A stone changes a few dozen places, so that the inputs are kept up to date, as those of an
"efficiently updatable neural network" are (Nasu, 2018).

A file in ``values`` holds the numbers for a kind of rules, with the commands that made them
(``tools/selfplay.py`` plays, ``tools/fit_lines.py`` fits), how many games and positions there were,
a digest of the games, and the log-loss on openings that the fit did not see.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.engines.lines.shapes import Ending

#: A difference of this much multiplies the odds of winning by 2.7.
ODDS_UNIT = 200
#: The inputs of a side to move, of both, and the hidden units.
INPUTS, SUM_SIZE, HIDDEN_SIZE = 16, 32, 8
#: What a place has for classes and for kinds that does not count; its rows are 0.
NO_PLACE = 255

# The rows: by the classes of a place in one direction, that of O from bit 4 on; by its kinds; what
# stands at the beginning. Then the weights of the hidden units by input, what these begin with, and
# the output's weights.
KIND_ROWS, START_ROW = 256, 512
HIDDEN_WEIGHTS = (START_ROW + 1) * SUM_SIZE
HIDDEN_BIAS = HIDDEN_WEIGHTS + (INPUTS - 1) * HIDDEN_SIZE
OUTPUT_WEIGHTS = HIDDEN_BIAS + HIDDEN_SIZE

#: What is 1 in the inputs and hidden units, in what the inputs begin with, in the weights between
#: both, and by how many bits the output is too large.
UNIT, START_UNIT, WEIGHT_UNIT = 4096, 1024, 1024
START_SHIFT, INPUT_SHIFT, OUTPUT_SHIFT = 2, 10, 15
#: The bound of an input.
MOST_INPUT = 4 * UNIT

#: The parts of a file, and the shape of each, but for its first axis in the upper four: X and O
#: where they have different lines, else one.
PARTS: dict[str, tuple[int, ...]] = {
    "classes": (16, 16, INPUTS),
    "kinds": (16, 16, INPUTS),
    "start": (INPUTS,),
    "hidden": (INPUTS - 1, HIDDEN_SIZE),
    "hidden_start": (HIDDEN_SIZE,),
    "output": (HIDDEN_SIZE + 1,),
}
SIDED = ("classes", "kinds", "start")


@lru_cache(maxsize=8)
def row_table(endings: tuple[Ending, Ending]) -> NDArray[np.int16]:
    """Return the evaluation of the library for games whose lines end like this; see `packed`."""
    file = files("tic_tac_toe.engines.lines") / "values" / f"{endings[0].value}.json"
    return packed(parts_of(json.loads(file.read_text(encoding="ascii"))))


def parts_of(told: Mapping[str, Any]) -> dict[str, NDArray[np.int16]]:
    """Return the parts of a file: 16 bits a number, the low ones first, in base 64."""
    parts = {}
    for name, shape in PARTS.items():
        numbers = np.frombuffer(b64decode(told[name]), "<i2")
        parts[name] = numbers.reshape(-1, *shape) if name in SIDED else numbers.reshape(shape)
    return parts


def packed(parts: Mapping[str, NDArray[np.int16]]) -> NDArray[np.int16]:
    """Return the numbers of a file as the search wants them: see `KIND_ROWS`.

    A row has what counts where X moves next, then where O does.
    """
    both = [np.broadcast_to(parts[name], (2, *parts[name].shape[1:])) for name in SIDED]
    classes, kinds = (
        np.concatenate([part[0].swapaxes(0, 1), part[1]], axis=-1).reshape(-1, SUM_SIZE)
        for part in both[:2]
    )
    rows = np.concatenate([classes, kinds, both[2].reshape(1, SUM_SIZE)])
    head = [parts[name].ravel() for name in PARTS if name not in SIDED]
    table = np.concatenate([rows.ravel(), *head]).astype(np.int16)
    table.flags.writeable = False
    return table
