"""Which position of a game is shown: the present one, or one of its past."""

from __future__ import annotations

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import GameState


class Replay:
    """The ply of a game that people look at; the game itself is not changed.

    Attributes:
        ply: the number of moves before the shown position; ``None`` for the present position.
    """

    def __init__(self) -> None:
        self.ply: int | None = None

    def moment(self, match: Match) -> int:
        """Return the number of moves before the shown position."""
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
        """Show the position after ``ply`` moves; after the last one the present position."""
        ply = min(max(ply, 0), match.ply)
        self.ply = None if ply == match.ply else ply

    def steps(self, match: Match) -> dict[str, int]:
        """Return where steps lead to, by their names: ``first``, ``back``, ``on`` and ``last``.

        Steps that lead nowhere are left out.
        """
        moment = self.moment(match)
        plies = {"first": 0, "back": moment - 1, "on": moment + 1, "last": match.ply}
        return {name: ply for name, ply in plies.items() if ply != moment and 0 <= ply <= match.ply}

    def leave(self) -> None:
        """Show the present position."""
        self.ply = None
