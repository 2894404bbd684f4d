"""Rules in words."""

from __future__ import annotations

from gettext import NullTranslations

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import traits_of

from .translation import N_

#: What makes a game special, by the flags of the mnk family.
FLAGS = {
    "exact": N_("a longer row does not count"),
    "gravity": N_("marks fall down in their column"),
    "misere": N_("who makes a line loses"),
}


def describe_rules(rules: Rules, language: NullTranslations) -> str:
    """Return rules in a few words, without a full stop: the board, and the traits of the game."""
    _, traits = language.gettext, traits_of(rules)
    if traits.blocks is not None and traits.memory == "block":
        board = _(
            "a board of {columns} × {rows} small boards; the cell you choose in one tells "
            "the board of the next move"
        ).format(columns=traits.blocks.columns, rows=traits.blocks.rows)
    else:
        board = f"{rules.shape.columns} × {rules.shape.rows}"
        if traits.length is not None:
            board += ", " + _("{length} in a row").format(length=traits.length)
    special = [_(meaning) for flag, meaning in FLAGS.items() if flag in traits.flags]
    return "; ".join([board, *special])
