"""How people write cells, moves and positions, and how such texts are read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation, quoted
from tic_tac_toe.logic.models import MARKS, GameState, Grid, Mark, Move
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import without_misere
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.shapes import Shape

_NUMPAD_SHAPE = Shape(3, 3)
_NUMPAD = (6, 7, 8, 3, 4, 5, 0, 1, 2)  # digit 1 lies at cell 6, and so on; it is its own inverse

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BLANKS = " \t"

# What keyboards type in place of ASCII: full-width signs of Chinese and Japanese input methods, and
# the letters of Cyrillic keyboards that look like Latin ones, in both cases.
_FULL_WIDTH = {ord(sign) + 0xFEE0: sign for sign in f"0123456789{_LETTERS}{_LETTERS.lower()}"}
_CYRILLIC = "АВСЕНІЈКМОРЅТХУ"  # noqa: RUF001  # these are meant
_LATIN = "ABCEHIJKMOPSTXY"
_LOOKALIKES = dict(zip(_CYRILLIC + _CYRILLIC.lower(), _LATIN + _LATIN.lower()))
_IN_ASCII = str.maketrans(_FULL_WIDTH | {"\u3000": " "} | _LOOKALIKES)
_BLANK_IN_CELL = re.compile("(?<=[A-Za-z])[ \t]+(?=[0-9])|(?<=[0-9])[ \t]+(?=[A-Za-z])")

_CELL = re.compile("([A-Za-z])([1-9][0-9]?)|([1-9][0-9]?)([A-Za-z])")
_NUMBER = re.compile("[1-9][0-9]?")

# Between commas and blanks cells may be run together, and so may columns or digits of the number
# pad if one digit is always enough. A letter alone is no move, so that a digit after it belongs to
# it; but a digit before a letter may be a move: there no blank is allowed. The lengths have bounds
# so that no text is read twice.
_SINGLE_CELL = "[A-Za-z][ \t]*[0-9]{1,2}|[0-9]{1,2}[A-Za-z]"
_ANYTHING = r"[^ \t\r\n,]+"
_WORDS = re.compile(f"{_SINGLE_CELL}|{_ANYTHING}")
_WORDS_AND_DIGITS = re.compile(f"{_SINGLE_CELL}|[0-9]|{_ANYTHING}")

_GRID_SIGNS = {"X": "X", "x": "X", "O": "O", "o": "O", " ": " ", ".": " ", "_": " "}
_TURNS = {"x": 0, "X": 0, "o": 1, "O": 1}
_ANY_BOARD = "-"
_MEMORY = re.compile("-?[0-9]{1,640}")  # the longest number that every Python agrees to read


# -- cells -----------------------------------------------------------------------------------------


def column_letter(column: int) -> str:
    """Return the letter that names the cells of a column, counted from 0."""
    return _LETTERS[column]


def cell_name(shape: Shape, cell: int) -> str:
    """Return the name of a cell: ``B3`` is the second from the left in the third row from the top.

    Raises:
        InvalidNotation: the board has no such cell.
    """
    if not 0 <= cell < shape.cells:
        raise InvalidNotation(f"cell must be from 0 to {shape.cells - 1}")
    row, column = divmod(cell, shape.columns)
    return f"{_LETTERS[column]}{row + 1}"


def parse_cell(shape: Shape, text: str) -> int:
    """Return the cell that ``B3``, ``b3``, ``3B`` or ``3b`` names.

    Blanks around the cell and between its letter and its number do not count. Full-width letters
    and digits are read as ASCII, and Cyrillic letters as the Latin ones that they look like.

    Raises:
        InvalidNotation: the board has no such cell; the message says which it has.
    """
    cell = _find_cell(shape, _plain_word(text))
    if cell is None:
        raise InvalidNotation(f"{quoted(text)}: expected {_cells_of(shape)}")
    return cell


def has_lookalikes(text: str) -> bool:
    """Return whether a text has Cyrillic letters that `parse_cell` reads as Latin ones."""
    return not _LOOKALIKES.keys().isdisjoint(text)


def numpad_cell(digit: int) -> int:
    """Return the cell of a 3x3 board that lies where the digit lies on a number pad.

    Raises:
        InvalidNotation: the digit is not from 1 to 9.
    """
    if not 1 <= digit <= 9:
        raise InvalidNotation("a number pad has the digits from 1 to 9")
    return _NUMPAD[digit - 1]


def numpad_digit(cell: int) -> int:
    """Return the digit that lies on a number pad where the cell lies on a 3x3 board.

    Raises:
        InvalidNotation: the cell is not from 0 to 8.
    """
    if not 0 <= cell <= 8:
        raise InvalidNotation("cell must be from 0 to 8")
    return _NUMPAD[cell] + 1


def _plain_word(text: str) -> str:
    """Return a typed cell or number in ASCII and without blanks, where it can be read as such."""
    return _BLANK_IN_CELL.sub("", text.translate(_IN_ASCII)).strip(_BLANKS)


def _find_cell(shape: Shape, text: str) -> int | None:
    match = _CELL.fullmatch(text)
    if not match:
        return None
    column = _LETTERS.index((match[1] or match[4]).upper())
    row = int(match[2] or match[3]) - 1
    return row * shape.columns + column if column < shape.columns and row < shape.rows else None


def _cells_of(shape: Shape) -> str:
    return f"a cell from A1 to {cell_name(shape, shape.cells - 1)}"


# -- moves -----------------------------------------------------------------------------------------


def has_gravity(rules: Rules) -> bool:
    """Return whether marks fall, so that a column is enough to name a move."""
    plain = without_misere(rules)
    return isinstance(plain, LineRules) and plain.gravity


def move_name(state: GameState, cell: int) -> str:
    """Return what players write for a move: its column's number under gravity, else the cell.

    Raises:
        InvalidNotation: the board has no such cell.
    """
    name = cell_name(state.rules.shape, cell)
    return str(cell % state.rules.shape.columns + 1) if has_gravity(state.rules) else name


def parse_move(state: GameState, text: str) -> int:
    """Return the cell that a player means, in the spellings that `parse_cell` reads.

    Under gravity a number is a column and means the cell where the mark lands; on other 3x3 boards
    a digit is one of a number pad; everywhere the name of a cell is right too. Whether the cell
    may be played is for `GameState.make_move_to` to say.

    Raises:
        InvalidNotation: the text is none of these; the message says what is accepted.
        InvalidMove: the column is full.
    """
    return cell_of_move(state.rules, state.position, text)


def landing_cell(state: GameState, cell: int) -> int:
    """Return where a mark comes that is let go over a cell: under gravity it falls in its column.

    Raises:
        InvalidMove: the column is full.
    """
    if not has_gravity(state.rules):
        return cell
    shape = state.rules.shape
    return _landing_cell(shape, state.position.occupied, cell % shape.columns)


def clickable_cells(state: GameState) -> list[int]:
    """Return the cells over which a mark may be let go, ascending: all of an open column."""
    legal = state.legal_cells
    if not has_gravity(state.rules):
        return list(legal)
    columns = state.rules.shape.columns
    open_columns = {cell % columns for cell in legal}
    return [cell for cell in range(state.rules.shape.cells) if cell % columns in open_columns]


def parse_moves(state: GameState, text: str) -> GameState:
    """Return the state after a list of moves; see `read_moves`."""
    for move in read_moves(state, text):
        state = move.after_state
    return state


def read_moves(state: GameState, text: str) -> Iterator[Move]:
    """Yield the moves of a list: ``B2 A1 C3``, ``B2A1C3``, ``b2,1a``, ``B 2`` or ``10 3``.

    Moves that are one digit each may be run together as well: columns where there are nine at
    most (``4455``), and the number pad. In a list ``2 B`` is not a cell: the digit may be a move.
    No text, no moves. Reading stops at the first bad move.

    Raises:
        InvalidNotation: the message gives the move's number and text, and what is accepted.
        InvalidMove: the message gives the move's number and text, and why it is illegal.
    """
    few_columns = has_gravity(state.rules) and state.rules.shape.columns <= 9
    has_numpad = state.rules.shape == _NUMPAD_SHAPE
    words = _WORDS_AND_DIGITS if few_columns or has_numpad else _WORDS
    for number, match in enumerate(words.finditer(text.translate(_IN_ASCII)), start=1):
        word = text[match.start() : match.end()]  # as it was typed, for the message
        try:
            move = state.make_move_to(parse_move(state, word))
        except (InvalidMove, InvalidNotation) as error:
            raise fault_in_move(error, number, word) from None
        yield move
        state = move.after_state


def fault_in_move(
    error: InvalidMove | InvalidNotation, number: int, text: str
) -> InvalidMove | InvalidNotation:
    """Return the same error of one move among many: its message begins with the number and text."""
    if isinstance(error, InvalidNotation):  # which has quoted the text
        return InvalidNotation(f"move {number} {error}")
    return InvalidMove(f"move {number} {quoted(text)}: {error}")


def cell_of_move(rules: Rules, position: Position, text: str) -> int:
    """Return `parse_move` for those who hold a position."""
    word, shape = _plain_word(text), rules.shape
    cell = _find_cell(shape, word)
    if cell is None and _NUMBER.fullmatch(word):
        number = int(word)
        if has_gravity(rules):
            if number <= shape.columns:
                return _landing_cell(shape, position.occupied, number - 1)
        elif shape == _NUMPAD_SHAPE and number <= 9:
            return numpad_cell(number)
    if cell is None:
        raise InvalidNotation(f"{quoted(text)}: expected {_moves_of(rules)}")
    return cell


def _landing_cell(shape: Shape, occupied: int, column: int) -> int:
    for cell in range(shape.cells - shape.columns + column, -1, -shape.columns):
        if not occupied >> cell & 1:
            return cell
    raise InvalidMove(f"Column {column + 1} is full")


def _moves_of(rules: Rules) -> str:
    cells = _cells_of(rules.shape)
    if has_gravity(rules):
        return f"a column from 1 to {rules.shape.columns}, or {cells}"
    if rules.shape == _NUMPAD_SHAPE:
        return f"{cells}, or a digit of the number pad"
    return cells


# -- positions -------------------------------------------------------------------------------------


def format_state(state: GameState) -> str:
    """Return a state as one line, from which `parse_state` makes the same state by the same rules.

    The rows come from the top, parted by ``/``, with ``.`` for an empty cell; then the side to
    move, or that would be if the game went on; then in ultimate the small board that must be
    played in, named like a cell of the large board, or ``-`` for any open one. Rules of a user's
    own that remember something else have it as a number, unless it is 0::

        XXO/O.X/.O. x
    """
    cells, columns = state.grid.cells.replace(" ", "."), state.grid.shape.columns
    rows = "/".join(cells[start : start + columns] for start in range(0, len(cells), columns))
    return f"{rows} {state.current_mark.lower()}{_format_memory(state.rules, state.memory)}"


def parse_state(
    text: str, rules: Rules = TIC_TAC_TOE, starting_mark: Mark | None = None
) -> GameState:
    """Return the state that a line of text shows: the inverse of `format_state`.

    Each cell is one character: X or x, O or o, and space, dot or underscore for an empty one;
    rows may be parted by ``/`` or not. All else may be left out: whose turn it is follows from the
    marks and from who started, X unless ``starting_mark`` says otherwise.

    Raises:
        InvalidNotation: the text is no position of this board, or contradicts ``starting_mark``.
        InvalidGameState: no game by these rules reaches the position.
    """
    cells, rest = _read_cells(text, rules.shape)
    blank, *fields = rest.split(" ", 3)
    marks = len(cells) - cells.count(" ")
    if rest:
        if blank or len(fields) > 2 or fields[0] not in _TURNS:
            raise InvalidNotation(f"{quoted(rest)} after the last cell: expected x or o, who moves")
        starter = MARKS[(_TURNS[fields[0]] + marks) % 2]
        if starting_mark not in (None, starter):
            raise InvalidNotation(
                f"{fields[0]} to move means that {starter} has started here, not {starting_mark}"
            )
    else:
        starter = starting_mark or Mark.CROSS
    memory = _parse_memory(rules, fields[1] if len(fields) == 2 else None, marks)
    return GameState(Grid(cells, shape=rules.shape), starter, rules=rules, memory=memory)


def _read_cells(text: str, shape: Shape) -> tuple[str, str]:
    """Return the text of the grid, and what follows it."""
    columns, parted = shape.columns, "/" in text
    if parted:
        rows = text.split("/", shape.rows)
        rows[-1], rest = rows[-1][:columns], rows[-1][columns:]
    else:
        grid, rest = text[: shape.cells], text[shape.cells :]
        rows = [grid[start : start + columns] for start in range(0, len(grid), columns)]
    for number, row in enumerate(rows, start=1):
        for column, sign in enumerate(row[:columns], start=1):
            if sign not in _GRID_SIGNS:
                raise InvalidNotation(
                    f"{quoted(sign)} in row {number}, column {column}: "
                    "expected X, O, or for an empty cell a dot, underscore or space"
                )
        if parted and len(row) != columns:
            raise InvalidNotation(f"row {number}: expected {columns} cells, got {len(row)}")
    if parted and len(rows) != shape.rows:
        raise InvalidNotation(f"expected {shape.rows} rows, got {text.count('/') + 1}")
    cells = "".join(_GRID_SIGNS[sign] for row in rows for sign in row)
    if len(cells) != shape.cells:
        raise InvalidNotation(f"expected {shape.cells} cells, got {len(cells)}")
    return cells, rest


def _format_memory(rules: Rules, memory: int) -> str:
    plain = without_misere(rules)
    if isinstance(plain, Ultimate):
        return f" {cell_name(plain.local.shape, memory - 1) if memory else _ANY_BOARD}"
    return f" {memory}" if memory else ""


def _parse_memory(rules: Rules, text: str | None, marks: int) -> int:
    plain = without_misere(rules)
    if isinstance(plain, Ultimate):
        boards = plain.local.shape
        wanted = f"the board to play in, A1 to {cell_name(boards, boards.cells - 1)}, or - for any"
        if text is None:
            if marks:
                raise InvalidNotation(f"add the side to move and {wanted}, like: x A1")
            return 0
        board = _find_cell(boards, text)
        if board is None and text != _ANY_BOARD:
            raise InvalidNotation(f"{quoted(text)} after the side to move: expected {wanted}")
        return 0 if board is None else board + 1
    if text is None:
        return 0
    if not _MEMORY.fullmatch(text):
        raise InvalidNotation(f"{quoted(text)} after the side to move: expected a number, if any")
    return int(text)
