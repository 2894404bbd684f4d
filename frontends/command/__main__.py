"""The ``tic-tac-toe`` command where it is not installed: ``cd frontends && python3 -m command``."""

import sys
from importlib import import_module

if __package__ == "command":  # from this folder, with nothing installed
    import_module("_checkout")

from tic_tac_toe_frontends.command.cli import main

if __name__ == "__main__":
    sys.exit(main())
