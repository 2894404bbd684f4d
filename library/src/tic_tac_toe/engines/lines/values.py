"""The evaluation of the engine for lines: numbers that were fitted to games which it had played.

A file in ``values`` holds those of a kind of rules, with the commands that made them
(``tools/selfplay.py`` plays, ``tools/fit_lines.py`` fits), the numbers of games and of positions, a
digest of the games, and the log-loss on openings that the fit did not see.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.engines.lines.shapes import (
    CLASSES,
    DIRECTIONS,
    MAKES_THREE,
    THREE_PLUS,
    Ending,
)

#: A difference of this much multiplies the odds of winning by 2.7.
ODDS_UNIT = 200
#: A mask has a bit for each of six kinds of the side to move, from `MAKES_THREE` on, then for each
#: of six kinds of the other side, from `THREE_PLUS` on. A bit is 1 where there is such a place.
MASK_KINDS, FIRST_OWN, FIRST_OTHER = 6, MAKES_THREE, THREE_PLUS
MASK_SIZE = 1 << 2 * MASK_KINDS
#: What every place counts beside, for both sides, so that no number is negative.
_OFFSET, _MOST = 1500, (1 << 14) - 1


@lru_cache(maxsize=1)
def combinations() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return by classes in four directions the number of their combination, and one of each.

    The order of the directions makes no difference to a combination; there are 1,820 of them.
    """
    codes = np.arange(1 << 4 * DIRECTIONS)
    by_direction = np.stack([codes >> 4 * at & 15 for at in range(DIRECTIONS)])
    classes = np.sort(np.minimum(by_direction, CLASSES - 1), axis=0)
    ordered = sum(each << 4 * at for at, each in enumerate(classes))
    one_of_each, number = np.unique(ordered, return_inverse=True)
    return number, one_of_each


@lru_cache(maxsize=8)
def value_table(endings: tuple[Ending, Ending]) -> NDArray[np.int32]:
    """Return the evaluation of the library for games whose lines end like this; see `packed`."""
    file = files("tic_tac_toe.engines.lines") / "values" / f"{endings[0].value}.json"
    return packed(json.loads(file.read_text(encoding="ascii")))


def packed(fitted: Mapping[str, Sequence[Sequence[int]]]) -> NDArray[np.int32]:
    """Return the numbers of a file as the search wants them.

    That is by side and classes in four directions what an empty place counts for a side to move,
    and from bit 16 on for the other. Behind these stands what the masks count, for each side to
    move.

    Args:
        fitted: by combination ``mover``, what counts for the side to move, and ``waiter``, what
            counts against it; and ``masks``; each of X, then of O unless both have the same lines.
    """
    number, _ = combinations()
    places, masks = list[NDArray[np.int64]](), list[Sequence[int]]()
    for side in range(2):
        block = side % len(fitted["masks"])
        mover, waiter = (
            np.clip(np.array(fitted[role][block])[number] + _OFFSET, 0, _MOST)
            for role in ("mover", "waiter")
        )
        places.append(mover | waiter << 16)
        masks.append(fitted["masks"][block])
    table = np.concatenate([*places, *masks]).astype(np.int32)
    table.flags.writeable = False
    return table
