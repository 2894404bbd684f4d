"""At the prompt a person types moves in any notation, asks, and is answered in one line."""

from __future__ import annotations

import pytest

from tests.frontends.desk import Desk, seen
from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.evaluate import evaluate
from tic_tac_toe.logic.models import GameState, Grid, Mark, Move
from tic_tac_toe.logic.notation import move_name, play_moves
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.search.evaluation import Evaluation
from tic_tac_toe.testing import ScriptedPlayer
from tic_tac_toe_frontends.console.commands import COMMANDS
from tic_tac_toe_frontends.console.players import PlayerLeft
from tic_tac_toe_frontends.words.evaluation_text import describe_hint
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

ENGLISH = load("en", {})
EMPTY = GameState.new()


def move(state: GameState, *lines: str) -> tuple[Move | None, Desk]:
    desk = Desk(*lines)
    return desk.person(state.current_mark).get_move(state), desk


def refusals(desk: Desk) -> list[str]:
    """Return the lines said after the prompts that were not answered well."""
    return [answer for answer in desk.answers if answer]


@pytest.mark.parametrize("line", ["B1", "b1", "1B", "1b", " b1\t", "8", "B 1", "1 b", "Ｂ１", "８"])
def test_a_cell_is_understood_in_any_notation(line: str) -> None:
    played, desk = move(EMPTY, line)

    assert played == EMPTY.make_move_to(1)
    assert refusals(desk) == []
    assert "Read" not in desk.said


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_cell_in_cyrillic_letters_is_understood_and_said_to_be(code: str) -> None:
    language = load(code, {})
    said = language.gettext("Read {text} as {cell}.").format(text="В1", cell="B1")
    desk = Desk("В1", "В1", "1A", language=language)

    with pytest.raises(PlayerLeft):
        desk.session().play()

    lines = desk.said.splitlines()
    assert lines.count(said) == 2
    # Once before the board with the move, once before the reason why the cell cannot be played.
    first, second = (number for number, line in enumerate(lines) if line == said)
    assert "B1" in lines[first + 1]
    assert language.gettext("Cell is not empty") in lines[second + 1]
    assert lines[second + 1].count("B1") == 0


def test_on_a_screen_the_reading_stands_below_the_board_until_the_person_moves_again() -> None:
    first, moved, answered, *later = seen("--delay", "0", "--seed", "1", typed=["В2", "A3"]).pages

    assert "Read В2 as B2.\nX plays B2." in moved
    assert "Read В2 as B2.\nO plays " in answered
    assert len(later) == 2
    assert not any("Read" in page for page in (first, *later))


@pytest.mark.parametrize("line", ["4", "D6", "6d", "４"])
def test_a_column_is_enough_where_marks_fall(line: str) -> None:
    state = GameState.new(VARIANTS["connect-four"])

    assert move(state, line)[0] == state.make_move_to(38)


@pytest.mark.parametrize(
    "line",
    [
        "0",
        "10",
        "-1",
        "\x1b[A",
        "B²",
        "B\u200b2",
        "x" * 999,
    ],
)
def test_wrong_input_is_answered_in_one_line_that_says_what_is_accepted(line: str) -> None:
    played, desk = move(EMPTY, line, "B2")

    assert played == EMPTY.make_move_to(4)
    (refusal,) = refusals(desk)
    assert refusal.endswith(
        ": expected a cell from A1 to C3, or a digit of the number pad. Or type help."
    )
    assert "\n" not in refusal
    assert refusal.isprintable()
    assert len(refusal) < 160


@pytest.mark.parametrize(
    ("variant", "line", "refusal"),
    [
        ("3x3", "Z1", "there is no column Z: columns go from A to C."),
        ("3x3", "A4", "there is no row 4: rows go from 1 to 3."),
        ("3x3", "hnt", "did you mean hint?"),
        ("3x3", "res", "did you mean resign?"),
        ("3x3", "undo 2", "type undo alone."),
        ("3x3", "hint please", "type hint alone."),
        ("3x3", "2,2", "did you mean B2?"),
        ("3x3", "(1, 3)", "did you mean A3 or C1?"),
        ("3x3", "move b2", "did you mean B2?"),
        ("3x3", "B2 A1", "type one move at a time, such as B2."),
        ("connect-four", "column 4", "did you mean 4?"),
        ("connect-four", "4 4", "type one move at a time, such as 4."),
        ("pie", "swpa", "did you mean swap?"),
    ],
)
def test_a_line_that_is_nearly_right_is_answered_with_what_is_right(
    variant: str, line: str, refusal: str
) -> None:
    name, moves = ("4x4,pie", "B2") if variant == "pie" else (variant, "")
    state = play_moves(GameState.new(find_rules(name)), moves)
    _, desk = move(state, line, move_name(state, state.legal_moves[0]))

    assert refusals(desk) == [f'"{line}": {refusal} Or type help.']


def test_an_empty_line_is_answered_by_silence() -> None:
    played, desk = move(EMPTY, "", "  ", "B2")

    assert played == EMPTY.make_move_to(4)
    assert refusals(desk) == []


def test_the_beginning_of_a_command_is_enough_but_not_to_resign() -> None:
    desk = Desk("A1", "u", "m", "r", "m", "resig", "q")
    with pytest.raises(PlayerLeft):
        desk.session(cells=[4]).play()

    assert "No moves yet." in desk.said
    assert "X A1, O B2\n" in desk.said
    assert '"resig": did you mean resign? Or type help.' in desk.said


@pytest.mark.parametrize(
    ("variant", "moves", "typed", "refusal"),
    [
        ("3x3", "A1 C1 B1 A2 B2 B3", ("C1", "A3"), "Cell is not empty: expected C2, A3, C3."),
        ("gomoku", "A1", ("A1", "A2"), "Cell is not empty: expected an empty cell, such as B1."),
        ("mnk:3,2,3,gravity", "1 1", ("1", "2"), "Column 1 is full: expected 2, 3."),
        (
            "ultimate",
            "A1",
            ("E5", "B2"),
            "The last move asks for another board: expected B1, C1, A2, B2, C2, A3, B3, C3.",
        ),
    ],
)
def test_an_illegal_move_is_refused_with_legal_ones(
    variant: str, moves: str, typed: tuple[str, str], refusal: str
) -> None:
    played, desk = move(play_moves(GameState.new(find_rules(variant)), moves), *typed)

    assert played is not None
    assert refusals(desk) == [f"{refusal} Or type help."]


def test_help_tells_how_to_move_and_every_command() -> None:
    _, desk = move(EMPTY, "help", "B2")
    (answer,) = refusals(desk)

    assert "A1 to C3" in answer
    assert "number pad" in answer
    for word in COMMANDS:
        assert f"\n  {word} " in answer


def test_help_in_another_language_tells_both_words() -> None:
    desk = Desk("pista", "ayuda", "B2", language=load("es", {}))
    desk.person(Mark.CROSS).get_move(EMPTY)

    assert "Lo mejor para X: " in desk.said
    assert "  pista / hint " in desk.said


def test_the_board_is_shown_again_and_a_hint_that_comes_at_once_is_not_announced() -> None:
    _, desk = move(EMPTY, "board", "hint", "hint", "B2")
    board, hint, again = refusals(desk)

    assert board == "A B C\n1 . . .\n2 . . .\n3 . . ."
    assert hint.startswith("Best for X: A1.\n")
    assert again.startswith("Best for X: A1, B1, C1, A2, B2, C2, A3, B3, C3.\n")


@pytest.mark.parametrize(
    ("state", "lines"),
    [
        (EMPTY, ["Best for X: A1, B1, C1, A2, B2, C2, A3, B3, C3.", "nobody wins"]),
        (GameState(Grid("XX OO    ")), ["Best for X: C1.", "X wins with this move."]),
        (GameState(Grid("X   O   X")), ["Best for O: B1, A2, C2, B3.", "nobody wins"]),
        (
            GameState(Grid("XOX XO   ")),
            ["Best for O: A2, A3, B3, C3.", "X can win with its next move, whatever the other"],
        ),
        (
            GameState(Grid("XO       ")),
            ["Best for X: A2, B2, A3.", "X can win in 3 moves."],
        ),
        (
            play_moves(GameState.new(VARIANTS["misere-tic-tac-toe"]), "B2 A1 A2 B1 B3 C1"),
            ["Best for", "of its own"],
        ),
        (
            play_moves(GameState.new(find_rules("mnk:4,4,4,gravity")), "2 2 2 2 4"),
            ["Best for O: columns 1, 3, 4.", "nobody wins"],
        ),
        pytest.param(
            play_moves(GameState.new(VARIANTS["gomoku"]), "H8 A1 H9 A2"),
            ["From here the game could not be solved in a moment.", "Looking "],
            marks=pytest.mark.medium,
        ),
    ],
)
def test_a_hint_tells_the_best_moves_and_what_they_lead_to(
    state: GameState, lines: list[str]
) -> None:
    said = describe_hint(evaluate(state, full=True), state, ENGLISH)

    assert len(said) == len(lines)
    for line, expected in zip(said, lines):
        assert expected in line


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        (Evaluation(best=(112,), depth=3), "Looking 3 moves ahead, this looks best: H8."),
        (Evaluation(best=(112,)), "This looks best: H8."),
        (
            Evaluation.proved(995, (112,), "fours", line=(112, 113, 97, 82, 100)),
            "X wins by fours, each of which must be answered: H8, H7, K7.",
        ),
        (
            Evaluation.proved(995, (112,), "threats", line=(112, 113, 97)),
            "X wins by threats, for instance: H8, H7.",
        ),
        (Evaluation.proved(999, (112,), "fours"), "X wins with this move."),
        (Evaluation.proved(-990, (112,), "engine"), "O can win."),
        (Evaluation(low=967, high=967, chance=0.5, best=(112,)), "X can win in 17 moves."),
    ],
)
def test_a_hint_tells_how_it_was_found(hint: Evaluation, said: str) -> None:
    assert describe_hint(hint, GameState.new(VARIANTS["gomoku"]), ENGLISH)[-1] == said


@pytest.mark.parametrize("lines", [("quit",), ("QUIT",), ("q",), ("exit",), ()])
def test_quitting_and_the_end_of_the_input_leave_the_game(lines: tuple[str, ...]) -> None:
    with pytest.raises(PlayerLeft) as left:
        move(EMPTY, *lines)

    assert left.value.code == 0


def test_what_takes_a_session_is_not_offered_without_one() -> None:
    _, desk = move(EMPTY, "undo", "save x", "B2")

    assert refusals(desk) == ["This program does not offer that."] * 2


def test_a_game_that_is_over_asks_for_no_move() -> None:
    played, desk = move(GameState(Grid("XXXOO    ")), "B2")

    assert played is None
    assert desk.said == ""


def test_the_classic_engine_plays_with_the_classic_classes() -> None:
    desk = Desk("A1", "A1", "B1", "C1")
    game = TicTacToe(desk.person(Mark.CROSS), ScriptedPlayer(Mark.NAUGHT, [4, 8]), desk.renderer)

    final = game.play()

    assert final.winner is Mark.CROSS
    assert desk.said.endswith(
        "X plays C1.\n" + "  A B C\n1 X X X\n2 . O .\n3 . . O\nDecided by A1, B1, C1.\nX wins 🎉\n"
    )
