"""The two scales of exact scores: that of `logic.search.scores`, in plies, and that of the kernels.

The kernels count marks (see `kernels.control`). Which side makes the last mark is known, so the one
scale follows from the other and from the marks on the board.
"""

from __future__ import annotations

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.search.scores import MATE


class Scale:
    """The translation for positions with a number of marks.

    Args:
        cells: of the board.
        ply: the marks on it.
        misere: whether the last mark is the loser's.
    """

    def __init__(self, cells: int, ply: int, misere: bool = False) -> None:
        self.top: int = (cells + 1) // 2 + 1
        self._ply = ply
        self._wins_odd = (ply + 1 + misere) % 2  # 1 if the side to move wins at odd counts of marks

    @classmethod
    def of(cls, rules: Rules, position: Position) -> Scale:
        """Return the scale of a position."""
        return cls(rules.shape.cells, position.marks, isinstance(rules, Misere))

    def to_score(self, marks: int) -> int:
        """Return the score in plies of a score in marks."""
        if marks == 0:
            return 0
        odd = self._wins_odd if marks > 0 else 1 - self._wins_odd
        plies = 2 * (self.top - abs(marks)) - odd - self._ply
        return MATE - plies if marks > 0 else plies - MATE

    def to_marks(self, bound: int) -> int:
        """Return the least score in marks that is worth at least this bound in plies."""
        if bound == 0:
            return 0
        if bound > 0:
            latest = self._ply + MATE - bound
            return max(1, self.top - (latest + self._wins_odd) // 2)
        too_early = self._ply + MATE + bound - 1
        return min(0, 1 - self.top + (too_early + 1 - self._wins_odd) // 2)

    def to_bounds(self, low: int, high: int) -> tuple[int, int]:
        """Return bounds in plies for bounds in marks; beyond `top` nothing is known."""
        return (
            self.to_score(low) if low > -self.top else -MATE,
            self.to_score(high) if high < self.top else MATE,
        )
