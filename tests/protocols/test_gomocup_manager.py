"""A manager sends what the protocol says, and takes nothing but legal moves for an answer."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tic_tac_toe.logic.exceptions import BrainError
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.protocols.gomocup.brain import Brain
from tic_tac_toe.protocols.gomocup.manager import MOST_REMARKS, Manager, Talk

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
    ("variant", "rule"),
    [("gomoku", 0), ("gomoku-standard", 1), ("renju", 4), ("gomoku-caro", 8)],
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
