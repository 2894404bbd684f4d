"""Files that people name: read within bounds, and refused in one line with the name and reason."""

from __future__ import annotations

import io
import os
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from errno import EACCES, EISDIR, ENOENT
from gettext import NullTranslations
from pathlib import Path
from typing import BinaryIO

from tic_tac_toe.logic.exceptions import GameError

from ..words.foreign import escape_hidden, shortened
from ..words.translation import N_, localise
from .process import Refused, reason_of

#: The name that stands for standard input.
STDIN = "-"
#: The quotes that people type around the name of a file.
_QUOTES = {'""', "''", "“”", "‘’", "«»", "„“", "””"}  # noqa: RUF001  # as keyboards make them

#: How files of other programs begin, whatever their encoding.
_FOREIGN = {
    re.compile(rb"Piskvorky\b"): N_("a file of Piskvorky"),
    re.compile(rb"\(\s*;"): N_("an SGF file"),
    re.compile(rb"\xffRenLib"): N_("a file of RenLib"),
    re.compile(rb"<"): N_("XML, such as a file of RIF"),
    re.compile(rb'\{\s*("[^"]*"\s*:|\}|\Z)|\[\s*([]{["\d-]|\Z)'): N_("JSON of another program"),
}
#: Is in every record in JSON; others are told by their fields what is wrong with them.
_OWN_JSON = b'"format"'


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


def unquoted(name: str) -> str:
    """Return the name of a file without the quotes around it, in which people type blanks."""
    return name[1:-1].strip() if name[:1] + name[-1:] in _QUOTES else name


def refuse_foreign(content: bytes, language: NullTranslations) -> None:
    """Refuse a file of games or positions that another program has written, by what it is.

    Raises:
        Refused: it begins as such files do; the file is not named.
    """
    begins = content.removeprefix(BOM_UTF8).lstrip()
    for pattern, kind in _FOREIGN.items():
        if pattern.match(begins) and _OWN_JSON not in content:
            message = language.gettext("this is {kind}; such files are not supported yet")
            raise Refused(message.format(kind=language.gettext(kind)))


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


def reading(name: str | Path, language: NullTranslations) -> AbstractContextManager[None]:
    """Refuse a file that the block cannot read, or whose content it refuses, by its name."""
    message = language.gettext("cannot read {file}: {reason}")
    errors = (OSError, ValueError, Refused)
    return _refusing(message, "cannot_read", name, language, errors)


def writing(name: str | Path, language: NullTranslations) -> AbstractContextManager[None]:
    """Refuse a file or folder that the block cannot write, by its name."""
    message = language.gettext("cannot write {file}: {reason}")
    errors = (OSError, ValueError, RuntimeError)
    return _refusing(message, "cannot_write", name, language, errors)


@contextmanager
def _refusing(
    message: str,
    code: str,
    name: str | Path,
    language: NullTranslations,
    errors: tuple[type[Exception], ...],
) -> Iterator[None]:
    try:
        yield
    except errors as error:
        reason = (
            localise(language, error)
            if isinstance(error, GameError)
            else reason_of(error, language)
        )
        text = message.format(file=shortened(str(name)), reason=reason)
        raise Refused(escape_hidden(text), code) from None
