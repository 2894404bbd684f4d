"""At the prompt a person types moves in any notation, asks, and is answered in one line."""

from __future__ import annotations

import pytest

from tests.frontends.desk import Desk
from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.moments import find_hint
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.models import GameState, Grid, Mark, Move
from tic_tac_toe.logic.notation import parse_moves
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.testing import ScriptedPlayer
from tic_tac_toe_frontends.console.commands import COMMANDS
from tic_tac_toe_frontends.console.players import Left
from tic_tac_toe_frontends.game_text import describe_hint
from tic_tac_toe_frontends.table import PLAYERS
from tic_tac_toe_frontends.translation import load

ENGLISH = load("en", {})
EMPTY = GameState.new()


def move(state: GameState, *lines: str) -> tuple[Move | None, Desk]:
    desk = Desk(*lines)
    return desk.person(state.current_mark).get_move(state), desk


def refusals(desk: Desk) -> list[str]:
    """Return the lines said after the prompts that were not answered well."""
    return [answer for answer in desk.answers if answer]


@pytest.mark.parametrize("line", ["B1", "b1", "1B", "1b", " b1\t", "8"])
def test_a_cell_is_understood_in_any_notation(line: str) -> None:
    played, desk = move(EMPTY, line)

    assert played == EMPTY.make_move_to(1)
    assert refusals(desk) == []


@pytest.mark.parametrize("line", ["4", "D6", "6d"])
def test_a_column_is_enough_where_marks_fall(line: str) -> None:
    state = GameState.new(VARIANTS["connect-four"])

    assert move(state, line)[0] == state.make_move_to(38)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "foo",
        "D4",
        "0",
        "10",
        "B2 A1",
        "-1",
        "hint please",
        "\x1b[A",
        "ÄÖ",
        "９",
        "B²",
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


def test_a_taken_cell_is_refused_with_those_that_are_free() -> None:
    played, desk = move(GameState(Grid("XXOOX  O ")), "C1", "A3")

    assert played is not None
    assert refusals(desk) == ["Cell is not empty: expected C2, A3, C3. Or type help."]


def test_on_a_large_board_one_free_cell_is_told() -> None:
    state = parse_moves(GameState.new(VARIANTS["gomoku"]), "A1")

    assert refusals(move(state, "A1", "A2")[1]) == [
        "Cell is not empty: expected an empty cell, such as B1. Or type help."
    ]


def test_a_full_column_is_refused_with_the_others() -> None:
    state = parse_moves(GameState.new(find_rules("mnk:3,2,3,gravity")), "1 1")

    assert refusals(move(state, "1", "2")[1]) == ["Column 1 is full: expected 2, 3. Or type help."]


def test_the_wrong_small_board_is_refused_with_the_right_one() -> None:
    state = parse_moves(GameState.new(VARIANTS["ultimate"]), "A1")

    assert refusals(move(state, "E5", "B2")[1]) == [
        "The last move asks for another board: "
        "expected B1, C1, A2, B2, C2, A3, B3, C3. Or type help."
    ]


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


def test_the_board_is_shown_again() -> None:
    _, desk = move(EMPTY, "board", "B2")

    assert refusals(desk) == ["A B C\n1 . . .\n2 . . .\n3 . . ."]


@pytest.mark.parametrize(
    ("state", "lines"),
    [
        (EMPTY, ["Best for X: A1, B1, C1, A2, B2, C2, A3, B3, C3.", "nobody wins"]),
        (GameState(Grid("XX OO    ")), ["Best for X: C1.", "X wins with this move."]),
        (GameState(Grid("X   O   X")), ["Best for O: B1, A2, C2, B3.", "nobody wins"]),
        (
            GameState(Grid("XOX XO   ")),
            ["Best for O: A2, A3, B3, C3.", "X wins after 2 more moves"],
        ),
        (
            parse_moves(GameState.new(VARIANTS["4x4x3"]), ""),
            ["Best for X: B2, C2, B3, C3.", "X wins after 5 more moves of both sides"],
        ),
    ],
)
def test_a_hint_tells_the_best_moves_and_what_they_lead_to(
    state: GameState, lines: list[str]
) -> None:
    said = describe_hint(find_hint(state), state, ENGLISH)

    assert len(said) == len(lines)
    for line, expected in zip(said, lines):
        assert expected in line


def test_a_hint_in_a_game_too_large_to_solve_looks_ahead_and_says_so() -> None:
    state = parse_moves(GameState.new(VARIANTS["gomoku"]), "H8 A1 H9 A2 H10 A3")
    too_large, best = describe_hint(find_hint(state), state, ENGLISH)

    assert too_large == "The game is too large from here to be solved in a moment."
    assert best.startswith("Looking ")
    assert "H11" in best or "H7" in best


@pytest.mark.parametrize("line", ["quit", "QUIT", "q", "exit"])
def test_quitting_leaves_the_game(line: str) -> None:
    with pytest.raises(Left) as left:
        move(EMPTY, line)

    assert left.value.code == 0


def test_the_end_of_input_leaves_the_game() -> None:
    with pytest.raises(Left) as left:
        move(EMPTY)

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


def test_every_strategy_can_be_chosen_and_so_can_a_person() -> None:
    assert set(PLAYERS) == {"human", *STRATEGIES}
