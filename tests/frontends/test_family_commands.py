"""What the commands tell of games whose moves are more than a cell."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from tests.frontends.solving import Command
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import format_state, parse_moves
from tic_tac_toe.logic.rules.catalogue import find_rules


def test_an_analysis_names_the_letter_of_each_move_and_the_player(in_process: Command) -> None:
    told = in_process("analyse", "--variant", "wild", "--moves", "XB2 OA1 XC1").out

    assert told.startswith(
        "Wild tic-tac-toe: O.X/.X./... o\n\n  A B C\n1 O . X\n2 . X .\n3 . . .\n"
    )
    assert "\nPlayer 2 to move: Player 2 wins in 1 move\nbest: XA3\n" in told
    assert "\n* XA3   win 1\n" in told
    assert "\n  OA3   loss 1\n" in told


def test_a_draw_without_an_end_is_said_to_go_on_for_ever(in_process: Command) -> None:
    won = in_process("analyse", "--variant", "vanishing").out
    drawn = in_process("analyse", "--variant", "vanishing", "--moves", "B2").out

    assert "\nX to move: X wins in 7 moves\n" in won
    assert "\n  B2    draw goes on for ever\n" in won
    assert "\nO to move: draw, the game goes on for ever\n" in drawn


def moves_in_json(in_process: Command, *arguments: str) -> list[dict[str, object]]:
    moves: list[dict[str, object]] = json.loads(in_process("analyse", *arguments, "--json").out)[
        "moves"
    ]
    return moves


def test_a_move_in_json_has_its_number_letter_and_name_where_the_cell_is_not_all(
    in_process: Command,
) -> None:
    plain = moves_in_json(in_process, "X../.../...")
    wild = moves_in_json(in_process, "--variant", "wild", "--moves", "XB2")
    layers = moves_in_json(in_process, "--variant", "3x3x3", "--moves", "1A1 2B2 3C1")
    pie = moves_in_json(in_process, "--variant", "mnk:3,3,3,pie", "--moves", "B2")

    assert plain[0] == {"cell": 1, "name": "B1", "outcome": "loss", "plies": 6}
    assert wild[-1] == {
        "move": 17,
        "cell": 8,
        "letter": "O",
        "name": "OC3",
        "outcome": "loss",
        "plies": 4,
    }
    assert layers[-1] == {"cell": 26, "name": "3C3", "outcome": "loss", "plies": 2}
    assert pie[-1] == {
        "move": 9,
        "cell": None,
        "letter": None,
        "name": "swap",
        "outcome": "draw",
        "plies": 9,
    }


def test_a_picture_says_below_the_board_what_taking_over_is_worth(in_process: Command) -> None:
    place = ("--variant", "mnk:3,3,3,pie", "--moves", "B2")
    drawn = in_process("svg", *place, "--values", "--best").out
    named = in_process("svg", *place, "--best", "--caption", "Mine").out

    texts = ["".join(element.itertext()) for element in ElementTree.fromstring(drawn).iter()]
    assert "swap =, best: swap" in texts
    assert "swap" not in named


def test_a_tree_names_letters_and_the_taking_over(in_process: Command) -> None:
    wild = in_process("tree", "--variant", "wild", "--depth", "1", "--every", "--format", "dot")
    pie = in_process("tree", "--variant", "mnk:3,3,3,pie", "--depth", "2", "--format", "dot")

    assert wild.out.count('[label="OB2"') == wild.out.count('[label="XB2"') == 1
    assert pie.out.count('[label="swap"') == 3


@pytest.mark.parametrize(
    ("variant", "moves", "told"),
    [
        ("vanishing", "A1 B1 A2 B2 C3", "With the next X the X on A1 leaves.\nO's move:\n"),
        ("mnk:3,3,3,pie", "B2", "taken over. X: Person, O: Person.\n"),
        ("mnk:3,3,3,pie", "B2", "may take over the first mark instead of moving: swap.\nO's move:"),
        ("mnk:3,3,3,pie", "B2 swap", "2 . O .\n3 . . .\nX's move:\n"),
        ("notakto-2", "A1 B1 C1", "Open boards: D1–F3.\nPlayer 2's move:\n"),
        ("order-and-chaos", "XB2", "Chaos's move:\n"),
        ("score-four", "B3 B3", "3 . X . .   . O . .   . . . .   . . . .\n"),
        ("ultimate-open", "A1", "Play in small board A1, from A1 to C3.\nO's move:\n"),
    ],
)
def test_a_position_is_written_with_all_that_a_game_remembers_and_read_again(
    variant: str, moves: str, told: str, in_process: Command
) -> None:
    written = format_state(parse_moves(GameState.new(find_rules(variant)), moves))

    place = ("-O", "human", "--variant", variant, "--from", written)
    begun = ("-O", "human", "--variant", variant, "--moves", moves)

    assert told in in_process(*place).out
    assert in_process(*place).out == in_process(*begun).out
    assert in_process("svg", written, "--variant", variant).status == 0
