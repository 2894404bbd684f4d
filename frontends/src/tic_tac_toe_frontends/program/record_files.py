"""Files of game records: read within bounds, written whole or not at all."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from errno import EACCES, EEXIST, EISDIR, ENOENT
from gettext import NullTranslations
from pathlib import Path

from tic_tac_toe.atomic_file import atomic_write
from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.record_json import records_from_json, records_to_json
from tic_tac_toe.logic.record_text import format_records, parse_records
from tic_tac_toe.logic.records import Record

from ..words.messages import localise
from .process import Refused, reason_of
from .terminal import harmless, shortened

#: Larger files are refused unread: some thirty thousand games.
MAXIMUM_BYTES = 4 * 1024 * 1024
#: The name that stands for standard input.
STDIN = "-"

_JSON_SUFFIXES = {".json", ".jsonl"}
_BEGINS_AS_JSON = re.compile(r'\s*\{\s*"')


class RecordFiles:
    """Reads and writes files of records for somebody who reads a language.

    Every failure is a `Refused` with one line that names the file and the reason.
    """

    def __init__(self, language: NullTranslations) -> None:
        self._language = language

    def read(self, name: str) -> tuple[Record, ...]:
        """Return the games of a file, of standard input if the name is ``-``.

        Whether they are text or JSON Lines is told by how they begin.
        """
        text = self._read_text(None if name == STDIN else Path(name))
        return self._parse(name, text)

    def write(self, name: str, records: Iterable[Record], *, overwrite: bool) -> None:
        """Write games to a file, as JSON Lines where its name says so.

        Args:
            overwrite: whether a file that is there may be replaced.
        """
        try:
            path = Path(name).expanduser()
            if path.exists() and not overwrite:
                raise FileExistsError(EEXIST, os.strerror(EEXIST))
        except (OSError, RuntimeError, ValueError) as error:
            raise self._unwritable(name, reason_of(error)) from None
        self._write_text(path, _format(records, as_json=_is_json(path, "")))

    def append(self, path: Path, record: Record) -> None:
        """Add a game to a file, in the form that the file has."""
        before = self._read_text(path) if path.is_file() else ""
        as_json = _is_json(path, before)
        if before and not before.endswith("\n"):
            before += "\n"
        if before and not as_json:
            before += "\n"
        self._write_text(path, before + _format([record], as_json=as_json))

    def check(self, path: Path) -> None:
        """Refuse a file that no game should be added to, before a game is played for it."""
        try:
            if path.is_file():
                self._parse(str(path), self._read_text(path))
            elif path.is_dir():
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
            folder = path.resolve().parent
            if not folder.is_dir():
                raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
            if not os.access(folder, os.W_OK):
                raise PermissionError(EACCES, os.strerror(EACCES))
        except (OSError, ValueError) as error:
            raise self._unwritable(str(path), reason_of(error)) from None

    def _parse(self, name: str, text: str) -> tuple[Record, ...]:
        try:
            return records_from_json(text) if _BEGINS_AS_JSON.match(text) else parse_records(text)
        except InvalidNotation as error:
            raise self._unreadable(name, localise(self._language, error)) from None

    def _read_text(self, path: Path | None) -> str:
        """Return the text of a file, of standard input if there is none."""
        name = STDIN if path is None else str(path)
        try:
            content = _read_bounded(path)
            if len(content) > MAXIMUM_BYTES:
                reason = self._language.gettext("larger than {count} bytes")
                raise self._unreadable(name, reason.format(count=f"{MAXIMUM_BYTES:,}"))
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            reason = self._language.gettext("byte {number} is no UTF-8 text")
            raise self._unreadable(name, reason.format(number=error.start + 1)) from None
        except (OSError, ValueError) as error:
            raise self._unreadable(name, reason_of(error)) from None

    def _write_text(self, path: Path, text: str) -> None:
        try:
            with atomic_write(path) as file:
                file.write(text.encode())
        except (OSError, ValueError) as error:
            raise self._unwritable(str(path), reason_of(error)) from None

    def _unreadable(self, name: str, reason: str) -> Refused:
        message = self._language.gettext("cannot read {file}: {reason}")
        return Refused(harmless(message.format(file=shortened(name), reason=reason)))

    def _unwritable(self, name: str, reason: str) -> Refused:
        message = self._language.gettext("cannot write {file}: {reason}")
        return Refused(harmless(message.format(file=shortened(name), reason=reason)))


def _is_json(path: Path, text: str) -> bool:
    """Return whether a file is to be JSON: as it has begun, else as its name says."""
    if text.strip():
        return bool(_BEGINS_AS_JSON.match(text))
    return path.suffix.lower() in _JSON_SUFFIXES


def _format(records: Iterable[Record], *, as_json: bool) -> str:
    return records_to_json(records) if as_json else format_records(records)


def _read_bounded(path: Path | None) -> bytes:
    """Return at most one byte more than is accepted."""
    if path is None:
        return sys.stdin.buffer.read(MAXIMUM_BYTES + 1) if sys.stdin else b""
    with path.open("rb") as file:
        return file.read(MAXIMUM_BYTES + 1)
