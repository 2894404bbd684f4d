"""The boards of the m,n,k kernel: keys, symmetries, weights of lines, and what a move changes.

Boards are bit boards: bit *i* is cell *i*, as in `logic.shapes.Layout`. The kernel does not know
where the cells lie; it is given the places for a line as masks. A line is open to a side while the
other has no mark on it, and what counts is which cells it still misses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, U2, popcount
from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined
from tic_tac_toe.solver.kernels.mnk.frame import (
    ATTACK,
    ATTACKS,
    DEFEND,
    DEFENDS,
    FRAME,
    IMAGES,
    LAST,
    LEFT,
    NUMBERS,
    OTHER,
    OWN,
    TERNARY,
    TURN,
)


class Game(NamedTuple):
    """What a kernel knows of its game: unsigned words, so that the compiler keeps them at hand."""

    board: Word
    cells: Word
    lines: Word  # how many places for a line there are
    images: Word  # how many symmetries the board has
    scratch: Word  # where in `frames` the words begin that only one node uses at a time


#: The weight of a complete line in potentials, and its log2.
UNIT = np.uint64(44)
ONE = U1 << UNIT
#: Two bits a cell fit the key on boards up to this size; on larger ones a cell is a digit of three.
TWO_BITS = np.uint64(54)
U8, BYTE = np.uint64(8), np.uint64(255)
FORTIETH = np.uint64(40)
FORTY = (U1 << FORTIETH) - U1


@inlined
def cell_of(bit: Word) -> Word:
    """Return the number of the only bit that is set."""
    return popcount(bit - U1)


@inlined
def weight_of(size: Word) -> Word:
    """Return the weight of a line that misses ``size`` marks, rounded up."""
    return U1 << (UNIT - min(size, UNIT))


@inlined
def image_of(bits: Word, image: Word, constants: Words) -> Word:
    """Return the image of a bit board under a symmetry, a byte at a time."""
    result, at = U0, IMAGES + (image << np.uint64(11))
    while bits != U0:
        result |= constants[at + (bits & BYTE)]
        bits >>= U8
        at += np.uint64(256)
    return result


@inlined
def ternary(bits: Word, constants: Words) -> Word:
    """Return bits (40 at most) as digits of a number to the base three."""
    result, power = U0, U1
    while bits != U0:
        result += constants[TERNARY + (bits & BYTE)] * power
        power *= np.uint64(6561)
        bits >>= U8
    return result


@inlined
def key_of(
    first: Word, second: Word, flags: Word, game: Game, constants: Words
) -> tuple[Word, Word]:
    """Return two bit boards and two flags as one key, never the same for two positions.

    On more than `TWO_BITS` cells no bit may be in both boards.
    """
    cells = game.cells
    if cells <= np.uint64(32):
        return first | (second << np.uint64(32)), flags
    if cells <= TWO_BITS:
        return first | (second << cells), (second >> (np.uint64(64) - cells)) << U2 | flags
    low = ternary(first & FORTY, constants) + ternary(second & FORTY, constants) * U2
    high = ternary(first >> FORTIETH, constants) + ternary(second >> FORTIETH, constants) * U2
    return low, high << U2 | flags


@inlined
def smallest_image(first: Word, second: Word, game: Game, constants: Words) -> tuple[Word, Word]:
    """Return the smallest pair that a symmetry of the board makes of two bit boards."""
    best, best_second = first, second
    for image in range(1, game.images):
        moved = image_of(first, np.uint64(image), constants)
        if moved <= best:
            moved_second = image_of(second, np.uint64(image), constants)
            if moved < best or moved_second < best_second:
                best, best_second = moved, moved_second
    return best, best_second


@inlined
def make_move(
    frames: Words, frame: Word, numbers: Words, number: Word, bit: Word, game: Game
) -> None:
    """Fill the next frame: the position after a move, and the lines that still matter there."""
    child, below = frame + FRAME, number + np.uint64(NUMBERS)
    own, other = frames[frame + OWN], frames[frame + OTHER]
    left, turn = numbers[number + LEFT], numbers[number + TURN]
    attacked = defended = U0
    if turn == 0:
        own |= bit
        left -= 1
        attacked = bit
    else:
        other |= bit
        defended = bit
    empty = game.board & ~(own | other)
    # A line that misses more marks than its side has left is dropped; the defender makes its last
    # mark before the attacker's last.
    limit, limit_other = np.uint64(left), np.uint64(left - turn)
    count = U0
    for index in range(frames[frame + ATTACKS]):
        line = frames[frame + ATTACK + index]
        frames[child + ATTACK + count] = line
        count += U1 if line & defended == U0 and popcount(line & empty) <= limit else U0
    frames[child + ATTACKS] = count
    count = U0
    for index in range(frames[frame + DEFENDS]):
        line = frames[frame + DEFEND + index]
        frames[child + DEFEND + count] = line
        count += U1 if line & attacked == U0 and popcount(line & empty) <= limit_other else U0
    frames[child + DEFENDS] = count
    frames[child + OWN], frames[child + OTHER] = own, other
    numbers[below + LEFT], numbers[below + TURN] = left, 1 - turn
    frames[frame + LAST] = bit
