"""Play on the full screen: ``cd frontends && python3 -m tui`` on a bare checkout, with Textual."""

import sys
from importlib import import_module

if __package__ == "tui":  # from this folder, with nothing else installed
    import_module("_checkout")

from tic_tac_toe_frontends.command.tui import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], "python -m tui"))
