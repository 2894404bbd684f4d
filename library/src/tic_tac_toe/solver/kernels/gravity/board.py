"""Boards with gravity as bits: threats, lines, moves and keys.

The bit layout is John Tromp's: a column after the other from the bottom up, and above each column a
guard bit that is never set, so that no line wraps from one column into the next. For 7 x 6::

     6 13 20 27 34 41 48      <- the guards
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45      up       adds 1
     2  9 16 23 30 37 44      right    adds 7 (rows + 1)
     1  8 15 22 29 36 43      rising   adds 8
     0  7 14 21 28 35 42      falling  adds 6

"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tic_tac_toe.solver.kernels.bits import ALL, U0, U1, U2, U3, Word, called, inlined

#: Keys are multiplied by an odd number modulo a power of two, which loses nothing.
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class Game(NamedTuple):
    """What a kernel knows of its game: unsigned words, so that the compiler keeps them at hand."""

    up: Word  # what a step to the right adds to a bit's number: rows and a guard
    board: Word
    bottom: Word
    guards: Word
    odd: Word  # the cells at odd distance from the top of their column
    cells: Word
    columns: Word
    length: Word
    key_bits: Word
    lanes: Word  # columns, rounded up to whole vectors
    masks: Word  # where the masks of the columns begin in `frames`
    four: Word  # 1 if lines of four fit in all directions, which has a shorter way


@inlined
def completing_four(own: Word, step: Word) -> Word:
    """Return the places next to three marks in one direction, taken or not, on the board or not."""
    two, three = step + step, step + step + step
    pair = (own << step) & (own << two)
    places = pair & ((own << three) | (own >> step))
    pair = (own >> step) & (own >> two)
    return places | (pair & ((own << step) | (own >> three)))


@inlined
def threats_of_four(own: Word, up: Word) -> Word:
    """Return where one more mark makes four in a row, taken or not, on the board or not."""
    places = (own << U1) & (own << U2) & (own << U3)
    places |= completing_four(own, up)
    return places | completing_four(own, up - U1) | completing_four(own, up + U1)


@inlined
def four_in_row(own: Word, up: Word) -> Word:
    """Return bits, at least one if there are four marks in a row."""
    pair = own & (own >> up)
    lines = pair & (pair >> (up + up))
    pair = own & (own >> (up - U1))
    lines |= pair & (pair >> (up + up - U2))
    pair = own & (own >> (up + U1))
    lines |= pair & (pair >> (up + up + U2))
    pair = own & (own >> U1)
    return lines | (pair & (pair >> U2))


@inlined
def fits(direction: Word, length: Word, rows: Word, columns: Word) -> Word:
    """Return whether a line fits the board: upwards (0), to the right (1), or diagonally (2, 3)."""
    return (direction == 1 or length <= rows) and (direction == 0 or length <= columns)


@inlined
def step_of(direction: Word, up: Word) -> Word:
    """Return what a step in a direction adds to a bit's number."""
    if direction == 0:
        return U1
    if direction == 1:
        return up
    return up - U1 if direction == 2 else up + U1


@called
def threats_of(own: Word, game: Game) -> Word:
    """Return where one more mark completes a line of any length; see `threats_of_four`."""
    up, length = game.up, np.int64(game.length)
    places = U0
    for direction in range(4):
        if fits(direction, length, up - U1, game.columns):
            step = step_of(direction, up)
            for gap in range(length):
                found = ALL
                for other in range(length):
                    if other < gap:
                        found &= own << (np.uint64(gap - other) * step)
                    elif other > gap:
                        found &= own >> (np.uint64(other - gap) * step)
                places |= found
    return places


@called
def line_in(own: Word, game: Game) -> Word:
    """Return bits, at least one if there is a line of any length."""
    up, length = game.up, np.int64(game.length)
    lines = U0
    for direction in range(4):
        if fits(direction, length, up - U1, game.columns):
            step, found = step_of(direction, up), own
            for other in range(1, length):
                found &= own >> (np.uint64(other) * step)
            lines |= found
    return lines


@inlined
def safe_moves(threats: Word, playable: Word) -> Word:
    """Return the moves after which the opponent, who has these threats, cannot win at once."""
    forced = threats & playable
    safe = playable & ~(threats >> U1)
    safe = (safe & forced) if forced != U0 else safe
    return U0 if forced & (forced - U1) != U0 else safe


@inlined
def hashed(key: Word, key_bits: Word) -> Word:
    """Return a key mixed up so that its low bits make a bucket; two keys never become one."""
    product = (key * MULTIPLIER) & (ALL >> (np.uint64(64) - key_bits))
    return product ^ (product >> (key_bits >> U1))


@inlined
def mirrored(key: Word, up: Word, columns: Word) -> Word:
    """Return the key of the position's reflection: each column keeps its bits to itself."""
    image, column = U0, (U1 << up) - U1
    for index in range(columns):
        image |= ((key >> (up * index)) & column) << (up * (columns - U1 - index))
    return image
