"""The pairs of games of a match, and the seeds of their chance."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from types import MappingProxyType

from tic_tac_toe.contest.players import Roster
from tic_tac_toe.contest.referee import PlayedGame, referee
from tic_tac_toe.logic.models import MARKS, Mark
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules

#: What seconds may be: those that pass, or those that a processor works for the process.
CLOCKS: Mapping[str, Callable[[], float]] = MappingProxyType(
    {"wall": time.perf_counter, "cpu": time.process_time}
)


@dataclass(frozen=True)
class Plan:
    """The settings that decide the games of a match; only their number is not among them.

    Args:
        variant: the name of the game.
        players: their names, two or more; each plays each other.
        openings: moves from the empty board, at least one list, which may be empty.
        seed: where all chance comes from.
        think: the seconds that players may think before a move, if they can go by the clock.
        limit: the seconds after which a move loses; ``None`` for no limit.
        clock: one of `CLOCKS`, by which all seconds are; programs go by the first alone.
    """

    variant: str
    players: tuple[str, ...]
    openings: tuple[tuple[int, ...], ...] = ((),)
    seed: int = 0
    think: float | None = None
    limit: float | None = None
    clock: str = "wall"

    @property
    def roster(self) -> Roster:
        """The players, none of them made yet."""
        return Roster(self.players, self.think, CLOCKS[self.clock])

    @property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        """The two players of each match, as places in ``players``."""
        return tuple(combinations(range(len(self.players)), 2))

    def pair(self, number: int) -> PlannedPair:
        """Return a pair of games by its number, from 0.

        All pairings have a pair with one opening before any has one with the next. The openings
        come in an order of chance, each once before any comes again.
        """
        round_number, pairing = divmod(number, len(self.pairings))
        turn, place = divmod(round_number, len(self.openings))
        order = list(range(len(self.openings)))
        Random(derived_seed(self.seed, "openings", turn)).shuffle(order)
        return PlannedPair(self, number, self.pairings[pairing], self.openings[order[place]])

    def pairs(self, count: int) -> Iterator[PlannedPair]:
        """Yield ``count`` pairs for each pairing, in their order."""
        return map(self.pair, range(count * len(self.pairings)))


@dataclass(frozen=True)
class PlannedPair:
    """Two games to be played: the same opening, and the other player as X in the second.

    Args:
        sides: the places of the two in ``plan.players``; the first is X in the first game.
    """

    plan: Plan
    number: int
    sides: tuple[int, int]
    opening: tuple[int, ...]


@dataclass(frozen=True)
class PlayedPair:
    """Two games that were played.

    Args:
        number: that of the planned pair.
        games: in the first of them the first of ``sides`` was X.
    """

    number: int
    sides: tuple[int, int]
    opening: tuple[int, ...]
    games: tuple[PlayedGame, PlayedGame]

    @property
    def points(self) -> float:
        """The points of the first side."""
        return self.games[0].points(Mark.CROSS) + self.games[1].points(Mark.NAUGHT)

    def player_of(self, game: int, mark: Mark) -> int:
        """Return the place in the plan of the player of a mark in game 0 or 1 of the pair."""
        return self.sides[MARKS.index(mark) ^ game]

    def records(self, rules: Rules, names: Sequence[str]) -> Iterator[Record]:
        """Yield both games, with the names of the plan's players as tags and faults as comments."""
        for number, game in enumerate(self.games):
            named = {mark: names[self.player_of(number, mark)] for mark in MARKS}
            tags = [(mark.value, name) for mark, name in named.items()]
            tags += [("Pair", str(self.number + 1)), ("Opening", str(len(self.opening)))]
            fault = str(game.fault.told(named[game.fault.mark])) if game.fault else ""
            yield game.record(rules, tuple(tags), fault)


def play_pair(
    pair: PlannedPair, roster: Roster, clock: Callable[[], float], rules: Rules | None = None
) -> PlayedPair:
    """Return a pair after both games were played.

    Args:
        roster: the players of the plan.
        rules: those of the plan's variant, which need no name then.
        clock: returns seconds that pass.

    Raises:
        InvalidStrategy: a player cannot be had.
        InvalidMove: the opening is not legal.
    """
    plan = pair.plan
    rules = rules or find_rules(plan.variant)
    games = []
    for game, sides in enumerate((pair.sides, pair.sides[::-1])):
        players = [roster[side] for side in sides]
        dice = [Random(derived_seed(plan.seed, pair.number, game, mark.value)) for mark in MARKS]
        games.append(
            referee(
                rules,
                pair.opening,
                players,
                dice,
                clock,
                seconds=plan.limit,
                starting=[mark for mark, side in zip(MARKS, sides) if roster.is_starting(side)],
            )
        )
        fault, has_moves = games[-1].fault, len(games[-1].moves) > len(pair.opening)
        for mark, side in zip(MARKS, sides):
            if fault is not None and fault.mark is mark:
                roster.note_fault(side)
            elif has_moves:
                roster.note_move(side)
    return PlayedPair(pair.number, pair.sides, pair.opening, (games[0], games[1]))


def derived_seed(seed: int, *parts: int | str) -> int:
    """Return a seed for one part of a match, the same on every machine."""
    text = "/".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
