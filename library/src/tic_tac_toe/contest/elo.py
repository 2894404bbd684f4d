"""Differences in strength: Elo with an interval, normalised Elo, and who is likely the stronger."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

from tic_tac_toe.contest.likelihood import deviations_above, score_interval
from tic_tac_toe.contest.pairs import PairCounts

#: The share of matches in which the interval holds the true difference.
CONFIDENCE = 0.95
#: The normal value that leaves half of the rest on either side: 1.96.
DEVIATIONS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
#: With fewer pairs `likelihood_of_superiority` is ``None``.
LEAST_PAIRS = 20
#: Elo points for each factor of e in the odds.
ELO_SCALE = 400 / math.log(10)


class EloDifference(NamedTuple):
    """By how much a player is stronger, in Elo, and the interval that holds it with `CONFIDENCE`.

    Each may be infinite, where a player won or lost everything.
    """

    value: float
    low: float
    high: float


def score_of(elo: float) -> float:
    """Return the expected score of a player that is stronger by ``elo``: 0.5 at 0, 0.76 at 200."""
    return 1 / (1 + math.exp(-elo / ELO_SCALE))


def elo_of(score: float) -> float:
    """Return the Elo difference at which a score from 0 to 1 is the expected one."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return ELO_SCALE * math.log(score / (1 - score))


def estimate_elo(counts: PairCounts) -> EloDifference:
    """Return the difference that pairs show; the interval takes whole pairs as independent."""
    low, high = score_interval(counts, DEVIATIONS)
    if counts.both_lost == counts.pairs:
        low = 0.0
    if counts.both_won == counts.pairs:
        high = 1.0
    return EloDifference(elo_of(counts.score), elo_of(low), elo_of(high))


def normalised_elo(counts: PairCounts) -> float | None:
    """Return the score above one half in standard deviations of a game, on the scale of Elo.

    Equal values take equally many games to see, in every game and with every share of draws.
    Source: Van den Bergh, "Comments on normalized Elo". ``None`` if all pairs came out alike, so
    that the deviation is not known.
    """
    deviation = math.sqrt(2 * counts.variance)
    return (counts.score - 0.5) / deviation * 2 * ELO_SCALE if deviation else None


def likelihood_of_superiority(counts: PairCounts) -> float | None:
    """Return the probability that the player is the stronger one, if both were as likely before.

    It comes from the same likelihood as the interval of `estimate_elo`: it is above 97.5 % where
    all of the interval is above 0. ``None`` with fewer than `LEAST_PAIRS`, of which chance alone
    makes anything.
    """
    if counts.pairs < LEAST_PAIRS:
        return None
    return NormalDist().cdf(deviations_above(counts, 0.5))
