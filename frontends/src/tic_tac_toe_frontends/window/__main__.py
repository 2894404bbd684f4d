"""Play in a window: ``python -m tic_tac_toe_frontends.window``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
