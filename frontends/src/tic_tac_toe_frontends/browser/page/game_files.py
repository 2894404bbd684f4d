"""Files of saved games."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import InvalidNotation
from tic_tac_toe.logic.records import parse_records

from ...program.files import refuse_foreign
from ...program.process import Refused
from ...table.setup import Setup, setup_of_record
from ...words.rules_text import HUMAN
from ...words.translation import localise
from .links import LinkedGame

#: Larger files are refused unread; this size is enough for hundreds of games.
MAXIMUM_BYTES = 256 * 1024


def check_size(size: int, language: NullTranslations) -> None:
    """Raise `Refused` if a file is too large."""
    if size > MAXIMUM_BYTES:
        message = language.gettext("This file is larger than {count} kB.")
        raise Refused(message.format(count=MAXIMUM_BYTES // 1024))


def read_file(text: str, language: NullTranslations) -> LinkedGame:
    """Return the last game of a file.

    Players that this program does not have become people.

    Raises:
        Refused: the file holds no game or is invalid; the message is one line.
    """
    try:
        refuse_foreign(text.encode(), language)
        records = parse_records(text)
    except (InvalidNotation, Refused) as error:
        message = language.gettext("This file holds no game: {reason}.")
        raise Refused(message.format(reason=localise(language, error))) from None
    if not records:
        raise Refused(language.gettext("This file is empty."))
    record = records[-1]
    setup = setup_of_record(record, Setup(x=HUMAN, o=HUMAN))
    return LinkedGame(setup, record.initial_state, record.moves)
