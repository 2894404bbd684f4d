"""What the pieces and the board of a game look like: marks, discs in wells, or stones on crossings.

A look changes only what is drawn: positions, moves and texts speak of X and O in every look.
"""

from __future__ import annotations

import enum
from functools import lru_cache

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.lines import PLANE
from tic_tac_toe.logic.rules.traits import traits_of

#: A game of lines is usually drawn with stones if its board has this many rows and columns.
LARGE = 9


class Look(str, enum.Enum):
    """How a game is drawn."""

    MARKS = "marks"
    DISCS = "discs"
    STONES = "stones"


def look_of(rules: Rules) -> Look:
    """Return the usual look of a game."""
    return looks_for(rules)[0]


@lru_cache(maxsize=64)
def looks_for(rules: Rules) -> tuple[Look, ...]:
    """Return the looks that a game can be drawn in, the usual one first.

    Every game can be drawn with marks. Discs need marks that fall down in the columns of one board;
    stones need a plain game of lines, in which each side has its own mark.
    """
    traits, shape = traits_of(rules), rules.shape
    if traits.blocks is not None or traits.contents is not None:
        return (Look.MARKS,)
    if traits.gravity:
        falls_in_columns = traits.stacks == PLANE.stacks(shape)
        return (Look.DISCS, Look.MARKS) if falls_in_columns else (Look.MARKS,)
    if traits.length is None or traits.choices is not None:
        return (Look.MARKS,)
    if min(shape.rows, shape.columns) >= LARGE:
        return (Look.STONES, Look.MARKS)
    return (Look.MARKS, Look.STONES)


def fitting_look(rules: Rules, wanted: str | None) -> Look:
    """Return the look of a name if the game can be drawn in it, else its usual one."""
    looks = looks_for(rules)
    return next((look for look in looks if look.value == wanted), looks[0])


@lru_cache(maxsize=64)
def star_points(rules: Rules) -> tuple[int, ...]:
    """Return the cells of the dots that help to find one's way on a board drawn with stones.

    They are those of go boards: square boards with an odd number of rows from 9 to 19 have a dot
    near each corner and one in the middle, and boards with 19 rows one near each side, too.
    """
    rows, columns = rules.shape.rows, rules.shape.columns
    if rows != columns or rows % 2 == 0 or not LARGE <= rows <= 19:
        return ()
    near, middle = (2 if rows < 13 else 3), rows // 2
    lines = (near, middle, rows - 1 - near)
    return tuple(
        row * columns + column
        for row in lines
        for column in lines
        if rows == 19 or (row == middle) == (column == middle)
    )
