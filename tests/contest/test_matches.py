"""Plans of matches, the pairs that are played of them, and what these add up to."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from tic_tac_toe.contest import players
from tic_tac_toe.contest.openings import openings_of
from tic_tac_toe.contest.pairs import PairCounts
from tic_tac_toe.contest.plan import Plan, PlannedPair, PlayedPair, play_pair
from tic_tac_toe.contest.referee import Fault, PlayedGame
from tic_tac_toe.contest.sprt import Sprt
from tic_tac_toe.contest.standings import SequentialTest, standings_of
from tic_tac_toe.game.strategies import play_randomly
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, VARIANTS, find_rules

#: A pair of two won games, and one of each, for standings.
X_WINS = PlayedGame((0, 3, 1, 4, 2), Mark.CROSS)
O_WINS = PlayedGame((0, 3, 1, 4, 8, 5), Mark.NAUGHT)


# -- plans -----------------------------------------------------------------------------------------


def play(planned: PlannedPair) -> PlayedPair:
    with planned.plan.roster as roster:
        return play_pair(planned, roster, lambda: 0.0)


def test_a_pair_is_one_opening_with_the_colours_changed() -> None:
    plan = Plan("tic-tac-toe", ("minimax", "random"), ((4,),), seed=3)
    pair = play(plan.pair(0))

    assert [game.moves[0] for game in pair.games] == [4, 4]
    assert [pair.player_of(number, Mark.CROSS) for number in (0, 1)] == [0, 1]
    assert [pair.player_of(number, Mark.NAUGHT) for number in (0, 1)] == [1, 0]
    assert pair.points >= 1  # the perfect player is the first of the pair


def test_the_same_seed_gives_the_same_games_in_any_order() -> None:
    plan = Plan("connect-four-5x4", ("random", "easy"), ((15,), (16,)), seed=5)
    forwards = [play(plan.pair(number)) for number in range(4)]
    backwards = [play(plan.pair(number)) for number in range(3, -1, -1)]
    other = Plan("connect-four-5x4", ("random", "easy"), ((15,), (16,)), seed=6)

    assert forwards == backwards[::-1]
    assert forwards != [play(other.pair(number)) for number in range(4)]
    assert len({game.moves for pair in forwards for game in pair.games}) > 4


def test_every_two_players_have_each_opening_once_before_any_comes_again() -> None:
    openings = tuple((cell,) for cell in range(7))
    plan = Plan("connect-four", ("a", "b", "c"), openings, seed=1)
    pairs = list(plan.pairs(14))

    assert [pair.number for pair in pairs] == list(range(42))
    assert Counter(pair.sides for pair in pairs) == {(0, 1): 14, (0, 2): 14, (1, 2): 14}
    for start in (0, 21):
        rounds = [pairs[at : at + 3] for at in range(start, start + 21, 3)]
        assert all(len({pair.opening for pair in each}) == 1 for each in rounds)
        assert {each[0].opening for each in rounds} == {*openings}
    assert [p.opening for p in pairs[:21]] != [p.opening for p in pairs[21:]]


def test_a_player_has_time_to_start_in_its_first_game_and_after_a_fault() -> None:
    plan = Plan("tic-tac-toe", ("random", "rules"), seed=1, limit=1.0)
    # Each reading of the clock is three seconds later, so that each move takes too long.
    clock = itertools.count(step=3.0)
    with plan.roster as roster:
        faults = [
            game.fault and (game.fault.mark, len(game.moves))
            for number in range(2)
            for game in play_pair(plan.pair(number), roster, lambda: float(next(clock))).games
        ]
    # Both may start in the first game, until X is late. In the second game the other one is X, and
    # late at once. Then both may start again.
    assert faults == [(Mark.CROSS, 2), (Mark.CROSS, 0), (Mark.CROSS, 2), (Mark.CROSS, 0)]


def test_a_program_has_time_to_start_in_every_game() -> None:
    roster = Plan("gomoku", ("gomocup:program", "random")).roster
    for place in (0, 1):
        roster.note_move(place)

    assert [roster.is_starting(place) for place in (0, 1)] == [True, False]


def test_players_are_made_when_they_are_wanted_and_ended_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []
    ended: list[str] = []

    class Closing:
        def __init__(self, name: str) -> None:
            self.name = name
            made.append(name)

        def __call__(self, state: GameState, rng: random.Random | None = None, /) -> Move | None:
            return play_randomly(state, rng)

        def close(self) -> None:
            ended.append(self.name)

    monkeypatch.setattr(players, "find_strategy", lambda name, think: Closing(name))
    plan = Plan("tic-tac-toe", ("a", "b", "c"))
    with plan.roster as roster:
        for number in (0, 3):  # the first two players
            play_pair(plan.pair(number), roster, lambda: 0.0)
        assert (sorted(made), ended) == (["a", "b"], [])

    assert sorted(ended) == ["a", "b"]


@pytest.mark.parametrize("name", [*VARIANTS, "connect-four,pie", "mnk:4,4,3,torus"])
def test_every_game_plays_a_pair(name: str) -> None:
    openings = openings_of(find_rules(name))
    pair = play(Plan(name, ("random", "easy"), openings).pair(0))

    assert [game.fault for game in pair.games] == [None, None]
    record = pair.games[0].record(find_rules(name), (), "")
    assert record.result in ("X", "O", "draw")


# -- standings -------------------------------------------------------------------------------------


def paired(number: int, *games: PlayedGame, sides: tuple[int, int] = (0, 1)) -> PlayedPair:
    return PlayedPair(number, sides, (), (games[0], games[1]))


def test_standings_count_points_colours_faults_and_different_games() -> None:
    crashed = PlayedGame((0,), Mark.CROSS, Fault(Mark.NAUGHT, "crash", "?"), (0.5, 2.0))
    pairs = [paired(0, X_WINS, O_WINS), paired(1, X_WINS, O_WINS), paired(2, X_WINS, crashed)]
    standings = standings_of(Plan("tic-tac-toe", ("a", "b")), pairs)
    (encounter,) = standings.encounters

    assert encounter.counts == PairCounts(even=1, both_won=2)
    assert encounter.tally == (5, 0, 1)
    assert encounter.different == 3
    assert (standings.x_wins, standings.draws, standings.o_wins) == (4, 0, 2)
    # Naught of the second game is the first player.
    assert standings.faults == ((1, 0, 0), (0, 0, 0))
    assert standings.longest == (2.0, 0.5)
    assert standings.ratings[0].elo > 0 > standings.ratings[1].elo


def test_ratings_wait_until_everybody_has_met() -> None:
    plan = Plan("tic-tac-toe", ("a", "b", "c"))

    assert standings_of(plan, [paired(0, X_WINS, O_WINS)]).ratings == ()


def test_a_test_takes_pairs_in_their_order_and_none_behind_its_decision() -> None:
    sprt, pairs = Sprt(0, 200), [paired(number, X_WINS, O_WINS) for number in range(40)]
    ordered, shuffled = SequentialTest(sprt, pairs), SequentialTest(sprt)
    random.Random(4).shuffle(pairs)
    for pair in pairs:
        shuffled.add(pair)
    gap = SequentialTest(sprt, [pair for pair in pairs if pair.number != 1])

    assert ordered.decision == shuffled.decision == "elo1"
    assert ordered.counts == shuffled.counts
    assert 1 < ordered.counts.pairs < 40
    assert (gap.decision, gap.counts.pairs) == (None, 1)


def test_connect_four_has_its_openings_from_the_library() -> None:
    assert len(openings_of(CONNECT_FOUR)) > 1
