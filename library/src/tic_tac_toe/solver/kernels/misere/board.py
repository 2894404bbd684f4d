"""Boards of the misère kernel: cells that may be entered, cells that complete a line, keys.

Bit *i* of a board is cell *i*, as in `logic.shapes.Layout`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1
from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined

#: Up to this number of cells the two bit boards are the key; beyond it a key is a number to the
#: base three, with the digits of the first cells in its first word.
PAIRED_CELLS, TERNARY_CELLS = 46, 40


class Game(NamedTuple):
    """What the kernel knows of its game, as unsigned words."""

    board: Word
    floor: Word  # where marks can lie without support: the bottom row, or all without gravity
    columns: Word
    cells: Word
    length: Word
    directions: Word  # how many pairs of a step and its starts there are in `constants`


@inlined
def completing(stones: Word, constants: Words, game: Game) -> Word:
    """Return the cells, taken or not, in which one more mark completes a line."""
    cells = U0
    length = np.int64(game.length)
    for direction in range(game.directions):
        step, starts = constants[direction + direction], constants[direction + direction + U1]
        for gap in range(length):
            found = starts
            for place in range(length):
                if place != gap:
                    found &= stones >> (np.uint64(place) * step)
            cells |= found << (np.uint64(gap) * step)
    return cells


@inlined
def open_cells(occupied: Word, game: Game) -> Word:
    """Return the cells that a mark may enter."""
    return ((occupied >> game.columns) | game.floor) & game.board & ~occupied


@inlined
def key_of(own: Word, other: Word, cells: Word) -> tuple[Word, Word]:
    """Return two words, the second of 46 bits at most, that no other position has."""
    if cells <= PAIRED_CELLS:
        return own, other
    low, high = U0, U0
    for cell in range(cells):
        digit = ((own >> cell) & U1) + (((other >> cell) & U1) << U1)
        if cell < TERNARY_CELLS:
            low = low + low + low + digit
        else:
            high = high + high + high + digit
    return low, high
