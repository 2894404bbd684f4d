"""Results of pairs of games: the same opening twice, the colours changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

#: The possible points of a pair of games: a win is one point, a draw half a point.
PAIR_POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)
#: The same as a share of the points, which is a score: 0 is all lost, 1 all won.
PAIR_SCORES = tuple(points / 2 for points in PAIR_POINTS)


class PairCounts(NamedTuple):
    """How many pairs ended with each number of points for one player (pentanomial counts).

    Attributes:
        both_lost: pairs with 0 points.
        half: with half a point: a draw and a loss.
        even: with one point: a win and a loss, or two draws.
        one_and_half: with 1.5 points: a win and a draw.
        both_won: with 2 points.
    """

    both_lost: int = 0
    half: int = 0
    even: int = 0
    one_and_half: int = 0
    both_won: int = 0

    @classmethod
    def of(cls, points: Iterable[float]) -> PairCounts:
        """Return the counts of pairs by the points that the player had of each.

        Raises:
            ValueError: a number is not in `PAIR_POINTS`.
        """
        counts = [0] * len(PAIR_POINTS)
        for each in points:
            counts[PAIR_POINTS.index(each)] += 1
        return cls(*counts)

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self)

    @property
    def points(self) -> float:
        """The player's points of all games."""
        return sum(count * points for count, points in zip(self, PAIR_POINTS))

    @property
    def score(self) -> float:
        """The share of all points, 0 to 1; one half where no pair was played."""
        return self.points / (2 * self.pairs) if self.pairs else 0.5

    @property
    def variance(self) -> float:
        """The variance of the score of one pair, as these pairs show it."""
        if not self.pairs:
            return 0.0
        mean = self.score
        squares = (count * (score - mean) ** 2 for count, score in zip(self, PAIR_SCORES))
        return sum(squares) / self.pairs

    @property
    def decided_score(self) -> float:
        """The share of the points in pairs that were not even; one half where all were."""
        decided = self._replace(even=0)
        return decided.score

    def plus(self, others: PairCounts) -> PairCounts:
        """Return these pairs and others together."""
        return PairCounts(*(own + more for own, more in zip(self, others)))

    def reversed(self) -> PairCounts:
        """Return the same pairs as the opponent counts them."""
        return PairCounts(*self[::-1])
