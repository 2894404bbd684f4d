"""The files of games: only their owner may read them, and each has one name."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from .store import StorageError

#: The mode of a file of games: only its owner may read and write it.
PRIVATE = 0o600


def make_private(path: Path) -> None:
    """Create an empty file that only its owner may read, unless the file exists.

    SQLite gives its files beside it the same permissions. An existing file is not opened: closing
    it
    would release the locks that SQLite holds on it in this process.
    """
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))


def is_public(path: Path) -> bool:
    """Whether everybody on this machine may read a file."""
    try:
        return os.name == "posix" and path.is_file() and bool(path.stat().st_mode & stat.S_IROTH)
    except OSError:  # there is no such file
        return False


def check_name(path: Path, doing: str) -> None:
    """Refuse a folder, and a file with several hard links.

    SQLite finds the log of a file by its name. A program that opens the file by another name misses
    what is in the log, and does not see that a server uses the file.

    Raises:
        StorageError: it is a folder, or has several names.
    """
    if path.is_dir():
        raise StorageError(f"cannot {doing} {path}: it is a folder")
    try:
        names = path.stat().st_nlink
    except OSError:
        return
    if names > 1:
        raise StorageError(
            f"cannot {doing} {path}: it has {names} names (hard links), and only one is safe"
        )
