"""Files of games that people save and open in the page."""

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

#: Larger files are refused unread: these hold hundreds of games.
MAXIMUM_BYTES = 256 * 1024


def check_size(size: int, language: NullTranslations) -> None:
    """Raise `Refused` for a file that is too large to be read."""
    if size > MAXIMUM_BYTES:
        message = language.gettext("This file is larger than {count} kB.")
        raise Refused(message.format(count=MAXIMUM_BYTES // 1024))


def read_file(text: str, language: NullTranslations) -> LinkedGame:
    """Return the last game of a file.

    The players are those that the file names, as far as this program has them; others are people.

    Raises:
        Refused: the file holds no game, or has a fault; the message is one line.
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
