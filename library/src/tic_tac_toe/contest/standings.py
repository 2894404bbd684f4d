"""Results of a match: scores, Elo, faults and ratings of its players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tic_tac_toe.contest.elo import (
    EloDifference,
    estimate_elo,
    likelihood_of_superiority,
    normalised_elo,
)
from tic_tac_toe.contest.pairs import PairCounts
from tic_tac_toe.contest.plan import Plan, PlayedPair
from tic_tac_toe.contest.ratings import Rating, rate
from tic_tac_toe.contest.referee import FaultKind
from tic_tac_toe.contest.sprt import Decision, Sprt
from tic_tac_toe.logic.models import Mark

FAULT_KINDS: tuple[FaultKind, ...] = ("crash", "illegal", "time")


class Tally(NamedTuple):
    """Games of one player against another, as that player counts."""

    won: int
    drawn: int
    lost: int


@dataclass(frozen=True)
class Encounter:
    """How two players did against each other.

    Args:
        sides: their places in the plan; everything is counted for the first.
        counts: pairs by the points of the first.
        tally: single games.
        different: how many of the games differ in their moves. Players that leave nothing to chance
            repeat a game from the same opening, and a repeated game shows nothing new.
        faults: how many of the games were decided by a fault.
    """

    sides: tuple[int, int]
    counts: PairCounts
    tally: Tally
    different: int
    faults: int = 0

    @property
    def measures_strength(self) -> bool:
        """Whether more games than not were decided on the board."""
        return _is_minority(self.faults, self.counts.pairs)

    @property
    def elo(self) -> EloDifference:
        """By how much the first is stronger."""
        return estimate_elo(self.counts)

    @property
    def normalised(self) -> float | None:
        """See `elo.normalised_elo`."""
        return normalised_elo(self.counts)

    @property
    def superiority(self) -> float | None:
        """The probability that the first is the stronger one; see `likelihood_of_superiority`."""
        return likelihood_of_superiority(self.counts)


@dataclass(frozen=True)
class Standings:
    """A match so far.

    Args:
        pairs: the finished pairs.
        encounters: in the order of the plan's pairings.
        ratings: in the order of the players.
        faults: for each player, in how many games it lost in each of `FAULT_KINDS`.
        longest: for each player, the seconds of its longest move.
        x_wins, draws, o_wins: all games by their results.
    """

    pairs: int
    encounters: tuple[Encounter, ...]
    ratings: tuple[Rating, ...]
    faults: tuple[tuple[int, ...], ...]
    longest: tuple[float, ...]
    x_wins: int
    draws: int
    o_wins: int

    @property
    def decided_by_faults(self) -> int:
        """How many games a player lost other than on the board."""
        return sum(map(sum, self.faults))

    @property
    def measures_strength(self) -> bool:
        """Whether more games than not were decided on the board."""
        return _is_minority(self.decided_by_faults, self.pairs)

    def measures(self, player: int) -> bool:
        """Return whether more games of a player than not were decided on the board."""
        own = [encounter for encounter in self.encounters if player in encounter.sides]
        return _is_minority(
            sum(encounter.faults for encounter in own),
            sum(encounter.counts.pairs for encounter in own),
        )


def standings_of(plan: Plan, pairs: Sequence[PlayedPair]) -> Standings:
    """Return the standings after these pairs."""
    encounters = tuple(
        _encounter(sides, [pair for pair in pairs if pair.sides == sides])
        for sides in plan.pairings
    )
    results = {encounter.sides: encounter.counts for encounter in encounters}
    players = range(len(plan.players))
    faults: Counter[tuple[int, FaultKind]] = Counter()
    longest = [0.0 for _ in players]
    winners: Counter[Mark | None] = Counter()
    for pair in pairs:
        for number, game in enumerate(pair.games):
            winners[game.winner] += 1
            if game.fault:
                faults[pair.player_of(number, game.fault.mark), game.fault.kind] += 1
            for mark, seconds in zip((Mark.CROSS, Mark.NAUGHT), game.longest):
                player = pair.player_of(number, mark)
                longest[player] = max(longest[player], seconds)
    return Standings(
        len(pairs),
        encounters,
        tuple(rate(len(plan.players), results)) if _all_met(plan, results) else (),
        tuple(tuple(faults[player, kind] for kind in FAULT_KINDS) for player in players),
        tuple(longest),
        winners[Mark.CROSS],
        winners[None],
        winners[Mark.NAUGHT],
    )


class SequentialTest:
    """A sequential test that receives pairs in any order and counts them by their numbers.

    A pair waits until all before it are there: short games are finished sooner than long ones, and
    would count for more than their share. So the decision is the same however many play at a time.

    Attributes:
        counts: the pairs that were taken; none more once the test has decided.
        decision: the result of the test; ``None`` while more pairs are needed.
    """

    def __init__(self, sprt: Sprt, pairs: Iterable[PlayedPair] = ()) -> None:
        self.sprt = sprt
        self.counts: PairCounts = PairCounts()
        self.decision: Decision | None = None
        self._waiting: dict[int, float] = {}
        for pair in pairs:
            self.add(pair)

    def add(self, pair: PlayedPair) -> None:
        """Take a pair and those that have waited for it."""
        self._waiting[pair.number] = pair.points
        while self.decision is None and self.counts.pairs in self._waiting:
            points = self._waiting.pop(self.counts.pairs)
            self.counts = self.counts.plus(PairCounts.of([points]))
            self.decision = self.sprt.decide(self.counts)

    @property
    def ratio(self) -> float:
        """The log likelihood ratio of the pairs that were taken."""
        return self.sprt.ratio(self.counts)


def _encounter(sides: tuple[int, int], pairs: Sequence[PlayedPair]) -> Encounter:
    marks = (Mark.CROSS, Mark.NAUGHT)
    points = Counter(game.points(mark) for pair in pairs for mark, game in zip(marks, pair.games))
    games = {(number, game.moves) for pair in pairs for number, game in enumerate(pair.games)}
    return Encounter(
        sides,
        PairCounts.of(pair.points for pair in pairs),
        Tally(points[1.0], points[0.5], points[0.0]),
        len(games),
        sum(game.fault is not None for pair in pairs for game in pair.games),
    )


def _is_minority(games: int, pairs: int) -> bool:
    """Return whether games are fewer than half of those of some pairs, or none."""
    return games < max(1, pairs)


def _all_met(plan: Plan, results: dict[tuple[int, int], PairCounts]) -> bool:
    return all(results[sides].pairs for sides in plan.pairings)
