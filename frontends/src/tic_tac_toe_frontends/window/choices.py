"""What can be chosen in the window, in the reader's language."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.rules.catalogue import VARIANTS

from ..table.setup import Setup
from ..words.game_text import game_name, player_title, starter_title, variant_title
from ..words.players import PLAYERS, STARTERS
from ..words.translation import LANGUAGE_TITLES, LANGUAGES
from .commands import Group
from .palettes import AUTOMATIC, DARK, LIGHT, THEMES


def groups_of(setup: Setup, theme: str, code: str, language: NullTranslations) -> dict[str, Group]:
    """Return all groups by their names.

    Args:
        setup: the game that is played.
        theme: the colours that were chosen, of `THEMES`.
        code: the language that is spoken.
        language: its messages.
    """
    _ = language.gettext
    players = [(name, player_title(name, language)) for name in PLAYERS]
    variants = [(name, variant_title(rules, language)) for name, rules in VARIANTS.items()]
    variant = game_name(setup.rules)
    if variant not in VARIANTS:
        variants.append((variant, variant_title(setup.rules, language)))
    starters = [(name, starter_title(name, language)) for name in STARTERS]
    titles = {AUTOMATIC: _("Automatic"), LIGHT: _("Light"), DARK: _("Dark")}
    themes = [(name, titles[name]) for name in THEMES]
    languages = [(name, LANGUAGE_TITLES[name]) for name in LANGUAGES]
    return {
        "x": Group(_("Player X"), players, setup.x),
        "o": Group(_("Player O"), players, setup.o),
        "variant": Group(_("Game"), variants, variant),
        "starting": Group(_("Who starts"), starters, setup.starting),
        "theme": Group(_("Colours"), themes, theme),
        "language": Group(_("Language"), languages, code),
    }
