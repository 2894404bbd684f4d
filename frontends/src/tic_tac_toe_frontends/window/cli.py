"""The program of the window."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..program.process import DONE, Refused, postponed_signals, run
from ..table.background import SWITCH_SECONDS
from .args import Args, parse_args

if TYPE_CHECKING:
    import tkinter as tk

#: The interval of checks for signals such as Ctrl-C, in milliseconds.
HEARTBEAT = 250


def main(argv: Sequence[str] | None = None, prog: str = "python -m window") -> int:
    """Open a window, play games in it, and return the exit status of the process."""
    return run(lambda: play(parse_args(argv, prog)))


def play(args: Args) -> int:
    """Play until the window is closed; return the exit status.

    Raises:
        Refused: Tkinter or a display is missing.
    """
    _ = args.language.gettext
    try:
        import tkinter as tk

        from .app import App
    except ImportError as error:
        if error.name not in ("tkinter", "_tkinter"):
            raise
        reason = _("Tkinter is missing; on Debian and Ubuntu: apt-get install python3-tk")
        raise Refused(reason) from None
    try:
        root = tk.Tk(className="Tic-tac-toe")
    except tk.TclError as error:
        reason = _("there is no screen to open a window on ({reason}); the console needs none")
        raise Refused(reason.format(reason=error)) from None
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        with postponed_signals() as arrived:
            app = App(root, args)
            _close_when_asked(root, lambda: bool(arrived), app.close)
            root.mainloop()
    finally:
        args.opponents.close()
        # The thread that created Tk must destroy it: the garbage collection of a thread that is
        # still searching must not find it.
        gc.freeze()
    return DONE


def _close_when_asked(
    root: tk.Tk, is_asked: Callable[[], bool], close: Callable[[], object]
) -> None:
    """Close the window when a signal asks the program to end.

    While Tk waits for events, Python handles no signals, so a timer wakes it.
    """
    if is_asked():
        close()
    else:
        root.after(HEARTBEAT, _close_when_asked, root, is_asked, close)
