"""Wald's sequential probability ratio test on pairs of games: stop as soon as enough is known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from tic_tac_toe.contest.elo import score_of
from tic_tac_toe.contest.likelihood import log_likelihood_ratio
from tic_tac_toe.contest.pairs import PairCounts
from tic_tac_toe.logic.exceptions import GameError

#: The decisions of a test: the difference is like ``elo1``, or like ``elo0``.
Decision = Literal["elo1", "elo0"]


class InvalidTest(GameError, ValueError):
    """A test that could not decide."""


@dataclass(frozen=True)
class Sprt:
    """A test of two hypotheses about the Elo difference, with pairs as the unit (pentanomial).

    The expected score under each is that of the logistic model; the rest of the distribution is
    taken from the results (a generalised test, as in `likelihood`).

    Args:
        elo0: the lower difference, that of the hypothesis to be rejected.
        elo1: the higher one.
        alpha: how often the test may say ``elo1`` where ``elo0`` is true.
        beta: how often it may say ``elo0`` where ``elo1`` is true.

    Raises:
        InvalidTest: ``elo0`` is not below ``elo1``, one of them is out of range, or ``alpha`` or
            ``beta`` is not between 0 and one half.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise InvalidTest(
                "the test needs two Elo differences, the lower one first, from -{most} to {most}",
                "sprt_elo",
                most=MOST_ELO,
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise InvalidTest(
                "the error rates of the test must be above 0 and below 0.5", "sprt_rates"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which the test says ``elo0`` and ``elo1``."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: PairCounts) -> float:
        """Return the log likelihood ratio: positive where ``elo1`` explains the pairs better."""
        return log_likelihood_ratio(counts, score_of(self.elo0), score_of(self.elo1))

    def decide(self, counts: PairCounts) -> Decision | None:
        """Return what the pairs say, or ``None`` while more are needed."""
        lower, upper = self.bounds
        ratio = self.ratio(counts)
        if ratio >= upper:
            return "elo1"
        return "elo0" if ratio <= lower else None


#: The largest difference that a test is asked about: a score of 99.7 %.
MOST_ELO = 1_000
