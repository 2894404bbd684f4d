"""Plans of matches, the pairs that are played of them, and what these add up to."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tic_tac_toe.contest import players
from tic_tac_toe.contest.journal import (
    OtherMatch,
    header_line,
    pair_line,
    read_journal,
)
from tic_tac_toe.contest.openings import (
    EMPTY_BOARD,
    check_opening,
    opening_set,
    openings_of,
    position_after,
)
from tic_tac_toe.contest.pairs import PairCounts
from tic_tac_toe.contest.plan import Plan, PlannedPair, PlayedPair, play_pair
from tic_tac_toe.contest.referee import GRACE_SECONDS, Fault, PlayedGame, referee
from tic_tac_toe.contest.sprt import Sprt
from tic_tac_toe.contest.standings import SequentialTest, standings_of
from tic_tac_toe.files import Journal
from tic_tac_toe.game.evaluate import evaluate
from tic_tac_toe.game.strategies import Strategy, play_randomly
from tic_tac_toe.logic.exceptions import GameError, InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.rules import Rules, symmetry_of
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE, VARIANTS, find_rules

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


@pytest.mark.medium
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


# -- referee ---------------------------------------------------------------------------------------


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


def test_the_first_move_of_a_player_that_starts_has_time_and_is_not_its_longest() -> None:
    readings = itertools.count(step=3.0)  # each move takes three seconds
    game = referee(
        TIC_TAC_TOE,
        (),
        (playing(0, 1), playing(3)),
        (random.Random(), random.Random()),
        lambda: float(next(readings)),
        seconds=1,
        starting=[Mark.CROSS, Mark.NAUGHT],
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


# -- journal ---------------------------------------------------------------------------------------


PLAN = Plan("tic-tac-toe", ("easy", "random"), ((4,), (0, 8)), seed=2, limit=1.5)
FAULTY = PlayedPair(
    2,
    (0, 1),
    PLAN.pair(2).opening,
    (
        PlayedGame((4,), Mark.CROSS, Fault(Mark.NAUGHT, "time", "2.5 s"), (0.125, 2.5)),
        PlayedGame((4, 0, 8, 2, 1, 7, 3, 5, 6), None),
    ),
)
PAIRS = [*(play_pair(PLAN.pair(number), PLAN.roster, lambda: 0.0) for number in range(2)), FAULTY]
LINES = [header_line(PLAN, "1.0"), *map(pair_line, PAIRS)]
TEXT = "\n".join([*LINES, ""])


def test_pairs_come_back_as_they_were() -> None:
    assert read_journal(TEXT, PLAN, "1.0") == {pair.number: pair for pair in PAIRS}
    assert read_journal("", PLAN, "1.0") == {}


def test_wherever_the_last_line_is_cut_off_the_others_remain(tmp_path: Path) -> None:
    path = tmp_path / "out"
    *first, last = LINES
    before = "\n".join([*first, ""])
    for length in range(len(last) + 1):
        path.write_text(before + last[:length])
        with Journal(path, LINES[0]) as journal:
            assert journal.read()
            assert journal.text == before
            journal.resume()
            journal.append(last)
        assert path.read_text() == TEXT
    assert [*read_journal(before, PLAN, "1.0")] == [0, 1]


@pytest.mark.parametrize(
    "changed",
    [
        {"engine": "1.1"},
        {"variant": "wild"},
        {"players": ("easy", "hard")},
        {"openings": ((4,),)},
        {"seed": 3},
        {"think": 0.5},
        {"clock": "cpu"},
        {"limit": None},
    ],
)
def test_another_match_is_refused_by_what_differs(changed: dict[str, Any]) -> None:
    (field,) = changed
    engine = changed.pop("engine", "1.0")
    with pytest.raises(OtherMatch, match=f"another match: {field} is "):
        read_journal(TEXT, replace(PLAN, **changed), engine)


def damaged(**fields: object) -> str:
    """Return a journal whose first pair has other fields."""
    header, first, *_ = TEXT.splitlines()
    return f"{header}\n{json.dumps({**json.loads(first), **fields})}\n"


def other_game(**fields: object) -> str:
    """Return a journal whose first game, which is won, has other fields."""
    won, other = json.loads(TEXT.splitlines()[1])["games"]
    assert won["winner"]
    return damaged(games=[{**won, **fields}, other])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hello\n", "line 1: no JSON"),
        ('{"format": "tic-tac-toe-record"}\n', "line 1: format: expected"),
        (TEXT.replace('{"pair": 1', '{"pair": 1,', 1), "line 3: no JSON"),
        (damaged(pair=True), "line 2: pair: expected a whole number"),
        (damaged(pair=-1), "line 2: the pair is not one of this match"),
        (damaged(pair=1), "line 2: the pair is not one of this match"),
        (damaged(sides=[1, 0]), "line 2: the pair is not one of this match"),
        (damaged(games=[]), "line 2: the pair is not one of this match"),
        (other_game(moves=[4, 4]), "line 2: the pair is not one of this match"),
        (other_game(moves=[0, 4]), "line 2: the pair is not one of this match"),
        (other_game(winner=None), "line 2: the pair is not one of this match"),
        (TEXT.replace('"winner": "X", "longest": [0.125', '"winner": "O", "longest": [0.125'), "4"),
        (damaged(more=1), "line 2: .*more"),
        (TEXT.replace('"longest": [0.0', '"longest": [-1', 1), "expected seconds"),
        (TEXT.replace('"kind": "time"', '"kind": "luck"'), "expected one of crash, illegal, time"),
    ],
)
def test_what_is_no_match_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(InvalidNotation, match=reason):
        read_journal(text, PLAN, "1.0")


# -- openings --------------------------------------------------------------------------------------


EVERY_VARIANT = pytest.mark.parametrize(("name", "rules"), list(VARIANTS.items()))
#: Solved in an instant, so that the values of their openings can be looked at again.
SMALL = ("tic-tac-toe", "misere-tic-tac-toe", "wild", "misere-wild", "connect-four-5x4")


@EVERY_VARIANT
def test_the_openings_of_a_game_are_legal_and_differ_up_to_symmetry(
    name: str, rules: Rules
) -> None:
    found = opening_set(rules)
    assert found is not None
    canonical = symmetry_of(rules).canonical

    for opening in found.openings:
        check_opening(rules, opening)
    images = {canonical(position_after(rules, opening)) for opening in found.openings}
    assert len(images) == len(found.openings) >= 1
    assert found.variant == name
    assert found.command.startswith(f"python -m tools.make_openings {name} ")


@pytest.mark.medium
@EVERY_VARIANT
def test_after_an_opening_nobody_wins_with_the_next_move(name: str, rules: Rules) -> None:
    for opening in openings_of(rules):
        position = position_after(rules, opening)
        for side in (0, 1):
            moved = position._replace(turn=side)
            outcomes = [rules.outcome(rules.play(moved, move)) for move in rules.moves(moved)]
            assert side not in [outcome.winner for outcome in outcomes if outcome]


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_openings_called_exact_are_draws(name: str) -> None:
    found = opening_set(find_rules(name))
    assert found is not None
    assert found.method == "exact"

    for opening in found.openings[:4]:
        position = position_after(find_rules(name), opening)
        assert evaluate(GameState.at(find_rules(name), position)).outcome == "draw"


def test_games_without_a_set_of_openings_begin_from_the_empty_board() -> None:
    assert openings_of(find_rules("connect-four,pie")) == EMPTY_BOARD
    assert openings_of(find_rules("mnk:8,7,4")) == EMPTY_BOARD
    assert len(openings_of(CONNECT_FOUR)) > 1


@pytest.mark.parametrize("opening", [(0, 0), (0, 3, 1, 4, 2), (-1,)])
def test_moves_that_leave_no_game_are_no_opening(opening: tuple[int, ...]) -> None:
    with pytest.raises(InvalidMove):
        check_opening(find_rules("tic-tac-toe"), opening)
