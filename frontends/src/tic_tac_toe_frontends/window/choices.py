"""What can be chosen in the window, in the reader's language."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.rules.catalogue import VARIANTS

from ..table.setup import Setup
from ..words.game_text import game_name, setup_menus, variant_title
from ..words.translation import LANGUAGE_TITLES, code_of
from .commands import Group
from .palettes import AUTOMATIC, DARK, LIGHT, THEMES


def groups_of(setup: Setup, theme: str, language: NullTranslations) -> dict[str, Group]:
    """Return all groups by their names.

    Args:
        theme: the colours that were chosen, of `THEMES`.
    """
    _ = language.gettext
    menus, variant = setup_menus(language), game_name(setup.rules)
    if variant not in VARIANTS:
        menus["variant"].append((variant, variant_title(setup.rules, language)))
    titles = {AUTOMATIC: _("Automatic"), LIGHT: _("Light"), DARK: _("Dark")}
    themes = [(name, titles[name]) for name in THEMES]
    return {
        "x": Group(_("Player X"), menus["x"], setup.x),
        "o": Group(_("Player O"), menus["o"], setup.o),
        "variant": Group(_("Game"), menus["variant"], variant),
        "starting": Group(_("Who starts"), menus["starting"], setup.starting),
        "theme": Group(_("Colours"), themes, theme),
        "language": Group(_("Language"), [*LANGUAGE_TITLES.items()], code_of(language)),
    }
