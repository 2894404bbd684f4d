"""Compiles a kernel by Numba; imported only where the cache does not hold its machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, cfunc, types
from numba.core import cgutils
from numba.extending import intrinsic, overload, register_jitable
from numba.np.numpy_support import from_dtype

from tic_tac_toe.solver.kernels.bits import PARTS, Part, prefetch


def compile_entry(
    function: Callable[..., Any], constant: tuple[Any, ...] | None, arguments: Sequence[Any]
) -> tuple[int, object, bytes, list[str], str]:
    """Compile a function for arguments like these.

    Returns:
        the address of the code, what owns it, the object file that it came from, the symbols which
        that one leaves open, and its name there.
    """
    known = any(part.function is function for part in PARTS)
    _register_parts(*PARTS, *(() if known else (Part(function, inline=False),)))
    source, signature, names = _entry(function, constant, arguments)
    space: dict[str, Any] = {"carray": carray, "function": function, **names}
    exec(compile(source, f"<entry of {function.__name__}>", "exec"), space)
    # Numba takes these options from a table of its own.
    compiled = cfunc(signature, nopython=True, error_model="numpy")  # pyright: ignore[reportCallIssue]
    entry = compiled(space["entry"])
    library = entry._library
    module = library._final_module
    declared = [*module.functions, *module.global_variables]
    symbols = [one.name for one in declared if one.is_declaration and "llvm." not in one.name]
    return entry.address, entry, library._get_compiled_object(), symbols, entry.native_name


def _entry(
    function: Callable[..., Any], constant: tuple[Any, ...] | None, arguments: Sequence[Any]
) -> tuple[str, Any, dict[str, Any]]:
    """Return the source of a C entry point that makes arrays and tuples of words again."""
    parameters: list[str] = []
    passed: list[str] = []
    kinds: list[Any] = []
    names: dict[str, Any] = {"word": types.uint64}
    for number, argument in enumerate(arguments):
        name = f"a{number}"
        if isinstance(argument, np.ndarray):
            word = from_dtype(argument.dtype)
            parameters += [name, f"{name}_size"]
            passed.append(f"carray({name}, {name}_size)")
            kinds += [types.CPointer(word), types.int64]
        elif isinstance(argument, tuple):
            fields = [f"{name}_{index}" for index in range(len(argument))]
            names[f"{name}_type"] = type(argument)
            parameters += fields
            known = argument == constant
            values = [f"word({int(value)})" for value in argument] if known else fields
            passed.append(f"{name}_type({', '.join(values)})")
            kinds += [types.uint64] * len(fields)
        else:
            parameters.append(name)
            passed.append(name)
            kinds.append(types.uint64 if type(argument) is np.uint64 else types.int64)
    call = f"function({', '.join(passed)})"
    # Numba types the call before it knows which way is taken, so this is not left to an `if`.
    answers = function.__annotations__.get("return") not in (None, "None")
    body = f"    return {call}\n" if answers else f"    {call}\n    return 0\n"
    source = f"def entry({', '.join(parameters)}):\n{body}"
    return source, types.int64(*kinds), names


def _register_parts(*parts: Part) -> None:
    """Tell Numba of functions that compiled code calls, each once."""
    for part in parts:
        _register(part.function, part.inline)
    _register_prefetch()


@cache
def _register(function: Callable[..., Any], inline: bool) -> None:
    register_jitable(forceinline=inline)(function)


@cache
def _register_prefetch() -> None:
    overload(prefetch)(_prefetch_implementation)


def _prefetch_implementation(table: Any, index: Any) -> Any:
    def compiled(table: Any, index: Any) -> Any:
        # An intrinsic has one argument more in its definition than where it is called.
        return _prefetch(table, index)  # pyright: ignore[reportCallIssue]

    return compiled


@intrinsic  # type: ignore[untyped-decorator]  # Numba's decorators have no types
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
