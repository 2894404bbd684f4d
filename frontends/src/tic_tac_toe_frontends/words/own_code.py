"""The warning beside a player's own code, which the page has before online play is loaded."""

from __future__ import annotations

from gettext import NullTranslations

from .translation import N_

OWN_CODE_WARNING = N_("Whoever has this code can play in your seats. Give it to nobody.")


def warn_of_own_code(language: NullTranslations) -> str:
    """Return the warning."""
    return language.gettext(OWN_CODE_WARNING)
