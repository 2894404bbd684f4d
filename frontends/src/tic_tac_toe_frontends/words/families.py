"""The games of the catalogue in groups, as menus show them."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations

from tic_tac_toe.logic.rules.catalogue import VARIANTS

from .rules_text import variant_title
from .translation import N_

#: The names of games by what their group is called; each game is in one group.
FAMILIES: Mapping[str, tuple[str, ...]] = {
    N_("Tic-tac-toe"): (
        "tic-tac-toe",
        "misere-tic-tac-toe",
        "wild",
        "misere-wild",
        "ultimate",
        "ultimate-open",
    ),
    N_("Connect Four"): ("connect-four", "connect-four-5x4", "misere-connect-four"),
    N_("Five in a row"): ("gomoku", "gomoku-standard", "gomoku-caro", "renju"),
    N_("Other sizes"): ("4x4", "4x4x3", "5x5x4", "6x6x5"),
    N_("Three dimensions"): ("3x3x3", "qubic", "score-four"),
    N_("Marks that vanish"): ("vanishing", "vanishing-reuse", "vanishing-late"),
    N_("Other games"): (
        "order-and-chaos",
        "notakto",
        "notakto-2",
        "notakto-3",
        "notakto-4",
        "notakto-5",
        "notakto-6",
    ),
}


def families(language: NullTranslations) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the groups of games: what each is called, and its games' names with their titles."""
    return [
        (
            language.gettext(title),
            [(name, variant_title(VARIANTS[name], language)) for name in names],
        )
        for title, names in FAMILIES.items()
    ]
