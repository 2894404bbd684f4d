"""What the library says, in the reader's language: the library itself speaks English.

An error of the library carries its sentence as a template with parameters. The catalogues have the
template; `make locale` collects it from the library's source.
"""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import GameError, Message


def localise(language: NullTranslations, message: object) -> str:
    """Return a message of the library, or an error that carries one, in another language.

    Parameters that are messages are translated as well. Any other value is returned as its text.
    """
    if isinstance(message, GameError):
        message = message.message
    if not isinstance(message, Message):
        return str(message)
    text = language.gettext(message.template) if message.template else ""
    if not message.params:
        return text
    parts = {
        name: localise(language, part) if isinstance(part, (GameError, Message)) else part
        for name, part in message.params
    }
    return text.format(**parts)
