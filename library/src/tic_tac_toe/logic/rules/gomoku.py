"""The four games of five in a row that gomoku programs play, on a board of any size."""

from __future__ import annotations

import enum

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import FIVE, Caro, Renju
from tic_tac_toe.logic.rules.traits import Traits, traits_of
from tic_tac_toe.logic.shapes import Shape


class Gomoku(enum.Enum):
    """Which rows of five win, and which moves are forbidden; the value says what `Traits` tell."""

    FREE = ()
    EXACT = ("exact",)
    RENJU = ("renju",)
    CARO = ("exact", "caro")

    def on(self, shape: Shape) -> Rules:
        """Return the rules on a board.

        Raises:
            InvalidVariant: the board is too large, or a line of five does not fit.
        """
        if self is Gomoku.RENJU:
            return Renju(shape)
        if self is Gomoku.CARO:
            return Caro(shape, FIVE)
        return LineRules(shape, FIVE, exact=self is Gomoku.EXACT)


def gomoku_of(rules: Rules) -> Gomoku | None:
    """Return which game of five in a row the rules are; ``None`` for any other game."""
    traits, plain = traits_of(rules), Traits()
    if traits.length != FIVE or (traits.blocks, traits.choices) != (plain.blocks, plain.choices):
        return None
    return next((kind for kind in Gomoku if kind.value == traits.flags), None)
