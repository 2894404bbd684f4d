"""Writing a file so that others see either the old one or the new one, whenever the machine stops.

Everything in this project that replaces a file does it here.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import ELOOP
from pathlib import Path
from typing import BinaryIO

#: How the name of a file begins that is still being written, or whose writer was killed.
UNFINISHED = ".new-"


@contextmanager
def atomic_write(path: str | os.PathLike[str], *, mode: int | None = None) -> Iterator[BinaryIO]:
    """Give a file to write that replaces ``path``, synced to the disk, when the block ends.

    If the block or the disk fails, ``path`` is unchanged and the unfinished file is removed. A link
    stays a link: the file that it leads to is replaced. A device or a pipe is not replaced but
    written to.

    Args:
        path: in a folder that exists.
        mode: the permissions of the file. Unless given they are those of the old file, and those
            of any new file where there is no old one.

    Raises:
        OSError: the file cannot be written.
    """
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(ELOOP, os.strerror(ELOOP), str(path))
    if target.exists() and not target.is_file():
        with target.open("ab") as device:
            yield device
        return
    if mode is None and target.exists():
        mode = target.stat().st_mode & 0o777
    created = 0o666 if mode is None else mode
    unfinished = target.with_name(f"{UNFINISHED}{secrets.token_hex(8)}")
    try:
        with open(
            unfinished, "xb", opener=lambda name, flags: os.open(name, flags, created)
        ) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            unfinished.chmod(mode)  # what the process's umask took away
        unfinished.replace(target)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable; systems on which a folder cannot be opened do without."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
