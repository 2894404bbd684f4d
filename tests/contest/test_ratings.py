"""Ratings of several players, beside choix and the second derivatives of the likelihood."""

from __future__ import annotations

import math

import choix
import numpy as np
import pytest

from tic_tac_toe.contest.elo import (
    DEVIATIONS,
    ELO_SCALE,
    elo_of,
)
from tic_tac_toe.contest.pairs import PairCounts
from tic_tac_toe.contest.ratings import rate

TOURNAMENT = {
    (0, 1): PairCounts(1, 2, 5, 6, 3),
    (0, 2): PairCounts(0, 1, 4, 2, 6),
    (1, 2): PairCounts(2, 3, 7, 1, 2),
    (1, 3): PairCounts(0, 0, 3, 4, 4),
    (2, 3): PairCounts(1, 0, 2, 3, 2),
}


def choix_data() -> list[tuple[int, int]]:
    """Return the games of `TOURNAMENT` for choix: each twice, so that a draw is one of each."""
    data = []
    for (one, other), counts in TOURNAMENT.items():
        won, lost = 2 * counts.points, 2 * counts.reversed().points
        data += [(one, other)] * round(won) + [(other, one)] * round(lost)
    return data


@pytest.mark.once
def test_ratings_are_those_of_choix() -> None:
    strengths = choix.opt_pairwise(4, choix_data(), method="BFGS", tol=1e-9)
    ratings = rate(4, TOURNAMENT, prior=0)

    expected = (strengths - strengths.mean()) * ELO_SCALE
    assert [rating.elo for rating in ratings] == pytest.approx(list(expected), abs=0.01)


@pytest.mark.once
def test_errors_come_from_the_second_derivatives_of_the_likelihood() -> None:
    ratings = rate(4, TOURNAMENT, prior=0)
    best = np.array([rating.elo / ELO_SCALE for rating in ratings])

    def likelihood(strengths: np.ndarray) -> float:
        return sum(
            points * -math.log1p(math.exp(strengths[loser] - strengths[winner]))
            for (one, other), counts in TOURNAMENT.items()
            for winner, loser, points in (
                (one, other, counts.points),
                (other, one, counts.reversed().points),
            )
        )

    step, units = 1e-3, np.eye(4) * 1e-3
    second = [
        [
            likelihood(best + a + b)
            - likelihood(best + a - b)
            - likelihood(best - a + b)
            + likelihood(best - a - b)
            for b in units
        ]
        for a in units
    ]
    # The pseudo-inverse fixes the mean, which the games say nothing about.
    covariance = np.linalg.pinv(-np.array(second) / (4 * step * step), rcond=1e-5)
    expected = DEVIATIONS * ELO_SCALE * np.sqrt(np.diag(covariance))
    assert [rating.error for rating in ratings] == pytest.approx(list(expected), rel=1e-3)


def test_a_rating_counts_all_games_of_a_player() -> None:
    ratings = rate(4, TOURNAMENT)

    assert [rating.games for rating in ratings] == [60, 86, 72, 38]
    assert sum(rating.elo for rating in ratings) == pytest.approx(0)
    assert sum(rating.points for rating in ratings) == sum(rating.games for rating in ratings) / 2


def test_a_player_who_lost_every_game_is_rated_by_the_prior_draw() -> None:
    results = {(0, 1): PairCounts(both_won=10)}
    better, worse = rate(2, results)

    # 20.5 of 21 points.
    assert better.elo - worse.elo == pytest.approx(elo_of(20.5 / 21))
    assert better.error == pytest.approx(worse.error)
    with pytest.raises(ValueError, match="or somebody won or lost all of them"):
        rate(2, results, prior=0)


def test_players_who_never_met_are_not_compared() -> None:
    with pytest.raises(ValueError, match="do not compare"):
        rate(3, {(0, 1): PairCounts(even=3)})
