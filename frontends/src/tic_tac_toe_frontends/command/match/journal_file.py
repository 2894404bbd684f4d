"""The file of ``--out``: each pair is on the disk before it counts, so that a match goes on."""

from __future__ import annotations

import os
from contextlib import ExitStack
from gettext import NullTranslations
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import tic_tac_toe
from tic_tac_toe.contest.journal import header_line, pair_line, read_journal, whole_lines
from tic_tac_toe.contest.plan import Plan, PlayedPair

from ...program.files import reading, writing
from ...program.process import Refused


class JournalFile:
    """Appends the pairs of a match to a file, or to none.

    Args:
        name: of the file; ``None`` keeps nothing.

    Attributes:
        pairs: what the file held when it was opened, by number.

    Raises:
        Refused: the file cannot be read or written, or holds another match.
    """

    def __init__(self, name: str | None, plan: Plan, language: NullTranslations) -> None:
        self.pairs: dict[int, PlayedPair] = {}
        self._file: BinaryIO | None = None
        self._name, self._language = name or "", language
        if name is None:
            return
        path, engine = Path(name), tic_tac_toe.__version__
        with reading(name, language):
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            header, whole = header_line(plan, engine), whole_lines(text)
            if not whole and not header.startswith(text):
                raise Refused(language.gettext("the file holds something else than a match"))
            self.pairs = read_journal(whole, plan, engine)
        with writing(name, language), ExitStack() as unfinished:
            file = unfinished.enter_context(path.open("r+b" if path.exists() else "w+b"))
            file.truncate(len(whole.encode()))
            file.seek(0, os.SEEK_END)
            if not whole:
                _append(file, header)
            unfinished.pop_all()
            self._file = file

    def __enter__(self) -> JournalFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file:
            self._file.close()

    def add(self, pair: PlayedPair) -> None:
        """Write a pair, and return once it is on the disk."""
        if self._file:
            with writing(self._name, self._language):
                _append(self._file, pair_line(pair))


def _append(file: BinaryIO, line: str) -> None:
    file.write(line.encode())
    file.flush()
    os.fsync(file.fileno())
