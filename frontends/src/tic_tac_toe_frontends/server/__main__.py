"""Serve games: ``python -m tic_tac_toe_frontends.server``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
