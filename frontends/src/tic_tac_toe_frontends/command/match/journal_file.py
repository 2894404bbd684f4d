"""The file of ``--out``: pairs are synced to disk before they count, so that a match can resume."""

from __future__ import annotations

from contextlib import ExitStack
from gettext import NullTranslations

import tic_tac_toe
from tic_tac_toe.contest.journal import header_line, pair_line, read_journal
from tic_tac_toe.contest.plan import Plan, PlayedPair
from tic_tac_toe.files import Journal

from ...program.files import reading, writing
from ...program.process import Refused


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
        self._journal: Journal | None = None
        self._name, self._language = name or "", language
        if name is None:
            return
        with ExitStack() as unfinished:
            with writing(name, language):
                journal = Journal(name, header_line(plan, tic_tac_toe.__version__))
                unfinished.enter_context(journal)
            with reading(name, language):
                try:
                    is_match = journal.read()
                except BlockingIOError:
                    text = language.gettext("another process plays the match of this file")
                    raise Refused(text) from None
                if not is_match:
                    raise Refused(language.gettext("the file holds something else than a match"))
                self.pairs = read_journal(journal.text, plan, tic_tac_toe.__version__)
            with writing(name, language):
                journal.resume()
            unfinished.pop_all()
            self._journal = journal

    def __enter__(self) -> JournalFile:
        return self

    def __exit__(self, *_: object) -> None:
        if self._journal:
            self._journal.__exit__()

    def add(self, pair: PlayedPair) -> None:
        """Write a pair, and sync it to disk."""
        if self._journal:
            with writing(self._name, self._language):
                self._journal.append(pair_line(pair))
