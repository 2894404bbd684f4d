"""The likelihood of pair results if the expected score were a given one.

Source: Michel Van den Bergh, "A practical introduction to the GSPRT" and "Comments on normalized
Elo", which describe what Stockfish's fishtest computes. The five frequencies of pair results that
are most likely under an expected score ``s`` are ``p[i] / (1 + x * (a[i] - s))``, where ``p`` are
those that were seen, ``a`` the scores, and ``x`` is such that the expected score becomes ``s``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tic_tac_toe.contest.pairs import PAIR_SCORES, PairCounts

#: Counts for a result that was never seen, so that no hypothesis is impossible, as fishtest has it.
UNSEEN = 1e-3
#: Halvings of the interval that holds ``x``, and of that which holds an end of a score's interval.
_HALVINGS, _EDGE_HALVINGS = 55, 30


def log_likelihood_ratio(counts: PairCounts, score0: float, score1: float) -> float:
    """Return by how much the second expected score explains the pairs better than the first.

    Args:
        score0, score1: above 0 and below 1.

    Returns:
        the natural logarithm of the ratio of the likelihoods; 0 where no pair was played.
    """
    if not counts.pairs:
        return 0.0
    return _log_likelihood(counts, score1) - _log_likelihood(counts, score0)


def score_interval(counts: PairCounts, deviations: float) -> tuple[float, float]:
    """Return the expected scores that the pairs do not contradict.

    A score is in the interval unless its likelihood is below that of the best one by more than a
    normal value ``deviations`` standard deviations from its mean (Wilks). With many pairs that is
    the mean and ``deviations`` standard errors on either side; with few pairs, or pairs that are
    all alike, the interval does not shrink to a point.
    """
    if not counts.pairs:
        return 0.0, 1.0
    best = _best_score(counts)
    least = _log_likelihood(counts, best) - deviations**2 / 2

    def edge(outside: float) -> float:
        inside = best
        for _ in range(_EDGE_HALVINGS):
            middle = (inside + outside) / 2
            if _log_likelihood(counts, middle) >= least:
                inside = middle
            else:
                outside = middle
        return inside

    return edge(1e-12), edge(1 - 1e-12)


def deviations_above(counts: PairCounts, score: float) -> float:
    """Return how many standard deviations the pairs are above an expected score, or below it.

    A normal value so far from its mean is as much less likely than the mean as the pairs are under
    the score than under the best one: `score_interval` holds the scores from which the pairs are
    not more than ``deviations`` away.
    """
    if not counts.pairs:
        return 0.0
    best = _best_score(counts)
    ratio = max(0.0, _log_likelihood(counts, best) - _log_likelihood(counts, score))
    return math.copysign(math.sqrt(2 * ratio), best - score)


def _log_likelihood(counts: PairCounts, score: float) -> float:
    """Return the log likelihood under an expected score, up to a constant."""
    weights, total = _weights(counts)
    x = _tilt([weight / total for weight in weights], score)
    return -sum(weight * math.log1p(x * (own - score)) for weight, own in zip(weights, PAIR_SCORES))


def _tilt(shares: Sequence[float], score: float) -> float:
    """Return the ``x`` for which the frequencies have the expected score; the sum falls with it."""
    low, high = -1 / (1 - score), 1 / score
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        excess = sum(
            share * (own - score) / (1 + middle * (own - score))
            for share, own in zip(shares, PAIR_SCORES)
        )
        if excess > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _weights(counts: PairCounts) -> tuple[list[float], float]:
    weights = [count or UNSEEN for count in counts]
    return weights, sum(weights)


def _best_score(counts: PairCounts) -> float:
    """Return the expected score under which the pairs are most likely."""
    weights, total = _weights(counts)
    seen = sum(weight * own for weight, own in zip(weights, PAIR_SCORES)) / total
    return min(max(seen, 1e-9), 1 - 1e-9)
