"""The search for misère play, where the side that completes a line loses; with gravity or without.

The side to move gives up the cells in which it would complete a line: it has `safe` ones wherever
the search looks, for a side without any has lost. On the scale of `control` a score counts the
marks of the winner when the line is there, though the last mark is the loser's.

Bit *i* of a board is cell *i*, as in `logic.shapes.Layout`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, Word, Words, called, inlined, popcount
from tic_tac_toe.solver.kernels.control import (
    ALPHA_AT,
    BEST_AT,
    COUNT_AT,
    DEPTH,
    FINISHED,
    NODES,
    PAUSED,
    PLY_AT,
    QUEUE_AT,
    SINCE_AT,
    TABLE_BITS,
    TRIED_AT,
    VALUE,
    VARIATION,
    Parts,
    answer_alpha,
    enqueue,
    open_range,
    pose_alpha,
    top_of,
    worth,
)
from tic_tac_toe.solver.kernels.wide_table import (
    SIX,
    U6,
    bucket_of,
    find_entry,
    grow,
    grows_at,
    mixed,
    store,
)

#: Up to this number of cells the two bit boards are the key; beyond it a key is a number to the
#: base three, with the digits of the first cells in its first word.
PAIRED_CELLS, TERNARY_CELLS = 46, 40
# A frame of words.
OWN = np.uint64(0)  # the marks of the side to move
OTHER = np.uint64(1)  # the marks of the opponent
KEY_LOW = np.uint64(2)  # the mixed key, first word
KEY_HIGH = np.uint64(3)  # the mixed key, second word
FRAME = np.uint64(4)
# A frame of signed numbers: the fields that `stack` names, then the row of moves.
NUMBERS = 8 + 64
#: Added to scores in the table, which then lie between 0 and 63.
BIAS = 31


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


@called
def queue_moves(
    frames: Words,
    frame: Word,
    numbers: Words,
    number: Word,
    safe: Word,
    variation: Word,
    constants: Words,
    game: Game,
) -> Word:
    """Put the safe moves in order; return whether one of them leaves the opponent none.

    Those come first that leave the opponent few safe cells and the mover many.
    """
    own, other = frames[frame + OWN], frames[frame + OTHER]
    fatal = completing(other, constants, game)
    count = 0
    for cell in range(game.cells):
        move = U1 << cell
        if safe & move == U0:
            continue
        empty = game.board & ~(own | other | move)
        replies = open_cells(own | other | move, game)
        if replies & ~fatal == U0 and replies != U0:
            return True
        mine = np.int64(popcount(empty & ~completing(own | move, constants, game)))
        theirs = np.int64(popcount(replies & ~fatal))
        promise = (64 + mine - theirs) * 64 + (np.int64(cell) ^ variation)
        enqueue(numbers, number + QUEUE_AT, count, promise * 64 + np.int64(cell))
        count += 1
    numbers[number + COUNT_AT] = count
    return False


@inlined
def enter(
    frames: Words,
    frame: Word,
    numbers: Words,
    number: Word,
    constants: Words,
    table: Words,
    bits: Word,
    nodes: Word,
    variation: Word,
    game: Game,
) -> tuple[Word, Word]:
    """Look at a new node: return whether its score is seen at once, and the score."""
    own, other = frames[frame + OWN], frames[frame + OTHER]
    ply, alpha = numbers[number + PLY_AT], numbers[number + ALPHA_AT]
    cells = np.int64(game.cells)
    top = top_of(cells)
    soonest, latest = worth(top, ply + 2), -worth(top, ply + 3)
    if ply + 1 >= cells:
        return True, np.int64(0)
    if soonest <= alpha:
        return True, soonest
    if latest > alpha:
        return True, latest
    low, high = key_of(own, other, game.cells)
    low, high = mixed(low, high)
    frames[frame + KEY_LOW], frames[frame + KEY_HIGH] = low, high
    entry = find_entry(table, bucket_of(low, bits), low, high)
    if entry != U0:
        at_least, at_most = np.int64((entry >> U6) & SIX) - BIAS, np.int64(entry & SIX) - BIAS
        if at_least > alpha:
            return True, at_least
        if at_most <= alpha:
            return True, at_most
    safe = open_cells(own | other, game) & ~completing(own, constants, game)
    if queue_moves(frames, frame, numbers, number, safe, variation, constants, game):
        return True, soonest
    numbers[number + BEST_AT], numbers[number + TRIED_AT] = -top, 0
    numbers[number + SINCE_AT] = nodes
    return False, np.int64(0)


@inlined
def descend(frames: Words, frame: Word, numbers: Words, number: Word) -> Word:
    """Fill the next frame with the node after the next move; return whether one is left to try."""
    alpha, tried = numbers[number + ALPHA_AT], numbers[number + TRIED_AT]
    if numbers[number + BEST_AT] > alpha or tried >= numbers[number + COUNT_AT]:
        return False
    move = U1 << np.uint64(numbers[number + QUEUE_AT + np.uint64(tried)] & 63)
    numbers[number + TRIED_AT] = tried + 1
    frames[frame + FRAME + OWN] = frames[frame + OTHER]
    frames[frame + FRAME + OTHER] = frames[frame + OWN] | move
    below = number + np.uint64(NUMBERS)
    numbers[below + ALPHA_AT], numbers[below + PLY_AT] = -alpha - 1, numbers[number + PLY_AT] + 1
    return True


@inlined
def keep(
    frames: Words,
    frame: Word,
    numbers: Words,
    number: Word,
    table: Words,
    bits: Word,
    nodes: Word,
    game: Game,
) -> Word:
    """Put what is known of a node into the table; return its score."""
    value, ply = numbers[number + BEST_AT], numbers[number + PLY_AT]
    is_more, top = value > numbers[number + ALPHA_AT], top_of(np.int64(game.cells))
    at_least = value if is_more else -worth(top, ply + 3)
    at_most = worth(top, ply + 2) if is_more else value
    low, high = frames[frame + KEY_LOW], frames[frame + KEY_HIGH]
    if at_most < 64 - BIAS:  # only the empty board of 64 cells has a score that does not fit
        store(
            table,
            bucket_of(low, bits),
            low,
            high,
            np.uint64(at_least + BIAS),
            np.uint64(at_most + BIAS),
            nodes - numbers[number + SINCE_AT],
        )
    return value


@inlined
def search(
    frames: Words,
    numbers: Words,
    constants: Words,
    table: Words,
    game: Game,
    control: Words,
    until: Word,
) -> Word:
    """Answer the question that is being asked, or pause when ``until`` nodes have been looked at.

    Alpha-beta with a null window, fail-soft, over frames; see `gravity.search`.
    """
    bits, variation = np.uint64(control[TABLE_BITS]), control[VARIATION] & 63
    depth, nodes = control[DEPTH], control[NODES]
    frame, number = FRAME * np.uint64(depth), np.uint64(NUMBERS * depth)
    value = np.int64(0)
    while depth >= 0:
        if nodes >= until:
            control[DEPTH], control[NODES] = depth, nodes
            return PAUSED
        nodes += 1
        known, value = enter(
            frames, frame, numbers, number, constants, table, bits, nodes, variation, game
        )
        # Scores go up to the parent until one does not decide there; then its next move is made.
        while True:
            if known:
                depth -= 1
                if depth < 0:
                    break
                frame -= FRAME
                number -= np.uint64(NUMBERS)
                numbers[number + BEST_AT] = max(numbers[number + BEST_AT], -value)
            if descend(frames, frame, numbers, number):
                depth += 1
                frame += FRAME
                number += np.uint64(NUMBERS)
                break
            value, known = keep(frames, frame, numbers, number, table, bits, nodes, game), True
    control[DEPTH], control[NODES], control[VALUE] = 0, nodes, value
    return FINISHED


@called
def begin(
    own: Word,
    other: Word,
    frames: Words,
    numbers: Words,
    constants: Words,
    game: Game,
    control: Words,
) -> None:
    """Set the search to a position that is not over: what is seen at once, and the first frame."""
    cells, ply = np.int64(game.cells), np.int64(popcount(own | other))
    top = top_of(cells)
    low, high = -worth(top, ply + 3), worth(top, ply + 2)
    if open_cells(own | other, game) & ~completing(own, constants, game) == U0:
        low = high = -worth(top, ply + 1)
    elif ply + 1 >= cells:
        low = high = 0
    open_range(control, low, high)
    frames[OWN], frames[OTHER] = own, other
    numbers[PLY_AT] = ply


PARTS = Parts(
    "misere",
    begin,
    search,
    grow,
    grows_at,
    pose_alpha,
    answer_alpha,
    bucket_words=4,
    numbers=NUMBERS,
    clears_table=True,
)
