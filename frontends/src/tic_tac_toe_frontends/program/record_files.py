"""Files of game records: bounded reading, atomic writing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from errno import EEXIST, EISDIR
from gettext import NullTranslations
from pathlib import Path

from tic_tac_toe.files import atomic_write
from tic_tac_toe.logic.record_json import records_from_json, records_to_json
from tic_tac_toe.logic.records import Record, format_records, parse_records

from .files import check_writable, decode, opened, reading, refuse_foreign, writing
from .process import Refused

#: Larger files are refused unread; this size is about 30,000 games.
MAXIMUM_BYTES = 4 * 1024 * 1024

_JSON_SUFFIXES = {".json", ".jsonl"}
_BEGINS_AS_JSON = re.compile(r'\s*\{\s*"')


class RecordFiles:
    """Reads and writes files of records.

    Every failure is a `Refused` with one line that names the file and the reason.
    """

    def __init__(self, language: NullTranslations) -> None:
        self._language = language

    def read(self, name: str | Path) -> tuple[Record, ...]:
        """Return the games of a file; ``-`` is standard input.

        The first characters show whether it is JSON Lines.
        """
        with reading(name, self._language):
            text = self._read_text(name)
            return records_from_json(text) if _BEGINS_AS_JSON.match(text) else parse_records(text)

    def last(self, name: str | Path) -> Record:
        """Return the last game of a file, to be continued.

        Raises:
            Refused: the file cannot be read or holds no game.
        """
        records = self.read(name)
        if not records:
            raise Refused(self._language.gettext("No games."))
        return records[-1]

    def write(self, name: str, records: Iterable[Record], *, overwrite: bool) -> None:
        """Write games to a file, as JSON Lines if its suffix says so.

        Args:
            overwrite: replace an existing file.
        """
        with writing(name, self._language):
            path = Path(name).expanduser()
            if path.is_dir():
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
            if path.exists() and not overwrite:
                raise FileExistsError(EEXIST, os.strerror(EEXIST))
        self._write_text(path, _format(records, as_json=_is_json(path, "")))

    def append(self, path: Path, record: Record) -> None:
        """Append a game to a file in its present format."""
        with reading(path, self._language):
            before = self._read_text(path) if path.is_file() else ""
        as_json = _is_json(path, before)
        if before and not before.endswith("\n"):
            before += "\n"
        if before and not as_json:
            before += "\n"
        self._write_text(path, before + _format([record], as_json=as_json))

    def check(self, path: Path) -> None:
        """Refuse a file that cannot be appended to, before a game is played."""
        with writing(path, self._language):
            if path.is_file():
                self.read(path)
            check_writable(path)

    def _read_text(self, name: str | Path) -> str:
        with opened(name) as file:
            content = file.read(MAXIMUM_BYTES + 1)
        refuse_foreign(content, self._language)
        return decode(content, MAXIMUM_BYTES, self._language)

    def _write_text(self, path: Path, text: str) -> None:
        with writing(path, self._language), atomic_write(path) as file:
            file.write(text.encode())


def _is_json(path: Path, text: str) -> bool:
    """Return whether a file is JSON: by its contents, for an empty one by its name."""
    if text.strip():
        return bool(_BEGINS_AS_JSON.match(text))
    return path.suffix.lower() in _JSON_SUFFIXES


def _format(records: Iterable[Record], *, as_json: bool) -> str:
    return records_to_json(records) if as_json else format_records(records)
