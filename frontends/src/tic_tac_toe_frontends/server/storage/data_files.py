"""The files that games lie in: nobody else reads them, and each has one name."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from .store import StorageError

#: Who may read and write a file of games: its owner.
PRIVATE = 0o600


def make_private(path: Path) -> None:
    """Make an empty file that only its owner reads; do nothing where there is a file.

    The files that SQLite lays beside it have the same permissions. A file that is there is not
    opened: to close it would end the locks that SQLite has on it in this process.
    """
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))


def is_public(path: Path) -> bool:
    """Whether everybody on this machine may read a file."""
    try:
        return os.name == "posix" and path.is_file() and bool(path.stat().st_mode & stat.S_IROTH)
    except OSError:  # there is none
        return False


def check_name(path: Path, doing: str) -> None:
    """Refuse a folder, and a file with a second name that is no link to the first.

    SQLite finds the log of a file by its name. Who opens it by another name misses what is in the
    log, and does not see that a server uses it.

    Raises:
        StorageError: it has such a name, or is a folder.
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
