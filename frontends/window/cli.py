"""The window from the command line until it is closed."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from ..process import DONE, INTERRUPTED, Refused, run
from .args import Args, parse_args

#: After so long a thread that thinks gives way to the window's: a tenth of what is usual.
SWITCH_SECONDS = 0.0005


def main(
    argv: Sequence[str] | None = None, prog: str = "python -m window", epilog: str | None = None
) -> int:
    """Open a window, play games in it, and return the exit status of the process."""
    return run(lambda: play(parse_args(argv, prog, epilog)))


def play(args: Args) -> int:
    """Play until the window is closed; return the exit status.

    Raises:
        Refused: there is no Tkinter, or no screen to open a window on.
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
    app = App(root, args)
    try:
        root.mainloop()
    finally:
        # Tk has to be taken down by the thread that set it up. A thread that still thinks must not
        # be the one whose garbage collection finds it.
        gc.freeze()
    return INTERRUPTED if app.interrupted else DONE
