"""What keys do in a game, in a sentence."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import Digits, letters, traits_of

from ...words.translation import in_clauses


def describe_keys(rules: Rules, language: NullTranslations) -> str:
    """Return which keys play a game, and no others."""
    _, digits = language.gettext, traits_of(rules).digits
    keys = [_("arrow keys and Enter")]
    if digits is Digits.COLUMNS:
        keys.append(_("1 to 9 for the column"))
    elif digits is Digits.NUMBER_PAD:
        keys.append(_("1 to 9 as on the number pad"))
    if letters(rules):
        keys.append(_("X and O for the letter"))
    keys.append(_("Ctrl+Z takes back"))
    return _("Keys: {keys}.").format(keys=in_clauses(keys, language))
