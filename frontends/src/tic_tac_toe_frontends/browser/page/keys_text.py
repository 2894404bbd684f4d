"""A sentence about the keys of a game."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import Digits, letters, traits_of

from ...words.translation import join_clauses


def describe_keys(rules: Rules, language: NullTranslations) -> str:
    """Return a sentence about the keys that work in a game."""
    _, digits = language.gettext, traits_of(rules).digits
    keys = [_("arrow keys and Enter")]
    if digits is Digits.COLUMNS:
        keys.append(_("1 to 9 for the column"))
    elif digits is Digits.NUMBER_PAD:
        keys.append(_("1 to 9 as on the number pad"))
    if letters(rules):
        keys.append(_("X and O for the letter"))
    keys.append(_("Ctrl+Z takes back"))
    return _("Keys: {keys}.").format(keys=join_clauses(keys, language))
