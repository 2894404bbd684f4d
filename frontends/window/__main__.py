"""Play in a window: ``cd frontends && python3 -m window`` on a bare checkout."""

import sys
from importlib import import_module

if __package__ == "window":  # from this folder, with nothing installed
    import_module("_checkout")

from tic_tac_toe_frontends.window.cli import main

if __name__ == "__main__":
    sys.exit(main())
