"""The window from the command line until it is closed."""

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

#: The time between two looks for signals such as Ctrl-C in the terminal, in milliseconds.
HEARTBEAT = 250


def main(argv: Sequence[str] | None = None, prog: str = "python -m window") -> int:
    """Open a window, play games in it, and return the exit status of the process."""
    return run(lambda: play(parse_args(argv, prog)))


def play(args: Args) -> int:
    """Play until the window is closed; return the exit status.

    Raises:
        Refused: Tkinter or a screen to open a window on is missing.
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
        # Tk has to be taken down by the thread that set it up. A thread that still thinks must not
        # be the one whose garbage collection finds it.
        gc.freeze()
    return DONE


def _close_when_asked(
    root: tk.Tk, is_asked: Callable[[], bool], close: Callable[[], object]
) -> None:
    """Close the window when the program is asked to end.

    While Tk waits for events Python obeys no signal, and so it is woken now and then.
    """
    if is_asked():
        close()
    else:
        root.after(HEARTBEAT, _close_when_asked, root, is_asked, close)
