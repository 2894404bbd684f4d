"""What players write for moves, and lists of moves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation, Message, message, quoted
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.notation.cells import (
    IN_ASCII,
    cell_name,
    find_cell,
    names_of_cells,
    numpad_cell,
    plain_word,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import Digits, traits_of
from tic_tac_toe.logic.shapes import Shape, layout

# Between commas and blanks cells may be run together, and so may columns or digits of the number
# pad if one digit is always enough. A letter alone is no move, so that a digit after it belongs to
# it; but a digit before a letter may be a move: there no blank is allowed. The lengths have bounds
# so that no text is read twice.
_SINGLE_CELL = "[A-Za-z][ \t]*[0-9]{1,2}|[0-9]{1,2}[A-Za-z]"
_ANYTHING = r"[^ \t\r\n,]+"
_NUMBER = re.compile("[1-9][0-9]?")
_WORDS = re.compile(f"{_SINGLE_CELL}|{_ANYTHING}")
_WORDS_AND_DIGITS = re.compile(f"{_SINGLE_CELL}|[0-9]|{_ANYTHING}")


def move_name(state: GameState, cell: int) -> str:
    """Return what players write for a move: the number of its column, or the cell.

    Raises:
        InvalidNotation: the board has no such cell.
    """
    name, columns = cell_name(state.rules.shape, cell), state.rules.shape.columns
    return str(cell % columns + 1) if traits_of(state.rules).digits is Digits.COLUMNS else name


def parse_move(state: GameState, text: str) -> int:
    """Return the cell that a player means, in the spellings that `parse_cell` reads.

    What a number means, the traits of the rules say: under gravity a column, and so the cell where
    the mark lands; on other 3x3 boards a key of the number pad. The name of a cell is right in
    every game. `GameState.make_move_to` says whether the cell may be played.

    Raises:
        InvalidNotation: the text is not one of these; the message lists what is accepted.
        InvalidMove: the column is full.
    """
    return cell_of_move(state.rules, state.position, text)


def landing_cell(state: GameState, cell: int) -> int:
    """Return where a mark lands that is dropped over a cell: under gravity it falls.

    Raises:
        InvalidMove: the column is full.
    """
    if not traits_of(state.rules).gravity:
        return cell
    shape = state.rules.shape
    return _landing_cell(shape, state.position.occupied, cell % shape.columns)


def cell_below(state: GameState, cell: int) -> int:
    """Return the `landing_cell` below a cell, or in a full column the cell itself."""
    try:
        return landing_cell(state, cell)
    except InvalidMove:
        return cell


def clickable_cells(state: GameState) -> list[int]:
    """Return the cells over which a mark may be dropped, ascending: all of an open column."""
    legal = state.legal_cells
    if not traits_of(state.rules).gravity:
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

    Moves of one digit each may be run together as well: columns on boards of up to nine
    (``4455``), and the number pad. In a list ``2 B`` is not a cell: the digit may be a move.
    An empty text has no moves. Reading stops at the first bad move.

    Raises:
        InvalidNotation: the message gives the move's number and text, and what is accepted.
        InvalidMove: the message gives the move's number and text, and why it is illegal.
    """
    digits = traits_of(state.rules).digits
    few_columns = digits is Digits.COLUMNS and state.rules.shape.columns <= 9
    words = _WORDS_AND_DIGITS if few_columns or digits is Digits.NUMBER_PAD else _WORDS
    for number, match in enumerate(words.finditer(text.translate(IN_ASCII)), start=1):
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
    """Return the error of one move in a list: its message begins with the number and the text."""
    reason = error.message
    if isinstance(error, InvalidNotation):  # whose message begins with the text
        return InvalidNotation(
            "move {number} {reason}", "unknown_move", number=number, reason=reason
        )
    return InvalidMove(
        "move {number} {text}: {reason}",
        "illegal_move",
        number=number,
        text=quoted(text),
        reason=reason,
    )


def cell_of_move(rules: Rules, position: Position, text: str) -> int:
    """Return what `parse_move` returns, given the rules and a position."""
    word, shape = plain_word(text), rules.shape
    cell = find_cell(shape, word)
    if cell is None and _NUMBER.fullmatch(word):
        number, digits = int(word), traits_of(rules).digits
        if digits is Digits.COLUMNS and number <= shape.columns:
            return _landing_cell(shape, position.occupied, number - 1)
        if digits is Digits.NUMBER_PAD and number <= 9:
            return numpad_cell(number)
    if cell is None:
        expected = _names_of_moves(rules)
        raise InvalidNotation(
            "{quoted}: expected {expected}",
            "unexpected_text",
            quoted=quoted(text),
            expected=expected,
        )
    return cell


def _landing_cell(shape: Shape, occupied: int, column: int) -> int:
    """Return the lowest empty cell of a column."""
    board = layout(shape)
    for cell in board.cells(board.supported(occupied) & ~occupied):
        if cell % shape.columns == column:
            return cell
    raise InvalidMove("Column {column} is full", "column_full", column=column + 1)


def _names_of_moves(rules: Rules) -> Message:
    cells, digits = names_of_cells(rules.shape), traits_of(rules).digits
    if digits is Digits.COLUMNS:
        columns = rules.shape.columns
        return message(
            "a column from 1 to {columns}, or {cells}",
            "column_or_cell",
            columns=columns,
            cells=cells,
        )
    if digits is Digits.NUMBER_PAD:
        return message("{cells}, or a digit of the number pad", "cell_or_digit", cells=cells)
    return cells
