"""The one place where plain functions become machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Return the function compiled by Numba on its first call, without the interpreter's lock.

    The machine code is kept in a cache on disk, so that a later process need not compile it again.
    The plain function stays reachable as ``py_func``: tests run it beside the compiled one.
    """
    decorated: Function = njit(cache=True, nogil=True, error_model="numpy")(function)
    return decorated
