"""Files named by people: bounded reading, and refusals in one line with name and reason."""

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

from ..words.foreign import escaped, truncated
from ..words.translation import N_, localise
from .process import Refused, reason_of

#: The name of standard input.
STDIN = "-"
#: Quotes that people type around the name of a file.
_QUOTES = {'""', "''", "“”", "‘’", "«»", "„“", "””"}  # noqa: RUF001  # typographic quotes

#: The first bytes of other programs' files, in any encoding.
_FOREIGN = {
    re.compile(rb"Piskvorky\b"): N_("a file of Piskvorky"),
    re.compile(rb"\(\s*;"): N_("an SGF file"),
    re.compile(rb"\xffRenLib"): N_("a file of RenLib"),
    re.compile(rb"<"): N_("XML, such as a file of RIF"),
    re.compile(rb'\{\s*("[^"]*"\s*:|\}|\Z)|\[\s*([]{["\d-]|\Z)'): N_("JSON of another program"),
}
#: Every JSON record contains it; errors of other JSON name the wrong fields.
_OWN_JSON = b'"format"'


@contextmanager
def opened(name: str | Path) -> Iterator[BinaryIO]:
    """Open a file or standard input for reading; closed standard input counts as empty.

    Raises:
        OSError, ValueError: the file cannot be opened.
    """
    if name == STDIN:
        yield sys.stdin.buffer if sys.stdin else io.BytesIO()
    else:
        with Path(name).open("rb") as file:
            yield file


def decode(content: bytes, limit: int, language: NullTranslations) -> str:
    """Return text in UTF-8, without a byte order mark.

    Raises:
        Refused: more than ``limit`` bytes, or not UTF-8; the message does not name the file.
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
    """Return the name of a file without surrounding quotes, which people type around blanks."""
    return name[1:-1].strip() if name[:1] + name[-1:] in _QUOTES else name


def refuse_foreign(content: bytes, language: NullTranslations) -> None:
    """Refuse a file of another program in place of games or positions, and name its kind.

    Raises:
        Refused: it is such a file; the message does not name the file.
    """
    begins = content.removeprefix(BOM_UTF8).lstrip()
    for pattern, kind in _FOREIGN.items():
        if pattern.match(begins) and _OWN_JSON not in content:
            message = language.gettext("this is {kind}; such files are not supported yet")
            raise Refused(message.format(kind=language.gettext(kind)))


def check_writable(path: Path) -> None:
    """Check that `atomic_write` can write a file, before a long computation for it.

    Raises:
        OSError, ValueError, RuntimeError: the file cannot be written.
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
    """Turn errors of the block into refusals that name the file."""
    message = language.gettext("cannot read {file}: {reason}")
    errors = (OSError, ValueError, Refused)
    return _refusing(message, "cannot_read", name, language, errors)


def writing(name: str | Path, language: NullTranslations) -> AbstractContextManager[None]:
    """Turn errors of writing in the block into refusals that name the file or folder."""
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
        text = message.format(file=truncated(str(name)), reason=reason)
        raise Refused(escaped(text), code) from None
