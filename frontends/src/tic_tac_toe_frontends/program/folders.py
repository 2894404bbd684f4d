"""The folders in which the system keeps files of its user: data, state and caches of programs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal


def user_folder(kind: Literal["cache", "data", "state"], program: str) -> Path:
    """Return the folder of a program for files of one kind; it need not exist.

    If the user has no home, or `platformdirs` is missing, it is a folder in the current one.
    `platformdirs` is missing on a bare checkout only, which keeps nothing in these folders: online
    play needs packages, and pages are built inside the checkout.
    """
    try:
        from platformdirs import PlatformDirs

        folders = PlatformDirs(program, appauthor=False)
        match kind:
            case "cache":
                return folders.user_cache_path
            case "data":
                return folders.user_data_path
            case "state":
                return folders.user_state_path
    except (ModuleNotFoundError, RuntimeError):
        return Path.cwd() / program
