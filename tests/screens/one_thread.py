"""A guard before Tk's interpreter: it notes who calls it from another thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _tkinter import TkappType


class OneThread:
    """Stands for an interpreter of Tk, and lets the thread that made it use it, and no other.

    Every widget calls the interpreter for all it does, so that none can be touched unnoticed. Tk
    itself would pass such calls on to the other thread, mostly: it hides the fault until it hangs.

    Attributes:
        foreign: what other threads asked for, with their names.
        calls: the number of calls of the interpreter.
    """

    def __init__(self, interpreter: TkappType) -> None:
        self._interpreter = interpreter
        self._owner = threading.get_ident()
        self.foreign: list[str] = []
        self.calls = 0

    def __getattr__(self, name: str) -> object:
        if threading.get_ident() != self._owner:
            thread = threading.current_thread().name
            self.foreign.append(f"{name} in {thread}")
            raise RuntimeError(f"the window was touched by the thread {thread}: {name}")
        self.calls += 1
        return getattr(self._interpreter, name)
