"""A lock file: one process at a time, and free again whatever way that process ends."""

from __future__ import annotations

import os
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where nobody is kept away
    fcntl = None  # type: ignore[assignment]  # a module where there is one


class FileLock:
    """A lock that is held by holding a file open; the file stays.

    Args:
        path: of the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def take(self, *, wait: bool = False) -> None:
        """Take the lock, unless it is held here already.

        Args:
            wait: for whoever has it, and never `BlockingIOError`.

        Raises:
            BlockingIOError: another has it.
            OSError: the file cannot be made.
        """
        if self._file is not None or fcntl is None:
            return
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BaseException:
            os.close(file)
            raise
        self._file = file

    def release(self) -> None:
        """Give the lock back, if it is held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
