"""A brain obeys the commands of Gomocup's protocol, and no line makes it fail."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.gomoku import Gomoku, gomoku_of
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.protocols.gomocup.brain import Brain, Request
from tic_tac_toe.protocols.gomocup.limits import Limits
from tic_tac_toe.protocols.gomocup.texts import LONGEST_LINE

ABOUT = 'name="test"'


def talk(*lines: str, brain: Brain | None = None) -> tuple[Brain, list[str]]:
    """Return a brain and all that it answers to lines."""
    brain = brain or Brain(ABOUT)
    return brain, [answer for line in lines for answer in brain.receive(line)]


def asked(*lines: str) -> Request:
    """Return what a brain has to find after lines that it has no answer to but ``OK``."""
    brain, answers = talk(*lines)
    assert {*answers} <= {"OK"}, answers
    assert brain.request is not None
    return brain.request


def test_a_move_answers_begin_and_turn_with_column_and_row() -> None:
    brain, answers = talk("START 15", "BEGIN")
    assert answers == ["OK"]
    assert brain.request is not None
    assert brain.answer(brain.request, [3 * 15 + 10]) == ["10,3"]
    assert brain.receive("TURN 2,1\r") == []
    request = brain.request
    assert request is not None
    assert request.state.grid.cells[3 * 15 + 10] == "X"
    assert request.state.grid.cells[1 * 15 + 2] == "O"
    assert request.state.current_mark is Mark.CROSS


def test_a_board_gives_the_side_that_moved_first_to_whoever_has_as_many_stones() -> None:
    own_first = asked("START 15", "BOARD", "7,7,1", "8,8,2", "DONE").state
    other_first = asked("START 15", "BOARD", "7,7,2", "DONE").state
    assert (own_first.grid.cells[7 * 15 + 7], own_first.current_mark) == ("X", Mark.CROSS)
    assert (other_first.grid.cells[7 * 15 + 7], other_first.current_mark) == ("X", Mark.NAUGHT)


@pytest.mark.parametrize(
    ("number", "variant"),
    [
        *(("0", "gomoku"), ("1", "gomoku-standard"), ("4", "renju"), ("5", "renju")),
        *(("2", "renju"), ("8", "gomoku-caro"), ("9", "gomoku-caro")),
    ],
)
def test_the_rule_is_a_sum_and_2_is_renju_as_yixin_says_it(number: str, variant: str) -> None:
    state = asked("START 15", f"INFO rule {number}", "BEGIN").state
    assert state.rules == find_rules(variant)


@pytest.mark.parametrize("number", ["3", "6", "12", "16", "-1"])
def test_a_rule_that_is_not_played_is_refused_when_a_move_is_asked_for(number: str) -> None:
    brain, answers = talk("START 15", f"INFO rule {number}", "BEGIN")
    assert answers == ["OK", "ERROR games with this rule are not played here"]
    assert brain.request is None


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        *(("START 15", Shape(15, 15)), ("START 26", Shape(26, 26)), ("START 5", Shape(5, 5))),
        *(("RECTSTART 20,15", Shape(15, 20)), ("rectstart 5 , 8", Shape(8, 5))),
    ],
)
def test_boards_are_columns_by_rows(line: str, shape: Shape) -> None:
    assert asked(line, "BEGIN").state.rules.shape == shape


@pytest.mark.parametrize(
    "line",
    [
        *("START", "START 0", "START 27", "START 4", "START -3", "START x", f"START {'9' * 40}"),
        *("RECTSTART 20", "RECTSTART 30,15", "RECTSTART a,b", "RECTSTART", "START ١٥"),
    ],
)
def test_boards_that_cannot_be_are_refused(line: str) -> None:
    brain, (answer,) = talk(line)
    assert answer.startswith("ERROR ")
    assert brain.receive("BEGIN") == ["ERROR no game has been started"]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["TURN 15,0"], "ERROR that cell is outside the board"),
        (["TURN 7;7"], "ERROR a cell is written x,y"),
        (["BOARD", "7,7,1", "7,7,2", "DONE"], "ERROR that cell is not empty"),
        (["BOARD", "7,7,1", "DONE"], "ERROR it is the other side's turn"),
        (["BOARD", "7,7,2", "8,8,2", "DONE"], "ERROR Wrong number of Xs and Os"),
        (
            ["BOARD", "7,7,3", "DONE"],
            "ERROR a line of BOARD is x,y,1 for an own stone or x,y,2 for another one",
        ),
        (["TAKEBACK 3,3"], "ERROR there is no such stone"),
        (["SWAP2BOARD", "7,7", "DONE"], "ERROR SWAP2BOARD has 0, 3 or 5 stones"),
        (["FLY"], "UNKNOWN command"),
        (["DONE"], "UNKNOWN command"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(lines: list[str], answer: str) -> None:
    brain, answers = talk("START 15", *lines)
    assert answers == ["OK", answer]
    assert brain.request is None
    brain.receive("BEGIN")
    request: Request | None = brain.request
    assert request is not None
    assert request.state.game_not_started


def test_a_game_that_is_won_is_not_played_on() -> None:
    stones = [f"{column},{row},{2 - row}" for column in range(5) for row in (0, 1)]
    _, answers = talk("START 15", "BOARD", *stones[:-1], "DONE")
    assert answers[1:] == ["ERROR the game is over"]


def test_a_stone_that_is_taken_back_leaves_the_board() -> None:
    brain, _ = talk("START 15", "BEGIN")
    assert brain.request is not None
    brain.answer(brain.request, [0])
    brain.receive("TURN 1,0")
    _, answers = talk("TAKEBACK 1,0", "TAKEBACK 0,0", "BEGIN", brain=brain)
    assert answers == ["OK", "OK"]
    assert brain.request is not None
    assert brain.request.state.game_not_started


@pytest.mark.parametrize("line", ["RESTART", "START 20", "TAKEBACK 7,7", "BOARD", "END"])
def test_a_command_makes_an_earlier_request_void(line: str) -> None:
    brain, _ = talk("START 15", "TURN 7,7")
    request = brain.request
    assert request is not None
    brain.receive(line)
    assert brain.answer(request, [0]) == []


def test_what_was_thought_is_no_longer_left_for_the_game_until_the_manager_says_what_is() -> None:
    brain, _ = talk("INFO timeout_match 100000", "START 15", "BEGIN")
    first = brain.request
    assert first is not None
    brain.answer(first, [0], seconds=60.0)
    brain.receive("TURN 7,7")
    second = brain.request
    assert second is not None
    assert second.deadline < 40 < first.deadline
    brain.answer(second, [1], seconds=60.0)
    talk("INFO time_left 90000", "TURN 8,8", brain=brain)
    assert brain.request is not None
    assert brain.request.deadline > 80


@pytest.mark.parametrize("line", ["RESTART", "START 20", "RECTSTART 9,8"])
def test_a_new_game_ends_a_board_whose_lines_do_not(line: str) -> None:
    _, answers = talk("START 15", "BOARD", "7,7,1", line, "ABOUT")
    assert answers == ["OK", "OK", ABOUT]


def test_the_opening_swap2_is_asked_about_with_the_stones_of_both_sides() -> None:
    request = asked("START 15", "SWAP2BOARD", "7,7", "8,7", "9,9", "DONE")
    cells = request.state.grid.cells
    assert request.is_swap2
    assert (cells[7 * 15 + 7], cells[7 * 15 + 8], cells[9 * 15 + 9]) == ("X", "O", "X")
    assert request.state.current_mark is Mark.NAUGHT


@pytest.mark.parametrize(("cells", "answer"), [((), "SWAP"), ((0,), "0,0"), ((16, 17), "1,1 2,1")])
def test_an_answer_to_swap2_is_a_swap_or_cells_and_the_board_follows_later(
    cells: tuple[int, ...], answer: str
) -> None:
    brain, _ = talk("START 15", "SWAP2BOARD", "7,7", "8,7", "9,9", "DONE")
    assert brain.request is not None
    assert brain.answer(brain.request, cells) == [answer]
    brain.receive("BEGIN")
    assert brain.request.state.game_not_started


def test_end_is_the_last_command_that_is_answered() -> None:
    brain, answers = talk("ABOUT", "END", "ABOUT", "START 15")
    assert answers == [ABOUT]
    assert brain.is_over


@pytest.mark.parametrize(
    ("limits", "seconds", "deadline"),
    [
        (Limits(), 1.0, math.inf),
        (Limits(timeout_turn=1000), 0.828, 0.92),
        (Limits(timeout_turn=20), 0.009, 0.01),
        (Limits(timeout_turn=0), 0.0, math.inf),
        (Limits(timeout_turn=0, time_left=1000), 0.0, 0.92),
        (Limits(timeout_turn=30_000, time_left=50_000), 2.0, 28.47),
        (Limits(timeout_turn=30_000, timeout_match=100_000, time_left=2**31 - 1), 25.623, 28.47),
        (Limits(timeout_turn=30_000, timeout_match=100_000), 4.0, 28.47),
        (Limits(timeout_turn=5000, timeout_match=0), 4.248, 4.72),
        (Limits(timeout_turn=5000, time_left=-20), 0.0, 0.0),
    ],
)
def test_a_move_takes_less_than_its_limit_and_a_share_of_what_is_left(
    limits: Limits, seconds: float, deadline: float
) -> None:
    assert limits.seconds == pytest.approx(seconds)
    assert limits.deadline == pytest.approx(deadline)


def test_info_sets_the_limits_of_the_next_request_and_unknown_info_is_ignored() -> None:
    request = asked(
        *("START 15", "INFO timeout_turn 1000", "INFO max_memory 5000", "INFO folder C:\\x"),
        *("INFO evaluate 3,3", "INFO", "INFO colour 7", "INFO timeout_turn soon", "BEGIN"),
    )
    assert request.deadline == pytest.approx(0.92)
    assert request.max_memory == 5000


@pytest.mark.parametrize("kind", Gomoku)
def test_five_in_a_row_is_recognised_on_any_board(kind: Gomoku) -> None:
    rules = kind.on(Shape(9, 12))
    assert gomoku_of(rules) is kind
    assert rules.shape == Shape(9, 12)


@pytest.mark.parametrize(
    "variant",
    [
        *("tic-tac-toe", "connect-four", "mnk:15,15,5,torus", "mnk:15,15,5,misere", "ultimate"),
        *("mnk:15,15,5,gravity", "mnk:15,15,5,wild", "mnk:15,15,5,pie", "order-and-chaos"),
    ],
)
def test_other_games_are_not_five_in_a_row(variant: str) -> None:
    assert gomoku_of(find_rules(variant)) is None


WORDS = (
    *("START", "RECTSTART", "RESTART", "BEGIN", "TURN", "BOARD", "DONE", "SWAP2BOARD", "TAKEBACK"),
    *("INFO", "ABOUT", "PLAY", "INFO rule", "INFO time_left", "INFO max_memory"),
)
NUMBERS = st.one_of(st.integers(-3, 27), st.integers()).map(str)
ARGUMENTS = st.lists(NUMBERS, max_size=4).map(",".join)
LINES = st.one_of(
    st.builds("{} {}".format, st.sampled_from(WORDS), ARGUMENTS),
    st.sampled_from([*WORDS, "START 5", "RECTSTART 5,6", "TURN 1,1"]),
    ARGUMENTS,
    st.text(max_size=40),
    st.sampled_from(["TURN " + "7" * 10 * LONGEST_LINE, "\0" * 5000, "INFO rule " + "9" * 5000]),
)


@given(st.lists(LINES, max_size=40), st.randoms(use_true_random=False))
def test_no_line_makes_it_fail_and_each_request_is_about_a_game_that_goes_on(
    lines: list[str], rng: random.Random
) -> None:
    brain = Brain(ABOUT)
    for line in lines:
        answers = brain.receive(line)
        assert all(len(answer) < 200 and "\n" not in answer for answer in answers)
        request = brain.request
        if request is None:
            continue
        state, rules = request.state, request.state.rules
        assert not state.game_over
        assert 0 <= request.seconds <= request.deadline
        check_five_in_a_row(rules)
        if not request.is_swap2:
            (answer,) = brain.answer(request, [rng.choice(state.legal_cells)])
            column, row = map(int, answer.split(","))
            assert state.grid.cells[row * rules.shape.columns + column] == " "


def check_five_in_a_row(rules: Rules) -> None:
    kind = gomoku_of(rules)
    assert kind is not None
    assert kind.on(rules.shape) == rules
