"""Which moves of a node the gravity kernel tries, in which order, and beside other workers."""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, U7
from tic_tac_toe.solver.kernels.gravity.board import Game
from tic_tac_toe.solver.kernels.gravity.frame import BUCKET, ORDER, TAG
from tic_tac_toe.solver.kernels.gravity.table import BIAS, find_entry, high_of, low_of
from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined
from tic_tac_toe.solver.kernels.stack import (
    ALPHA_AT,
    BEST_AT,
    COUNT_AT,
    QUEUE_AT,
    TRIED_AT,
    enqueue,
)

#: How many marks there is room for in ``busy``.
MARKS = 1 << 12
#: Added to the promise of a move that has waited for another worker once.
WAITED = 1 << 40
NO_LANE = np.uint64(63)


@inlined
def mark_of(bucket: Word, tag: Word, alpha: Word, table_bits: Word) -> Word:
    """Return a word for "a worker asks about this position", never 0; it may be another's too."""
    index = (tag << table_bits) | (bucket >> U1)
    return ((index << U7) ^ np.uint64(alpha + BIAS)) | U1


@inlined
def place_of(mark: Word) -> Word:
    """Return where a mark is put in `busy`."""
    return (mark >> U7) & np.uint64(MARKS - 1)


@inlined
def queue_moves(
    frames: Words,
    numbers: Words,
    frame: Word,
    number: Word,
    table: Words,
    moves: Word,
    alpha: Word,
    best: Word,
    game: Game,
) -> tuple[Word, Word, Word]:
    """Put in order the moves that the table does not answer; return whether one answers the node.

    Returns:
        whether the score is known to be more than ``alpha``; what it is at least; how many moves
        are left to try.
    """
    row, masks = number + QUEUE_AT, game.masks
    legal = 0
    for lane in range(game.columns):
        numbers[row + np.uint64(legal)] = lane
        legal += 1 if moves & frames[masks + lane] != U0 else 0
    count = 0
    for one in range(legal):
        lane = np.uint64(numbers[row + np.uint64(one)])
        entry = find_entry(table, frames[frame + BUCKET + lane], frames[frame + TAG + lane])
        if entry != U0:
            if -high_of(entry) > alpha:
                return True, -high_of(entry), count
            if -low_of(entry) <= alpha:
                best = max(best, -low_of(entry))
                continue
        enqueue(numbers, row, count, np.int64(frames[frame + ORDER + lane]))
        count += 1
    return False, best, count


@inlined
def next_lane(
    frames: Words,
    numbers: Words,
    frame: Word,
    number: Word,
    table: Words,
    busy: Words,
    is_shared: Word,
    table_bits: Word,
) -> Word:
    """Return the lane of the move to try next, or `NO_LANE` if the node is answered.

    Where workers share the node, a move that another worker looks at waits once, and the table is
    asked again before each.
    """
    alpha = numbers[number + ALPHA_AT]
    while numbers[number + BEST_AT] <= alpha:
        tried = numbers[number + TRIED_AT]
        if tried >= numbers[number + COUNT_AT]:
            break
        promise = numbers[number + QUEUE_AT + np.uint64(tried)]
        lane = np.uint64(promise & 63)
        numbers[number + TRIED_AT] = tried + 1
        if is_shared:
            bucket, tag = frames[frame + BUCKET + lane], frames[frame + TAG + lane]
            entry = find_entry(table, bucket, tag)
            if entry != U0 and (-high_of(entry) > alpha or -low_of(entry) <= alpha):
                found = -high_of(entry) if -high_of(entry) > alpha else -low_of(entry)
                numbers[number + BEST_AT] = max(numbers[number + BEST_AT], found)
                continue
            mark = mark_of(bucket, tag, alpha, table_bits)
            if busy[place_of(mark)] == mark and promise < WAITED:
                count = numbers[number + COUNT_AT]
                numbers[number + QUEUE_AT + np.uint64(count)] = promise + WAITED
                numbers[number + COUNT_AT] = count + 1
                continue
            busy[place_of(mark)] = mark
        return lane
    return NO_LANE
