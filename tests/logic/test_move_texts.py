"""How moves are written that are more than a cell: letters, layers, and words."""

from __future__ import annotations

import pytest

from tests.logic.played_games import after, message_of
from tic_tac_toe.logic.exceptions import GameError, InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.notation import cell_name_in, move_name, parse_move, read_moves
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.placements import cell_of, move_to


@pytest.mark.parametrize(
    ("name", "moves", "text", "cell", "letter"),
    [
        *(("wild", "", text, 4, 0) for text in ("XB2", "xb2", "X2B", "X B2", "x 5", "X5", "Х2в")),
        *(("wild", "", text, 4, 1) for text in ("OB2", "ob2", "О 5", "Ｏ５")),
        ("order-and-chaos", "", "OF6", 35, 1),
        ("mnk:4,4,3,wild,gravity", "X1", "O1", 8, 1),
        ("3x3x3", "", "2B3", 9 * 2 + 4, None),
        ("3x3x3", "", "3c1", 8, None),
        ("3x3x3", "", "2 B 3", 9 * 2 + 4, None),
        ("qubic", "", "4D4", 63, None),
        ("score-four", "", "B2", 16 + 1, None),
        ("score-four", "B2 B2", "b2", 16 + 8 + 1, None),
        ("score-four", "", "1B2", 16 + 1, None),
        ("3x3x3,gravity,wild", "XB2", "OB2", 9 + 4, 1),
    ],
)
def test_a_move_is_its_letter_if_chosen_its_layer_and_its_cell(
    name: str, moves: str, text: str, cell: int, letter: int | None
) -> None:
    state = after(name, moves)
    move = parse_move(state, text)
    assert cell_of(state.rules, move) == cell
    assert move == move_to(state.rules, cell, letter or 0)
    assert parse_move(state, move_name(state, move)) == move
    assert state.make_move_to(move).after_state.grid.cells[cell] == (
        state.current_mark if letter is None else MARKS[letter]
    )


@pytest.mark.parametrize(
    ("name", "cell", "written"),
    [
        ("wild", 4, "B2"),
        ("notakto-2", 5, "F1"),
        ("3x3x3", 9 * 2 + 4, "2B3"),
        ("score-four", 63, "4D4"),
    ],
)
def test_a_cell_has_one_name_in_its_game(name: str, cell: int, written: str) -> None:
    assert cell_name_in(find_rules(name), cell) == written
    with pytest.raises(InvalidNotation, match=r"^cell must be from 0 to "):
        cell_name_in(find_rules(name), find_rules(name).shape.cells)


@pytest.mark.parametrize("word", ["swap", "SWAP", " Swap "])
def test_the_mark_is_taken_over_by_a_word(word: str) -> None:
    state = after("connect-four,pie", "4")
    move = parse_move(state, word)
    assert move_name(state, move) == "swap"
    assert state.make_move_to(move).after_state == after("connect-four,pie", "4 swap")


PLACE = "expected a place from A1 to D4, where the mark falls, or a cell from 1A1 to 4D4"
LETTER = (
    "expected first X or O, and then a cell from A1 to C3, or a digit of the number pad, as in XA1"
)


@pytest.mark.parametrize(
    ("name", "moves", "text", "kind", "code", "message"),
    [
        *(
            ("wild", "", text, InvalidNotation, "unexpected_text", f'"{text}": {LETTER}')
            for text in ("B2", "X", "X0", "XXB2", "ZB2", "5", "swap")
        ),
        (
            *("wild", "", "XD4", InvalidNotation, "unexpected_text"),
            '"XD4": there is no column D: columns go from A to C',
        ),
        (
            *("3x3x3", "", "B2", InvalidNotation, "unexpected_text"),
            '"B2": expected a cell from 1A1 to 3C3: layer, column, row',
        ),
        (
            *("qubic", "", "5A1", InvalidNotation, "unexpected_text"),
            '"5A1": there is no layer 5: layers go from 1 to 4',
        ),
        (
            *("score-four", "", "E", InvalidNotation, "unexpected_text"),
            f'"E": {PLACE}: layer, column, row',
        ),
        (
            *("score-four", "", "A5", InvalidNotation, "unexpected_text"),
            '"A5": there is no row 5: rows go from 1 to 4',
        ),
        (
            *("score-four", "A1 A1 A1 A1", "A1", InvalidMove, "stack_full"),
            "All layers are full at A1",
        ),
        (
            *("4x4,pie", "B2", "E5", InvalidNotation, "unexpected_text"),
            '"E5": there is no column E: columns go from A to D',
        ),
        (
            *("4x4,pie", "B2", "5", InvalidNotation, "unexpected_text"),
            '"5": expected a cell from A1 to D4, or swap',
        ),
    ],
)
def test_a_move_of_letters_or_layers_that_cannot_be_read_is_refused_with_what_is_accepted(
    name: str, moves: str, text: str, kind: type[GameError], code: str, message: str
) -> None:
    with pytest.raises(kind) as error:
        parse_move(after(name, moves), text)
    assert message_of(error) == message
    assert error.value.code == code


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("wild", "XB2 oa1,O9", "XB2 OA1 OC1"),
        ("mnk:4,4,4,wild,gravity", "X1,o1", "X1 O1"),
        ("3x3x3", "2B2 1a1\n3c3", "2B2 1A1 3C3"),
        ("score-four", "A1 A1 1B2", "1A1 2A1 1B2"),
        ("connect-four,pie", "4 swap 4", "4 swap 4"),
        ("4x4,pie", "B2,swap,C3", "B2 swap C3"),
        ("vanishing", "A1B1C2A2B3C3C1", "A1 B1 C2 A2 B3 C3 C1"),
    ],
)
def test_a_move_list_of_letters_layers_and_words_is_played_in_order(
    name: str, text: str, names: str
) -> None:
    state, played = GameState.new(find_rules(name)), []
    for move in read_moves(state, text):
        played.append(move_name(state, move.number))
        state = move.after_state
    assert " ".join(played) == names
    assert state == after(name, text)


@pytest.mark.parametrize(
    ("name", "text", "kind", "message"),
    [
        ("wild", "XB2 OB2", InvalidMove, 'move 2 "OB2": Cell is not empty'),
        ("wild", "XB2OA1", InvalidNotation, f'move 1 "XB2OA1": {LETTER}'),
        ("connect-four,pie", "swap", InvalidMove, 'move 1 "swap": Only the second player\'s first'),
        ("connect-four,pie", "4 swap swap", InvalidMove, 'move 3 "swap": Only the second'),
        ("vanishing", "A1 B1 C2 A2 B3 C3 A1", InvalidMove, 'move 7 "A1": '),
        ("notakto-2", "A1 B1 C1 A2", InvalidMove, 'move 4 "A2": '),
        ("score-four", "A1 3A1", InvalidMove, 'move 2 "3A1": '),
    ],
)
def test_a_bad_move_of_the_wider_family_is_named_with_its_number(
    name: str, text: str, kind: type[GameError], message: str
) -> None:
    with pytest.raises(kind) as error:
        after(name, text)
    assert message_of(error).startswith(message)
