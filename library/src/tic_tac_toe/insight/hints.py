"""Hints in stages: the theme of a move, where on the board it is, the move, and the reason."""

from __future__ import annotations

import enum

from tic_tac_toe.logic.exceptions import Message, message
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.traits import Digits, cell_of, traits_of
from tic_tac_toe.logic.shapes import Shape


class Stage(enum.IntEnum):
    """How much a hint tells."""

    THEME = 1
    AREA = 2
    MOVE = 3
    REASON = 4


CORNERS, EDGES = message("Look at the corners."), message("Look at the edges.")
CENTRE = message("Look at the centre.")
#: The thirds of a board, row by row.
THIRDS = (
    message("Look at the top left."),
    message("Look at the top."),
    message("Look at the top right."),
    message("Look on the left."),
    message("Look in the middle."),
    message("Look on the right."),
    message("Look at the bottom left."),
    message("Look at the bottom."),
    message("Look at the bottom right."),
)


def area_of(state: GameState, move: int) -> Message | None:
    """Return where on the board to look for a move.

    ``None`` for a move that has no cell, on a board of layers, and where every move is there.
    """
    areas = {each: _area(state, each) for each in state.legal_moves}
    return areas[move] if len({*areas.values()}) > 1 else None


def _area(state: GameState, move: int) -> Message | None:
    traits, shape, cell = traits_of(state.rules), state.rules.shape, cell_of(state.rules, move)
    if cell is None or traits.layered:
        return None
    row, column = divmod(cell, shape.columns)
    if traits.digits is Digits.COLUMNS:
        return THIRDS[3 + _third(column, shape.columns)]
    if shape == Shape(3, 3):
        return (CENTRE, EDGES, CORNERS)[(row != 1) + (column != 1)]
    return THIRDS[3 * _third(row, shape.rows) + _third(column, shape.columns)]


def _third(index: int, count: int) -> int:
    """Return 0, 1 or 2 for the first, middle or last third; 1 where there are fewer than three."""
    return 1 if count < 3 else 3 * (2 * index + 1) // (2 * count)
