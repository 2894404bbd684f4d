"""Names of cells and moves, move lists, and the one-line text of positions."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.logic.played_games import harmless, mnk_rules, play_at_random, refusal, started_games
from tests.oracles import reachable
from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidNotation, quoted
from tic_tac_toe.logic.models import MARKS, GameState, Grid, Mark
from tic_tac_toe.logic.notation import (
    cell_name,
    clickable_cells,
    format_state,
    has_gravity,
    landing_cell,
    move_name,
    numpad_cell,
    numpad_digit,
    parse_cell,
    parse_move,
    parse_moves,
    parse_state,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome, Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR, TIC_TAC_TOE, VARIANTS, find_rules
from tic_tac_toe.logic.rules.misere import Misere
from tic_tac_toe.logic.shapes import Shape

CROSS, NAUGHT = MARKS
ULTIMATE = VARIANTS["ultimate"]
WIDE = find_rules("mnk:12,8,5,gravity")

#: Whatever the text, these are all that may come of it.
REFUSALS = (InvalidNotation, InvalidMove, InvalidGameState)


def after(name: str, moves: str, starting_mark: Mark = Mark.CROSS) -> GameState:
    return parse_moves(GameState.new(find_rules(name), starting_mark), moves)


def message_of(error: pytest.ExceptionInfo[Exception]) -> str:
    return harmless(str(error.value))


# -- cells -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "columns", "cell", "name"),
    [
        (3, 3, 0, "A1"),
        (3, 3, 1, "B1"),
        (3, 3, 3, "A2"),
        (3, 3, 8, "C3"),
        (6, 7, 41, "G6"),
        (10, 10, 99, "J10"),
        (26, 26, 675, "Z26"),
    ],
)
def test_the_letter_counts_columns_from_the_left_and_the_number_rows_from_the_top(
    rows: int, columns: int, cell: int, name: str
) -> None:
    shape = Shape(rows, columns)
    assert cell_name(shape, cell) == name
    assert parse_cell(shape, name) == cell


def test_every_cell_of_every_board_has_a_name_that_leads_back() -> None:
    for rows in range(1, 27):
        for columns in range(1, 27):
            shape = Shape(rows, columns)
            names = [cell_name(shape, cell) for cell in range(shape.cells)]
            assert [parse_cell(shape, name) for name in names] == list(range(shape.cells))


@pytest.mark.parametrize("text", ["J10", "j10", "10J", "10j", "  J10", "10j \t"])
def test_a_cell_may_be_written_either_way_round_in_either_case_between_blanks(text: str) -> None:
    assert parse_cell(Shape(12, 12), text) == 9 * 12 + 9


@pytest.mark.parametrize(
    "text",
    [
        *("", "B", "2", "D1", "A4", "A0", "A01", "B 2", "B2B", "B-2", "+2B", "B2\n", "B2\0"),
        # Signs that look like letters and digits, or are some to Python.
        *("\u0392", "B\u00b2", "B\u0662", "\uff22\uff12", "\u212a1"),
    ],
)
def test_a_text_that_names_no_cell_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_cell(Shape(3, 3), text)
    assert message_of(error) == f"{quoted(text)}: expected a cell from A1 to C3"


@pytest.mark.parametrize("sign", ["A", "1", "A1", " ", "\0", "\U0001f600"])
def test_a_million_signs_name_no_cell(sign: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_cell(Shape(3, 3), "B" + sign * 10**6)
    message_of(error)


def test_letters_beyond_ascii_name_no_cell_even_where_their_capital_would() -> None:
    for text in ("\u212a11", "\u017f19", "\u01319"):
        with pytest.raises(InvalidNotation):
            parse_cell(Shape(26, 26), text)


@pytest.mark.parametrize("cell", [-1, 9, 1 << 20000], ids=["below", "above", "far above"])
def test_a_cell_off_the_board_has_no_name(cell: int) -> None:
    with pytest.raises(InvalidNotation, match=r"^cell must be from 0 to 8$"):
        cell_name(Shape(3, 3), cell)


@given(st.text("aAbZ0129 \t\n\u212a\u0662", max_size=4), st.integers(1, 26), st.integers(1, 26))
def test_whatever_is_read_as_a_cell_is_its_name_or_turns_into_it(
    text: str, rows: int, columns: int
) -> None:
    shape = Shape(rows, columns)
    try:
        cell = parse_cell(shape, text)
    except InvalidNotation:
        return
    word = text.strip().upper()
    assert cell_name(shape, cell) in (word, word[-1] + word[:-1])


def test_the_number_pad_lies_on_the_board_with_seven_at_the_top_left() -> None:
    pad = "789456123"
    assert [numpad_cell(int(digit)) for digit in pad] == list(range(9))
    assert "".join(str(numpad_digit(cell)) for cell in range(9)) == pad


@pytest.mark.parametrize("digit", [-1, 0, 10])
def test_a_number_pad_has_nine_digits(digit: int) -> None:
    with pytest.raises(InvalidNotation, match="from 1 to 9"):
        numpad_cell(digit)


@pytest.mark.parametrize("cell", [-1, 9])
def test_a_number_pad_has_nine_cells(cell: int) -> None:
    with pytest.raises(InvalidNotation, match="from 0 to 8"):
        numpad_digit(cell)


# -- moves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "gravity"),
    [
        ("connect-four", True),
        ("misere-connect-four", True),
        ("mnk:3,3,3,gravity,misere", True),
        ("tic-tac-toe", False),
        ("misere-tic-tac-toe", False),
        ("ultimate", False),
    ],
)
def test_gravity_is_seen_through_misere(name: str, gravity: bool) -> None:
    assert has_gravity(find_rules(name)) is gravity


@pytest.mark.parametrize(
    ("name", "text", "cell"),
    [
        ("tic-tac-toe", "7", 0),
        ("tic-tac-toe", " 3 ", 8),
        ("misere-tic-tac-toe", "9", 2),
        ("tic-tac-toe", "b3", 7),
        ("connect-four", "1", 35),
        ("connect-four", "7", 41),
        ("connect-four", "6F", 40),
        ("misere-connect-four", "4", 38),
        ("mnk:3,3,3,gravity", "3", 8),
        ("mnk:12,8,5,gravity", "10", 7 * 12 + 9),
        ("mnk:26,26,5", "z26", 675),
        ("ultimate", "E5", 40),
    ],
)
def test_a_move_is_read_as_its_game_writes_it(name: str, text: str, cell: int) -> None:
    assert parse_move(GameState.new(find_rules(name)), text) == cell


def test_a_mark_let_go_over_any_cell_of_a_column_falls_to_the_lowest_free_one() -> None:
    state = parse_moves(GameState.new(CONNECT_FOUR), "4 4")
    column = range(3, CONNECT_FOUR.shape.cells, 7)

    assert {landing_cell(state, cell) for cell in column} == {parse_move(state, "4")}
    assert landing_cell(GameState.new(TIC_TAC_TOE), 5) == 5


def test_no_mark_can_be_let_go_over_a_full_column() -> None:
    state = parse_moves(GameState.new(CONNECT_FOUR), "1 1 1 1 1 1")

    with pytest.raises(InvalidMove, match="Column 1 is full"):
        landing_cell(state, 7)


@given(state=started_games(), plies=st.integers(0, 60), seed=st.integers(0, 2**32))
def test_the_clickable_cells_are_those_over_which_a_mark_lands_on_a_legal_one(
    state: GameState, plies: int, seed: int
) -> None:
    for cell in play_at_random(state, plies, seed):
        state = state.make_move_to(cell).after_state
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


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("tic-tac-toe", "0", "a cell from A1 to C3, or a digit of the number pad"),
        ("tic-tac-toe", "10", "a cell from A1 to C3, or a digit of the number pad"),
        ("tic-tac-toe", "\x1b[2J", "a cell from A1 to C3, or a digit of the number pad"),
        ("4x4", "5", "a cell from A1 to D4"),
        ("connect-four", "8", "a column from 1 to 7, or a cell from A1 to G6"),
        ("connect-four", "04", "a column from 1 to 7, or a cell from A1 to G6"),
        ("mnk:12,8,5,gravity", "13", "a column from 1 to 12, or a cell from A1 to L8"),
        ("ultimate", "J1", "a cell from A1 to I9"),
    ],
)
def test_a_move_that_cannot_be_read_is_refused_with_what_is_accepted(
    name: str, text: str, expected: str
) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_move(GameState.new(find_rules(name)), text)
    assert message_of(error).endswith(f'": expected {expected}')


def test_legality_is_left_to_the_state() -> None:
    state = after("tic-tac-toe", "B2")
    assert parse_move(state, "B2") == 4
    assert parse_move(GameState.new(CONNECT_FOUR), "D1") == 3


@given(started_games(), st.integers(0, 30), st.integers())
def test_every_legal_move_is_read_back_from_its_name_and_from_its_cell(
    state: GameState, plies: int, seed: int
) -> None:
    for cell in play_at_random(state, plies, seed):
        state = state.make_move_to(cell).after_state
    names = [move_name(state, cell) for cell in state.legal_cells]
    assert len(set(names)) == len(names)
    assert [parse_move(state, name) for name in names] == list(state.legal_cells)
    for cell in state.legal_cells:
        assert parse_move(state, cell_name(state.rules.shape, cell)) == cell


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


@pytest.mark.parametrize(
    ("name", "text", "kind", "message"),
    [
        ("tic-tac-toe", "B2 A1 B2", InvalidMove, 'move 3 "B2": Cell is not empty'),
        ("tic-tac-toe", "5 5", InvalidMove, 'move 2 "5": Cell is not empty'),
        ("tic-tac-toe", "A1 B1 A2 B2 A3 C3", InvalidMove, 'move 6 "C3": The game is over'),
        (
            "tic-tac-toe",
            "B2 \x1b[31m",
            InvalidNotation,
            r'move 2 "\x1b[31m": expected a cell from A1 to C3, or a digit of the number pad',
        ),
        ("4x4", "12", InvalidNotation, 'move 1 "12": expected a cell from A1 to D4'),
        ("connect-four", "4444444", InvalidMove, 'move 7 "4": Column 4 is full'),
        (
            "connect-four",
            "D5",
            InvalidMove,
            'move 1 "D5": A mark falls to the lowest empty cell of its column',
        ),
        (
            "connect-four",
            "448",
            InvalidNotation,
            'move 3 "8": expected a column from 1 to 7, or a cell from A1 to G6',
        ),
        (
            "mnk:12,8,5,gravity",
            "1 2 34",
            InvalidNotation,
            'move 3 "34": expected a column from 1 to 12, or a cell from A1 to L8',
        ),
        (
            "mnk:10,8,5,gravity",
            "44",
            InvalidNotation,
            'move 1 "44": expected a column from 1 to 10, or a cell from A1 to J8',
        ),
        ("mnk:3,3,3,gravity", "33,33", InvalidMove, 'move 4 "3": Column 3 is full'),
        ("ultimate", "A1D1", InvalidMove, 'move 2 "D1": The last move asks for another board'),
    ],
)
def test_a_bad_move_list_names_the_number_and_the_text_of_the_first_bad_move(
    name: str, text: str, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as error:
        after(name, text)
    assert message_of(error) == message


@given(started_games(), st.integers(0, 40), st.integers(), st.data())
def test_a_move_list_plays_the_moves_whose_names_it_holds(
    start: GameState, plies: int, seed: int, data: st.DataObject
) -> None:
    state, text = start, ""
    for cell in play_at_random(start, plies, seed):
        names = [move_name(state, cell), cell_name(start.rules.shape, cell)]
        separator = data.draw(st.sampled_from([" ", ",", ", ", "\n"]))
        text += data.draw(st.sampled_from([*names, names[1].lower()])) + separator
        state = state.make_move_to(cell).after_state
    assert parse_moves(start, text) == state


@pytest.mark.parametrize("rules", [TIC_TAC_TOE, CONNECT_FOUR, WIDE, ULTIMATE])
@pytest.mark.parametrize("text", ["B2", "4", "1", "B", "2B1", "\0", "A1 ", "/", "\U0001f600", "1,"])
def test_a_million_bad_moves_end_at_the_first(rules: Rules, text: str) -> None:
    with pytest.raises((InvalidNotation, InvalidMove)) as error:
        parse_moves(GameState.new(rules), text * 10**6)
    assert message_of(error).startswith("move ")


@given(mnk_rules(), st.text(st.sampled_from("ABab123 ,\n\0é")))
def test_any_move_list_is_played_or_refused(rules: Rules, text: str) -> None:
    refused = refusal((InvalidNotation, InvalidMove), parse_moves, GameState.new(rules), text)
    assert refused is None or refused.startswith("move ")


# -- positions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (GameState.new(), ".../.../... x"),
        (GameState.new(TIC_TAC_TOE, Mark.NAUGHT), ".../.../... o"),
        (GameState(Grid("XXOO X O ")), "XXO/O.X/.O. x"),
        (GameState(Grid("XXOO X O "), Mark.NAUGHT), "XXO/O.X/.O. o"),
        (after("tic-tac-toe", "A1 B1 A2 B2 A3"), "XO./XO./X.. o"),
        (after("connect-four-5x4", "335"), "...../...../..O../..X.X o"),
        (after("mnk:3,1,3", "B1"), ".X. o"),
        (after("ultimate", ""), "/".join(["." * 9] * 9) + " x -"),
        (
            after("ultimate", "A5"),
            "/".join(["." * 9] * 4 + ["X........"] + ["." * 9] * 4) + " o A2",
        ),
    ],
)
def test_a_position_is_written_with_its_rows_its_side_to_move_and_its_memory(
    state: GameState, text: str
) -> None:
    assert format_state(state) == text
    assert parse_state(text, state.rules) == state


@pytest.mark.parametrize("rules", [TIC_TAC_TOE, Misere(TIC_TAC_TOE)])
@pytest.mark.parametrize("starting_mark", MARKS)
def test_every_position_of_the_classic_is_read_back_with_its_starter(
    rules: Rules, starting_mark: Mark
) -> None:
    grids = reachable(starting_mark.value)
    texts = set()
    for cells in grids:
        state = GameState(Grid(cells), starting_mark, rules=rules)
        texts.add(format_state(state))
        assert parse_state(format_state(state), rules) == state
        assert parse_state(format_state(state), rules, starting_mark) == state
    assert len(texts) == len(grids) == 5478


def assert_every_state_is_read_back(state: GameState, cells: Sequence[int]) -> None:
    for cell in [None, *cells]:
        if cell is not None:
            state = state.make_move_to(cell).after_state
        text = format_state(state)
        assert text.isascii()
        assert text.isprintable()
        again = parse_state(text, state.rules)
        assert again == state
        assert again.position == state.position
        assert again.outcome == state.outcome


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("starting_mark", MARKS)
def test_every_state_of_a_whole_game_of_every_variant_is_read_back(
    name: str, starting_mark: Mark
) -> None:
    start = GameState.new(VARIANTS[name], starting_mark)
    for seed in range(3):
        assert_every_state_is_read_back(start, play_at_random(start, 1000, seed))


@given(started_games(), st.integers(0, 30), st.integers())
def test_every_state_of_every_board_is_read_back(start: GameState, plies: int, seed: int) -> None:
    assert_every_state_is_read_back(start, play_at_random(start, plies, seed))


@given(st.integers(0, 81), st.integers())
def test_ultimate_is_read_back_in_misere_too(plies: int, seed: int) -> None:
    start = GameState.new(Misere(ULTIMATE))
    assert_every_state_is_read_back(start, play_at_random(start, plies, seed))


@pytest.mark.parametrize(
    "text",
    ["XXO/O.X/.O.", "XXOO.X.O.", "xxo/o_x/_o_", "XXO/O X/ O ", "XXOO X O ", "XxOo_X.O "],
)
def test_plain_forms_of_a_position_all_mean_the_same(text: str) -> None:
    assert parse_state(text) == GameState(Grid("XXOO X O "))
    assert parse_state(text, starting_mark=NAUGHT) == GameState(Grid("XXOO X O "), NAUGHT)


def test_nothing_that_could_be_an_empty_cell_is_stripped() -> None:
    assert parse_state(" " * 9) == GameState.new()
    assert parse_state("   XX OO ").grid.cells == "   XX OO "
    assert parse_state("X" + " " * 8).current_mark is NAUGHT
    assert parse_state(" " * 9 + " o").starting_mark is NAUGHT


@pytest.mark.parametrize("sign", ["x", "X"])
def test_the_side_to_move_tells_who_started(sign: str) -> None:
    assert parse_state(f"XO./.../... {sign}").starting_mark is CROSS
    assert parse_state(f"O../.../... {sign}").starting_mark is NAUGHT


def test_x_starts_unless_told_otherwise() -> None:
    assert parse_state("X........").starting_mark is CROSS
    assert parse_state("O........", starting_mark=NAUGHT).starting_mark is NAUGHT
    with pytest.raises(InvalidGameState, match="Wrong starting mark"):
        parse_state("O........")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 9 cells, got 0"),
        ("XO", "expected 9 cells, got 2"),
        ("XO./...", "expected 3 rows, got 2"),
        ("/", "row 1: expected 3 cells, got 0"),
        ("XO./..../...", "row 2: expected 3 cells, got 4"),
        ("XO./.../..", "row 3: expected 3 cells, got 2"),
        (".../.../.../...", "expected 3 rows, got 4"),
        ("....../...", "row 1: expected 3 cells, got 6"),
        (
            "XO?......",
            '"?" in row 1, column 3: expected X, O, or for an empty cell a dot, '
            "underscore or space",
        ),
        (
            "XO./.\t./...",
            r'"\t" in row 2, column 2: expected X, O, or for an empty cell a dot, '
            "underscore or space",
        ),
        (
            "XO.\n...\n...",
            r'"\n" in row 2, column 1: expected X, O, or for an empty cell a dot, '
            "underscore or space",
        ),
        (
            "\u0425........",
            '"\u0425" in row 1, column 1: expected X, O, or for an empty cell a '
            "dot, underscore or space",
        ),
        ("XO.......\n", r'"\n" after the last cell: expected x or o, who moves'),
        ("XO./.../...\n", r'"\n" after the last cell: expected x or o, who moves'),
        ("XO........", '"." after the last cell: expected x or o, who moves'),
        (" " * 10, '" " after the last cell: expected x or o, who moves'),
        ("XO....... z", '" z" after the last cell: expected x or o, who moves'),
        ("XO.......x", '"x" after the last cell: expected x or o, who moves'),
        ("XO.......  x", '"  x" after the last cell: expected x or o, who moves'),
        ("XO....... x ", '"" after the side to move: expected a number, if any'),
        ("XO....... x\n", r'" x\n" after the last cell: expected x or o, who moves'),
        ("XO....... x B2", '"B2" after the side to move: expected a number, if any'),
        ("XO....... x 0 0", '" x 0 0" after the last cell: expected x or o, who moves'),
        ("XO....... x \u0663", '"\u0663" after the side to move: expected a number, if any'),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_state(text)
    assert message_of(error) == message


def test_a_side_to_move_that_contradicts_the_starter_is_refused() -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_state("XO./.../... x", starting_mark=NAUGHT)
    assert message_of(error) == "x to move means that X has started here, not O"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("tic-tac-toe", "XXX/.../...", "Wrong number of Xs and Os"),
        ("tic-tac-toe", "XXX/OOO/... x", "Both players own a line"),
        ("tic-tac-toe", ".../.../... x 5", "Nothing is remembered in this game"),
        ("connect-four-5x4", "X..../...../...../.....", "A mark floats above an empty cell"),
        ("ultimate", "." * 81 + " x B2", "No last move leads to this choice of boards"),
    ],
)
def test_a_position_that_no_game_reaches_is_a_state_error(
    name: str, text: str, message: str
) -> None:
    with pytest.raises(InvalidGameState, match=f"^{message}$"):
        parse_state(text, find_rules(name))


def test_ultimate_asks_for_the_board_unless_the_grid_is_empty() -> None:
    grid = "X" + "." * 80
    assert parse_state("." * 81, ULTIMATE) == GameState.new(ULTIMATE)
    assert parse_state("." * 81 + " o", ULTIMATE) == GameState.new(ULTIMATE, NAUGHT)
    for text in (grid, f"{grid} o"):
        with pytest.raises(InvalidNotation) as error:
            parse_state(text, ULTIMATE)
        assert message_of(error) == (
            "add the side to move and the board to play in, A1 to C3, or - for any, like: x A1"
        )
    assert parse_state(f"{grid} o A1", ULTIMATE) == after("ultimate", "A1")
    assert parse_state(f"{grid} o 1a", ULTIMATE) == after("ultimate", "A1")


@pytest.mark.parametrize("board", ["D1", "A4", "5", "--", "", "\0"])
def test_a_board_that_ultimate_has_not_is_refused(board: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_state("X" + "." * 80 + f" o {board}", ULTIMATE)
    assert message_of(error).endswith(
        " after the side to move: expected the board to play in, A1 to C3, or - for any"
    )


@dataclass(frozen=True)
class NoSecondCorner:
    """A game of one's own that remembers something: who took a corner, as a large number."""

    shape: Shape = Shape(2, 3)
    weight: int = 10**30

    def moves(self, position: Position) -> Sequence[int]:
        return [cell for cell in range(6) if not position.occupied >> cell & 1]

    def play(self, position: Position, move: int) -> Position:
        sides = list(position.stones)
        sides[position.turn] |= 1 << move
        memory = position.memory + self.weight * (move in (0, 2, 3, 5)) * (1 - 2 * position.turn)
        return Position((sides[0], sides[1]), 1 - position.turn, memory)

    def outcome(self, position: Position) -> Outcome | None:
        return None if position.ply < 6 else Outcome(None)

    def validate(self, position: Position) -> None:
        pass


@given(st.integers(0, 6), st.integers())
def test_what_rules_of_ones_own_remember_is_read_back_as_a_number(plies: int, seed: int) -> None:
    for rules in (NoSecondCorner(), Misere(NoSecondCorner())):
        start = GameState.new(rules, NAUGHT)
        assert_every_state_is_read_back(start, play_at_random(start, plies, seed))


def test_a_number_stands_for_a_memory_that_is_not_zero() -> None:
    rules = NoSecondCorner(weight=7)
    assert format_state(parse_moves(GameState.new(rules), "A1")) == "X../... o 7"
    assert format_state(parse_moves(GameState.new(rules, NAUGHT), "A1")) == "O../... x -7"
    assert format_state(parse_moves(GameState.new(rules), "B1")) == ".X./... o"
    for digits in ("", "-", "1e3", "0x7", "+7", "9" * 641, "9" * 10**6):
        with pytest.raises(InvalidNotation, match=r"expected a number, if any$"):
            parse_state(f"X../... o {digits}", rules)


@pytest.mark.parametrize("rules", [TIC_TAC_TOE, CONNECT_FOUR, ULTIMATE])
@pytest.mark.parametrize("sign", [".", "/", " ", "X", "\0", "\ud800", "X/", " x"])
def test_a_million_signs_are_no_position(rules: Rules, sign: str) -> None:
    with pytest.raises(REFUSALS) as error:
        parse_state(sign * 10**6, rules)
    message_of(error)


@given(
    mnk_rules(),
    st.text(st.sampled_from("XO. xo/_-1\n\0\ud800")),
    st.none() | st.sampled_from(MARKS),
)
def test_any_text_is_a_position_or_is_refused(
    rules: Rules, text: str, starting_mark: Mark | None
) -> None:
    if refusal(REFUSALS, parse_state, text, rules, starting_mark) is None:
        state = parse_state(text, rules, starting_mark)
        assert starting_mark in (None, state.starting_mark)
        assert parse_state(format_state(state), rules) == state


@given(st.text(st.characters(codec=None)))
def test_a_quoted_text_is_short_and_harmless(text: str) -> None:
    assert quoted(text).isprintable()
    assert quoted("B2") == '"B2"'
    assert len(quoted(text)) <= 2 + 10 * 40
