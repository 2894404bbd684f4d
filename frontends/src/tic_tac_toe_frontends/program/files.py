"""Files that people name: read within bounds, and refused in one line with the name and reason."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EISDIR, ENOENT
from gettext import NullTranslations
from pathlib import Path
from typing import BinaryIO

from ..words.foreign import harmless, shortened
from .process import Refused, reason_of

#: The name that stands for standard input.
STDIN = "-"


@contextmanager
def opened(name: str | Path) -> Iterator[BinaryIO]:
    """Open a file to read, or standard input, which counts as empty where it is closed.

    Raises:
        OSError, ValueError: it cannot be opened.
    """
    if name == STDIN:
        yield sys.stdin.buffer if sys.stdin else io.BytesIO()
    else:
        with Path(name).open("rb") as file:
            yield file


def decode(content: bytes, limit: int, language: NullTranslations) -> str:
    """Return text in UTF-8, without a byte order mark.

    Raises:
        Refused: there are more than ``limit`` bytes, or it is not UTF-8; the file is not named.
    """
    if len(content) > limit:
        message = language.gettext("larger than {count} bytes")
        raise Refused(message.format(count=f"{limit:,}"))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = language.gettext("byte {number} is no UTF-8 text")
        raise Refused(message.format(number=error.start + 1)) from None


def check_writable(path: Path) -> None:
    """Find out whether `atomic_write` can write a file, before something long is done for it.

    Raises:
        OSError, ValueError, RuntimeError: it cannot.
    """
    folder = path.resolve().parent
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    if not folder.is_dir():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
    is_device = path.exists() and not path.is_file()
    if not os.access(path if is_device else folder, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES))


def unreadable(name: str | Path, reason: Exception, language: NullTranslations) -> Refused:
    """Return the refusal of a file that cannot be read."""
    return _refusal(language.gettext("cannot read {file}: {reason}"), name, reason)


def unwritable(name: str | Path, reason: Exception, language: NullTranslations) -> Refused:
    """Return the refusal of a file or folder that cannot be written."""
    return _refusal(language.gettext("cannot write {file}: {reason}"), name, reason)


def _refusal(message: str, name: str | Path, reason: Exception) -> Refused:
    return Refused(harmless(message.format(file=shortened(str(name)), reason=reason_of(reason))))
