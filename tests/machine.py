"""What tests need of the machine besides Python packages, and what they say where it is missing."""

from __future__ import annotations

import os
import shutil

import pytest

#: The Debian package that brings a program, where it is called otherwise.
PACKAGES = {"Xvfb": "xvfb", "npm": "npm", "node": "nodejs", "dot": "graphviz"}
#: Set where every test has to run: then nothing is skipped, and what is missing makes tests fail.
COMPLETE = "TICTACTOE_COMPLETE"


def is_complete() -> bool:
    """Return whether every test has to run."""
    return bool(os.environ.get(COMPLETE))


def needs(*programs: str) -> pytest.MarkDecorator:
    """Return a mark that skips a test where one of the programs is missing, and says which."""
    missing = [program for program in programs if shutil.which(program) is None]
    packages = " ".join(PACKAGES.get(program, program) for program in missing)
    return pytest.mark.skipif(
        bool(missing) and not is_complete(),
        reason=f"{', '.join(missing)} not found: apt-get install {packages}",
    )
