"""The material of kernels: marked functions, and bit tricks on unsigned 64-bit words.

Kernels are modules of plain Python that need NumPy alone: tests run them as they stand, and a
process that finds the machine code in the cache never loads the compiler.

Everything stays unsigned: NumPy and Numba turn a mix of signed and unsigned words into floats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

U0, U1, U2, U3, U4, U7 = map(np.uint64, (0, 1, 2, 3, 4, 7))
U56 = np.uint64(56)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
PAIRS, NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
BYTES, SUM = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)

Function = TypeVar("Function", bound=Callable[..., Any])

#: Numbers and arrays as the kernels hold them; NumPy's types say too little about mixed arithmetic.
Word = Any
Words = Any


class Part(NamedTuple):
    """A function that kernels call, and whether each call is to be replaced by its body."""

    function: Callable[..., Any]
    inline: bool


PARTS: list[Part] = []


def called(function: Function) -> Function:
    """Mark a function that compiled code calls; return it as it is."""
    PARTS.append(Part(function, inline=False))
    return function


def inlined(function: Function) -> Function:
    """Mark a function for inner loops, where a call would count references to the arrays."""
    PARTS.append(Part(function, inline=True))
    return function


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
