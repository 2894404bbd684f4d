"""Wild tic-tac-toe: either player places either letter, and any line wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tic_tac_toe.logic.rules.letters import LetterRules

if TYPE_CHECKING:
    from tic_tac_toe.logic.rules.traits import Traits


@dataclass(frozen=True)
class Wild(LetterRules):
    """The player who completes a line of one letter wins; a full board without one is a draw."""

    @property
    def traits(self) -> Traits:
        """What notation and screens need to know."""
        return replace(super().traits, sides=("Player 1", "Player 2"))

    def winner(self, turn: int, has_line: bool) -> int | None:
        """Return the side that moved last if there is a line."""
        return 1 - turn if has_line else None
