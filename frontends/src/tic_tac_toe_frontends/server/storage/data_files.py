"""The files of games: only their owner may read them, and each has one name.

What root makes beside them belongs to the owner of the folder: a server that runs as another user
could not use it otherwise.
"""

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
    it would release the locks that SQLite holds on it in this process.
    """
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))
        give_away(path, path.parent)


def give_away(path: Path, model: Path) -> None:
    """If root made a file, give it the owner and group of another file or folder."""
    if os.name == "posix" and os.geteuid() == 0:
        owner = model.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def files_of(path: Path) -> tuple[Path, ...]:
    """Return a file of games, those that SQLite keeps beside it, and its lock."""
    return tuple(Path(f"{path}{ending}") for ending in ("", "-wal", "-shm", ".lock"))


def closed_file(path: Path) -> str:
    """Return which file of games this user may not write, and whose it is; empty if there is none.

    SQLite only says that it is unable to open the database.
    """
    for part in files_of(path):
        if os.name == "posix" and part.exists() and not _is_open(part):
            owner, user = _user_named(part.stat().st_uid), _user_named(os.geteuid())
            return f"{part} belongs to {owner}, and this process runs as {user}"
    return ""


def _is_open(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _user_named(number: int) -> str:
    try:
        import pwd

        return pwd.getpwuid(number).pw_name
    except (ImportError, KeyError):
        return f"user {number}"


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
