"""Play on the full screen: ``python -m tic_tac_toe_frontends.tui``."""

import sys

from ..command.tui import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], "python -m tui"))
