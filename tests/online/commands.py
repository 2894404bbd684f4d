"""Runs the `tic-tac-toe` command as people do."""

import subprocess
import sys
from functools import cache


@cache
def help_of(*words: str) -> str:
    """Return the help of a subcommand, in English."""
    command = [sys.executable, "-m", "tic_tac_toe_frontends.command", *words, "--help"]
    result = subprocess.run(
        [*command, "--lang", "en"], capture_output=True, text=True, check=True, timeout=120
    )
    return result.stdout
