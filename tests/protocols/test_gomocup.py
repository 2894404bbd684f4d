"""A brain obeys the commands of Gomocup's protocol, and no line makes it fail."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tic_tac_toe.logic.exceptions import BrainError
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.gomoku import Gomoku, gomoku_of
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.protocols.gomocup import LONGEST_LINE
from tic_tac_toe.protocols.gomocup.brain import Brain, Limits, Request
from tic_tac_toe.protocols.gomocup.manager import MOST_REMARKS, Manager, Talk

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


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        *(("START 15", Shape(15, 15)), ("START 26", Shape(26, 26)), ("START 5", Shape(5, 5))),
        *(("RECTSTART 20,15", Shape(15, 20)), ("rectstart 5 , 8", Shape(8, 5))),
    ],
)
def test_boards_are_columns_by_rows(line: str, shape: Shape) -> None:
    assert asked(line, "BEGIN").state.rules.shape == shape


NO_BOARDS = (
    *("START", "START 0", "START 27", "START 4", "START -3", "START x", f"START {'9' * 40}"),
    *("RECTSTART 20", "RECTSTART 30,15", "RECTSTART a,b", "RECTSTART", "START ١٥"),
)
#: Nine stones, of which the last side has four in a row, and the fifth.
WON = [f"{column},{row},{2 - row}" for column in range(5) for row in (0, 1)][:-1]


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
        (["BOARD", *WON, "DONE"], "ERROR the game is over"),
        (["TAKEBACK 3,3"], "ERROR there is no such stone"),
        (["SWAP2BOARD", "7,7", "DONE"], "ERROR SWAP2BOARD has 0, 3 or 5 stones"),
        (["FLY"], "UNKNOWN command"),
        (["DONE"], "UNKNOWN command"),
        *(
            (
                [f"INFO rule {number}", "BEGIN", "INFO rule 0"],
                "ERROR games with this rule are not played here",
            )
            for number in (3, 6, 12, 16, -1)
        ),
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


@pytest.mark.parametrize("line", NO_BOARDS)
def test_boards_that_cannot_be_are_refused(line: str) -> None:
    brain, (answer,) = talk(line)
    assert answer.startswith("ERROR ")
    assert brain.receive("BEGIN") == ["ERROR no game has been started"]


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


# -- gomocup manager -------------------------------------------------------------------------------


GOMOKU = GameState.new(find_rules("gomoku"))


def after(start: GameState, *cells: int) -> GameState:
    for cell in cells:
        start = start.make_move_to(cell).after_state
    return start


def carry(talk: Talk, answers: Iterator[str]) -> tuple[int, list[str]]:
    """Return what a talk finds, and the lines that it sends, if it hears these answers."""
    sent: list[str] = []
    try:
        sent += next(talk)
        while True:
            sent += talk.send(next(answers))
    except StopIteration as end:
        return end.value, sent


def ask(manager: Manager, state: GameState, *answers: str) -> tuple[int, list[str]]:
    """Return the move, and all that is sent, where a brain gives these answers."""
    heard = iter(answers)
    _, first = carry(manager.start(state), heard)
    cell, then = carry(manager.move(state), heard)
    assert next(heard, None) is None
    return cell, first + then


def test_a_game_begins_with_start_limits_and_begin() -> None:
    cell, sent = ask(Manager("b", 500, 1000), GOMOKU, "OK", "7,8")
    assert cell == 8 * 15 + 7
    assert sent == [
        *("START 15", "INFO timeout_turn 500", "INFO timeout_match 0", "INFO max_memory 1000"),
        *("INFO game_type 0", "INFO rule 0", "INFO time_left 2147483647", "BEGIN"),
    ]


def test_a_game_goes_on_with_turn_and_after_an_undo_with_the_whole_board() -> None:
    manager = Manager("b", 500)
    first = after(GOMOKU, 0)
    assert ask(manager, first, "OK", "1,0")[0] == 1
    assert ask(manager, after(first, 1, 17), "3,0") == (3, ["TURN 2,1"])
    cell, sent = ask(manager, after(first, 1, 30), "OK", "4,0")
    assert cell == 4
    assert sent[0] == "START 15"
    assert sent[-5:] == ["BOARD", "0,0,2", "1,0,1", "0,2,2", "DONE"]


@pytest.mark.parametrize(
    ("variant", "rule"), [("gomoku", 0), ("gomoku-standard", 1), ("renju", 4), ("gomoku-caro", 8)]
)
def test_each_game_has_its_number_and_a_rectangle_its_own_command(variant: str, rule: int) -> None:
    _, sent = ask(Manager("b", 500), GameState.new(find_rules(variant)), "OK", "7,7")
    assert f"INFO rule {rule}" in sent
    _, sent = ask(Manager("b", 500), GameState.new(find_rules("mnk:20,16,5")), "OK", "7,7")
    assert sent[0] == "RECTSTART 20,16"


def test_remarks_and_empty_lines_are_passed_over_and_suggestions_taken() -> None:
    answers = ("MESSAGE hello", "OK", "", "DEBUG x", "message y", "SUGGEST 3,4", " 3 , 4 ")
    cell, sent = ask(Manager("b", 500), GOMOKU, *answers)
    assert cell == 4 * 15 + 3
    assert sent[-1] == "PLAY 3,4"


@pytest.mark.parametrize(
    ("answers", "code", "sentence"),
    [
        (["ERROR too big"], "error", 'b reports an error: "too big"'),
        (["UNKNOWN"], "error", 'b reports an error: "UNKNOWN"'),
        (["hello"], "nonsense", 'b answered "hello", which is not an answer'),
        (["OK", "99,3"], "outside", 'b played "99,3", which is outside the board'),
        (["OK", "0,0"], "occupied", 'b played "0,0", which is not empty'),
        (["OK", "H8"], "nonsense", 'b answered "H8", which is not an answer'),
        (["OK", "-1,3"], "nonsense", 'b answered "-1,3", which is not an answer'),
        (
            ["OK", *["MESSAGE x"] * (MOST_REMARKS + 1)],
            "flood",
            "b writes without end and does not answer",
        ),
    ],
)
def test_whatever_is_not_a_legal_move_is_told_in_a_sentence(
    answers: list[str], code: str, sentence: str
) -> None:
    with pytest.raises(BrainError) as caught:
        ask(Manager("b", 500), after(GOMOKU, 0), *answers)
    assert (caught.value.code, str(caught.value)) == (f"brain_{code}", sentence)


def test_a_complaint_while_a_move_is_waited_for_is_kept_and_the_move_is_taken() -> None:
    manager = Manager("b", 500)
    ask(manager, GOMOKU, "OK", "ERROR Unknown command: MAX_MEMORY", "unknown", "MESSAGE x", "7,7")
    assert manager.complaint == "unknown"
    ask(manager, after(GOMOKU, 112, 0), "7,8")
    assert not manager.complaint


def test_what_a_brain_wrote_before_it_was_asked_may_only_be_remarks() -> None:
    manager = Manager("test", 1000)
    manager.hear(["MESSAGE ready", " ", "DEBUG 1", "suggest 7,7", "ERROR late", "UNKNOWN"])
    with pytest.raises(BrainError, match='answered "7,7", which is not an answer'):
        manager.hear(["MESSAGE ready", "7,7"])


def test_a_suggestion_that_is_no_cell_is_not_repeated() -> None:
    talk = Manager("test", 1000).start(GameState.new(find_rules("gomoku")))
    next(talk)
    assert [*talk.send("SUGGEST 7,7")] == ["PLAY 7,7"]
    assert [*talk.send("SUGGEST " + 100 * "7")] == []


def test_a_forbidden_move_in_renju_is_illegal() -> None:
    renju = GameState.new(find_rules("renju"))
    # X on G8, I8, H7 and H9: a stone on H8 makes two threes.
    state = after(renju, 111, 0, 113, 14, 97, 210, 127, 224)
    with pytest.raises(BrainError, match="b made an illegal move: X may not make two open threes"):
        ask(Manager("b", 500), state, "OK", "7,7")


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (GameState.new(find_rules("tic-tac-toe")), "brain_game"),
        (GameState.new(find_rules("connect-four")), "brain_game"),
        (GameState.new(find_rules("renju"), Mark.NAUGHT), "brain_renju_starter"),
    ],
)
def test_games_that_the_protocol_has_no_words_for_are_refused(state: GameState, code: str) -> None:
    with pytest.raises(BrainError) as caught:
        ask(Manager("b", 500), state)
    assert caught.value.code == code


@pytest.mark.parametrize("variant", ["gomoku", "gomoku-standard", "renju", "gomoku-caro"])
def test_manager_and_brain_agree_on_every_position_of_a_game(variant: str) -> None:
    rng = random.Random(variant)
    manager, brain, state = Manager("b", 500), Brain(""), GameState.new(find_rules(variant))
    while not state.game_over and state.position.marks < 60:
        if rng.random() < 0.2 and state.position.marks > 3:  # as after an undo
            manager = Manager("b", 500)
        for talk in (manager.start(state), manager.move(state)):
            cell = answered(talk, brain, state, rng)
        state = state.make_move_to(cell).after_state
        if not state.game_over:
            move = state.make_random_move(rng)
            assert move is not None
            state = move.after_state


def answered(talk: Talk, brain: Brain, state: GameState, rng: random.Random) -> int:
    """Carry a talk to a brain, which moves at random in the state that it knows."""
    try:
        lines = next(talk)
        while True:
            answers = [answer for line in lines for answer in brain.receive(line)]
            if request := brain.request:
                assert request.state == state
                answers += brain.answer(request, [rng.choice(state.legal_cells)])
            (answer,) = answers
            lines = talk.send(answer)
    except StopIteration as end:
        found: int = end.value
        return found
