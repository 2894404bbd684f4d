"""The line below the board of what people choose besides a cell: a letter, or to swap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
from .painter import advice_text

CHOSEN, OTHER = "(•)", "( )"
#: Longer than what is advised about any move.
_ROOM = 20


def has_choices(rules: Rules) -> bool:
    """Return whether a game needs the line."""
    return bool(letters(rules) or traits_of(rules).specials)


def choice_line(table: Table, advice: Advice, language: NullTranslations, width: int) -> Content:
    """Return the letters, the chosen one marked, and the moves that place nothing, while legal.

    Each has its key; a click on it does what the key does.

    Args:
        width: where the line does not fit it, the letters stand without words.
    """
    specials = [*_special_parts(table, advice, language)]
    titles = [letter_title(letter, language) for letter in table.letters]
    lines = [
        Content("   ").join([*_letter_parts(table, words), *specials])
        for words in (titles, table.letters)
    ]
    return next((line for line in lines if line.cell_length <= width - 2), lines[-1])


def _letter_parts(table: Table, titles: Iterable[str]) -> Iterator[Content]:
    """Yield the letters that people choose among, called as given."""
    for letter, title in zip(table.letters, titles):
        is_chosen = letter == table.letter
        yield key_part(
            LETTER_KEYS[letter],
            f"{CHOSEN if is_chosen else OTHER} {title}",
            f"choose('{letter}')",
            Style(bold=is_chosen or None),
        )


def _special_parts(table: Table, advice: Advice, language: NullTranslations) -> Iterator[Content]:
    """Yield the moves that place nothing and are legal, with what is advised about them."""
    specials = table.state.special_moves if table.thinker is None else {}
    values = {worth.cell: worth for worth in advice.values}
    for name, number in specials.items():
        title, best = special_title(name, language), number in advice.best
        if best or number in values:
            title += f"  {advice_text(values.get(number), _ROOM, best)}"
        yield key_part(SPECIAL_KEYS[name], title, f"special('{name}')", Style())
