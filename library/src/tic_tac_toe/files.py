"""Files that survive a crash: replaced as a whole, or grown line by line.

Everything in this project that replaces a file, or goes on with one, does it here.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import ELOOP
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows: there, two processes must not be given one journal
    fcntl = None  # type: ignore[assignment]  # a module where there is one

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
            unfinished.chmod(mode)  # the process's umask took some away
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


class Journal:
    """A file of lines that a long task appends to, and goes on from after a crash.

    A line counts once its end is written, so that a last line which was cut off is no line. The
    first line, the head, names the task.

    Args:
        path: of the file, which is made unless it exists.
        head: the first line, without its end.
        synced: whether each line is on the disk before `append` returns; else it survives the end
            of the process, and not that of the machine.

    Attributes:
        text: the whole lines that the file held, with their ends.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, path: str | os.PathLike[str], head: str, *, synced: bool = True) -> None:
        self.text: str = ""
        self._file: BinaryIO = Path(path).open("a+b")  # noqa: SIM115  # the block ends it
        self._head, self._synced = head, synced
        self._size = 0

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, errors: str = "strict") -> bool:
        """Keep other processes off the file, and read it; return whether it may be this journal.

        It may not be if it holds no whole line, and the beginning of another head.

        Args:
            errors: how bytes that are not UTF-8 are treated; see `bytes.decode`.

        Raises:
            BlockingIOError: another process has the file.
            OSError: it cannot be read.
            UnicodeDecodeError: it is no text.
        """
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # until the file is closed
            except BlockingIOError as error:
                raise BlockingIOError(error.errno, "another process has its journal") from None
        self._file.seek(0)
        content = self._file.read()
        self._size = content.rfind(b"\n") + 1
        self.text = content[: self._size].decode(errors=errors)
        rest = content[self._size :].decode(errors=errors)
        return bool(self.text) or f"{self._head}\n".startswith(rest)

    def resume(self) -> None:
        """Drop a last line that was cut off, and write the head unless it is there."""
        self._file.truncate(self._size)
        if not self.text:
            self.append(self._head)

    def append(self, line: str) -> None:
        """Add a line, which is given without its end.

        Raises:
            OSError: it cannot be written.
        """
        self._file.write(f"{line}\n".encode())
        self._file.flush()
        if self._synced:
            os.fsync(self._file.fileno())
