"""What menus call the players of a game: by their letters, or by their names."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules import Rules

from ...words.game_text import starter_title
from ...words.players import RANDOM
from ...words.rules_text import side_title
from .words import WORDS


def seat_label(rules: Rules, mark: Mark, language: NullTranslations) -> str:
    """Return what the menu of a side's player is called, as in “Player X” or “Order”."""
    title = side_title(rules, mark, language)
    return language.gettext(WORDS[f"player-{mark.lower()}"]) if title == mark else title


def starter_menu(
    rules: Rules, names: tuple[str, ...], language: NullTranslations
) -> list[tuple[str, str]]:
    """Return the entries of a menu of sides, of ``X``, ``O`` and ``random``."""
    return [
        (
            name,
            starter_title(name, language)
            if name == RANDOM
            else side_title(rules, Mark(name), language),
        )
        for name in names
    ]
