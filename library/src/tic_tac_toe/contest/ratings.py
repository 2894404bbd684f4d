"""Ratings of several players at once, by the model of Bradley and Terry, with standard errors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tic_tac_toe.contest.elo import DEVIATIONS, ELO_SCALE
from tic_tac_toe.contest.pairs import PairCounts

#: Games that are counted as drawn between any two players who met, beside those that were played:
#: without them a player who lost every game would be infinitely weak.
PRIOR_DRAWS = 1.0
_MOST_STEPS = 200
_CLOSE = 1e-10
_NOT_COMPARED = (
    "The games do not compare all players with each other, or somebody won or lost all of them"
)


class Rating(NamedTuple):
    """How strong a player is among those who played.

    Attributes:
        elo: the mean of all players is 0.
        error: half the width of the interval that holds it with `elo.CONFIDENCE`.
        points, games: the results that it is based on.
    """

    elo: float
    error: float
    points: float
    games: int


def rate(
    players: int, results: Mapping[tuple[int, int], PairCounts], *, prior: float = PRIOR_DRAWS
) -> list[Rating]:
    """Return the most likely rating of each player.

    A draw counts as half a win and half a loss. The errors come from the second derivatives of the
    likelihood; they take games as independent and as won or lost, so that with draws, or openings
    that favour one colour, they are too wide rather than too narrow.

    Args:
        players: how many there are; they are numbered from 0.
        results: the pairs of two players, as the first of them counts.
        prior: see `PRIOR_DRAWS`.

    Raises:
        ValueError: the games do not compare all players, or without a prior someone won or lost
            all games.
    """
    points = [[0.0] * players for _ in range(players)]
    for (one, other), counts in results.items():
        extra = prior / 2 if counts.pairs else 0.0
        points[one][other] += counts.points + extra
        points[other][one] += counts.reversed().points + extra
    strengths = _most_likely(points)
    covariance = _covariance(points, strengths)
    ratings = []
    for player in range(players):
        own = [
            (counts if player == one else counts.reversed())
            for (one, other), counts in results.items()
            if player in (one, other)
        ]
        error = DEVIATIONS * math.sqrt(max(0.0, covariance[player][player]))
        ratings.append(
            Rating(
                ELO_SCALE * strengths[player],
                ELO_SCALE * error,
                sum(counts.points for counts in own),
                2 * sum(counts.pairs for counts in own),
            )
        )
    return ratings


def _most_likely(points: Sequence[Sequence[float]]) -> list[float]:
    """Return the log strengths of mean 0 that make the points likeliest, by Newton's method."""
    players = len(points)
    strengths = [0.0] * players
    for _ in range(_MOST_STEPS):
        gradient = [
            sum(
                points[one][other]
                - (points[one][other] + points[other][one])
                * _win_share(strengths[one] - strengths[other])
                for other in range(players)
                if other != one
            )
            for one in range(players)
        ]
        inverse = _covariance(points, strengths)
        step = [sum(a * b for a, b in zip(row, gradient)) for row in inverse]
        largest = max(map(abs, step), default=0.0)
        # Far from the maximum a whole step may lead too far.
        scale = min(1.0, 1.0 / largest) if largest else 1.0
        strengths = [value + scale * change for value, change in zip(strengths, step)]
        if largest < _CLOSE:
            return strengths
    raise ValueError(_NOT_COMPARED)


def _covariance(points: Sequence[Sequence[float]], strengths: Sequence[float]) -> list[list[float]]:
    """Return the covariances of the strengths relative to their mean."""
    players = len(points)
    # The information has rank one less than the players, because only differences matter. With
    # 1/players added everywhere it can be inverted, and the inverse is right but for 1/players.
    matrix = [[1.0 / players] * players for _ in range(players)]
    for one in range(players):
        for other in range(players):
            if one != other:
                share = _win_share(strengths[one] - strengths[other])
                games = points[one][other] + points[other][one]
                information = games * share * (1 - share)
                matrix[one][one] += information
                matrix[one][other] -= information
    inverse = _inverted(matrix)
    return [[value - 1.0 / players for value in row] for row in inverse]


def _win_share(difference: float) -> float:
    return 1 / (1 + math.exp(-difference))


def _inverted(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix (Gauss and Jordan).

    Raises:
        ValueError: the matrix has none.
    """
    size = len(matrix)
    rows = [
        [*row, *(float(column == number) for column in range(size))]
        for number, row in enumerate(matrix)
    ]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        if abs(rows[pivot][column]) < 1e-12:
            raise ValueError(_NOT_COMPARED)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        divisor = rows[column][column]
        rows[column] = [value / divisor for value in rows[column]]
        for row in range(size):
            if row != column and (factor := rows[row][column]):
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column])]
    return [row[size:] for row in rows]
