"""Runs front ends on a bare checkout: nothing needs to be installed.

Importing this makes the checkout's own packages importable, before whatever else is installed.
"""

import runpy
import sys
from pathlib import Path

OLDEST = (3, 10)
if sys.version_info[:2] < OLDEST:  # said here, before anything that an older Python cannot run
    sys.exit(
        "This needs Python 3.10 or later, and this one is {}.{}.".format(*sys.version_info[:2])
    )

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "src"), str(HERE.parent / "library" / "src")]


def run(name: str) -> None:
    """Run a front end as ``python -m tic_tac_toe_frontends.NAME`` does."""
    runpy.run_module("tic_tac_toe_frontends." + name, run_name="__main__", alter_sys=True)
