"""The ``tic-tac-toe`` command as a module: ``python -m tic_tac_toe_frontends.command``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
