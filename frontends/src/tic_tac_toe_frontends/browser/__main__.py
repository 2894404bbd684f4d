"""Play in the browser: ``python -m tic_tac_toe_frontends.browser``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
