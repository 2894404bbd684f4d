"""A function in a thread of its own, so that the main thread receives Ctrl-C at once."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import NoReturn, TypeVar

from ...program.process import INTERRUPTED

T = TypeVar("T")

#: Numba's compiler nests deeper than the stacks that some systems give to threads, in bytes.
STACK_BYTES = 1 << 26


def run_in_thread(function: Callable[[], T], future: Future[T]) -> None:
    """Run a function in a daemon thread with a large stack; the future takes what it returns."""

    def run() -> None:
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(error)

    before = threading.stack_size(STACK_BYTES)
    try:
        threading.Thread(target=run, daemon=True).start()
    finally:
        threading.stack_size(before)


def leave(interruption: BaseException) -> NoReturn:
    """End the process without waiting for its threads, of which one may run the compiler."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    code = interruption.code if isinstance(interruption, SystemExit) else INTERRUPTED
    os._exit(code if isinstance(code, int) else INTERRUPTED)
