"""Games under the referee, plans of matches, and what their pairs add up to."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable

import pytest

from tic_tac_toe.contest import players
from tic_tac_toe.contest.openings import openings_of
from tic_tac_toe.contest.pairs import PairCounts
from tic_tac_toe.contest.plan import Plan, PlannedPair, PlayedPair, play_pair
from tic_tac_toe.contest.players import InvalidPlayer, find_player
from tic_tac_toe.contest.referee import GRACE_SECONDS, Fault, PlayedGame, referee
from tic_tac_toe.contest.sprt import Sprt
from tic_tac_toe.contest.standings import SequentialTest, standings_of
from tic_tac_toe.game.strategies import STRATEGIES, Strategy, play_randomly
from tic_tac_toe.logic.exceptions import GameError, InvalidMove
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE, VARIANTS, find_rules

#: A pair of two won games, and one of each, for standings.
X_WINS = PlayedGame((0, 3, 1, 4, 2), Mark.CROSS)
O_WINS = PlayedGame((0, 3, 1, 4, 8, 5), Mark.NAUGHT)


def playing(*moves: int) -> Strategy:
    """Return a player that makes these moves, one after the other, by their numbers."""
    script = iter(moves)

    def play(state: GameState, rng: random.Random | None = None, /) -> Move | None:
        return state.make_move_to(next(script))

    return play


def play_game(
    cross: Strategy,
    naught: Strategy,
    rules: Rules = TIC_TAC_TOE,
    opening: Iterable[int] = (),
    *,
    seconds: float | None = None,
    clock: Callable[[], float] = lambda: 0.0,
) -> PlayedGame:
    """Return a game under the referee."""
    dice = (random.Random(1), random.Random(2))
    return referee(rules, tuple(opening), (cross, naught), dice, clock, seconds=seconds)


# -- the referee -----------------------------------------------------------------------------------


def test_the_game_goes_on_behind_the_opening_and_who_has_a_line_wins() -> None:
    game = play_game(playing(1, 2), playing(4), opening=(0, 3))

    assert game == PlayedGame((0, 3, 1, 4, 2), Mark.CROSS)
    assert (game.points(Mark.CROSS), game.points(Mark.NAUGHT)) == (1, 0)


def test_a_full_board_is_half_a_point_for_each() -> None:
    game = play_game(playing(0, 1, 5, 6, 8), playing(4, 2, 3, 7))

    assert game.winner is None
    assert game.points(Mark.CROSS) == game.points(Mark.NAUGHT) == 0.5


def test_a_position_that_comes_for_the_third_time_is_a_draw() -> None:
    cycle_x, cycle_o = (0, 8, 3, 1, 5, 6), (4, 2, 7)
    # Marks leave the board; the players walk in circles until the referee ends it.
    rules = VARIANTS["vanishing-reuse"]
    game = play_game(
        playing(*itertools.chain(*[cycle_x] * 9)), playing(*itertools.chain(*[cycle_o] * 18)), rules
    )

    assert (game.winner, game.fault) == (None, None)
    assert len(game.moves) > 20


def raising(error: BaseException) -> Strategy:
    def play(state: GameState, rng: random.Random | None = None, /) -> Move | None:
        raise error

    return play


def making_none(state: GameState, rng: random.Random | None = None, /) -> Move | None:
    return None


def cheating(state: GameState, rng: random.Random | None = None, /) -> Move | None:
    """Return a move on an empty board, whatever the board is."""
    return GameState.new(state.rules).make_move_to(0)


LATE = GameError("{brain} did not answer in time", "brain_late", brain="wine")


@pytest.mark.parametrize(
    ("player", "kind", "sentence"),
    [
        (raising(ValueError("no\nidea \x1b")), "crash", "you crashed: ValueError: no idea ?"),
        (playing(0), "illegal", "you made an illegal move: Cell is not empty"),
        (cheating, "illegal", "you made an illegal move: Cell is not empty"),
        (making_none, "illegal", "you made an illegal move: it returned no move"),
        (raising(LATE), "time", "you lost on time: wine did not answer in time"),
    ],
)
def test_what_a_player_does_wrong_makes_it_lose_and_is_told_in_a_sentence(
    player: Strategy, kind: str, sentence: str
) -> None:
    game = play_game(playing(0), player)

    assert game.winner is Mark.CROSS
    assert game.moves == (0,)
    assert game.fault is not None
    assert (game.fault.mark, game.fault.kind) == (Mark.NAUGHT, kind)
    assert str(game.fault.told("you")) == sentence


def test_an_immense_error_is_cut() -> None:
    game = play_game(raising(ValueError("a" * 10_000)), play_randomly)

    assert game.fault is not None
    assert len(game.fault.detail) == 300


@pytest.mark.parametrize(("spent", "loses"), [(1 + GRACE_SECONDS, False), (1.1, True)])
def test_a_move_beyond_time_and_grace_loses(spent: float, loses: bool) -> None:
    # The clock is read before and after each move; only the third move takes time.
    readings = iter([0.0] * 5 + [spent] * 20)
    game = play_game(playing(0, 1, 2), playing(3, 4), seconds=1, clock=lambda: next(readings))

    if loses:
        assert game.fault == Fault(Mark.CROSS, "time", "1.100 s")
        assert game.winner is Mark.NAUGHT
        assert game.moves == (0, 3)
    else:
        assert (game.winner, game.fault) == (Mark.CROSS, None)
    assert game.longest == (spent, 0)


def test_the_first_move_of_a_pair_has_time_to_start_and_does_not_count_as_the_longest() -> None:
    readings = itertools.count(step=3.0)  # each move takes three seconds
    game = referee(
        TIC_TAC_TOE,
        (),
        (playing(0, 1), playing(3)),
        (random.Random(), random.Random()),
        lambda: float(next(readings)),
        seconds=1,
        are_starting=True,
    )

    assert game.fault == Fault(Mark.CROSS, "time", "3.000 s")
    assert game.moves == (0, 3)
    assert game.longest == (3, 0)


def test_what_is_no_error_of_the_player_is_not_caught() -> None:
    with pytest.raises(KeyboardInterrupt):
        play_game(raising(KeyboardInterrupt()), play_randomly)


@pytest.mark.parametrize("opening", [(0, 0), (0, 3, 1, 4, 2), (9,)])
def test_an_opening_that_leaves_no_game_is_refused(opening: tuple[int, ...]) -> None:
    with pytest.raises(InvalidMove):
        play_game(play_randomly, play_randomly, opening=opening)


def test_a_fault_is_a_resignation_in_the_record() -> None:
    record = play_game(playing(0), making_none).record(TIC_TAC_TOE, (("X", "Ann"),), "why")

    assert (record.result, record.resigned, record.moves) == ("X", Mark.NAUGHT, (0,))
    assert record.comments == ((1, "why"),)


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

    monkeypatch.setattr(players, "find_player", lambda name, _think: Closing(name))
    plan = Plan("tic-tac-toe", ("a", "b", "c"))
    with plan.roster as roster:
        for number in (0, 3):  # the first two players
            play_pair(plan.pair(number), roster, lambda: 0.0)
        assert (sorted(made), ended) == (["a", "b"], [])

    assert sorted(ended) == ["a", "b"]


def test_only_players_that_can_go_by_the_clock_are_given_one() -> None:
    by_clock = find_player("minimax", 0.001)
    move = by_clock(GameState.new(CONNECT_FOUR), random.Random(1))

    assert move is not None
    assert by_clock is not STRATEGIES["minimax"]
    assert find_player("easy", 1.0) is STRATEGIES["easy"]


def test_a_name_that_nobody_has_is_refused() -> None:
    assert find_player("minimax") is STRATEGIES["minimax"]
    with pytest.raises(InvalidPlayer, match="no player is called"):
        find_player("nobody")


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
