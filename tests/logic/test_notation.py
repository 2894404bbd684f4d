"""Names of cells and moves, and move lists."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.logic.played_games import (
    after,
    message_of,
    mnk_rules,
    play_at_random,
    played_on,
    refusal,
    started_games,
)
from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation, quoted
from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.notation import (
    cell_below,
    cell_name,
    cell_name_in,
    clickable_cells,
    has_lookalikes,
    landing_cell,
    move_name,
    numpad_cell,
    numpad_digit,
    parse_cell,
    parse_move,
    parse_moves,
    parse_place,
    play_moves,
)
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.rules.traits import cell_of, move_to, placement, special_name, traits_of
from tic_tac_toe.logic.shapes import Shape

CROSS, NAUGHT = MARKS
ULTIMATE = VARIANTS["ultimate"]
WIDE = find_rules("mnk:12,8,5,gravity")

#: Cyrillic letters by the Latin ones that they look like.
LOOKALIKES = {
    "A": "А", "B": "В", "C": "С", "E": "Е", "H": "Н", "I": "І", "J": "Ј", "K": "К", "M": "М",
    "O": "О", "P": "Р", "S": "Ѕ", "T": "Т", "X": "Х", "Y": "У",
}  # fmt: skip
LATIN = {theirs: ours for ours, theirs in LOOKALIKES.items()}


def full_width(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) for sign in text)


def in_ascii(text: str) -> str:
    """Return a text in capitals, with ASCII for what is read as such."""
    plain = "".join(
        unicodedata.normalize("NFKC", sign) if "\uff01" <= sign <= "\uff5e" else sign
        for sign in text.upper()
    )
    return "".join(LATIN.get(sign, sign) for sign in plain).replace("\u3000", " ")


# -- cells -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "columns", "cell", "name"),
    [
        *((3, 3, 0, "A1"), (3, 3, 1, "B1"), (3, 3, 3, "A2"), (3, 3, 8, "C3")),
        *((6, 7, 41, "G6"), (10, 10, 99, "J10"), (26, 26, 675, "Z26")),
    ],
)
def test_the_letter_counts_columns_from_the_left_and_the_number_rows_from_the_top(
    rows: int, columns: int, cell: int, name: str
) -> None:
    shape = Shape(rows, columns)
    assert cell_name(shape, cell) == name
    assert parse_cell(shape, name) == cell


@given(st.integers(1, 26), st.integers(1, 26), st.data())
def test_cells_are_read_back_from_all_spellings(
    rows: int, columns: int, data: st.DataObject
) -> None:
    shape = Shape(rows, columns)
    cell = data.draw(st.integers(0, shape.cells - 1))
    name = cell_name(shape, cell)
    letter, number = name[0], name[1:]
    letter = data.draw(
        st.sampled_from([letter, full_width(letter), LOOKALIKES.get(letter, letter)])
    )
    letter = data.draw(st.sampled_from([letter, letter.lower()]))
    number = data.draw(st.sampled_from([number, full_width(number)]))
    first, second = data.draw(st.permutations([letter, number]))
    blanks = st.text(" \t\u3000", max_size=3)
    text = data.draw(blanks) + first + data.draw(blanks) + second + data.draw(blanks)
    assert parse_cell(shape, text) == cell
    assert parse_move(GameState.new(find_rules(f"mnk:{columns},{rows},1")), text) == cell
    assert has_lookalikes(text) is (letter.upper() in LATIN)


@pytest.mark.parametrize(
    "text",
    [
        *("", "B", "2", "A0", "A01", "B2B", "B-2", "+2B", "B2\n", "B2\0"),
        *("B\n2", "B 0 2", "B 2 2", "B\u00a02", "B\u20022"),
        # Signs that look like letters and digits, or are some to Python.
        *("\u0392", "B\u00b2", "B\u0662", "\u212a1", "B\u2461", "Б2", "ʙ2", "\U0001d4112"),
        # Signs that cannot be seen.
        *("B\u200b2", "\u200bB2", "B2\u200f", "\u202eB2", "\ufeffB2", "B\u00ad2", "B2\ufe0f"),
    ],
)
def test_a_text_that_names_no_cell_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_cell(Shape(3, 3), text)
    assert message_of(error) == f"{quoted(text)}: expected a cell from A1 to C3"


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("D1", "there is no column D: columns go from A to C"),
        ("9z", "there is no column Z: columns go from A to C"),
        ("A4", "there is no row 4: rows go from 1 to 3"),
    ],
)
def test_a_cell_outside_of_the_board_is_refused_with_what_lacks(text: str, missing: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_cell(Shape(3, 3), text)
    assert message_of(error) == f"{quoted(text)}: {missing}"
    assert error.value.code == "unexpected_text"


@pytest.mark.parametrize("sign", ["A", "1", "A1", " ", "A ", "1 ", "А", "１", "\0", "\U0001f600"])
def test_many_signs_name_no_cell(sign: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_cell(Shape(3, 3), "B" + sign * 10**5)
    message_of(error)


def test_letters_beyond_ascii_name_no_cell_even_where_their_capital_would() -> None:
    for text in ("\u212a11", "\u017f19", "\u01319"):
        with pytest.raises(InvalidNotation):
            parse_cell(Shape(26, 26), text)


@pytest.mark.parametrize("cell", [-1, 9, 1 << 20000], ids=["below", "above", "far above"])
def test_a_cell_off_the_board_has_no_name(cell: int) -> None:
    with pytest.raises(InvalidNotation, match=r"^cell must be from 0 to 8$"):
        cell_name(Shape(3, 3), cell)


@given(
    st.text("aAbZ0129 \t\n\u212a\u0662")
    | st.text("BВвＢｂ1２ \t\u3000\u200b\u0662Б", max_size=5)
    | st.text(),
    st.integers(1, 26),
    st.integers(1, 26),
)
def test_what_is_read_as_a_cell_turns_into_its_name(text: str, rows: int, columns: int) -> None:
    shape = Shape(rows, columns)
    try:
        cell = parse_cell(shape, text)
    except InvalidNotation:
        return
    parts = re.fullmatch(
        r"[ \t]*(?:([A-Z])[ \t]*([0-9]+)|([0-9]+)[ \t]*([A-Z]))[ \t]*", in_ascii(text)
    )
    assert parts is not None
    assert cell_name(shape, cell) == (parts[1] or parts[4]) + (parts[2] or parts[3])


def test_the_number_pad_lies_on_the_board_with_seven_at_the_top_left() -> None:
    pad = "789456123"
    assert [numpad_cell(int(digit)) for digit in pad] == list(range(9))
    assert "".join(str(numpad_digit(cell)) for cell in range(9)) == pad


def test_a_number_pad_has_nine_digits_and_nine_cells() -> None:
    for digit in (-1, 0, 10):
        with pytest.raises(InvalidNotation, match="from 1 to 9"):
            numpad_cell(digit)
    for cell in (-1, 9):
        with pytest.raises(InvalidNotation, match="from 0 to 8"):
            numpad_digit(cell)


# -- moves -----------------------------------------------------------------------------------------


def test_a_mark_let_go_over_any_cell_of_a_column_falls_to_the_lowest_free_one() -> None:
    state = play_moves(GameState.new(CONNECT_FOUR), "4 4")
    column = range(3, CONNECT_FOUR.shape.cells, 7)
    assert {landing_cell(state, cell) for cell in column} == {parse_move(state, "4")}
    assert landing_cell(GameState.new(TIC_TAC_TOE), 5) == 5


def test_a_cell_over_a_full_column_stands_for_itself() -> None:
    state = play_moves(GameState.new(CONNECT_FOUR), "4 4 4 4 4 4")
    column = range(3, CONNECT_FOUR.shape.cells, 7)
    assert [cell_below(state, cell) for cell in column] == [*column]
    assert cell_below(state, 0) == landing_cell(state, 0)


@given(state=started_games(), plies=st.integers(0, 60), seed=st.integers(0, 2**32))
def test_the_clickable_cells_are_those_over_which_a_mark_lands_on_a_legal_one(
    state: GameState, plies: int, seed: int
) -> None:
    state = played_on(state, plies, seed)
    landing = []
    for cell in range(state.rules.shape.cells):
        with contextlib.suppress(InvalidMove):
            if landing_cell(state, cell) in state.legal_cells:
                landing.append(cell)
    assert clickable_cells(state) == landing


def test_a_column_means_the_cell_where_the_mark_lands() -> None:
    state = GameState.new(CONNECT_FOUR)
    for row in range(6, 0, -1):
        cell = parse_move(state, "4")
        assert cell_name(CONNECT_FOUR.shape, cell) == f"D{row}"
        state = state.make_move_to(cell).after_state
    with pytest.raises(InvalidMove, match=r"^Column 4 is full$"):
        parse_move(state, "4")


def column_of(columns: int, last: str) -> str:
    return f"expected a column from 1 to {columns}, or a cell from A1 to {last}"


DIGIT = "expected a cell from A1 to C3, or a digit of the number pad"
FLOATS = "A mark falls to the lowest empty cell of its column"


def test_legality_is_left_to_the_state() -> None:
    state = after("tic-tac-toe", "B2")
    assert parse_move(state, "B2") == 4
    assert parse_move(GameState.new(CONNECT_FOUR), "D1") == 3


def long_name(state: GameState, move: int) -> str:
    """Return the name of a move by its cell, also where players write columns."""
    if special_name(state.rules, move):
        return move_name(state, move)
    cell, mark = placement(state.rules, state.current_mark.side, move) or (0, 0)
    letter = MARKS[mark] if len(traits_of(state.rules).choices or ()) > 1 else ""
    return letter + cell_name_in(state.rules, cell)


@given(started_games(), st.integers(0, 30), st.integers())
def test_every_legal_move_is_read_back_from_its_name_and_from_its_cell(
    state: GameState, plies: int, seed: int
) -> None:
    state = played_on(state, plies, seed)
    names = [move_name(state, move) for move in state.legal_moves]
    assert len(set(names)) == len(names)
    assert [parse_move(state, name) for name in names] == list(state.legal_moves)
    for move in state.legal_moves:
        assert parse_move(state, long_name(state, move)) == move
        cell = cell_of(state.rules, move)
        assert cell is None or parse_place(state, cell_name_in(state.rules, cell)) == cell


@pytest.mark.parametrize(
    ("name", "text", "cells"),
    [
        ("tic-tac-toe", "", []),
        ("tic-tac-toe", " ,\r\n\t", []),
        ("tic-tac-toe", "B2 A1 C3", [4, 0, 8]),
        ("tic-tac-toe", "B2A1C3", [4, 0, 8]),
        ("tic-tac-toe", "2b1a3c", [4, 0, 8]),
        ("tic-tac-toe", "b2,1A, C3\n", [4, 0, 8]),
        ("tic-tac-toe", "573", [4, 0, 8]),
        ("tic-tac-toe", "5 7,C3", [4, 0, 8]),
        ("tic-tac-toe", "В2,Ａ１ c　３", [4, 0, 8]),
        # A letter is no move, so the digit after it belongs to it, also where digits are moves.
        ("tic-tac-toe", "B 2 A 1 C\t3", [4, 0, 8]),
        ("tic-tac-toe", "5 A 1 3", [4, 0, 8]),
        ("tic-tac-toe", "2 B1", [7, 1]),
        ("tic-tac-toe", "2b 7", [4, 0]),
        ("connect-four", "4 D 5", [38, 31]),
        ("connect-four", "4455", [38, 31, 39, 32]),
        ("connect-four", "4, 4 D4", [38, 31, 24]),
        ("mnk:9,9,5,gravity", "99", [80, 71]),
        ("mnk:12,8,5,gravity", "10 3 10", [93, 86, 81]),
        ("mnk:10,10,5", "J10A10", [99, 90]),
        ("gomoku", "H8h9 15O", [112, 127, 224]),
    ],
)
def test_a_move_list_is_played_in_order(name: str, text: str, cells: Sequence[int]) -> None:
    state = GameState.new(find_rules(name))
    for cell in cells:
        state = state.make_move_to(cell).after_state
    assert after(name, text) == state


@given(started_games(), st.integers(0, 40), st.integers(), st.data())
def test_a_move_list_plays_the_moves_whose_names_it_holds(
    start: GameState, plies: int, seed: int, data: st.DataObject
) -> None:
    state, text = start, ""
    for move in play_at_random(start, plies, seed):
        names = [move_name(state, move), long_name(state, move)]
        separator = data.draw(st.sampled_from([" ", ",", ", ", "\n"]))
        text += data.draw(st.sampled_from([*names, names[1].lower()])) + separator
        state = state.make_move_to(move).after_state
    assert play_moves(start, text) == state


@pytest.mark.parametrize(
    "rules",
    [TIC_TAC_TOE, CONNECT_FOUR, WIDE, ULTIMATE, VARIANTS["wild"], VARIANTS["score-four"]],
)
@pytest.mark.parametrize(
    "text", ["B2", "4", "1", "B", "2B1", "\0", "A1 ", "/", "\U0001f600", "1,", "B ", "В２"]
)
def test_many_bad_moves_end_at_the_first(rules: Rules, text: str) -> None:
    with pytest.raises((InvalidNotation, InvalidMove)) as error:
        play_moves(GameState.new(rules), text * 10**4)
    assert message_of(error).startswith("move ")


@given(mnk_rules(), st.text(st.sampled_from("ABab123 ,\n\0éВ２")))
def test_any_move_list_is_played_or_refused(rules: Rules, text: str) -> None:
    refused = refusal((InvalidNotation, InvalidMove), play_moves, GameState.new(rules), text)
    assert refused is None or refused.startswith("move ")


# -- letters, layers and words ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "moves", "text", "cell", "letter"),
    [
        *(("tic-tac-toe", "", text, cell, None) for text, cell in (("7", 0), ("７", 0), ("b3", 7))),
        *(("tic-tac-toe", "", " 3 ", 8, None), ("misere-tic-tac-toe", "", "9", 2, None)),
        *(
            ("connect-four", "", text, cell, None)
            for text, cell in (("1", 35), ("7", 41), ("４", 38), ("6F", 40))
        ),
        *(("misere-connect-four", "", "4", 38, None), ("mnk:3,3,3,gravity", "", "3", 8, None)),
        *(("mnk:12,8,5,gravity", "", text, 7 * 12 + 9, None) for text in ("10", "１０")),
        *(("mnk:26,26,5", "", "z26", 675, None), ("ultimate", "", "E5", 40, None)),
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
    ("name", "moves", "text", "expected"),
    [
        *(("tic-tac-toe", "", text, DIGIT) for text in ("0", "10", "\x1b[2J")),
        ("4x4", "", "5", "expected a cell from A1 to D4"),
        *(("connect-four", "", text, column_of(7, "G6")) for text in ("8", "04")),
        ("mnk:12,8,5,gravity", "", "13", column_of(12, "L8")),
        ("ultimate", "", "J1", "there is no column J: columns go from A to I"),
        *(("wild", "", text, LETTER) for text in ("B2", "X", "X0", "XXB2", "ZB2", "5", "swap")),
        ("wild", "", "XD4", "there is no column D: columns go from A to C"),
        ("3x3x3", "", "B2", "expected a cell from 1A1 to 3C3: layer, column, row"),
        ("qubic", "", "5A1", "there is no layer 5: layers go from 1 to 4"),
        ("score-four", "", "E", f"{PLACE}: layer, column, row"),
        ("score-four", "", "A5", "there is no row 5: rows go from 1 to 4"),
        ("4x4,pie", "B2", "E5", "there is no column E: columns go from A to D"),
        ("4x4,pie", "B2", "5", "expected a cell from A1 to D4, or swap"),
    ],
)
def test_a_move_that_cannot_be_read_is_refused_with_what_is_accepted(
    name: str, moves: str, text: str, expected: str
) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_move(after(name, moves), text)
    assert message_of(error) == f"{quoted(text)}: {expected}"
    assert error.value.code == "unexpected_text"


def test_a_place_with_full_layers_is_refused() -> None:
    with pytest.raises(InvalidMove, match=r"^All layers are full at A1$") as error:
        parse_move(after("score-four", "A1 A1 A1 A1"), "A1")
    assert error.value.code == "stack_full"


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
def test_moves_of_letters_layers_and_words_are_played(name: str, text: str, names: str) -> None:
    state, played = GameState.new(find_rules(name)), []
    for move in parse_moves(state, text):
        played.append(move_name(state, move.number))
        state = move.after_state
    assert " ".join(played) == names
    assert state == after(name, text)


ONLY_SECOND = "Only the second player's first move can take over a mark"


@pytest.mark.parametrize(
    ("name", "text", "kind", "message"),
    [
        ("tic-tac-toe", "B2 A1 B2", InvalidMove, 'move 3 "B2": Cell is not empty'),
        ("tic-tac-toe", "5 5", InvalidMove, 'move 2 "5": Cell is not empty'),
        ("tic-tac-toe", "A1 B1 A2 B2 A3 C3", InvalidMove, 'move 6 "C3": The game is over'),
        ("tic-tac-toe", "B2 \x1b[31m", InvalidNotation, rf'move 2 "\x1b[31m": {DIGIT}'),
        ("4x4", "12", InvalidNotation, 'move 1 "12": expected a cell from A1 to D4'),
        ("4x4", "2 B", InvalidNotation, 'move 1 "2": expected a cell from A1 to D4'),
        ("tic-tac-toe", "2 B", InvalidNotation, f'move 2 "B": {DIGIT}'),
        ("tic-tac-toe", "B2 В 2", InvalidMove, 'move 2 "В 2": Cell is not empty'),
        ("connect-four", "4444444", InvalidMove, 'move 7 "4": Column 4 is full'),
        ("connect-four", "D5", InvalidMove, f'move 1 "D5": {FLOATS}'),
        ("connect-four", "448", InvalidNotation, f'move 3 "8": {column_of(7, "G6")}'),
        ("mnk:12,8,5,gravity", "1 2 34", InvalidNotation, f'move 3 "34": {column_of(12, "L8")}'),
        ("mnk:10,8,5,gravity", "44", InvalidNotation, f'move 1 "44": {column_of(10, "J8")}'),
        ("mnk:3,3,3,gravity", "33,33", InvalidMove, 'move 4 "3": Column 3 is full'),
        ("ultimate", "A1D1", InvalidMove, 'move 2 "D1": The last move asks for another board'),
        ("wild", "XB2 OB2", InvalidMove, 'move 2 "OB2": Cell is not empty'),
        ("wild", "XB2OA1", InvalidNotation, f'move 1 "XB2OA1": {LETTER}'),
        ("connect-four,pie", "swap", InvalidMove, f'move 1 "swap": {ONLY_SECOND}'),
        ("connect-four,pie", "4 swap swap", InvalidMove, f'move 3 "swap": {ONLY_SECOND}'),
        ("vanishing", "A1 B1 C2 A2 B3 C3 A1", InvalidMove, 'move 7 "A1": Cell is not empty'),
        (
            "notakto-2",
            "A1 B1 C1 A2",
            InvalidMove,
            'move 4 "A2": That board has a line, so nobody plays there',
        ),
        ("score-four", "A1 3A1", InvalidMove, f'move 2 "3A1": {FLOATS}'),
    ],
)
def test_a_bad_move_list_names_the_number_and_the_text_of_the_first_bad_move(
    name: str, text: str, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as error:
        after(name, text)
    assert message_of(error) == message
