"""What pairs of games prove, beside textbook values, SciPy and simulations."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from statistics import NormalDist

import choix
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from tic_tac_toe.contest.elo import (
    CONFIDENCE,
    DEVIATIONS,
    ELO_SCALE,
    LEAST_PAIRS,
    elo_of,
    estimate_elo,
    likelihood_of_superiority,
    normalised_elo,
    score_of,
)
from tic_tac_toe.contest.likelihood import UNSEEN, log_likelihood_ratio, score_interval
from tic_tac_toe.contest.pairs import PAIR_POINTS, PAIR_SCORES, PairCounts
from tic_tac_toe.contest.ratings import rate
from tic_tac_toe.contest.sprt import Decision, InvalidTest, Sprt

#: Nine hundred pairs with a small advantage, as tests of chess engines have them.
MANY = PairCounts(13, 124, 560, 170, 33)
EXAMPLES = [MANY, PairCounts(0, 2, 5, 4, 1), PairCounts(3, 0, 4, 0, 9), PairCounts(1, 1, 2, 1, 0)]
#: What a ratio may differ by from one that SciPy's search for a maximum has found.
CLOSE = 1e-4


def oracle_log_likelihood(counts: PairCounts, score: float) -> float:
    """Return the largest log likelihood of five frequencies whose mean is ``score``."""
    weights = np.array([count or UNSEEN for count in counts])
    own = np.array(PAIR_SCORES)
    # Softmax keeps the frequencies positive, and the search without bounds.
    start = np.log(weights / weights.sum())

    def frequencies(x: np.ndarray) -> np.ndarray:
        powers = np.exp(x - x.max())
        return np.asarray(powers / powers.sum())

    found = minimize(
        lambda x: -float(weights @ np.log(frequencies(x))),
        start,
        constraints={"type": "eq", "fun": lambda x: float(frequencies(x) @ own) - score},
        method="SLSQP",
        options={"maxiter": 2000, "ftol": 1e-13},
    )
    return -float(found.fun)


@pytest.mark.parametrize(
    ("score", "elo"), [(0.5, 0), (0.75, 190.85), (10 / 11, 400), (0.36, -99.95)]
)
def test_elo_and_score_are_those_of_the_textbook(score: float, elo: float) -> None:
    assert elo_of(score) == pytest.approx(elo, abs=0.01)
    assert score_of(elo) == pytest.approx(score, abs=1e-4)


def test_nobody_scores_more_than_all_points() -> None:
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


@given(st.lists(st.sampled_from(PAIR_POINTS), min_size=1, max_size=30))
def test_counts_know_the_mean_and_the_variance_of_the_scores(points: list[float]) -> None:
    counts = PairCounts.of(points)
    scores = [each / 2 for each in points]

    assert counts.pairs == len(points)
    assert counts.score == pytest.approx(np.mean(scores))
    assert counts.variance == pytest.approx(np.var(scores))
    assert counts.reversed().score == pytest.approx(1 - counts.score)


def test_the_score_in_decided_pairs_leaves_out_the_even_ones() -> None:
    assert PairCounts(1, 0, 50, 0, 3).decided_score == 0.75
    assert PairCounts(0, 0, 5, 0, 0).decided_score == 0.5


@pytest.mark.parametrize("counts", EXAMPLES)
def test_likelihoods_are_the_largest_that_a_general_search_finds(counts: PairCounts) -> None:
    low, high = score_of(-20), score_of(60)
    oracle = oracle_log_likelihood(counts, high) - oracle_log_likelihood(counts, low)

    assert log_likelihood_ratio(counts, low, high) == pytest.approx(oracle, abs=CLOSE)


def test_with_many_pairs_the_ratio_is_that_of_the_normal_approximation() -> None:
    low, high = score_of(0), score_of(5)
    # Van den Bergh: a walk whose drift and variance are those of the score.
    approximate = (high - low) * (2 * MANY.score - low - high) / (2 * MANY.variance) * MANY.pairs

    assert log_likelihood_ratio(MANY, low, high) == pytest.approx(approximate, rel=0.02)


def test_with_many_pairs_the_interval_is_the_mean_and_its_standard_errors() -> None:
    error = DEVIATIONS * math.sqrt(MANY.variance / MANY.pairs)
    low, high = score_interval(MANY, DEVIATIONS)

    assert (high - MANY.score, MANY.score - low) == pytest.approx((error, error), rel=0.03)


def test_an_interval_of_few_pairs_that_are_all_alike_is_wide_and_not_a_point() -> None:
    even, won = estimate_elo(PairCounts(even=10)), estimate_elo(PairCounts(both_won=10))

    assert even.low == pytest.approx(-even.high, abs=0.1)
    assert 40 < even.high < 100
    assert (won.value, won.high) == (math.inf, math.inf)
    assert 150 < won.low < 400
    assert [*estimate_elo(PairCounts())] == [0, -math.inf, math.inf]


def test_normalised_elo_counts_in_deviations_of_a_game() -> None:
    # Independent games without draws, so that a game deviates by one half: two pairs of four even.
    fair = PairCounts(1, 0, 2, 0, 1)
    better = PairCounts(0, 0, 2, 0, 2)

    assert normalised_elo(fair) == 0
    # The mean is 0.75 and the variance of a pair 1/16, of a game 1/8.
    assert normalised_elo(better) == pytest.approx(0.25 / math.sqrt(1 / 8) * 800 / math.log(10))
    assert normalised_elo(PairCounts(even=3)) is None


def test_with_many_pairs_superiority_is_the_normal_probability_of_the_margin() -> None:
    deviations = (MANY.score - 0.5) / math.sqrt(MANY.variance / MANY.pairs)

    assert likelihood_of_superiority(MANY) == pytest.approx(NormalDist().cdf(deviations), abs=1e-4)
    assert likelihood_of_superiority(PairCounts(even=LEAST_PAIRS)) == pytest.approx(0.5)


def test_superiority_is_not_told_of_few_pairs() -> None:
    assert likelihood_of_superiority(PairCounts(both_won=LEAST_PAIRS - 1)) is None
    assert likelihood_of_superiority(PairCounts()) is None


@given(st.lists(st.sampled_from(PAIR_POINTS), min_size=LEAST_PAIRS, max_size=40))
def test_superiority_and_interval_say_the_same(points: list[float]) -> None:
    counts = PairCounts.of(points)
    superiority, elo = likelihood_of_superiority(counts), estimate_elo(counts)

    assert superiority is not None
    if abs(superiority - (1 + CONFIDENCE) / 2) > 1e-6:
        assert (superiority > (1 + CONFIDENCE) / 2) == (elo.low > 0)
    reverse = likelihood_of_superiority(counts.reversed())
    assert reverse == pytest.approx(1 - superiority, abs=1e-6)


# -- the sequential test ---------------------------------------------------------------------------


def games(elo: float, dice: random.Random, *, draws: float = 0.3) -> Iterator[float]:
    """Yield points of pairs between players with a difference; games are independent."""
    win = score_of(elo) - draws / 2
    while True:
        yield sum(
            1.0 if value < win else 0.5 if value < win + draws else 0.0
            for value in (dice.random(), dice.random())
        )


def decisions(sprt: Sprt, elo: float, times: int) -> list[Decision]:
    """Return what a test says in simulated matches."""
    found: list[Decision] = []
    for seed in range(times):
        counts = PairCounts()
        for points in games(elo, random.Random(seed)):
            counts = counts.plus(PairCounts.of([points]))
            if decision := sprt.decide(counts):
                found.append(decision)
                break
    return found


def test_the_bounds_are_those_of_wald() -> None:
    assert Sprt(0, 10).bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    assert Sprt(0, 10, alpha=0.01, beta=0.1).bounds == pytest.approx((-2.293, 4.500), abs=0.001)


@pytest.mark.slow
@pytest.mark.parametrize(("elo", "wrong"), [(0, "elo1"), (100, "elo0")])
def test_the_test_errs_as_rarely_as_it_promises(elo: float, wrong: Decision) -> None:
    times = 300
    errors = decisions(Sprt(0, 100), elo, times).count(wrong)

    # Three standard deviations above the promised 5 %.
    assert errors <= 0.05 * times + 3 * math.sqrt(0.05 * 0.95 * times)


def test_a_test_decides_for_what_the_pairs_show() -> None:
    sprt = Sprt(0, 50)

    assert sprt.decide(PairCounts()) is None
    assert sprt.decide(PairCounts(5, 5, 20, 40, 60)) == "elo1"
    assert sprt.decide(PairCounts(60, 40, 20, 5, 5)) == "elo0"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((5, 5), "sprt_elo"),
        ((10, 0), "sprt_elo"),
        ((0, math.nan), "sprt_elo"),
        ((0, math.inf), "sprt_elo"),
        ((0, 5, 0.5, 0.05), "sprt_rates"),
        ((0, 5, 0.05, 0.0), "sprt_rates"),
    ],
)
def test_a_test_that_could_not_decide_is_refused(arguments: tuple[float, ...], code: str) -> None:
    with pytest.raises(InvalidTest) as caught:
        Sprt(*arguments)

    assert caught.value.code == code


@pytest.mark.slow
def test_the_interval_holds_the_true_difference_in_19_of_20_matches() -> None:
    times, held = 300, 0
    for seed in range(times):
        stream = games(60, random.Random(seed))
        estimate = estimate_elo(PairCounts.of(next(stream) for _ in range(60)))
        held += estimate.low <= 60 <= estimate.high

    assert 0.91 * times <= held <= 0.985 * times


# -- ratings ---------------------------------------------------------------------------------------


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


def test_ratings_are_those_of_choix() -> None:
    strengths = choix.opt_pairwise(4, choix_data(), method="BFGS", tol=1e-9)
    ratings = rate(4, TOURNAMENT, prior=0)

    expected = (strengths - strengths.mean()) * ELO_SCALE
    assert [rating.elo for rating in ratings] == pytest.approx(list(expected), abs=0.01)


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
