"""`verdict` and `analyse` ask the best solver there is, and all doors take the same limits."""

from __future__ import annotations

import re
import subprocess
import sys
import tracemalloc
from typing import Any

import pytest

import tic_tac_toe
from tests.logic.played_games import played_on
from tic_tac_toe import solver
from tic_tac_toe.game.evaluate import evaluate, review
from tic_tac_toe.limits import Meter, total_memory
from tic_tac_toe.logic.exceptions import SearchLimitReached
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import move_name, parse_move, play_moves
from tic_tac_toe.logic.records import first_state, parse_records
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.search.exact import AlphaBeta, analyse_moves, find_verdict
from tic_tac_toe.logic.search.tables import walk_census
from tic_tac_toe.solver import (
    Limits,
    analyse,
    solve,
    solve_many,
    solve_outcome,
    take_census,
    verdict,
)
from tic_tac_toe.testing import check_rules

needs_numba = pytest.mark.skipif(not solver.is_installed(), reason="Numba is not installed")
START = GameState.new(CONNECT_FOUR)
VALUES_OF_THE_COLUMNS = [
    ("loss", 40), ("loss", 42), ("draw", 42), ("win", 41), ("draw", 42), ("loss", 42), ("loss", 40),
]  # fmt: skip


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)


def test_the_first_analyse_that_a_newcomer_finds_is_the_only_one() -> None:
    assert tic_tac_toe.analyse is solver.analyse
    assert tic_tac_toe.verdict is solver.verdict
    assert tic_tac_toe.solve is solver.solve


def test_the_empty_board_of_connect_four_is_analysed_from_the_book_with_and_without_numba(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for _ in range(2):
        found = analyse(START, Limits(node_limit=0))
        assert [(move.outcome, move.plies) for move in found] == VALUES_OF_THE_COLUMNS
        monkeypatch.setitem(sys.modules, "numba", None)


@needs_numba
def test_solve_looks_into_the_book() -> None:
    assert solve_outcome(START, Limits(node_limit=0)) == "win"
    with pytest.raises(SearchLimitReached):  # the line of play is in no book
        solve(START, Limits(node_limit=1_000))
    with pytest.raises(SearchLimitReached):
        solve_outcome(play_moves(START, "121156665"), Limits(node_limit=1_000))


@pytest.mark.slow
@needs_numba
def test_the_fast_solver_answers_what_plain_python_cannot_within_its_limit() -> None:
    state = GameState.new(find_rules("5x5x4"))

    with pytest.raises(SearchLimitReached):
        find_verdict(state.rules, state.position, AlphaBeta(state.rules, node_limit=20_000))
    assert verdict(state).outcome == "draw"


@pytest.mark.medium
@pytest.mark.parametrize("moves", ["332245", "332244", "334"])
def test_all_solvers_say_the_same(moves: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = play_moves(GameState.new(find_rules("connect-four-5x4")), moves)
    found, analysed = verdict(state), analyse(state)
    monkeypatch.setitem(sys.modules, "numba", None)

    assert (verdict(state), analyse(state)) == (found, analysed)
    plain = AlphaBeta(state.rules)
    assert found == find_verdict(state.rules, state.position, plain)
    assert analysed == analyse_moves(state.rules, state.position, plain)


def test_drawn_moves_take_as_long_as_their_line_of_play() -> None:
    for name in ("tic-tac-toe", "misere-tic-tac-toe", "mnk:4,3,3", "mnk:3,4,3,gravity"):
        state = played_on(GameState.new(find_rules(name)), 4, seed=5)
        for judged in analyse(state):
            after = verdict(state.make_move_to(judged.move).after_state)
            assert judged.plies == 1 + len(after.line)


@pytest.mark.parametrize("door", [verdict, analyse])
def test_a_search_in_plain_python_can_be_stopped(door: Any, without_numba: None) -> None:
    state = GameState.new(find_rules("5x5x4"))
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(SearchLimitReached, match="the search was cancelled"):
        door(state, Limits(cancelled=cancelled))


#: Limits of the caller's own, and the codes and sentences of the errors that they end in.
OWN_LIMITS: list[tuple[Limits, str, str]] = [
    (Limits(time_limit=0), "time_limit", "no answer after 0 seconds"),
    (Limits(time_limit=1e-9), "time_limit", "no answer after 1e-09 seconds"),
    (Limits(cancelled=lambda: True), "cancelled", "the search was cancelled"),
    (Limits(node_limit=1), "node_limit", "no answer after 1 position"),
    (Limits(node_limit=2), "node_limit", "no answer after 2 positions"),
]


@pytest.mark.parametrize("door", [verdict, analyse])
@pytest.mark.parametrize(("limits", "code", "sentence"), OWN_LIMITS)
@pytest.mark.parametrize("name", ["ultimate", pytest.param("mnk:7,8,4,gravity", marks=needs_numba)])
def test_a_limit_of_ones_own_ends_the_search_by_its_own_name(
    name: str, door: Any, limits: Limits, code: str, sentence: str
) -> None:
    with pytest.raises(SearchLimitReached) as reached:
        door(GameState.new(find_rules(name)), limits)

    assert reached.value.code == code
    assert re.fullmatch(f"{sentence}(; the outcome is open)?", str(reached.value))


def test_one_second_is_told_in_the_singular() -> None:
    meter = Meter(Limits(time_limit=1, clock=iter([0.0, 1.0]).__next__))

    assert str(meter.limit_reached(nodes=0)) == "no answer after 1 second"


@pytest.mark.slow
@pytest.mark.usefixtures("without_numba")
def test_a_search_on_the_largest_board_takes_little_memory() -> None:
    state = GameState.new(find_rules("mnk:26,26,5,wild"))
    with pytest.raises(SearchLimitReached):  # what is made once for the game is not counted
        verdict(state, Limits(node_limit=100))
    tracemalloc.start()
    try:
        with pytest.raises(SearchLimitReached):
            verdict(state, Limits(node_limit=2_000))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert most < 5 << 20


@pytest.mark.usefixtures("without_numba")
def test_where_nobody_set_the_limit_the_error_says_what_goes_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tic_tac_toe.solver.answers.NODE_LIMIT", 500)
    both = "; limits=Limits() sets no limit; find_best_move always answers"

    with pytest.raises(SearchLimitReached) as solved_faster:
        analyse(GameState.new(find_rules("5x5x4")))
    with pytest.raises(SearchLimitReached) as solved_by_nothing:
        verdict(GameState.new(VARIANTS["gomoku"]))
    start = "no answer after 500 positions"
    faster = '; the fast solver goes further (pip install "./library[fast]"), and' + both[1:]
    assert str(solved_faster.value) == start + faster
    assert str(solved_by_nothing.value) == start + both
    assert solved_by_nothing.value.code == "default_limit"


def test_more_memory_than_the_machine_has_is_refused_by_the_name_of_the_limit() -> None:
    if total_memory() is None:
        pytest.skip("this system does not tell how much memory it has")
    with pytest.raises(ValueError, match=r"^memory must be [0-9]+ bytes at most"):
        Limits(memory=1 << 45)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if number % 3 else pytest.mark.medium)
        for number, name in enumerate(VARIANTS)
    ],
)
@pytest.mark.usefixtures("without_numba")
def test_some_move_is_best_on_every_variant_with_little_effort(name: str) -> None:
    for starter in Mark:
        state = first_state(VARIANTS[name], starter)
        best = evaluate(state, Limits(work=0.05)).best
        assert best
        assert set(best) <= set(state.legal_moves)


@pytest.mark.medium
def test_the_doors_can_be_imported_where_numpy_is_missing() -> None:
    code = (
        "import sys; sys.modules['numpy'] = sys.modules['numba'] = None\n"
        "from tic_tac_toe import *\n"
        "from tic_tac_toe.solver import solve_outcome, take_census\n"
        "print(analyse(GameState.new())[4].outcome, len(list(take_census(LineRules()))))\n"
        "solve(GameState.new())\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )

    assert ended.stdout == "draw 10\n"
    assert ended.stderr.endswith(
        "ModuleNotFoundError: the fast solver needs packages that are not installed; "
        'in a checkout: pip install "./library[fast]"\n'
    )


@pytest.mark.slow
@needs_numba
@pytest.mark.parametrize("name", ["mnk:4,3,3", "mnk:2,5,3,gravity", "mnk:5,2,2,misere"])
@pytest.mark.parametrize("symmetric", [True, False])
def test_a_census_by_enumeration_is_that_of_the_walk(name: str, symmetric: bool) -> None:
    rules = find_rules(name)
    for values in (True, False):
        found = list(take_census(rules, symmetric=symmetric, values=values))
        assert found == list(walk_census(rules, symmetric=symmetric, values=values))


DOORS_FOR_STATES: list[Any] = [
    *(tic_tac_toe.Match, tic_tac_toe.find_best_move, tic_tac_toe.format_state),
    *(verdict, analyse, solve, solve_outcome, tic_tac_toe.svg, tic_tac_toe.tree),
    lambda state: tic_tac_toe.play_moves(state, "B2"),
    lambda state: parse_move(state, "B2"),
    lambda state: move_name(state, 1),
    lambda state: list(review(state)),
    lambda state: solve_many([state]),
    tic_tac_toe.Record.from_moves,
]
DOORS_FOR_RULES: list[Any] = [
    *(GameState.new, tic_tac_toe.variant_name, tic_tac_toe.Record, check_rules),
    lambda rules: GameState.at(rules, tic_tac_toe.Position()),
    lambda rules: GameState(tic_tac_toe.Grid(), rules=rules),
    lambda rules: tic_tac_toe.parse_state("." * 9, rules),
]
A_STATE = "a GameState, the rules or name of a game, or a text like 'XXO/O.X/.O.'"
THE_RULES = "the rules of a game, such as find_rules('connect-four')"


@pytest.mark.parametrize(
    ("doors", "expected", "wrong", "name"),
    [
        (DOORS_FOR_STATES, A_STATE, 4, "int"),
        (DOORS_FOR_STATES, A_STATE, LineRules, "the class LineRules"),
        (DOORS_FOR_RULES, THE_RULES, START, "GameState"),
        (DOORS_FOR_RULES, THE_RULES, LineRules, "the class LineRules"),
    ],
)
def test_what_is_no_state_or_no_rules_is_refused_at_once_by_every_door(
    doors: list[Any], expected: str, wrong: object, name: str
) -> None:
    for door in doors:
        with pytest.raises(TypeError) as refusal:
            door(wrong)
        assert str(refusal.value) == f"expected {expected}, not {name}", door


def test_every_door_takes_a_name_and_those_for_states_also_rules_and_a_text() -> None:
    for door in DOORS_FOR_RULES:
        door("tic-tac-toe")
    for door in DOORS_FOR_STATES:
        for given in ("mnk:2,2,2", find_rules("mnk:2,2,2,torus"), "XXO/O.X/.O."):
            door(given)


@pytest.mark.parametrize(
    ("door", "expected"),
    [
        (find_rules, "the name of a game, such as 'connect-four'"),
        (tic_tac_toe.find_strategy, "the name of a computer player, such as 'medium'"),
        (tic_tac_toe.parse_state, "a text such as 'XXO/O.X/.O.'"),
        (lambda text: parse_move(START, text), "a text such as 'B2'"),
        (lambda text: tic_tac_toe.play_moves(START, text), "a text of moves, such as 'B2 A1'"),
        (parse_records, "the text of records"),
        (GameState, "a Grid (parse_state reads a text)"),
        (lambda position: GameState.at(CONNECT_FOUR, position), "a Position"),
        (LineRules, "a Shape(rows, columns)"),
    ],
)
def test_other_values_of_a_wrong_kind_are_refused_with_what_was_expected(
    door: Any, expected: str
) -> None:
    with pytest.raises(TypeError) as refusal:
        door(4)

    assert str(refusal.value) == f"expected {expected}, not int"
