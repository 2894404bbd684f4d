"""The transposition table of the m,n,k and misère kernels: two words a position.

A bucket holds two positions.

A key is two words, `low` and `high` (46 bits at most). They are mixed without loss, as in a Feistel
cipher: what changes one word is computed from the other alone, or is a bijection of the word. The
low bits of the mixed `low` number the bucket. An entry is ::

    first word     high key (46) | work (6) | fails within (6) | wins within (6)
    second word    low key, exclusive or the first word

so the whole key is there whatever the size of the table, and two positions are never taken for one
another. Threads share the table without a lock: the halves of two entries do not fit together
(Hyatt and Mann, "A lockless transposition-table implementation for parallel search", ICGA Journal
25, 2002).
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import U0, U1, Word, Words, called, inlined
from tic_tac_toe.solver.kernels.control import GROW_AT, GROWTH_BITS, TABLE_BITS

U6, U12, U18 = map(np.uint64, (6, 12, 18))
SIX = np.uint64(63)
MULTIPLIERS = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xD6E8FEB86659FD93),
    np.uint64(0xA0761D6478BD642F),
)
FIRST, SECOND, THIRD = MULTIPLIERS
HALF, FOLD = np.uint64(32), np.uint64(18)
#: Stands for "wins within" in the entry of a position that is not known to be won.
UNWON = np.uint64(63)

#: The table grows eightfold, within its memory, after this number of nodes for each bucket.
NODES_A_BUCKET = 4


@inlined
def mixed(low: Word, high: Word) -> tuple[Word, Word]:
    """Return a key mixed up; no two keys become one."""
    low = (low ^ (high * FIRST)) * SECOND
    low ^= low >> HALF
    high ^= (low * THIRD) >> FOLD
    low ^= high * SECOND
    low *= FIRST
    return low ^ (low >> HALF), high


@inlined
def bucket_of(low: Word, bits: Word) -> Word:
    """Return where the bucket of a mixed key begins."""
    return (low & ((U1 << bits) - U1)) << np.uint64(2)


@inlined
def find_entry(table: Words, at: Word, low: Word, high: Word) -> Word:
    """Return the first word of a position's entry, or 0."""
    first = table[at]
    if first >> U18 == high and table[at + U1] ^ first == low and first != U0:
        return first
    first = table[at + np.uint64(2)]
    if first >> U18 == high and table[at + np.uint64(3)] ^ first == low:
        return first
    return U0


@inlined
def store(
    table: Words, at: Word, low: Word, high: Word, fails: Word, wins: Word, nodes: Word
) -> None:
    """Keep what is known of a position; of three in a bucket the one of least work is forgotten."""
    work = U0
    while nodes > 0:
        nodes >>= 1
        work += U1
    known = find_entry(table, at, low, high)
    if known != U0:
        fails = max(fails, (known >> U6) & SIX)
        wins = min(wins, known & SIX)
    entry = (high << U18) | (work << U12) | (fails << U6) | wins
    first, second = table[at], table[at + U1]
    if first >> U18 == high and second ^ first == low:
        pass
    elif known != U0 or (first >> U12) & SIX > work:
        at += np.uint64(2)
    else:
        table[at + np.uint64(2)], table[at + np.uint64(3)] = first, second
    table[at], table[at + U1] = entry, low ^ entry


@called
def grows_at(bits: Word) -> Word:
    """Return the count of nodes at which a table of 2**bits buckets becomes too small."""
    return NODES_A_BUCKET << bits


@called
def grow(frames: Words, table: Words, spare: Words, game: Word, control: Words) -> None:
    """Spread what the table holds over eight times as many buckets."""
    before = np.uint64(control[TABLE_BITS])
    after = before + np.uint64(GROWTH_BITS)
    used = np.int64(np.uint64(4) << before)
    for index in range(used):
        spare[index] = table[index]
    for index in range(used << GROWTH_BITS):
        table[index] = U0
    for index in range(0, used, 2):
        entry = spare[index]
        if entry != U0:
            # The first of a bucket took more work, as `store` left them, and comes first again.
            at = bucket_of(spare[index + 1] ^ entry, after)
            if table[at] != U0:
                at += np.uint64(2)
            table[at], table[at + U1] = entry, spare[index + 1]
    control[TABLE_BITS] += GROWTH_BITS
    control[GROW_AT] += grows_at(control[TABLE_BITS])
