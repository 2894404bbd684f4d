"""What the looks of boards are called, in the reader's language."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.game.looks import Look
from tic_tac_toe.logic.models import Mark

from .translation import N_

LOOK_TITLES = {
    Look.MARKS: N_("Letters on paper"),
    Look.DISCS: N_("Discs in wells"),
    Look.STONES: N_("Stones on crossings"),
}


#: What the pieces of both sides are called in looks that have pieces.
PIECES = {
    Look.DISCS: (N_("red"), N_("yellow")),
    Look.STONES: (N_("black"), N_("white")),
}


def piece_title(look: Look, mark: Mark, language: NullTranslations) -> str:
    """Return the colour of a side's pieces; empty where a board shows letters."""
    return language.gettext(PIECES[look][mark.side]) if look in PIECES else ""


def look_title(look: Look, language: NullTranslations) -> str:
    """Return what menus call a look."""
    return language.gettext(LOOK_TITLES[look])
