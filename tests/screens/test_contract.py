"""What a person can do with a game is the same on every screen: each scenario is written once."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.desk import answer_soon
from tests.opponents.brains import text_of
from tests.own_games import Drop
from tests.screens.conftest import Slow
from tests.screens.screen import SCREENS, WHOLE_GAMES, Sit, tells
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.notation import move_name, parse_move, play_moves
from tic_tac_toe.logic.records import parse_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe_frontends.table.queries import (
    AnalyseMoves,
    ChooseMove,
    ExplainMove,
    FindHint,
    ReviewMove,
    ValueState,
)
from tic_tac_toe_frontends.table.setup import opponents_for
from tic_tac_toe_frontends.words.rules_text import variant_title
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

SCROLLS = {"console": "what was shown stands above in the terminal"}
WAITS = {"console": "it waits with its computers"}
STARTED = {"console": "what is played is said on the command line"}
IN_PYTHON = {"notebook": "states and records are values in Python"}
FIXED = {"notebook": "said in Python when the game is made"}
OUT_OF_REACH = {"page": "its Python is in the browser, and takes nothing from here"}
#: Which screens lack which scenarios, and why. Every other scenario runs on every screen.
LACKING: dict[str, dict[str, str]] = {
    "test_a_new_game_may_begin_in_the_middle_of_another": {
        "console": "a game there is left by resigning"
    },
    "test_values_follow_the_game_until_they_are_switched_off": SCROLLS,
    "test_looking_back_shows_the_past_and_no_move_is_made_there": SCROLLS | IN_PYTHON,
    "test_what_is_done_to_the_game_ends_the_look_back": SCROLLS | IN_PYTHON,
    "test_the_moves_are_shown_as_a_film_from_the_first_position": SCROLLS
    | IN_PYTHON
    | OUT_OF_REACH,
    "test_a_film_ends_at_the_present_position": SCROLLS | IN_PYTHON,
    "test_a_review_tells_where_a_game_turned": IN_PYTHON,
    "test_mistakes_are_gone_through_and_another_move_is_tried": SCROLLS | IN_PYTHON,
    "test_nobody_moves_for_a_computer_that_thinks_and_a_late_answer_is_dropped": WAITS
    | OUT_OF_REACH,
    "test_what_is_wrong_with_a_program_is_told_until_its_turn_is_taken_back": {
        "page": "a browser starts no programs"
    },
    "test_after_a_win_the_next_level_is_offered_and_begun": OUT_OF_REACH
    | {"notebook": "the menu of players has the levels"},
    "test_a_game_is_saved_where_it_can_be_written": IN_PYTHON
    | {"page": "the browser knows where files go"},
    "test_a_game_of_ones_own_is_shown_as_the_librarys_is": OUT_OF_REACH,
    "test_a_saved_game_is_opened_and_goes_on": STARTED | IN_PYTHON,
    "test_a_file_that_is_no_game_is_refused_in_words_and_the_game_stays": STARTED | IN_PYTHON,
    "test_an_empty_file_holds_no_games": STARTED | IN_PYTHON | {"page": "it is called empty"},
    "test_players_and_game_are_chosen": STARTED,
    "test_every_game_of_the_catalogue_can_be_chosen_and_takes_a_move": STARTED,
    "test_the_language_can_be_changed": STARTED | FIXED,
    "test_the_chosen_letter_stays_until_another_is_chosen": {
        "console": "the letter is typed with each move"
    },
    "test_anything_at_all_in_any_order_breaks_nothing": {
        "page": "a monkey of its own clicks within the browser"
    },
    "test_the_help_tells_how_to_move": {"notebook": "the help is Python's"},
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
    assert screen.score == "X 1 : 0 O"


def test_the_computer_answers_and_the_person_is_spoken_to(sit: Sit) -> None:
    screen = sit(o="minimax")

    screen.play("B2")
    assert screen.marks == "O   X    "
    screen.play("C1", "B3")

    tells(screen, "You lose this time.")
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
    assert "not empty" not in screen.told


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


def test_a_hint_tells_more_each_time_and_then_the_best_move_and_why(sit: Sit) -> None:
    screen = sit()
    screen.play("A1", "B2", "B1")

    for told in ("Stop a line.", "Look at the corners.", "Best for O: C1."):
        assert "Best for" not in screen.told
        screen.press("hint")
        tells(screen, told)

    tells(screen, "X was about to complete A1-C1.")
    screen.play("C1")
    assert "Best for" not in screen.told


def test_a_lesson_refutes_a_wrong_move_and_tells_why_a_right_one_is_right(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    screen = sit(o="minimax")
    screen.learn("fork")
    tells(screen, "Make two threats at once.")
    assert screen.marks == "X O  X  O"

    screen.play("B1")
    tells(screen, "X turns a win into a loss.")
    assert "Not this move." in screen.told
    assert screen.marks == "XXO  XO O"
    screen.press("undo")
    assert screen.marks == "X O  X  O"

    screen.press("hint")
    tells(screen, "Two threats at once.")
    screen.play("A2")
    tells(screen, "O can stop only one.")
    assert "Solved!" in screen.told
    screen.press("next")
    assert screen.marks == "  X X OO "


def test_values_tell_what_each_move_leads_to(sit: Sit) -> None:
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
    assert screen.score == "X 1 : 0 O"


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

    tells(screen, "takes over the first mark.")
    assert screen.moves == ["3", "swap"]
    assert screen.marks.strip() == "O"


# -- the course of a game --------------------------------------------------------------------------


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the moves that the easy computer makes; the test fills them in."""
    moves: list[str] = []

    def follow(state: GameState, *_args: object, **_effort: object) -> Move | None:
        return state.make_move_to(parse_move(state, moves.pop(0)))

    strategies = {**STRATEGIES, "easy": follow}
    monkeypatch.setattr("tic_tac_toe.game.strategies.STRATEGIES", strategies)
    return moves


def test_a_draw_is_counted_and_the_score_outlives_the_game(sit: Sit) -> None:
    screen = sit()
    screen.play(*["A1", "B1", "C1", "B2", "A2", "A3", "B3", "C2", "C3"])
    tells(screen, "No one wins")

    screen.press("new")

    assert screen.marks == " " * 9
    screen.play(*["A1", "B1", "A2", "B2", "A3"])
    assert screen.score == "X 1 : 0 O, 1 draw"


def test_a_new_game_may_begin_in_the_middle_of_another(sit: Sit) -> None:
    screen = sit()
    screen.play("A1", "B1")

    screen.press("new")

    assert screen.marks == " " * 9
    assert screen.moves == []


def test_two_computers_play_to_the_end_by_themselves(sit: Sit) -> None:
    screen = sit(x="minimax", o="minimax")

    tells(screen, "draw")
    assert len(screen.moves) == 9


def test_a_computer_that_is_first_moves_and_cannot_be_taken_back(sit: Sit) -> None:
    screen = sit(x="minimax", o="human")
    first = screen.marks
    assert first.count("X") == 1

    screen.press("undo")

    tells(screen, "There is no move to take back")
    assert screen.marks == first


def test_the_other_side_may_begin(sit: Sit) -> None:
    screen = sit(starting="O")

    screen.play("B2", "A1")

    assert screen.marks == "X   O    "
    tells(screen, "X plays A1.")


def test_a_move_that_was_taken_back_is_not_played_again_after_another(sit: Sit) -> None:
    screen = sit()
    screen.play("A1", "B2")
    screen.press("undo")
    screen.play("C3")

    screen.press("redo")

    tells(screen, "There is no move to play again")
    assert screen.moves == ["A1", "C3"]


def test_a_win_that_is_taken_back_does_not_count(sit: Sit) -> None:
    screen = sit()
    screen.play("A1", "A2", "B1", "B2", "C1")

    screen.press("undo")
    assert screen.marks == "XX OO    "
    screen.play("C3", "C2")

    tells(screen, "O wins")
    assert screen.score == "X 0 : 1 O"


def test_after_the_end_nobody_moves(sit: Sit) -> None:
    screen = sit()
    screen.play("A1", "A2", "B1", "B2", "C1")

    screen.play("C3")

    tells(screen, "The game is over")
    assert screen.marks == "XXXOO    "


def test_giving_up_against_a_computer_is_a_loss(sit: Sit) -> None:
    screen = sit(o="minimax")
    screen.play("B2")

    screen.press("resign")

    tells(screen, "You resigned: you lose.")
    assert screen.score == "You 0 : 1 Perfect"


def test_after_a_win_the_next_level_is_offered_and_begun(sit: Sit, script: list[str]) -> None:
    script += ["A3", "B3"]
    screen = sit(o="easy")
    screen.play("A1", "B1", "C1")
    tells(screen, "You win")

    screen.press("next")

    assert screen.players == ("Person", "Medium")
    assert screen.marks == " " * 9


# -- what is asked for beside the game -------------------------------------------------------------


def test_values_follow_the_game_until_they_are_switched_off(sit: Sit) -> None:
    screen = sit()
    screen.press("analysis")
    screen.until(lambda: screen.values == ["="] * 9)

    screen.play("A1", "B1", "A2", "B2")
    screen.until(lambda: screen.values == ["+1", "-1", "-1", "-1", "="])
    screen.press("analysis")

    assert screen.values == []
    assert screen.marks == "XO XO    "


def test_a_hint_names_the_letter_where_it_is_chosen(sit: Sit) -> None:
    screen = sit("wild")
    screen.play("XA1", "XB2")

    for told in ("Win at once.", "Look at the corners.", "Best for Player 1: XC3."):
        screen.press("hint")
        tells(screen, told)


def test_the_help_tells_how_to_move(sit: Sit) -> None:
    screen = sit("connect-four")

    assert "column" in screen.help()
    screen.play("4")
    assert screen.moves == ["4"]


# -- the past --------------------------------------------------------------------------------------

#: A game in which O gives a draw away and X wins.
WON = ["A1", "A2", "B1", "B2", "C1"]


def test_what_is_done_to_the_game_ends_the_look_back(sit: Sit) -> None:
    screen = sit()
    screen.play("A1", "B2", "C1")
    screen.press("first")
    tells(screen, "Looking back: after move 0 of 3.")

    screen.press("undo")

    assert "Looking back" not in screen.told
    assert screen.marks == "X   O    "


def test_the_moves_are_shown_as_a_film_from_the_first_position(sit: Sit) -> None:
    screen = sit(film_step=3_600.0)
    screen.play("A1", "B2")

    screen.press("film")
    tells(screen, "Looking back: after move 0 of 2.")
    assert screen.marks == " " * 9
    screen.press("film", "on")

    tells(screen, "Looking back: after move 1 of 2.")


def test_a_film_ends_at_the_present_position(sit: Sit) -> None:
    screen = sit()
    screen.play("A1", "B2")

    screen.press("first", "film")

    tells(screen, "X to move.")
    assert screen.marks == "X   O    "


def test_a_review_tells_where_a_game_turned(sit: Sit) -> None:
    screen = sit()
    screen.play(*WON)

    screen.press("review")

    tells(screen, "Move 2, O A2, threw away the draw.")


def test_mistakes_are_gone_through_and_another_move_is_tried(sit: Sit) -> None:
    screen = sit()
    screen.play(*WON, "C3")
    tells(screen, "The game is over")
    screen.press("review")
    tells(screen, "Looking back: after move 2 of 5.", "Move 2, O A2, threw away the draw.")

    screen.press("last")
    tells(screen, "The game turned at move")
    screen.press("fault-back", "fault-back")
    tells(screen, "Looking back: after move 2 of 5.", "Move 2, O A2, threw away the draw.")
    screen.press("fault-on", "fault-back", "play-on")

    assert screen.moves == ["A1"]
    tells(screen, "O to move.")


# -- computers that are slow or fail ---------------------------------------------------------------


def test_nobody_moves_for_a_computer_that_thinks_and_a_late_answer_is_dropped(
    sit: Sit, slow: Slow
) -> None:
    screen = sit(o="minimax", held=True)
    screen.play("B2")
    screen.until(slow.asked.is_set)
    tells(screen, "The computer is thinking …")

    screen.play("C3")
    tells(screen, "It's the other player's turn")
    screen.press("undo")
    assert screen.marks == " " * 9
    screen.play("A1")
    slow.go.set()

    screen.until(lambda: screen.marks == "X       O")


def test_what_is_wrong_with_a_program_is_told_until_its_turn_is_taken_back(sit: Sit) -> None:
    text = text_of("outside")
    opponents = opponents_for([text], 0.5)
    screen = sit("gomoku", o=text, opponents=opponents)

    screen.play("H8")
    tells(screen, "which is outside the board")
    screen.press("undo")

    assert screen.moves == []
    assert "outside" not in screen.told
    opponents.close()


# -- files -----------------------------------------------------------------------------------------


def test_a_game_is_saved_where_it_can_be_written(sit: Sit, tmp_path: Path) -> None:
    screen = sit("connect-four")
    screen.play("4", "4", "1")

    screen.save(tmp_path / "no" / "folder")
    tells(screen, "annot write")
    path = tmp_path / "game.txt"
    screen.save(path)

    tells(screen, f"Saved to {path}")
    (record,) = parse_records(path.read_text("utf-8"))
    assert record.moves == (38, 31, 35)
    assert record.rules == VARIANTS["connect-four"]


@pytest.mark.parametrize(
    ("variant", "moves"), [("connect-four", ["4", "4", "1"]), ("wild", ["OB2", "XA1"])]
)
def test_a_saved_game_is_opened_and_goes_on(
    sit: Sit, tmp_path: Path, variant: str, moves: list[str]
) -> None:
    screen = sit(variant)
    screen.play(*moves)
    marks, path = screen.marks, tmp_path / "game.txt"
    screen.save(path)
    screen.choose("variant", "qubic")

    screen.open(path)

    assert screen.game == variant_title(VARIANTS[variant], load("en", {}))
    assert screen.moves == moves
    assert screen.marks == marks
    screen.press("undo")
    assert screen.moves == moves[:-1]


@pytest.mark.parametrize(
    ("content", "reason"), [('[Variant "chess"]\n\n*', "chess"), ("1. A1 A1 *", "not empty")]
)
def test_a_file_that_is_no_game_is_refused_in_words_and_the_game_stays(
    sit: Sit, tmp_path: Path, content: str, reason: str
) -> None:
    path = tmp_path / "game.txt"
    path.write_text(content, "utf-8")
    screen = sit()
    screen.play("B2")

    screen.open(path)

    tells(screen, reason)
    assert screen.told.isprintable()
    assert screen.moves == ["B2"]
    assert path.read_text("utf-8") == content


def test_an_empty_file_holds_no_games(sit: Sit, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.touch()
    screen = sit()

    screen.open(path)

    tells(screen, "o games")


# -- what is chosen --------------------------------------------------------------------------------


def test_players_and_game_are_chosen(sit: Sit) -> None:
    screen = sit()

    screen.choose("variant", "connect-four-5x4")
    screen.choose("o", "easy")
    screen.choose("starting", "O")

    assert screen.game == "Connect Four, 5 × 4"
    assert screen.players == ("Person", "Easy")
    assert screen.marks.strip() == "O"


@pytest.mark.slow
def test_every_game_of_the_catalogue_can_be_chosen_and_takes_a_move(sit: Sit) -> None:
    screen = sit()
    for name, rules in VARIANTS.items():
        state = GameState.new(rules)
        move = move_name(state, state.legal_moves[len(state.legal_moves) // 2])
        screen.choose("variant", name)

        screen.play(move)

        assert screen.moves == [move], name
        assert len(screen.marks) - screen.marks.count(" ") == 1, name


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_game_is_told_in_its_language(sit: Sit, code: str) -> None:
    screen = sit(language=code)

    screen.play("B2", "B2")

    tells(screen, load(code, {}).gettext("Cell is not empty"))


def test_the_language_can_be_changed(sit: Sit) -> None:
    screen = sit()

    screen.choose("language", "es")
    screen.play("B2", "B2")

    tells(screen, load("es", {}).gettext("Cell is not empty"))


# -- the families of games -------------------------------------------------------------------------


def test_the_chosen_letter_stays_until_another_is_chosen(sit: Sit) -> None:
    screen = sit("wild")

    screen.choose("letter", "O")
    screen.play("A1", "B2")
    screen.choose("letter", "X")
    screen.play("C1")

    assert screen.moves == ["OA1", "OB2", "XC1"]


def test_the_swap_is_refused_where_it_is_not_legal_and_can_be_taken_back(sit: Sit) -> None:
    screen = sit("mnk:3,3,3,pie")
    screen.play("swap")
    assert screen.moves == []
    screen.play("B2", "swap", "A1")
    assert screen.moves == ["B2", "swap", "A1"]

    screen.play("swap")
    assert screen.moves == ["B2", "swap", "A1"]
    screen.press("undo", "undo")

    assert screen.marks == "    X    "


def test_the_mark_that_leaves_next_is_named_and_comes_back_when_the_move_is_taken_back(
    sit: Sit,
) -> None:
    screen = sit("vanishing")
    screen.play("A1", "B1", "C1", "A2", "B2", "C3")
    tells(screen, "With the next X the X on A1 leaves.")

    screen.play("A3")
    assert screen.marks == " OXOX X O"
    screen.press("undo")

    assert screen.marks == "XOXOX   O"


def test_in_ultimate_the_small_board_to_play_in_is_told_and_others_are_refused(sit: Sit) -> None:
    screen = sit("ultimate")
    screen.play("E5", "D4")
    tells(screen, "Play in ")

    screen.play("I9")

    assert screen.moves == ["E5", "D4"]
    screen.play("A1")
    assert screen.moves == ["E5", "D4", "A1"]


def test_nobody_plays_on_a_board_of_notakto_that_has_a_line(sit: Sit) -> None:
    screen = sit("notakto-2")
    screen.play("A1", "B1", "C1")
    tells(screen, "Open boards: D1–F3.")

    screen.play("A2")

    tells(screen, "That board has a line, so nobody plays there")
    assert screen.moves == ["A1", "B1", "C1"]


def test_what_renju_forbids_is_refused_with_the_reason(sit: Sit) -> None:
    screen = sit("renju")
    screen.play("F8", "A1", "G8", "C1", "H6", "E1", "H7", "G1")

    screen.play("H8")

    tells(screen, "three")
    assert len(screen.moves) == 8


def test_a_mark_falls_and_a_full_column_is_refused(sit: Sit) -> None:
    screen = sit("connect-four-5x4")
    screen.play("1", "1", "1", "1")
    assert screen.marks == "O    X    O    X    "

    screen.play("1")

    tells(screen, "full")
    assert screen.moves == ["1"] * 4


@pytest.mark.parametrize(("variant", "moves", "end"), WHOLE_GAMES)
def test_a_game_of_each_family_ends_as_its_rules_say(
    sit: Sit, variant: str, moves: str, end: str
) -> None:
    screen = sit(variant)

    screen.play(*moves.split())

    tells(screen, end)
    final = play_moves(GameState.new(find_rules(variant)), moves)
    assert screen.marks == final.grid.cells
    assert len(screen.moves) == len(moves.split())


def test_a_game_of_ones_own_is_shown_as_the_librarys_is(sit: Sit) -> None:
    shown = []
    for rules in (Drop(), find_rules("mnk:3,3,3,gravity")):
        screen = sit(rules)
        screen.play("2", "2")
        shown.append((screen.marks, screen.moves, screen.told))

    assert shown[0] == shown[1]
    assert shown[0][0] == "    O  X "


# -- a monkey --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["wild"])
def test_whatever_is_done_in_whatever_order_the_screen_shows_a_legal_game(
    sit: Sit, variant: str
) -> None:
    rng, screen, start = random.Random(variant), sit(variant), GameState.new(find_rules(variant))
    names = [move_name(start, move) for move in start.legal_moves]
    games = 0
    for _ in range(40):
        dice = rng.random()
        if dice < 0.75:
            screen.play(rng.choice(names))
        else:
            screen.press(rng.choice(["undo", "redo", "hint"]))
        state = play_moves(start, " ".join(screen.moves))
        assert screen.marks == state.grid.cells
        if state.game_over:
            games += 1
            screen.press("new")
    assert games


@pytest.mark.parametrize(
    "steps",
    [pytest.param(80, marks=pytest.mark.slow), pytest.param(6_000, marks=pytest.mark.nightly)],
)
@pytest.mark.parametrize("variant", ["tic-tac-toe", "mnk:3,3,3,gravity"])
def test_anything_at_all_in_any_order_breaks_nothing(
    sit: Sit, variant: str, steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "deep"
    folder.mkdir()
    monkeypatch.chdir(folder)  # for the games that are saved
    for kind in (ChooseMove, FindHint, AnalyseMoves, ExplainMove, ValueState, ReviewMove):
        monkeypatch.setattr(kind, "__call__", quickly(kind.__call__))
    rng, screen = random.Random(variant), sit(variant)

    for _ in range(steps):
        screen.fumble(rng)


def quickly(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what answers queries about small boards like this, and others without thought."""
    return lambda query: answer(query) if query.state.rules.shape.cells <= 9 else answer_soon(query)
