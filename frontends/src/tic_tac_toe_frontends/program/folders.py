"""The folders in which the system keeps files of its user: data, state and caches of programs."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Literal


def user_folder(kind: Literal["cache", "data", "runtime", "state"], program: str) -> Path:
    """Return the folder of a program for files of one kind; it need not exist.

    If the user has no home, or `platformdirs` is missing, it is a folder in the current one.
    `platformdirs` is missing on a bare checkout only, which keeps nothing in these folders: online
    play needs packages, and pages are built inside the checkout.
    """
    try:
        from platformdirs import PlatformDirs

        with warnings.catch_warnings():  # of a missing XDG_RUNTIME_DIR: there is another place
            warnings.simplefilter("ignore")
            folder: Path = getattr(PlatformDirs(program, appauthor=False), f"user_{kind}_path")
        return folder
    except (ModuleNotFoundError, RuntimeError):
        return Path.cwd() / program
