"""Every search against the textbook: minimax, table, alpha-beta and look-ahead agree."""

from __future__ import annotations

import inspect
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.forced_wins import wins_in_one
from tests.solver.late_positions import late_positions
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState, Grid, Mark
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.rules.letters import Wild
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.lines import Lines, lines
from tic_tac_toe.logic.rules.renju import Renju
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.search.deepening import (
    BOARD_WORTH,
    DECIDED,
    GROWTH,
    candidates,
    look_ahead,
    open_lines,
    static_evaluation,
)
from tic_tac_toe.logic.search.evaluation import (
    MATE,
    Evaluation,
    back_up,
    final_score,
    plies_of,
    push_down,
    result_of,
)
from tic_tac_toe.logic.search.exact import AlphaBeta, analyse_moves, find_verdict, negamax
from tic_tac_toe.logic.search.mcts import (
    FAR,
    MoveStatistics,
    best_of,
    monte_carlo,
    random_playout,
    walk_randomly,
)
from tic_tac_toe.logic.search.tables import Table, small_table, solve_table
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.solver import analyse, verdict

SMALL = ["tic-tac-toe", "misere-tic-tac-toe"]
TINY = [
    "mnk:1,1,1", "mnk:2,2,2", "mnk:3,2,3", "mnk:4,2,3,exact", "mnk:2,4,2,gravity", "mnk:3,3,2",
    "mnk:9,1,4", "mnk:3,3,3,gravity", "mnk:3,3,3,gravity,misere", "mnk:4,2,2,misere",
]  # fmt: skip


def test_backing_up_and_pushing_down_are_inverse_and_turn_the_order_around() -> None:
    scale = [*range(-MATE, -2), 0, *range(3, MATE + 1)]
    for lower, higher in pairwise(scale):
        assert back_up(lower) > back_up(higher)
    for score in scale:
        if abs(score) < MATE:
            assert back_up(push_down(score)) == score


def test_a_score_tells_outcome_and_plies() -> None:
    assert result_of(MATE - 3) == "win"
    assert result_of(0) == "draw"
    assert result_of(4 - MATE) == "loss"
    assert plies_of(MATE - 3) == 3
    assert plies_of(4 - MATE) == 4
    with pytest.raises(ValueError, match="draw's score"):
        plies_of(0)
    assert final_score(Outcome(0), 0) == MATE
    assert final_score(Outcome(0), 1) == -MATE
    assert final_score(Outcome(None), 1) == 0


# -- exact searches --------------------------------------------------------------------------------


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("name", SMALL + TINY)
def test_the_quick_table_of_small_line_games_is_the_general_one(name: str, starter: int) -> None:
    rules = find_rules(name)
    assert small_table(rules, starter) == solve_table(rules, Position(turn=starter))


@pytest.mark.parametrize(
    ("starter", "marks"),
    [(0, 5), (1, 5), *(pytest.param(starter, 0, marks=pytest.mark.slow) for starter in (0, 1))],
)
@pytest.mark.medium
@pytest.mark.parametrize("name", SMALL)
def test_textbook_table_and_alpha_beta_always_agree(name: str, starter: int, marks: int) -> None:
    """The textbook takes its time: it is asked from a number of marks on."""
    rules = find_rules(name)
    table, alpha_beta = small_table(rules, starter), AlphaBeta(rules)
    for position, entry in table.items():
        assert alpha_beta.score(position) == entry[0]
        if position.marks >= marks:
            assert negamax(rules, position) == entry[0]


#: Games of every kind that end, and whose random play comes close to a full board; ultimate as two
#: by two.
LATE_GAMES = [
    rules
    for rules in VARIANTS.values()
    if rules.shape.cells <= 42 and traits_of(rules).longest is not None
]
LATE_GAMES += map(find_rules, ["4x4,pie", "mnk:4,4,4,torus", "order-and-chaos:4,3,3"])
LATE_GAMES += [Ultimate(LineRules(Shape(2, 3), 3)), Misere(Ultimate(LineRules(Shape(2, 3), 3)))]
LATE_GAMES += map(find_rules, ["mnk:4,3,3", "mnk:4,3,3,misere", "mnk:5,3,3,exact", "mnk:8,1,4"])


class Textbook(NamedTuple):
    """Textbook minimax behind the interface of a solver."""

    rules: Rules

    def score(self, position: Position) -> int:
        return negamax(self.rules, position)

    def reaches(self, position: Position, bound: int) -> bool:
        return self.score(position) >= bound


@pytest.mark.medium
@pytest.mark.parametrize("rules", LATE_GAMES, ids=repr)
def test_alpha_beta_and_the_textbook_agree_on_late_positions_of_every_game(rules: Rules) -> None:
    few = 4 if traits_of(rules).choices else 6  # with two letters there are twice the moves
    for position in late_positions("textbook", rules, few, 6):
        solver = AlphaBeta(rules)
        expected = negamax(rules, position)
        assert solver.score(position) == expected
        for bound in (expected - 1, expected, expected + 1):
            assert AlphaBeta(rules).reaches(position, bound) == (expected >= bound)
        found = find_verdict(rules, position)._replace(source="solver")  # or a table
        assert found == find_verdict(rules, position, Textbook(rules))


def test_alpha_beta_stops_at_its_limit_and_keeps_what_it_knows() -> None:
    solver = AlphaBeta(VARIANTS["4x4"], node_limit=1_000)
    with pytest.raises(SearchLimitReached, match="no answer after 1,000 positions"):
        solver.score(Position())
    assert solver.nodes < 1_100


def test_the_largest_board_reaches_the_limit_and_not_the_depth_of_the_stack() -> None:
    rules = find_rules("mnk:26,26,26")
    with pytest.raises(SearchLimitReached):
        AlphaBeta(rules, node_limit=5_000).score(Position())


def test_tables_of_larger_games_are_refused() -> None:
    with pytest.raises(SearchLimitReached, match="more than 1,000 positions"):
        solve_table(VARIANTS["4x4"], position_limit=1_000)


# -- verdicts --------------------------------------------------------------------------------------


def test_a_verdict_has_outcome_plies_best_moves_and_line() -> None:
    answer = verdict(GameState(Grid("XXO O X O")))
    assert answer == Evaluation.exact(MATE - 1, (3,), (3,), source="table")
    moves = analyse(GameState(Grid("XXO O X O")))
    assert [(move.move, move.outcome, move.plies) for move in moves] == [
        (3, "win", 1),
        (5, "draw", 3),
        (7, "loss", 2),
    ]


@pytest.mark.parametrize("name", [*SMALL, "mnk:4,2,2", "mnk:3,3,3,gravity"])
def test_a_verdict_is_what_its_line_leads_to_and_agrees_with_the_analysis(name: str) -> None:
    rules = find_rules(name)
    for position in [*solve_table(rules)][::3]:
        answer, moves, here = (
            find_verdict(rules, position),
            analyse_moves(rules, position),
            position,
        )
        assert answer.plies == len(answer.line)
        assert answer.line[:1] == answer.best[:1]
        for move in answer.line:
            here = rules.play(here, move)
        outcome = rules.outcome(here)
        assert outcome is not None
        assert answer.outcome == result_of(final_score(outcome, position.turn))
        assert [move.move for move in moves] == list(rules.moves(position))
        if moves:
            values = {move.move: move.evaluation.score or 0 for move in moves}
            assert answer.score == max(values.values())
            assert answer.best == tuple(cell for cell in values if values[cell] == answer.score)


def test_the_verdict_on_a_position_outside_the_table_is_found_all_the_same() -> None:
    rules = find_rules("mnk:3,3,3,gravity")
    stacked = GameState(Grid("OOOOXXOXX"), Mark.NAUGHT, rules=rules)  # no game stacks them so
    assert stacked.position not in small_table(rules, 1)
    assert (verdict(stacked).outcome, verdict(stacked).plies) == ("loss", 0)
    started = GameState(Grid("X   O   X"))
    found = find_verdict(TIC_TAC_TOE, started.position, AlphaBeta(TIC_TAC_TOE))
    assert verdict(started).outcome == found.outcome


def test_boards_too_large_to_solve_are_refused_and_not_guessed() -> None:
    with pytest.raises(SearchLimitReached, match="no answer after 30,000 positions"):
        verdict(GameState.new(VARIANTS["gomoku"]), Limits(node_limit=30_000))
    with pytest.raises(SearchLimitReached):
        analyse(GameState.new(VARIANTS["gomoku"]), Limits(node_limit=1_000))


# -- limited searches ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_looking_ahead_to_the_end_is_exact(name: str) -> None:
    rules = find_rules(name)
    for position, entry in [*small_table(rules).items()][::7]:
        if not entry[1]:
            continue
        found = look_ahead(rules, position)
        if entry[0]:
            assert found.best == entry[1]
            assert found.value == entry[0] + (DECIDED if entry[0] > 0 else -DECIDED)
        else:
            assert found.value == 0
            assert set(found.best) <= set(entry[1])


@pytest.mark.parametrize("name", VARIANTS)
def test_looking_one_ply_ahead_never_misses_a_win_in_one(name: str) -> None:
    rules = VARIANTS[name]
    for position in late_positions("one ply", rules, rules.shape.cells * 2 // 3, 8):
        wins = wins_in_one(rules, position)
        found = look_ahead(rules, position, node_limit=1)
        assert found.depth >= 1
        if wins:
            assert list(found.best) == wins


def test_the_same_node_limit_gives_the_same_answer() -> None:
    rules = VARIANTS["connect-four"]
    first = look_ahead(rules, Position(), node_limit=3_000)
    assert look_ahead(rules, Position(), node_limit=3_000) == first
    assert first.depth > 3
    assert look_ahead(rules, Position(), depth_limit=2).depth == 2


def test_a_stop_request_ends_the_search_with_the_last_finished_depth() -> None:
    calls = iter(range(10**9))
    found = look_ahead(VARIANTS["gomoku"], Position(), stop=lambda: next(calls) > 3)
    assert found.depth >= 1
    assert next(calls) < 10


@pytest.mark.parametrize("length", [17, 20, 26])
def test_no_promise_of_long_lines_outweighs_a_win_in_one(length: int) -> None:
    rules = find_rules(f"mnk:26,26,{length}")
    crosses = sum(1 << cell for cell in range(1, length))
    naughts = sum(1 << 2 * 26 * (1 + i // 8) + 3 * (i % 8) for i in range(length - 1))
    found = look_ahead(rules, Position((crosses, naughts)), node_limit=1)
    assert 0 in found.best
    assert found.value == DECIDED + MATE - 1


def test_a_decided_value_ends_the_deepening() -> None:
    won = GameState(Grid("XX OO    ")).position
    assert look_ahead(TIC_TAC_TOE, won).depth == 1


def test_wide_boards_are_searched_within_two_cells_of_a_mark() -> None:
    rules, middle = VARIANTS["gomoku"], 7 * 15 + 7
    assert list(candidates(rules, Position(), rules.moves(Position()))) == [middle]
    started = rules.play(Position(), middle)
    near = candidates(rules, started, rules.moves(started))
    assert {(cell // 15 - 7, cell % 15 - 7) for cell in near} == {
        (down, right) for down in range(-2, 3) for right in range(-2, 3) if (down, right) != (0, 0)
    }


@pytest.mark.slow
def test_a_long_game_on_a_deep_stack_reaches_its_limit_and_not_the_interpreters() -> None:
    def deep(frames: int) -> None:
        if frames:
            deep(frames - 1)
        else:
            AlphaBeta(find_rules("mnk:12,12,12"), node_limit=10**6).score(Position())

    left = sys.getrecursionlimit() - len(inspect.stack(0))
    with pytest.raises(SearchLimitReached, match="interpreter's stack"):
        deep(left - 80)


LOST = (
    MoveStatistics(0, 9, 0.0, 2 - MATE),
    MoveStatistics(1, 1, 0.0, 4 - MATE),
    MoveStatistics(2, 5, 0.0, 4 - MATE),
)
DRAW, WORSE, BETTER = (
    MoveStatistics(2, 3, 0.5, 0),
    MoveStatistics(4, 90, 0.4, None),
    MoveStatistics(5, 90, 0.6, None),
)


@pytest.mark.parametrize(
    ("statistics", "best"),
    [
        (LOST, (1, 2)),  # the longest defence
        ((*LOST, MoveStatistics(3, 1, 0.5, 0)), (3,)),
        ((*LOST, MoveStatistics(4, 1, 1.0, MATE - 1)), (4,)),
        ((DRAW, WORSE), (2,)),  # a proved draw, where open moves win less than half
        ((DRAW, BETTER), (5,)),
        ((WORSE, BETTER), (4, 5)),
    ],
)
def test_monte_carlo_takes_what_is_proved_before_what_is_less(
    statistics: tuple[MoveStatistics, ...], best: tuple[int, ...]
) -> None:
    assert best_of(statistics) == best


def test_looking_no_ply_ahead_or_from_the_end_is_refused() -> None:
    with pytest.raises(ValueError, match="one ply at least"):
        look_ahead(TIC_TAC_TOE, Position(), depth_limit=0)
    over = GameState(Grid("XXXOO    ")).position
    with pytest.raises(ValueError, match="The game is over"):
        look_ahead(TIC_TAC_TOE, over)
    with pytest.raises(ValueError, match="The game is over"):
        monte_carlo(TIC_TAC_TOE, over, random.Random(1), iterations=10)


@pytest.mark.parametrize("name", [*SMALL, "mnk:4,3,3"])
def test_what_monte_carlo_proves_is_true(name: str) -> None:
    rules, rng, proven = find_rules(name), random.Random(4), 0
    solver = AlphaBeta(rules)
    for position in late_positions("proven", rules, 6, 60):
        for move in monte_carlo(rules, position, rng, iterations=400):
            if move.proven is not None:
                proven += 1
                score = back_up(solver.score(rules.play(position, move.move)))
                assert result_of(move.proven) == result_of(score)
    assert proven > 30


def test_monte_carlo_finds_every_win_in_one() -> None:
    rng = random.Random(6)
    for position, entry in small_table(TIC_TAC_TOE).items():
        if entry[0] == MATE - 1:
            best = best_of(monte_carlo(TIC_TAC_TOE, position, rng, iterations=1))
            assert set(best) <= set(entry[1])


def test_on_a_wide_board_monte_carlo_tries_moves_near_a_mark_first_and_the_others_later() -> None:
    rules = find_rules("mnk:12,12,5")
    position = rules.play(Position(), 65)
    near = {*candidates(rules, position, rules.moves(position))}
    early, late = (
        {move.move for move in monte_carlo(rules, position, Random(1), iterations=n, decisive=True)}
        for n in (FAR * len(near), FAR * len(near) + 1)
    )
    assert early == near < late


def test_monte_carlo_stops_when_asked_but_tries_every_move_first() -> None:
    found = monte_carlo(
        VARIANTS["4x4"], Position(), random.Random(1), iterations=10**9, stop=lambda: True
    )
    assert [move.visits for move in found] == [1] * 16


NO_MARKS, TWO_MARKS = Position(), Position((1, 16), 1)
#: Many moves of X are forbidden here.
BARRED = play_moves(
    GameState.new(Renju(Shape(6, 6))), "C3 A1 D3 F1 C4 A6 D4 F6 B2 B6 E5 E1"
).position


@pytest.mark.medium
@pytest.mark.parametrize(
    ("rules", "start", "games", "winners"),
    [
        (TIC_TAC_TOE, NO_MARKS, 6_000, 3),
        (VARIANTS["misere-tic-tac-toe"], NO_MARKS, 6_000, 3),
        (VARIANTS["4x4x3"], NO_MARKS, 6_000, 3),
        (find_rules("mnk:5,2,2"), NO_MARKS, 6_000, 2),
        *((find_rules("wild"), start, 2_000, 3) for start in (NO_MARKS, TWO_MARKS)),
        *(
            (find_rules("order-and-chaos:3,3,3"), start, 2_000, 2)
            for start in (NO_MARKS, TWO_MARKS)
        ),
        (Renju(Shape(6, 6)), BARRED, 600, 3),
    ],
    ids=repr,
)
def test_the_short_way_through_random_games_and_move_by_move_have_the_same_odds(
    rules: Rules, start: Position, games: int, winners: int
) -> None:
    one, other = random.Random(1), random.Random(2)
    short = Counter(random_playout(rules, start, one) for _ in range(games))
    walked = Counter(walk_randomly(rules, start, other) for _ in range(games))
    assert len(walked) == winners
    for winner in (0, 1, None):
        # Five standard deviations of the difference of two such counts are less than this.
        assert abs(short[winner] - walked[winner]) < 3.6 * games**0.5


def test_a_table_knows_every_reachable_position_and_no_other() -> None:
    table = small_table(TIC_TAC_TOE)
    assert isinstance(table, Table)
    assert len(table) == 5478
    assert (table.reaches(Position(), 0), table.reaches(Position(), 1)) == (True, False)
    assert Position((0b111, 0b111000), 0) not in table


# -- playouts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [
        Ultimate(),
        Ultimate(stays_open=True),
        Misere(Ultimate()),
        Ultimate(LineRules(Shape(2, 3), 2)),
    ],
    ids=["ordinary", "open", "misère", "oblong"],
)
def test_the_short_way_through_ultimate_plays_the_same_game_of_the_same_dice(rules: Rules) -> None:
    start = Position()
    for seed in range(60):
        winner = walk_randomly(rules, start, Random(seed))
        assert random_playout(rules, start, Random(seed)) == winner
        # The next game begins where this one has come to by then.
        moves = rules.moves(start)
        start = rules.play(start, Random(seed).choice(moves)) if moves else Position()


@pytest.mark.medium
def test_a_side_that_can_win_ultimate_at_once_does_so_where_it_is_asked_to() -> None:
    rules, rng, seen = Ultimate(), random.Random(3), 0
    for _ in range(40):
        position = Position()
        while moves := rules.moves(position):
            if wins_in_one(rules, position):
                seen += 1
                assert random_playout(rules, position, rng, decisive=True) == position.turn
            position = rules.play(position, rng.choice(moves))
    assert seen > 40


@pytest.mark.parametrize("name", ["tic-tac-toe", "wild", "ultimate", "order-and-chaos:3,3,3"])
def test_a_random_game_from_the_end_is_its_result(name: str) -> None:
    rules, rng = find_rules(name), Random(name)
    for _ in range(20):
        position = Position()
        while moves := rules.moves(position):
            position = rules.play(position, rng.choice(moves))
        outcome = rules.outcome(position)
        assert outcome is not None
        assert random_playout(rules, position, rng) == outcome.winner


# -- evaluation ------------------------------------------------------------------------------------


def open_lines_one_by_one(found: Lines, own: int, other: int) -> int:
    counts = [(line.mask & own).bit_count() for line in found.places if not line.mask & other]
    return sum(GROWTH ** (count - 1) for count in counts if count)


@given(st.integers(1, 20), st.integers(1, 20), st.booleans(), st.data())
def test_counting_by_shifting_is_counting_place_by_place(
    rows: int, columns: int, exact: bool, data: st.DataObject
) -> None:
    assume(rows * columns > 1)  # a line of one cell is one place, but runs in all directions
    length = data.draw(st.integers(2, max(rows, columns)))
    found = lines(Shape(rows, columns), length, exact)
    bits = st.integers(0, found.layout.full)
    own = data.draw(bits) | data.draw(bits)
    other = data.draw(bits) & data.draw(bits) & data.draw(bits) & ~own
    assert open_lines(found, own, other) == open_lines_one_by_one(found, own, other)


def test_the_empty_board_is_level_and_the_centre_is_worth_four_lines() -> None:
    assert static_evaluation(TIC_TAC_TOE, Position()) == 0
    assert static_evaluation(TIC_TAC_TOE, Position((1 << 4, 0), 1)) == -4
    assert static_evaluation(TIC_TAC_TOE, Position((1 << 4, 0), 0)) == 4


def test_misere_turns_the_judgement_around() -> None:
    rng = random.Random(1)
    for plain in (TIC_TAC_TOE, VARIANTS["connect-four"], VARIANTS["ultimate"]):
        position = Position()
        for _ in range(12):
            if cells := list(plain.moves(position)):
                position = plain.play(position, rng.choice(cells))
                assert static_evaluation(Misere(plain), position) == -static_evaluation(
                    plain, position
                )


def test_ultimate_counts_won_boards_as_stones_and_forgets_what_lies_in_them() -> None:
    rules = Ultimate()
    top_left = Position((0b111, 0b101 << 36), 1, 0)  # X has won the first board
    board = lines(Shape(3, 3), 3)
    naughts = rules.side(top_left.stones[1]).boards
    expected = -BOARD_WORTH * 3 + sum(open_lines(board, stones, 0) for stones in naughts)
    assert static_evaluation(rules, top_left) == expected


def test_games_of_ones_own_are_level_until_somebody_judges_them() -> None:
    class Own(LineRules):
        """Line games are judged, and so is what derives from them."""

    assert static_evaluation(Own(), Position((1 << 4, 0), 1)) == -4


@dataclass(frozen=True)
class CountedWild(Wild):
    """Wild tic-tac-toe that counts how often a move is played."""

    plays: list[int] = field(default_factory=lambda: [0], compare=False)

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move, and count."""
        self.plays[0] += 1
        return super().play(position, move)


@pytest.mark.parametrize("stones", [(0, 0), (0b1111, 0b1111 << 30)])
def test_a_decisive_search_of_a_wide_board_obeys_its_limits(stones: tuple[int, int]) -> None:
    rules = CountedWild(LineRules(Shape(15, 15), 6))
    found = monte_carlo(
        rules, Position(stones), Random(0), iterations=1, stop=lambda: True, decisive=True
    )
    moves = len(rules.moves(Position(stones)))
    assert rules.plays[0] <= 12 * moves  # before, each move was tried: as many looks at replies
    assert any(move.proven is None or move.proven > -900 for move in found)
