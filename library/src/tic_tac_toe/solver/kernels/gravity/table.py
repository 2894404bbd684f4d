"""The transposition table of the gravity kernel: one word a position, two positions a bucket.

An entry is, from the high bits down: the tag, the work (log2 of the nodes that it took), the lower
and the upper bound. A key is mixed by `gravity_board.hashed` without loss; its low bits number the
bucket and all others are the tag, so two positions are never taken for one another. A word is read
and written at once, so that threads share the table without a lock.
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, U2, U4, U7, popcount
from tic_tac_toe.solver.kernels.control import GROW_AT, GROWTH_BITS, TABLE_BITS
from tic_tac_toe.solver.kernels.inlining import Word, Words, called, inlined

TAG_SHIFT, WORK_SHIFT, LOW_SHIFT = np.uint64(20), np.uint64(14), U7
WORK_MASK, SCORE_MASK = np.uint64(63), np.uint64(127)
#: Added to scores, which are then positive: an entry is never 0.
BIAS = 64
#: The table grows when the search has looked at this number of nodes for each bucket. A table that
#: no longer fits the processor's caches costs more than it saves, so one of 8 MiB grows later.
NODES_A_BUCKET, NODES_A_BUCKET_LARGE, LARGE_BITS = 2, 32, 19


@inlined
def store(table: Words, bucket: Word, tag: Word, low: Word, high: Word, nodes: Word) -> None:
    """Keep the bounds of a position; of three positions in a bucket the least work is forgotten."""
    work = np.uint64(nodes)
    work |= work >> U1
    work |= work >> U2
    work |= work >> U4
    work |= work >> np.uint64(8)
    work |= work >> np.uint64(16)
    work = popcount(work)
    bounds = (np.uint64(low + BIAS) << LOW_SHIFT) | np.uint64(high + BIAS)
    entry = (tag << TAG_SHIFT) | (work << WORK_SHIFT) | bounds
    first, second = table[bucket], table[bucket + U1]
    if first >> TAG_SHIFT == tag:
        table[bucket] = entry
    elif second >> TAG_SHIFT == tag:
        table[bucket + U1] = entry
    elif (first >> WORK_SHIFT) & WORK_MASK <= work:
        table[bucket + U1] = first
        table[bucket] = entry
    else:
        table[bucket + U1] = entry


@inlined
def find_entry(table: Words, bucket: Word, tag: Word) -> Word:
    """Return the entry of a position, or 0."""
    entry = table[bucket]
    if entry >> TAG_SHIFT == tag and entry != U0:
        return entry
    entry = table[bucket + U1]
    return entry if entry >> TAG_SHIFT == tag else U0


@inlined
def low_of(entry: Word) -> Word:
    """Return the lower bound in an entry."""
    return np.int64((entry >> LOW_SHIFT) & SCORE_MASK) - BIAS


@inlined
def high_of(entry: Word) -> Word:
    """Return the upper bound in an entry."""
    return np.int64(entry & SCORE_MASK) - BIAS


@called
def grows_at(bits: Word) -> Word:
    """Return the count of nodes at which a table of 2**bits buckets becomes too small."""
    return (NODES_A_BUCKET if bits < LARGE_BITS else NODES_A_BUCKET_LARGE) << bits


@called
def grow(table: Words, spare: Words, control: Words) -> None:
    """Spread what the table holds over eight times as many buckets."""
    before = np.uint64(control[TABLE_BITS])
    after = before + np.uint64(GROWTH_BITS)
    used = np.int64(U1 << (before + U1))
    for index in range(used):
        spare[index] = table[index]
    for index in range(used << GROWTH_BITS):
        table[index] = U0
    for index in range(used):
        entry = spare[index]
        if entry != U0:
            key = ((entry >> TAG_SHIFT) << before) | np.uint64(index >> 1)
            bucket = (key & ((U1 << after) - U1)) << U1
            moved = (key >> after << TAG_SHIFT) | (entry & ((U1 << TAG_SHIFT) - U1))
            # The first of a bucket took more work, as `store` left them, and comes first again.
            table[bucket if table[bucket] == U0 else bucket + U1] = moved
    control[TABLE_BITS] += GROWTH_BITS
    control[GROW_AT] += grows_at(control[TABLE_BITS])
