"""Marks the plain functions that kernels are made of; what compiles them is in `compiling`.

Kernels are modules of plain Python that need NumPy alone: tests run them as they stand, and a
process that finds the machine code in the cache never loads the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

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
