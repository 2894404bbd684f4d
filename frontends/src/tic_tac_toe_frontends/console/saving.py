"""Saving games in files named at the prompt."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.records import Record

from ..program.files import unquoted
from ..program.process import Refused
from ..program.record_files import RecordFiles
from ..program.terminal import Terminal


class Saving:
    """Writes a game to new files, or again to files that it wrote before."""

    def __init__(self, terminal: Terminal, language: NullTranslations) -> None:
        self._terminal = terminal
        self._language = language
        self._written: set[str] = set()

    def save(self, name: str, record: Record) -> None:
        """Write a game to a file, and confirm it.

        Raises:
            Refused: there is no name, or the file cannot be written.
        """
        _, name = self._language.gettext, unquoted(name)
        if not name:
            raise Refused(_("Name a file: save FILE"))
        overwrite = name in self._written
        RecordFiles(self._language).write(name, [record], overwrite=overwrite)
        self._written.add(name)
        message = _("Saved again to {file}.") if overwrite else _("Saved to {file}.")
        self._terminal.show(message.format(file=name))
