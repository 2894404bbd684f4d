"""What is said of states and of whole games is true, and the best move keeps it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import count, pairwise
from random import Random

import pytest

from tests.logic.played_games import after, play_at_random, played_on
from tests.solver.late_positions import late_positions
from tic_tac_toe.contest.playing import play
from tic_tac_toe.game.evaluate import (
    Fault,
    ReviewedMove,
    evaluate,
    evaluate_moves,
    review,
    review_by_moves,
    review_move,
)
from tic_tac_toe.game.strategies import Strategy, minimax, trickster
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import move_name, parse_moves, parse_state
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.records import Record
from tic_tac_toe.logic.rules import Foretelling, Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.renju import Caro, Renju
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wrappers import Misere
from tic_tac_toe.logic.search.evaluation import (
    LEAST_CHANCE,
    MATE,
    Evaluation,
    MoveEvaluation,
    back_up,
    best_of_moves,
)
from tic_tac_toe.logic.search.exact import default_solver
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.pictures.board import best_outcome, sign_of
from tic_tac_toe.pictures.svg import svg
from tic_tac_toe.solver import analyse, verdict

#: Work for a quick look: hardly anything of a large game is solved.
QUICK = Limits(work=0.02)
#: Games of every kind of which random play comes close to the end, where exact values cost little.
GAMES: dict[str, Rules] = {
    name: rules for name, rules in VARIANTS.items() if rules.shape.cells <= 42
}
GAMES |= {
    name: find_rules(name)
    for name in (
        *("mnk:4,3,3", "mnk:4,4,3,misere", "mnk:4,4,3,exact", "mnk:5,4,3,exact,misere"),
        *("mnk:4,4,4,torus", "mnk:4,4,4,torus,exact", "mnk:4,4,3,torus,misere"),
        *("mnk:4,4,4,gravity", "mnk:4,4,3,gravity,misere", "mnk:4,4,3,gravity,exact"),
        *("mnk:4,3,3,pie", "mnk:4,4,3,gravity,pie", "mnk:4,4,3,misere,pie"),
        *("mnk:4,4,3,wild,exact", "mnk:4,4,3,wild,gravity,exact", "mnk:4,4,3,wild,misere"),
        *("mnk:4,4,3,wild,torus", "order-and-chaos:4,4,3,exact", "order-and-chaos,exact"),
        *("order-and-chaos:4,4,3,gravity,exact", "order-and-chaos:4,3,3,torus"),
    )
}
SMALL_BOARDS = LineRules(Shape(2, 3), 3)
GAMES |= {
    "caro": Caro(Shape(5, 5), 4),
    "renju": Renju(Shape(5, 6)),
    "ultimate": Ultimate(SMALL_BOARDS),
    "misère ultimate": Misere(Ultimate(SMALL_BOARDS)),
}


def some_states(name: str, number: int) -> list[GameState]:
    """Return states of a game that are not over, and whose exact values cost little."""
    rules = GAMES[name]
    if traits_of(rules).longest is None:
        states = [played_on(GameState.new(rules), 8 - seed, seed) for seed in range(number)]
        return [state for state in states if not state.game_over]
    empty = 7 if traits_of(rules).choices else 10
    return [GameState.at(rules, one) for one in late_positions(name, rules, empty, number)]


def values_of(state: GameState) -> dict[int, int]:
    """Return the exact score of each move."""
    rules, position = state.rules, state.position
    solver = default_solver(rules, position)
    return {move: back_up(solver.score(rules.play(position, move))) for move in state.legal_moves}


def cut_short(rng: Random) -> Limits:
    """Return limits that end a search anywhere: by its work, its positions, or by a call."""

    def somewhere(most: float) -> int:
        return int(10 ** rng.uniform(0, most))

    asked = count()
    last = somewhere(2.5)
    return rng.choice(
        [
            Limits(work=somewhere(5.0) / 1e6),
            Limits(work=0.3, node_limit=somewhere(4.0)),
            Limits(work=0.3, cancelled=lambda: next(asked) >= last),
        ]
    )


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if number % 3 else pytest.mark.medium)
        for number, name in enumerate(GAMES)
    ],
)
def test_what_is_proved_is_true_wherever_a_search_ends_and_best_moves_keep_it(name: str) -> None:
    rng = Random(name)
    for state in some_states(name, 2):
        values = values_of(state)
        exact = max(values.values())
        better = [evaluate(state)]
        for work in rng.sample((0.001, 0.4, 2.0), 2):
            better.append(evaluate(state, Limits(work=work), known=better[-1]))
        for before, now in pairwise(better):
            assert before.low <= now.low <= now.high <= before.high
        moves = evaluate_moves(state, cut_short(rng))
        again = evaluate_moves(state, cut_short(rng), known=moves)
        assert [move.move for move in moves] == list(values)
        for (cell, before), (_, now) in zip(moves, again):
            assert before.low <= now.low <= values[cell] <= now.high <= before.high
        # What stands on the screen is not forgotten by a hint.
        hint = evaluate(state, cut_short(rng), known=best_of_moves(again))
        cut = [evaluate(state, cut_short(rng), full=full) for full in (False, True)]
        for found in (*better, hint, *cut):
            assert found.low <= exact <= found.high
            assert found.best
            assert all(values[move] >= found.low for move in found.best)
        if all(move.evaluation.is_exact for move in again):
            assert {values[move] for move in hint.best} == {exact}


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "moves"),
    [
        *[("tic-tac-toe", "A1"), ("tic-tac-toe", "B2 A1"), ("wild", "XA1"), ("vanishing", "A1")],
        ("connect-four-5x4", "3 3 3"),
    ],
)
def test_a_small_game_gets_the_verdict_and_the_analysis(name: str, moves: str) -> None:
    state = after(name, moves)
    assert evaluate(state, full=True) == verdict(state)
    assert evaluate(state).best[0] in verdict(state).best
    assert evaluate_moves(state) == tuple(analyse(state))


# -- what was told wrongly once --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("play", [minimax, trickster])
def test_a_row_that_can_be_made_too_long_is_no_loss_for_chaos(play: Strategy) -> None:
    rules = find_rules("order-and-chaos,exact")
    state = parse_state("..OOOO/O...../O...../O..X../....../O..... o", rules)
    assert evaluate(state).high >= 0
    move = play(state, Random(1))
    assert move is not None
    assert move_name(state, move.number) == "OA1"


def test_a_row_of_letters_that_fall_is_no_win_where_it_can_be_made_too_long() -> None:
    rules = find_rules("order-and-chaos:6,4,4,gravity,exact")
    state = parse_state("....OX/....OO/XXOXOX/XXXXXX x", rules)
    assert evaluate(state).plies == verdict(state).plies == 5
    slower = next(move for move in evaluate_moves(state) if move.move == 32)
    assert (slower.outcome, slower.plies) == ("loss", 8)


@pytest.mark.medium
@pytest.mark.parametrize("name", ["notakto-2", "notakto-3", "notakto-4", "notakto-5", "notakto-6"])
def test_on_any_number_of_boards_of_notakto_the_theory_wins_at_once(name: str) -> None:
    rules, won = find_rules(name), 0
    assert isinstance(rules, Foretelling)
    for seed in range(8):
        state = played_on(GameState.new(rules), seed, seed)
        winner = rules.foretell(state.position)
        found, move = evaluate(state, QUICK), minimax(state, limits=QUICK)
        assert found.outcome == ("win" if winner == state.position.turn else "loss")
        assert move is not None
        for number in (*found.best, move.number):
            assert rules.foretell(rules.play(state.position, number)) == winner
        won += found.outcome == "win"
    assert won


def test_people_are_told_the_moves_of_the_side_that_wins() -> None:
    state = GameState.new(VARIANTS["wild"])
    found, moves = evaluate(state), evaluate_moves(state)
    assert (found.plies, found.moves) == (7, 4)
    assert {sign_of(move) for move in moves if move.move in found.best} == {"+4"}


# -- what cannot be solved in time -----------------------------------------------------------------


def test_a_win_by_fours_is_shown_with_all_its_moves() -> None:
    found = evaluate(after("gomoku", "H8 A1 H9 A2 H10 A3"), Limits(work=0.1))
    assert (found.source, found.bound, len(found.line)) == ("fours", MATE - 3, 3)
    assert found.best == found.line[:1]


@pytest.mark.slow
def test_best_moves_that_were_found_before_the_work_ended_are_kept() -> None:
    found = evaluate(GameState.new(find_rules("mnk:4,4,4,misere")), Limits(work=0.9), full=True)
    assert found.score == 0
    assert 0 < len(found.best) < 16


@pytest.mark.parametrize(("name", "moves"), [("5x5x4", ""), ("4x4", "A1")])
def test_a_clock_ends_solving_and_thinking(name: str, moves: str) -> None:
    ticks = count()
    found = evaluate(after(name, moves), Limits(6, clock=lambda: float(next(ticks))))
    assert not found.is_exact
    assert found.best
    assert next(ticks) < 30


def test_where_few_moves_cannot_be_solved_in_time_each_is_estimated() -> None:
    state = after("connect-four", "1 2 1 1 5 6 6 6 5")
    found = evaluate_moves(state, QUICK)
    assert [move.move for move in found] == list(state.legal_moves)
    estimated = [move for move in found if move.outcome == "open"]
    assert estimated
    assert all(0 < move.chance < 1 and move.is_judged for move in estimated)


def test_a_move_that_ends_the_game_is_solved_whatever_the_others_are() -> None:
    found = evaluate_moves(after("connect-four", "4 7 4 7 4 1"), QUICK)
    assert [sign_of(move) for move in found].count("+1") == 1


def test_of_many_moves_that_cannot_be_solved_only_the_best_are_judged() -> None:
    found = evaluate_moves(after("gomoku", "H8"), QUICK)
    assert 0 < sum(move.is_judged for move in found) < 12
    assert {sign_of(move) for move in found if not move.is_judged} == {""}


def test_signs_tell_what_is_proved_from_estimates_without_colour() -> None:
    moves = [
        MoveEvaluation.solved(0, "win", 3),
        MoveEvaluation.solved(1, "draw", 0),
        MoveEvaluation(2, Evaluation(chance=0.617)),
        MoveEvaluation(3, Evaluation(low=MATE - 9)),
        MoveEvaluation.solved(4, "loss", 12),
        MoveEvaluation.solved(5, "draw", 8),
    ]
    assert [sign_of(move) for move in moves] == ["+2", "=∞", "62%", "+", "−6", "="]
    assert best_outcome(moves) == "win"
    assert best_outcome([moves[2], moves[4]]) == "open"


def test_a_picture_shows_estimates_in_their_cells() -> None:
    picture = svg(GameState.new(), values=[MoveEvaluation(4, Evaluation(chance=0.4))])
    assert ">40%<" in picture
    assert "ttt-wash-open" in picture


@pytest.mark.parametrize("ask", [evaluate, evaluate_moves, verdict, analyse])
def test_a_number_instead_of_limits_is_told_what_would_be_right(ask: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match=r"Limits\(work=0\.5\)"):
        ask(GameState.new(), 0.2)


# -- reviews ---------------------------------------------------------------------------------------


#: Work for a quick look: nothing of a large game is solved.
GLANCE = Limits(work=0.025)
#: Games whose every position a brute force can value.
REVIEWED = (
    "3x3",
    "misere",
    "mnk:3,3,3,pie",
    "mnk:3,3,2,exact",
    "mnk:3,3,3,gravity",
    "mnk:3,3,3,torus",
    "notakto",
    pytest.param("vanishing", marks=pytest.mark.slow),
    pytest.param("wild", marks=pytest.mark.slow),
)

Results = dict[Position, int]


@cache
def results_of(name: str) -> Results:
    """Return 1, 0 or -1 for the side to move in every position: a win, neither, or a loss.

    Positions may come back: what is not decided after as many rounds as change anything is a draw.
    """
    rules = find_rules(name)
    below: dict[Position, list[Position]] = {}
    waiting = [GameState.new(rules).position]
    while waiting:
        position = waiting.pop()
        if position not in below:
            below[position] = [rules.play(position, move) for move in rules.moves(position)]
            waiting += below[position]
    known: Results = {}
    for position, children in below.items():
        outcome = rules.outcome(position)
        if not children and outcome is not None:
            loser_moves = outcome.winner == 1 - position.turn
            known[position] = 0 if outcome.winner is None else -1 if loser_moves else 1
    changes = True
    while changes:
        changes = False
        for position, children in below.items():
            if position in known:
                continue
            found = [known.get(child) for child in children]
            if -1 in found:
                known[position] = 1
            elif None not in found:
                known[position] = -min(one for one in found if one is not None)
            changes = changes or position in known
    return {position: known.get(position, 0) for position in below}


def random_game(rules: Rules, seed: int, most: int = 30) -> list[int]:
    return [*play_at_random(GameState.new(rules), most, seed)]


def numbers_of(rules: Rules, text: str) -> list[int]:
    return [move.number for move in parse_moves(GameState.new(rules), text)]


def reviewed(rules: Rules, numbers: Sequence[int]) -> list[ReviewedMove]:
    return [*review(GameState.new(rules), numbers)][::-1]


def sign(value: Evaluation) -> int:
    return {"win": 1, "draw": 0, "loss": -1}[value.outcome]


@pytest.mark.medium
@pytest.mark.parametrize("name", REVIEWED)
def test_every_result_given_away_in_a_small_game_is_found_with_a_better_line(name: str) -> None:
    rules, rng, known = find_rules(name), random.Random(name), results_of(name)
    for _ in range(6):
        for move in reviewed(rules, random_game(rules, rng.randrange(1000))):
            position = move.state.position
            best = known[position]
            kept = -known[rules.play(position, move.number)]
            assert (sign(move.before), sign(move.after)) == (best, kept)
            lost = {0: None, 1: Fault.MISTAKE, 2: Fault.BLUNDER}[best - kept]
            assert move.fault in ({None, Fault.SLOWER} if lost is None else {lost})
            assert move.is_turning_point == (lost is not None)
            for better in move.better:
                assert -known[rules.play(position, better)] == best
            assert move.is_proved
            if move.fault is None:
                assert (move.better, move.line) == ((), ())
                continue
            assert move.line[0] == move.better[0] != move.number
            for number in move.line:
                position, best = rules.play(position, number), -best
                assert known[position] == best


def test_a_slower_win_is_told_and_is_no_turning_point() -> None:
    rules = find_rules("3x3")
    slow = reviewed(rules, numbers_of(rules, "a1 b1 a3 c1 c3"))[-1]
    assert slow.fault is Fault.SLOWER
    assert slow.state.make_move_to(slow.better[0]).after_state.winner is Mark.CROSS
    assert not slow.is_turning_point


@pytest.mark.medium
def test_a_game_that_ended_because_its_position_came_back_ended_as_a_draw() -> None:
    # With all six marks on the board, eight moves lead back to where they began.
    circle = (0, 6, 2, 1, 7, 5, 4, 3)
    start, numbers = GameState.new(find_rules("vanishing")), (*circle[2:], *circle, *circle)
    assert Record.from_moves(start, numbers).final_state.drawn
    assert next(review(start, numbers)).after.outcome == "draw"


def test_what_is_only_estimated_is_never_given_as_certain() -> None:
    state = after("gomoku", "h8 a1 h9")
    value = evaluate(state, GLANCE)
    assert value.outcome == "open"
    assert not value.is_exact
    assert LEAST_CHANCE <= value.expectation <= 1 - LEAST_CHANCE
    assert set(value.best) <= set(state.legal_moves)
    assert evaluate(after("gomoku", "h8 a1 h9 a15 g9 o1"), GLANCE).expectation > 0.6


@pytest.mark.medium
def test_a_win_that_threats_prove_is_told_and_a_move_is_not_judged_beside_it() -> None:
    rules = find_rules("gomoku")
    numbers = numbers_of(rules, "h8 a1 i8 a3 j8 a5 o15 a7 k8 g8 l8")
    let_go = [*review(GameState.new(rules), numbers, GLANCE)][::-1][6]
    assert (let_go.before.outcome, let_go.after.outcome) == ("win", "open")
    assert let_go.fault is None


@pytest.mark.medium
def test_the_same_work_gives_the_same_review() -> None:
    rules = find_rules("connect-four")
    numbers = random_game(rules, 4, 12)
    first, second = ([*review(GameState.new(rules), numbers, GLANCE)] for _ in range(2))
    assert first == second


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ultimate", "order-and-chaos", "gomoku-caro", "renju"])
def test_any_game_is_reviewed_within_little_work(name: str) -> None:
    rules = find_rules(name)
    numbers = random_game(rules, 1, 5)
    found = [*review(GameState.new(rules), numbers, GLANCE)]
    assert [move.number for move in found] == numbers[::-1]
    for move in found:
        assert 0 <= move.before.expectation <= 1
        assert set(move.better) <= set(move.state.legal_moves) - {move.number}


@pytest.mark.medium
def test_a_move_is_no_fault_that_is_among_the_best() -> None:
    rules = find_rules("connect-four")
    for limits in (GLANCE, Limits(work=0.1)):
        for move in review(GameState.new(rules), numbers_of(rules, "1 4 1 5 7 3 7 2"), limits):
            assert move.number not in move.better
            assert move.fault is None or move.better


@pytest.mark.parametrize("name", ["3x3", "misere", "mnk:3,3,3,gravity", "connect-four-5x4"])
def test_where_all_moves_are_solved_a_review_by_them_says_the_same(name: str) -> None:
    rules = find_rules(name)
    numbers = random_game(rules, 2)
    for move in review(GameState.new(rules), numbers):
        solved = review_by_moves(move.state, move.number, analyse(move.state))
        assert solved is not None
        assert (solved.fault, solved.better) == (move.fault, move.better)
        assert (solved.before.score, solved.after.score) == (move.before.score, move.after.score)


@pytest.mark.medium
def test_an_estimate_is_not_judged_beside_what_is_proved() -> None:
    state = after("gomoku", "h8 a1 h9 a15 g9 o1")
    best = evaluate(state, GLANCE).best
    number = next(move for move in state.legal_moves if move not in best)
    proved, estimated = Evaluation.exact(MATE - 9), Evaluation(chance=0.98)
    assert review_move(state, number, estimated, GLANCE).fault is Fault.BLUNDER
    assert review_move(state, number, proved, GLANCE).fault is None
    assert review_move(state, best[0], estimated, GLANCE).fault is None


def test_an_illegal_move_in_a_game_is_refused() -> None:
    with pytest.raises(InvalidMove):
        next(review(GameState.new(), [4, 4]))


@pytest.mark.medium
@pytest.mark.parametrize("name", ["connect-four", "connect-four,pie", "mnk:5,4,4", "wild", "qubic"])
def test_no_move_is_worth_more_than_the_position_that_it_is_made_in(name: str) -> None:
    for seed in range(3):
        game = play("random", "rules", name, seed=seed)
        for move in review(game, limits=Limits(work=0.02)):
            assert move.after.high <= move.before.high
            assert move.after.low <= move.after.high
            assert move.before.outcome != "loss" or move.after.outcome == "loss"
