"""Order and Chaos (Stephen Sniderman, 1981): one player wants a line, the other wants none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tic_tac_toe.logic.rules.letters import LetterRules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.shapes import Shape

if TYPE_CHECKING:
    from tic_tac_toe.logic.rules.traits import Traits

ORDER, CHAOS = 0, 1


@dataclass(frozen=True)
class OrderAndChaos(LetterRules):
    """Either player places either letter; Order wins with any line, Chaos with a board without one.

    Order is side 0, whom other games call X, and begins.
    """

    line: LineRules = LineRules(Shape(6, 6), 5)

    @property
    def traits(self) -> Traits:
        """What notation and screens need to know."""
        sides, words = ("Order", "Chaos"), ("order and chaos",)
        return replace(super().traits, sides=sides, begins=ORDER, words=words)

    def winner(self, turn: int, has_line: bool) -> int:
        """Return Order if there is a line, else Chaos."""
        return ORDER if has_line else CHAOS
