"""Bit tricks that Numba compiles and plain Python runs alike, on unsigned 64-bit words.

Everything stays unsigned: NumPy and Numba turn a mix of signed and unsigned words into floats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload, register_jitable

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Numbers as the kernels hold them; their stubs say too little for stricter types.
Word = Any
Words = Any

U0, U1, U2, U3, U4, U7 = map(np.uint64, (0, 1, 2, 3, 4, 7))
U56 = np.uint64(56)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
PAIRS, NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
BYTES, SUM = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


#: For what kernels call in their inner loops: a call would count references to the arrays.
inlined = register_jitable(forceinline=True)


@inlined
def popcount(bits: Word) -> Word:
    """Return how many bits are set; the compiler knows the idiom and emits one instruction."""
    bits = bits - ((bits >> U1) & PAIRS)
    bits = (bits & NIBBLES) + ((bits >> U2) & NIBBLES)
    return (((bits + (bits >> U4)) & BYTES) * SUM) >> U56


def prefetch(table: NDArray[np.uint64], index: Word) -> None:
    """Tell the processor that an entry of the table is about to be read; changes nothing."""


@intrinsic  # type: ignore[untyped-decorator]  # Numba's decorators are untyped
def _prefetch(_context: Any, table: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        address = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        to_read, keep, data = (ir.Constant(word, value) for value in (0, 3, 1))
        builder.call(function, [address, to_read, keep, data])
        return context.get_dummy_value()

    return types.void(table, index), generate


@overload(prefetch)  # type: ignore[untyped-decorator]
def _prefetch_compiled(table: Any, index: Any) -> Any:
    def compiled(table: Any, index: Any) -> Any:
        return _prefetch(table, index)

    return compiled
