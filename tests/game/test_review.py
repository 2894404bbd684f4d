"""Reviews of games, compared with a brute force that shares no search with the library."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest

from tic_tac_toe.engines.engine import LEAST_CHANCE
from tic_tac_toe.game.evaluate import evaluate
from tic_tac_toe.game.review import (
    Fault,
    ReviewedMove,
    review,
    review_by_moves,
    review_move,
    states_of,
)
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import parse_moves, read_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.logic.search.scores import MATE
from tic_tac_toe.solver import analyse

#: Work for a quick look: nothing of a large game is solved.
QUICK = Limits(work=0.025)
#: Games whose every position a brute force can value.
SMALL = (
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
    for position, after in below.items():
        outcome = rules.outcome(position)
        if not after and outcome is not None:
            loser_moves = outcome.winner == 1 - position.turn
            known[position] = 0 if outcome.winner is None else -1 if loser_moves else 1
    changes = True
    while changes:
        changes = False
        for position, after in below.items():
            if position in known:
                continue
            found = [known.get(child) for child in after]
            if -1 in found:
                known[position] = 1
            elif None not in found:
                known[position] = -min(one for one in found if one is not None)
            changes = changes or position in known
    return {position: known.get(position, 0) for position in below}


def random_game(rules: Rules, rng: random.Random, most: int = 30) -> list[int]:
    state, numbers = GameState.new(rules), list[int]()
    while not state.game_over and len(numbers) < most:
        move = state.make_random_move(rng)
        assert move is not None
        numbers.append(move.number)
        state = move.after_state
    return numbers


def numbers_of(rules: Rules, text: str) -> list[int]:
    return [move.number for move in read_moves(GameState.new(rules), text)]


def game_that_comes_back(rules: Rules, rng: random.Random) -> list[int]:
    """Return a game between two who never win and like to go where they have been."""
    start = GameState.new(rules)
    numbers, seen = list[int](), Counter[Position]()
    state = start
    while not state.game_over:
        seen[state.position] += 1
        children = {move.number: move.after_state for move in state.possible_moves}
        safe = [number for number in children if not children[number].game_over]
        numbers.append(
            max(safe, key=lambda number: (seen[children[number].position], rng.random()))
        )
        state = states_of(start, numbers)[-1]
    return numbers


def reviewed(rules: Rules, numbers: Sequence[int]) -> list[ReviewedMove]:
    return [*review(GameState.new(rules), numbers)][::-1]


def sign(value: Evaluation) -> int:
    return {"win": 1, "draw": 0, "loss": -1}[value.outcome]


@pytest.mark.medium
@pytest.mark.parametrize("name", SMALL)
def test_every_result_given_away_in_a_small_game_is_found_with_a_line_that_keeps_it(
    name: str,
) -> None:
    rules, rng, known = find_rules(name), random.Random(name), results_of(name)
    for _ in range(6):
        for move in reviewed(rules, random_game(rules, rng)):
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


def test_moves_come_the_last_one_first() -> None:
    rules = find_rules("3x3")
    numbers = numbers_of(rules, "b2 a2 a1 c3")
    found = [*review(GameState.new(rules), numbers)]
    assert [move.number for move in found] == [*reversed(numbers)]


@pytest.mark.medium
def test_a_game_that_ended_because_its_position_came_back_ended_as_a_draw() -> None:
    rules = find_rules("vanishing")
    start = GameState.new(rules)
    rng = random.Random(1)
    numbers = game_that_comes_back(rules, rng)
    assert states_of(start, numbers)[-1].drawn
    assert next(review(start, numbers)).after.outcome == "draw"


def test_what_is_only_estimated_is_never_given_as_certain() -> None:
    rules = find_rules("gomoku")
    state = parse_moves(GameState.new(rules), "h8 a1 h9")
    value = evaluate(state, QUICK)
    assert value.outcome == "open"
    assert not value.is_exact
    assert LEAST_CHANCE <= value.expectation <= 1 - LEAST_CHANCE
    assert set(value.best) <= set(state.legal_moves)


def test_a_side_that_is_far_ahead_is_expected_to_win() -> None:
    rules = find_rules("gomoku")
    state = parse_moves(GameState.new(rules), "h8 a1 h9 a15 g9 o1")
    assert evaluate(state, QUICK).expectation > 0.6


@pytest.mark.medium
def test_a_win_that_threats_prove_is_told_and_a_move_is_not_judged_beside_it() -> None:
    rules = find_rules("gomoku")
    numbers = numbers_of(rules, "h8 a1 i8 a3 j8 a5 o15 a7 k8 g8 l8")
    let_go = [*review(GameState.new(rules), numbers, QUICK)][::-1][6]
    assert (let_go.before.outcome, let_go.after.outcome) == ("win", "open")
    assert let_go.fault is None


@pytest.mark.medium
def test_the_same_work_gives_the_same_review() -> None:
    rules = find_rules("connect-four")
    numbers = random_game(rules, random.Random(4), most=12)
    first, second = ([*review(GameState.new(rules), numbers, QUICK)] for _ in range(2))
    assert first == second


@pytest.mark.medium
@pytest.mark.parametrize("name", ["ultimate", "order-and-chaos", "gomoku-caro", "renju"])
def test_any_game_is_reviewed_within_little_work(name: str) -> None:
    rules = find_rules(name)
    numbers = random_game(rules, random.Random(1), most=5)
    found = [*review(GameState.new(rules), numbers, QUICK)]
    assert [move.number for move in found] == numbers[::-1]
    for move in found:
        assert 0 <= move.before.expectation <= 1
        assert set(move.better) <= set(move.state.legal_moves) - {move.number}


@pytest.mark.medium
def test_a_move_is_no_fault_that_is_among_the_best() -> None:
    rules = find_rules("connect-four")
    for limits in (QUICK, Limits(work=0.1)):
        for move in review(GameState.new(rules), numbers_of(rules, "1 4 1 5 7 3 7 2"), limits):
            assert move.number not in move.better
            assert move.fault is None or move.better


@pytest.mark.parametrize("name", ["3x3", "misere", "mnk:3,3,3,gravity", "connect-four-5x4"])
def test_where_all_moves_are_solved_a_review_by_them_says_the_same(name: str) -> None:
    rules = find_rules(name)
    numbers = random_game(rules, random.Random(2))
    for move in review(GameState.new(rules), numbers):
        solved = review_by_moves(move.state, move.number, analyse(move.state))
        assert solved is not None
        assert (solved.fault, solved.better) == (move.fault, move.better)
        assert (solved.before.score, solved.after.score) == (move.before.score, move.after.score)


@pytest.mark.medium
def test_an_estimate_is_not_judged_beside_what_is_proved() -> None:
    state = parse_moves(GameState.new(find_rules("gomoku")), "h8 a1 h9 a15 g9 o1")
    best = evaluate(state, QUICK).best
    number = next(move for move in state.legal_moves if move not in best)
    proved, estimated = Evaluation.exact(MATE - 9), Evaluation(chance=0.98)
    assert review_move(state, number, estimated, QUICK).fault is Fault.BLUNDER
    assert review_move(state, number, proved, QUICK).fault is None
    assert review_move(state, best[0], estimated, QUICK).fault is None


def test_an_illegal_move_in_a_game_is_refused() -> None:
    with pytest.raises(InvalidMove):
        next(review(GameState.new(), [4, 4]))
