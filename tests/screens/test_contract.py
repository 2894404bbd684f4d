"""What a person can do with a game is the same on every screen: each scenario is written once."""

from __future__ import annotations

import pytest

from tests.screens.screen import SCREENS, Sit, tells

#: Which screens lack which scenarios, and why. Every other scenario runs on every screen.
LACKING: dict[str, dict[str, str]] = {
    "test_looking_back_shows_the_past_and_no_move_is_made_there": {
        "console": "what was shown stands above in the terminal",
        "notebook": "states are values in Python",
    },
}


def test_the_table_of_what_is_lacking_names_scenarios_and_screens() -> None:
    assert [name for name in LACKING if name not in globals()] == []
    assert {screen for lacking in LACKING.values() for screen in lacking} <= {*SCREENS}


def test_a_game_between_two_people_is_played_to_its_end_and_counted(sit: Sit) -> None:
    screen = sit()

    screen.play("A1", "A2", "B1", "B2", "C1")

    tells(screen, "X wins")
    assert screen.marks == "XXXOO    "
    assert screen.moves == ["A1", "A2", "B1", "B2", "C1"]
    assert screen.score == "Score: X 1, O 0, draws 0."


def test_the_computer_answers_and_the_person_is_spoken_to(sit: Sit) -> None:
    screen = sit(o="minimax")

    screen.play("B2")
    assert screen.marks == "O   X    "
    screen.play("C1", "B3")

    tells(screen, "You lose.")
    assert screen.moves == ["B2", "A1", "C1", "A3", "B3", "A2"]


@pytest.mark.parametrize("move", ["A1", "B2"])
def test_a_taken_cell_is_refused_in_words_and_nothing_changes(sit: Sit, move: str) -> None:
    screen = sit()
    screen.play("A1", "B2")

    screen.play(move)

    tells(screen, "Cell is not empty")
    assert screen.moves == ["A1", "B2"]
    screen.play("C3")
    assert screen.marks == "X   O   X"


def test_moves_are_taken_back_to_the_persons_turn_and_played_again(sit: Sit) -> None:
    screen = sit(o="minimax")
    screen.play("B2")

    screen.press("undo")
    assert screen.marks == " " * 9
    screen.press("undo")
    tells(screen, "There is no move to take back")
    screen.press("redo")

    assert screen.marks == "O   X    "
    screen.press("redo")
    tells(screen, "There is no move to play again")


def test_a_hint_names_the_best_move(sit: Sit) -> None:
    screen = sit()
    screen.play("A1", "B2", "B1")

    screen.press("hint")

    tells(screen, "Best for O: C1.")


def test_values_tell_what_each_move_leads_to_until_they_are_switched_off(sit: Sit) -> None:
    screen = sit()
    screen.play("A1", "B1", "A2", "B2")

    screen.press("analysis")

    screen.until(lambda: screen.values == ["+1", "-1", "-1", "-1", "="])


def test_looking_back_shows_the_past_and_no_move_is_made_there(sit: Sit) -> None:
    screen = sit()
    screen.play("A1", "B2", "C1")

    screen.press("back", "back")
    tells(screen, "Looking back: after move 1 of 3.")
    assert screen.marks == "X        "
    screen.play("C3")
    tells(screen, "You are looking back; go to the end to play on.")
    assert screen.moves == ["A1", "B2", "C1"]
    screen.press("on", "last")

    assert screen.marks == "X X O    "


def test_giving_up_ends_the_game_for_the_other(sit: Sit) -> None:
    screen = sit()
    screen.play("A1")

    screen.press("resign")

    tells(screen, "O resigns.", "X wins")
    assert screen.score == "Score: X 1, O 0, draws 0."


def test_the_letter_is_chosen_before_the_cell_where_both_may_place_both(sit: Sit) -> None:
    screen = sit("wild")

    screen.play("OA1", "OB2")
    assert screen.moves == ["OA1", "OB2"]
    screen.play("XC1", "OC3")

    tells(screen, "Player 2 wins")
    assert screen.marks == "O X O   O"


def test_the_first_mark_is_taken_over_once(sit: Sit) -> None:
    screen = sit("connect-four-5x4,pie")
    screen.play("3", "swap")

    tells(screen, "O takes over the first mark.")
    assert screen.moves == ["3", "swap"]
    assert screen.marks.strip() == "O"
