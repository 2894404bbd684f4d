"""The line below the board of what people choose besides a cell: a letter, or to swap."""

from __future__ import annotations

from gettext import NullTranslations

from textual.content import Content
from textual.style import Style

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.placements import letters
from tic_tac_toe.logic.rules.traits import traits_of

from ..table.advice import Advice
from ..table.table import Table
from ..words.game_text import letter_title, special_title
from .keys import LETTER_KEYS, SPECIAL_KEYS, key_part
from .signs import advice_text

CHOSEN, OTHER = "(•)", "( )"
#: Longer than what is advised about any move.
_ROOM = 20


def has_choices(rules: Rules) -> bool:
    """Return whether a game needs the line."""
    return bool(letters(rules) or traits_of(rules).specials)


def choice_line(table: Table, advice: Advice, language: NullTranslations) -> Content:
    """Return the letters, the chosen one marked, and the moves that place nothing, while legal.

    Each has its key; a click on it does what the key does.
    """
    parts = [
        key_part(
            LETTER_KEYS[letter],
            f"{CHOSEN if letter == table.letter else OTHER} {letter_title(letter, language)}",
            f"choose('{letter}')",
            Style(bold=letter == table.letter or None),
        )
        for letter in table.letters
    ]
    specials = table.state.special_moves if table.thinker is None else {}
    verdicts = {verdict.cell: verdict for verdict in advice.verdicts}
    for name, number in specials.items():
        title, best = special_title(name, language), number in advice.best
        if best or number in verdicts:
            title += f"  {advice_text(verdicts.get(number), _ROOM, best)}"
        parts.append(key_part(SPECIAL_KEYS[name], title, f"special('{name}')", Style()))
    return Content("   ").join(parts)
