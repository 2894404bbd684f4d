"""Rules in words."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere, without_misere
from tic_tac_toe.logic.rules.ultimate import Ultimate


def describe_rules(rules: Rules, language: NullTranslations) -> str:
    """Return rules in a few words, without a full stop; of a user's own, the size of the board."""
    _, plain = language.gettext, without_misere(rules)
    if isinstance(plain, Ultimate):
        parts = [
            _(
                "a board of {columns} × {rows} small boards; the cell you choose in one tells "
                "the board of the next move"
            ).format(columns=plain.local.shape.columns, rows=plain.local.shape.rows)
        ]
    else:
        parts = [f"{plain.shape.columns} × {plain.shape.rows}"]
    if isinstance(plain, LineRules):
        parts[0] += ", " + _("{length} in a row").format(length=plain.length)
        if plain.exact:
            parts.append(_("a longer row does not count"))
        if plain.gravity:
            parts.append(_("marks fall down in their column"))
    if isinstance(rules, Misere):
        parts.append(_("who makes a line loses"))
    return "; ".join(parts)


def line_length(rules: Rules) -> int | None:
    """Return how many marks in a row make a line, ``None`` for rules of a user's own."""
    plain = without_misere(rules)
    board = plain.local if isinstance(plain, Ultimate) else plain
    return board.length if isinstance(board, LineRules) else None


def flags_of(rules: Rules) -> list[str]:
    """Return what is special about rules, in single words for programs."""
    plain = without_misere(rules)
    special = {
        "gravity": isinstance(plain, LineRules) and plain.gravity,
        "exact": isinstance(plain, LineRules) and plain.exact,
        "ultimate": isinstance(plain, Ultimate),
        "misere": isinstance(rules, Misere),
    }
    return [flag for flag, holds in special.items() if holds]
