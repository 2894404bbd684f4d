"""A coach: it objects to a move that throws something away, before the computer answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import GameState, Mark

from .queries import ExplainMove

if TYPE_CHECKING:
    from tic_tac_toe.insight.explain import Explanation

#: The results of moves that it objects to.
THROWN_AWAY = frozenset(("drops_win", "turns_win", "loses"))


class Coach:
    """Judges each move of a person who plays a computer.

    Attributes:
        is_on: whether it judges moves; off at first.
        objection: why the last move throws something away; while there is one the computer waits.
    """

    def __init__(self) -> None:
        self.is_on = False
        self.objection: Explanation | None = None
        self._judged: GameState | None = None

    def query(self, match: Match, person: Mark | None) -> ExplainMove | None:
        """Return the query about the last move, unless it is a computer's or judged."""
        move = match.history[-1] if match.history else None
        if not self.is_on or move is None or move.player is not person:
            return None
        is_judged = match.state is self._judged
        return None if is_judged else ExplainMove(move.before_state, move.number)

    def judge(self, state: GameState, explanation: Explanation | None) -> None:
        """Object to the move that led to a state, if it throws something away."""
        self._judged = state
        result = None if explanation is None else explanation.result
        if result is not None and result.code in THROWN_AWAY:
            self.objection = explanation
