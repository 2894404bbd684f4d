"""Games and matches between players: pairs of games, what they show, and whether it is enough.

`play` runs one game and `match` a match of two players, each given by name or as a function::

    >>> from tic_tac_toe.contest import match
    >>> print(match("minimax", "random", games=60, seed=1))
    minimax against random: 53 won, 7 drawn, 0 lost; Elo +483, 95 % between +335 and +643

A `Plan` has any number of players, and `play_pair` plays it pair by pair. Nothing here reads a file
or starts a process but that of a program that plays.
"""

from tic_tac_toe.contest.elo import (
    EloDifference,
    elo_of,
    estimate_elo,
    likelihood_of_superiority,
    normalised_elo,
    score_of,
)
from tic_tac_toe.contest.openings import OpeningSet, opening_set, openings_of
from tic_tac_toe.contest.pairs import PairCounts
from tic_tac_toe.contest.plan import Plan, PlannedPair, PlayedPair, play_pair
from tic_tac_toe.contest.players import PlayerLike, Roster
from tic_tac_toe.contest.playing import MatchResult, match, play
from tic_tac_toe.contest.ratings import Rating, rate
from tic_tac_toe.contest.referee import Fault, PlayedGame, referee
from tic_tac_toe.contest.sprt import InvalidTest, Sprt
from tic_tac_toe.contest.standings import (
    Encounter,
    SequentialTest,
    Standings,
    Tally,
    standings_of,
)

__all__ = [
    "EloDifference",
    "Encounter",
    "Fault",
    "InvalidTest",
    "MatchResult",
    "OpeningSet",
    "PairCounts",
    "Plan",
    "PlannedPair",
    "PlayedGame",
    "PlayedPair",
    "PlayerLike",
    "Rating",
    "Roster",
    "SequentialTest",
    "Sprt",
    "Standings",
    "Tally",
    "elo_of",
    "estimate_elo",
    "likelihood_of_superiority",
    "match",
    "normalised_elo",
    "opening_set",
    "openings_of",
    "play",
    "play_pair",
    "rate",
    "referee",
    "score_of",
    "standings_of",
]
