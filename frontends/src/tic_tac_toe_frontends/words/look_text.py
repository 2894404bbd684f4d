"""What the looks of boards are called, in the reader's language."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.game.looks import Look

from .translation import N_

LOOK_TITLES = {
    Look.MARKS: N_("Letters on paper"),
    Look.DISCS: N_("Discs in wells"),
    Look.STONES: N_("Stones on crossings"),
}


def look_title(look: Look, language: NullTranslations) -> str:
    """Return what menus call a look."""
    return language.gettext(LOOK_TITLES[look])
