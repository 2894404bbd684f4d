"""Games that were saved, and go on."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.records import Record

from ..process import Refused
from ..record_files import RecordFiles
from ..table import PLAYERS, Setup, Table


def open_game(name: str, table: Table, language: NullTranslations) -> None:
    """Go on at a table with the last game of a file.

    Raises:
        Refused: it cannot be read, or holds no game.
    """
    records = RecordFiles(language).read(name)
    if not records:
        raise Refused(language.gettext("No games."))
    record = records[-1]
    table.begin(_setup_of(record, table.setup), state=record.initial_state, cells=record.moves)


def save_game(name: str, table: Table, language: NullTranslations) -> None:
    """Write the game of a table to a file, in place of one that may be there.

    Raises:
        Refused: it cannot be written.
    """
    RecordFiles(language).write(name, [table.record], overwrite=True)


def _setup_of(record: Record, setup: Setup) -> Setup:
    """Return what a recorded game was, with its players as far as they are known here."""
    tags = dict(record.tags)
    x, o = (tags.get(mark, "") for mark in ("X", "O"))
    return Setup(
        record.rules,
        x if x in PLAYERS else setup.x,
        o if o in PLAYERS else setup.o,
        record.starting_mark.value,
    )
