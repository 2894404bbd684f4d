"""Games and matches between players in one call: functions, strategies and programs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random, SystemRandom

from tic_tac_toe.contest.elo import EloDifference
from tic_tac_toe.contest.openings import openings_of
from tic_tac_toe.contest.plan import Plan, PlayedPair, derived_seed, play_pair
from tic_tac_toe.contest.players import PlayerLike, Roster
from tic_tac_toe.contest.standings import Standings, Tally, standings_of
from tic_tac_toe.game.match import Match, Start
from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation, InvalidVariant
from tic_tac_toe.logic.models import MARKS
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules import Rules, rules_of
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, variant_name


def play(
    x: PlayerLike,
    o: PlayerLike,
    rules: Start = TIC_TAC_TOE,
    *,
    seed: int | None = None,
    think: float | None = None,
) -> Record:
    """Return a game between two players, played to its end without a pause.

        >>> def corner(state):
        ...     return state.legal_moves[0]
        >>> play(corner, "minimax", seed=1).result
        'O'

    Args:
        x, o: each the name of a strategy or program, see `find_strategy`, or a function from a
            state to a move; see `loading.as_strategy`.
        rules: the rules or the name of the game; or a state or a record to go on from.
        seed: where all chance comes from; each call has its own unless given.
        think: seconds for each move of the players that go by the clock.

    Raises:
        InvalidMove: a function returned no legal move; the message names its mark.
        InvalidStrategy: no player has that name.
        Exception: an exception of a function is not caught.
    """
    match, seed = Match(rules), _seed(seed)
    dice = [Random(derived_seed(seed, mark.value)) for mark in MARKS]
    with Roster((x, o), think) as roster:
        while not match.over:
            mark = match.state.current_mark
            try:
                move = roster[mark.side](match.state, dice[mark.side])
                if move is None:
                    raise InvalidMove("it returned no move", "no_move")
                match.play(move.number)
            except (InvalidMove, InvalidNotation) as error:
                raise InvalidMove(
                    "the player of {mark} made an illegal move: {reason}",
                    "illegal_answer",
                    mark=mark.value,
                    reason=error.message,
                ) from error
    return match.record()


@dataclass(frozen=True)
class MatchResult:
    """A match between two players that is over; printed as one line.

    Args:
        rules: the game.
        plan: the settings; ``plan.players`` are the names.
        pairs: the games, each opening twice with colours changed.
        standings: scores, Elo and faults.
    """

    rules: Rules
    plan: Plan
    pairs: tuple[PlayedPair, ...]
    standings: Standings

    @property
    def tally(self) -> Tally:
        """The games that the first player has won, drawn and lost."""
        return self.standings.encounters[0].tally

    @property
    def elo(self) -> EloDifference:
        """By how much the first player is stronger, with the interval of 95 %."""
        return self.standings.encounters[0].elo

    @property
    def records(self) -> list[Record]:
        """All games, with the players' names as tags ``X`` and ``O``, faults as comments."""
        names = self.plan.players
        return [record for pair in self.pairs for record in pair.records(self.rules, names)]

    def __str__(self) -> str:
        (won, drawn, lost), (value, low, high) = self.tally, self.elo
        first, second = self.plan.players
        faults, games = self.standings.decided_by_faults, 2 * len(self.pairs)
        elo = f"Elo {value:+.0f}, 95 % between {low:+.0f} and {high:+.0f}"
        if not self.standings.measures_strength:
            elo = "no Elo"
        decided = f"; {faults} of {games} games were decided by faults" if faults else ""
        return f"{first} against {second}: {won} won, {drawn} drawn, {lost} lost; {elo}{decided}"


def match(
    first: PlayerLike,
    second: PlayerLike,
    rules: Rules | str = TIC_TAC_TOE,
    *,
    games: int = 20,
    openings: Sequence[Sequence[int | str]] | None = None,
    seed: int = 0,
    think: float | None = None,
    limit: float | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> MatchResult:
    """Return a match of two players: each opening is played twice, with colours changed.

        >>> result = match("minimax", "random", games=40, seed=5)
        >>> result.tally.lost
        0

    A player that raises an exception, makes no legal move or takes longer than ``limit`` loses that
    game, and the match goes on; ``standings.faults`` and the records say so.

    Args:
        first, second: see `play`.
        rules: the game, or its name.
        games: how many, an even number.
        openings: moves from the empty board; those that the library has for the game unless given.
        seed: where all chance comes from.
        think: seconds for each move of the players that go by the clock.
        limit: the seconds after which a move loses.
        clock: returns seconds that pass.

    Raises:
        ValueError: ``games`` is odd or less than two.
        InvalidMove: an opening is not legal or ends the game.
        InvalidStrategy: no player has that name.
    """
    if games < 2 or games % 2:
        raise ValueError(f"a match is played in pairs of games: {games} is no even number from 2")
    rules = rules_of(rules)
    numbers = (
        openings_of(rules)
        if openings is None
        else [Record.from_moves(rules, opening).moves for opening in openings]
    )
    players = first, second
    names = _name_of(first), _name_of(second)
    if names[0] == names[1]:
        names = f"{names[0]} 1", f"{names[1]} 2"
    try:
        variant = variant_name(rules)
    except InvalidVariant:
        variant = type(rules).__name__
    plan = Plan(variant, names, tuple(numbers), seed, think, limit)
    with Roster(players, think) as roster:
        for place in range(len(players)):
            roster[place]  # raises before the first game if there is no such player
        played = tuple(play_pair(pair, roster, clock, rules) for pair in plan.pairs(games // 2))
    return MatchResult(rules, plan, played, standings_of(plan, played))


def _name_of(player: PlayerLike) -> str:
    """Return the name of a player in reports and records."""
    return player if isinstance(player, str) else getattr(player, "__name__", "a function")


def _seed(seed: int | None) -> int:
    return SystemRandom().randrange(1 << 63) if seed is None else seed
