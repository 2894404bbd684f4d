"""A function in a thread of its own, which leaves the main thread free to hear Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, NoReturn, TypeVar

from ...program.process import INTERRUPTED

T = TypeVar("T")

#: Numba's compiler nests deeper than the small stacks that some systems give to threads.
STACK_BYTES = 1 << 26


class Task(threading.Thread, Generic[T]):
    """A function that runs in a thread; ``done`` is set at its end."""

    def __init__(self, function: Callable[[], T]) -> None:
        super().__init__(daemon=True)
        self._function = function
        self._outcome: Future[T] = Future()
        self.done = threading.Event()

    def start(self) -> None:
        """Begin, with a large stack."""
        before = threading.stack_size(STACK_BYTES)
        try:
            super().start()
        finally:
            threading.stack_size(before)

    def run(self) -> None:
        """Call the function and keep what comes of it."""
        try:
            self._outcome.set_result(self._function())
        except BaseException as error:
            self._outcome.set_exception(error)
        finally:
            self.done.set()

    def result(self) -> T:
        """Return what the function has returned, or raise what it has raised, once it is done."""
        return self._outcome.result()


def leave(interruption: BaseException) -> NoReturn:
    """End the process at once: the compiler must not be waited for, nor be taken apart at work."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    code = interruption.code if isinstance(interruption, SystemExit) else INTERRUPTED
    os._exit(code if isinstance(code, int) else INTERRUPTED)
