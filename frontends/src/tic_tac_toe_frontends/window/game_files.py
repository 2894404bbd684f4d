"""Games that were saved, and go on."""

from __future__ import annotations

from gettext import NullTranslations

from ..program.process import Refused
from ..program.record_files import RecordFiles
from ..table.setup import setup_of_record
from ..table.table import Table


def open_game(name: str, table: Table, language: NullTranslations) -> None:
    """Go on at a table with the last game of a file.

    Raises:
        Refused: it cannot be read, or holds no game.
    """
    records = RecordFiles(language).read(name)
    if not records:
        raise Refused(language.gettext("No games."))
    record = records[-1]
    setup = setup_of_record(record, table.setup)
    table.begin(setup, state=record.initial_state, cells=record.moves)


def save_game(name: str, table: Table, language: NullTranslations) -> None:
    """Write the game of a table to a file, in place of one that may be there.

    Raises:
        Refused: it cannot be written.
    """
    RecordFiles(language).write(name, [table.record], overwrite=True)
