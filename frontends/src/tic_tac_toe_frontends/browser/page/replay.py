"""Which moment of a game is shown: the game as it stands, or one of its past."""

from __future__ import annotations

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import GameState


class Replay:
    """A place in the past of a game that somebody looks at; the game itself goes on untouched.

    Attributes:
        ply: how many moves the shown position is after; ``None`` for the game as it stands.
    """

    def __init__(self) -> None:
        self.ply: int | None = None

    def moment(self, match: Match) -> int:
        """Return how many moves the shown position is after."""
        return match.ply if self.ply is None else min(self.ply, match.ply)

    def state(self, match: Match) -> GameState:
        """Return the position that is shown."""
        moment = self.moment(match)
        return match.history[moment - 1].after_state if moment else match.start

    def last_cell(self, match: Match) -> int | None:
        """Return the cell of the move that led to the shown position, if one did."""
        moment = self.moment(match)
        return match.history[moment - 1].cell_index if moment else None

    def show(self, match: Match, ply: int) -> None:
        """Show the position after so many moves; after the last one the game as it stands."""
        ply = min(max(ply, 0), match.ply)
        self.ply = None if ply == match.ply else ply

    def leave(self) -> None:
        """Show the game as it stands."""
        self.ply = None
