"""The user's folders for data, state and caches of programs."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Literal


def user_folder(kind: Literal["cache", "data", "runtime", "state"], program: str) -> Path:
    """Return a program's folder for one kind of files, which may not exist yet.

    Without a home folder or `platformdirs` it is inside the current folder. Only a bare checkout
    lacks `platformdirs`, and it writes nothing here: online play needs packages, and pages are
    built inside the checkout.
    """
    try:
        from platformdirs import PlatformDirs

        with warnings.catch_warnings():  # a missing XDG_RUNTIME_DIR has a fallback
            warnings.simplefilter("ignore")
            folder: Path = getattr(PlatformDirs(program, appauthor=False), f"user_{kind}_path")
        return folder
    except (ModuleNotFoundError, RuntimeError):
        return Path.cwd() / program
