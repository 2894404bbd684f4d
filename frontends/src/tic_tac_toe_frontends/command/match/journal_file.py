"""The file of ``--out``: pairs are synced to disk before they count, so that a match can resume."""

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

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # Windows: there nothing keeps two processes off one file
    flock = None  # type: ignore[assignment]  # a function where there is one


class JournalFile:
    """Appends the pairs of a match to a file, if there is one.

    Args:
        name: of the file; ``None`` for none.

    Attributes:
        pairs: the pairs already in the file, by number.

    Raises:
        Refused: the file cannot be read or written, holds another match, or is in use by another
            process.
    """

    def __init__(self, name: str | None, plan: Plan, language: NullTranslations) -> None:
        self.pairs: dict[int, PlayedPair] = {}
        self._file: BinaryIO | None = None
        self._name, self._language = name or "", language
        if name is None:
            return
        header = header_line(plan, tic_tac_toe.__version__)
        with ExitStack() as unfinished:
            with writing(name, language):
                file = unfinished.enter_context(Path(name).open("a+b"))
            with reading(name, language):
                _lock(file, language)
                file.seek(0)
                text = file.read().decode()
                whole = whole_lines(text)
                if not whole and not header.startswith(text):
                    raise Refused(language.gettext("the file holds something else than a match"))
                self.pairs = read_journal(whole, plan, tic_tac_toe.__version__)
            with writing(name, language):
                file.truncate(len(whole.encode()))
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
        """Write a pair, and sync it to disk."""
        if self._file:
            with writing(self._name, self._language):
                _append(self._file, pair_line(pair))


def _lock(file: BinaryIO, language: NullTranslations) -> None:
    """Lock a file until it is closed.

    Raises:
        Refused: another process has locked it.
    """
    if flock is None:
        return
    try:
        flock(file, LOCK_EX | LOCK_NB)
    except OSError:
        raise Refused(language.gettext("another process plays the match of this file")) from None


def _append(file: BinaryIO, line: str) -> None:
    file.write(line.encode())
    file.flush()
    os.fsync(file.fileno())
