"""Refusals of the library in words for players: one sentence without flags and commands."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import GameError, Message

from .translation import N_, as_sentence, localise

_NO_GAME = N_("There is no game called {text}.")
_THREE_NUMBERS = N_("A board has three numbers: columns, rows and how many in a row.")
_NOT_TOGETHER = N_("These rules do not go together.")
#: The sentences by the code of the refusal.
SENTENCES = {
    "side_range": N_("A board has 1 to {most} columns and rows."),
    "long_line": N_("{count} in a row do not fit on this board."),
    "short_line": N_("A row has at least one cell."),
    "number_kind": _THREE_NUMBERS,
    "missing_numbers": _THREE_NUMBERS,
    "unknown_variant": _NO_GAME,
    "misspelt_variant": _NO_GAME,
    "own_variant": _NO_GAME,
    "unknown_flag": _NOT_TOGETHER,
    "repeated_flag": _NOT_TOGETHER,
}


def refusal_text(refusal: GameError, language: NullTranslations) -> str:
    """Return a refusal as a sentence to players; those without one of their own as they are."""
    message = refusal.message
    if message.code not in SENTENCES:
        return as_sentence(localise(language, refusal), language)
    params = dict(message.params)
    if isinstance(reason := params.get("reason"), Message):  # where in a text it was found
        params |= dict(reason.params)
    return language.gettext(SENTENCES[message.code]).format(**params)
