"""Bit tricks on unsigned 64-bit words, compiled or not.

Everything stays unsigned: NumPy and Numba turn a mix of signed and unsigned words into floats.
"""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined

U0, U1, U2, U3, U4, U7 = map(np.uint64, (0, 1, 2, 3, 4, 7))
U56 = np.uint64(56)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
PAIRS, NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
BYTES, SUM = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@inlined
def popcount(bits: Word) -> Word:
    """Return how many bits are set; the compiler knows the idiom and emits one instruction."""
    bits = bits - ((bits >> U1) & PAIRS)
    bits = (bits & NIBBLES) + ((bits >> U2) & NIBBLES)
    return (((bits + (bits >> U4)) & BYTES) * SUM) >> U56


def prefetch(table: Words, index: Word) -> None:
    """Tell the processor that an entry of the table is about to be read; changes nothing.

    Compiled, this is an instruction of its own: see `compiling`.
    """
