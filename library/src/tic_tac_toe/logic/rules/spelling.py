"""The names of cells and moves, and the meaning of a typed word in a position."""

from __future__ import annotations

import re
from operator import index

from tic_tac_toe.logic.exceptions import (
    InvalidMove,
    InvalidNotation,
    Message,
    message,
    quoted,
    require,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import (
    Digits,
    cell_of,
    chooses_letter,
    count_moves,
    letter_of,
    letters,
    move_to,
    special_move,
    special_name,
    traits_of,
)
from tic_tac_toe.logic.shapes import Shape, blocks

_NUMPAD = (6, 7, 8, 3, 4, 5, 0, 1, 2)  # digit 1 lies at cell 6, and so on; it is its own inverse

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BLANKS = " \t"

# What keyboards type in place of ASCII: full-width signs of Chinese and Japanese input methods, and
# the letters of Cyrillic keyboards that look like Latin ones, in both cases.
_FULL_WIDTH = {ord(sign) + 0xFEE0: sign for sign in f"0123456789{_LETTERS}{_LETTERS.lower()}"}
_CYRILLIC = "АВСЕНІЈКМОРЅТХУ"  # noqa: RUF001  # look-alikes, on purpose
_LATIN = "ABCEHIJKMOPSTXY"
_LOOKALIKES = dict(zip(_CYRILLIC + _CYRILLIC.lower(), _LATIN + _LATIN.lower()))
IN_ASCII = str.maketrans(_FULL_WIDTH | {"\u3000": " "} | _LOOKALIKES)
_BLANK_IN_CELL = re.compile("(?<=[A-Za-z])[ \t]+(?=[0-9])|(?<=[0-9])[ \t]+(?=[A-Za-z])")

_CELL = re.compile("([A-Za-z])([1-9][0-9]?)|([1-9][0-9]?)([A-Za-z])")
_CELL_OF_LAYER = re.compile("([1-9][0-9]?)([A-Za-z][1-9][0-9]?)")
_NUMBER = re.compile("[1-9][0-9]?")


def column_letter(column: int) -> str:
    """Return the letter that names the cells of a column, counted from 0."""
    return _LETTERS[column]


def cell_name(shape: Shape, cell: int) -> str:
    """Return the name of a cell: ``B3`` is the second from the left in the third row from the top.

    Raises:
        InvalidNotation: the board has no such cell.
    """
    cell = index(cell)
    if not 0 <= cell < shape.cells:
        raise InvalidNotation(
            "cell must be from 0 to {last}", "cell_name_range", last=shape.cells - 1
        )
    row, column = divmod(cell, shape.columns)
    return f"{_LETTERS[column]}{row + 1}"


def cell_name_in(rules: Rules, cell: int) -> str:
    """Return the name of a cell of a game: ``B3``, and where there are layers ``2B3``.

    The layers are numbered from 1, the lowest; columns and rows are counted within the layer.

    Raises:
        InvalidNotation: the board has no such cell.
    """
    layer = layer_of(rules)
    if layer is None:
        return cell_name(rules.shape, cell)
    cell_name(rules.shape, cell)  # refuses what is not on the board
    number, place = blocks(rules.shape, layer).places[cell]
    return f"{number + 1}{cell_name(layer, place)}"


def layer_of(rules: Rules) -> Shape | None:
    """Return the shape of each layer, or ``None`` where the board has no layers."""
    traits = traits_of(rules)
    return traits.blocks if traits.layered else None


def parse_cell(shape: Shape, text: str) -> int:
    """Return the cell that ``B3``, ``b3``, ``3B`` or ``3b`` names.

    Blanks around the cell and between its letter and its number do not count. Full-width letters
    and digits are read as ASCII, and Cyrillic letters as the Latin ones that they look like.

    Raises:
        InvalidNotation: the text does not name a cell of the board; the message says which it has.
    """
    word = plain_word(text)
    cell = find_cell(shape, word)
    if cell is None:
        raise unreadable(text, names_of_cells(shape), missing_part(shape, word))
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
        raise InvalidNotation("a number pad has the digits from 1 to 9", "no_number_pad_digit")
    return _NUMPAD[digit - 1]


def numpad_digit(cell: int) -> int:
    """Return the digit that lies on a number pad where the cell lies on a 3x3 board.

    Raises:
        InvalidNotation: the cell is not from 0 to 8.
    """
    if not 0 <= cell <= 8:
        raise InvalidNotation("cell must be from 0 to {last}", "cell_name_range", last=8)
    return _NUMPAD[cell] + 1


def plain_word(text: str) -> str:
    """Return a typed text in ASCII, without blanks around it or within the name of a cell."""
    require(text, str, "a text such as 'B2'")
    return _BLANK_IN_CELL.sub("", text.translate(IN_ASCII)).strip(_BLANKS)


def find_cell(shape: Shape, text: str) -> int | None:
    """Return the cell that an ASCII text without blanks names, or ``None``."""
    match = _CELL.fullmatch(text)
    if not match:
        return None
    column = _LETTERS.index((match[1] or match[4]).upper())
    row = int(match[2] or match[3]) - 1
    return row * shape.columns + column if column < shape.columns and row < shape.rows else None


def find_cell_in(rules: Rules, text: str) -> int | None:
    """Return the cell that `cell_name_in` calls so, or ``None``; see `find_cell`."""
    layer = layer_of(rules)
    if layer is None:
        return find_cell(rules.shape, text)
    match, parts = _CELL_OF_LAYER.fullmatch(text), blocks(rules.shape, layer)
    place = find_cell(layer, match[2]) if match else None
    if match is None or place is None or int(match[1]) > parts.grid.cells:
        return None
    return parts.cell(int(match[1]) - 1, place)


def missing_part(shape: Shape, text: str) -> Message | None:
    """Return which column or row a board lacks, if an ASCII text names a cell outside of it."""
    match = _CELL.fullmatch(text)
    if not match:
        return None
    letter, row = (match[1] or match[4]).upper(), int(match[2] or match[3])
    last = column_letter(shape.columns - 1)
    if letter > last:
        return message(
            "there is no column {column}: columns go from A to {last}",
            "no_column",
            column=letter,
            last=last,
        )
    if row > shape.rows:
        return message(
            "there is no row {row}: rows go from 1 to {last}",
            "no_row",
            row=row,
            last=shape.rows,
        )
    return None


def missing_part_in(rules: Rules, text: str) -> Message | None:
    """Return the same for a game, whose board may lack a layer."""
    layer = layer_of(rules)
    match = _CELL_OF_LAYER.fullmatch(text) if layer else None
    if layer is None or match is None:
        return missing_part(layer or rules.shape, text)
    layers = blocks(rules.shape, layer).grid.cells
    if int(match[1]) > layers:
        return message(
            "there is no layer {layer}: layers go from 1 to {last}",
            "no_layer",
            layer=int(match[1]),
            last=layers,
        )
    return missing_part(layer, match[2])


def unreadable(text: str, expected: Message, missing: Message | None) -> InvalidNotation:
    """Return the error of a text that is no move or cell.

    Args:
        missing: the column or row that the board lacks, if the text names a cell outside of it.
    """
    if missing is not None:
        return InvalidNotation(
            "{quoted}: {reason}", "unexpected_text", quoted=quoted(text), reason=missing
        )
    return InvalidNotation(
        "{quoted}: expected {expected}", "unexpected_text", quoted=quoted(text), expected=expected
    )


def names_of_cells(shape: Shape) -> Message:
    """Return the possible names of cells, for the message of an error."""
    return message("a cell from A1 to {last}", "cell_names", last=cell_name(shape, shape.cells - 1))


def names_of_cells_in(rules: Rules) -> Message:
    """Return the same for the cells of a game, which may have layers."""
    layer = layer_of(rules)
    if layer is None:
        return names_of_cells(rules.shape)
    return message(
        "a cell from 1A1 to {last}: layer, column, row",
        "cell_names_in_layers",
        last=cell_name_in(rules, rules.shape.cells - 1),
    )


def name_of_move(rules: Rules, move: int) -> str:
    """Return the name of a move; see `notation.move_name`."""
    move = index(move)
    if not 0 <= move < count_moves(rules):
        raise InvalidNotation("There is no such move", "no_such_move")
    if word := special_name(rules, move):
        return word
    placed, letter = cell_of(rules, move), letter_of(rules, move)
    cell = move if placed is None else placed
    name, columns = cell_name_in(rules, cell), rules.shape.columns
    return letter + (str(cell % columns + 1) if traits_of(rules).digits is Digits.COLUMNS else name)


def move_meant(rules: Rules, position: Position, text: str) -> int:
    """Return what `parse_move` returns, given the rules and a position."""
    word = plain_word(text)
    if word.lower() in traits_of(rules).specials:
        return special_move(rules, word.lower())
    chosen, letter = letters(rules), ""
    if chooses_letter(rules):
        letter, word = word[:1].upper(), word[1:].lstrip(" \t")
    is_readable = not chooses_letter(rules) or letter in chosen
    cell = cell_meant(rules, position, word) if is_readable else None
    if cell is None:
        missing = missing_part_in(rules, word) if is_readable else None
        raise unreadable(text, _names_of_moves(rules, position), missing)
    return move_to(rules, cell, chosen.index(letter)) if letter else cell


def cell_meant(rules: Rules, position: Position, word: str) -> int | None:
    """Return the cell that a number or the name of a cell or of a stack means, or ``None``."""
    cell, traits = find_cell_in(rules, word), traits_of(rules)
    if cell is not None:
        return cell
    if traits.layered and traits.stacks is not None:
        place = find_cell(layer_of(rules) or rules.shape, word)
        return None if place is None else top_of(rules, position.occupied, traits.stacks[place])
    number = int(word) if _NUMBER.fullmatch(word) else 0
    if traits.digits is Digits.COLUMNS and traits.stacks and 0 < number <= len(traits.stacks):
        return top_of(rules, position.occupied, traits.stacks[number - 1])
    if traits.digits is Digits.NUMBER_PAD and 0 < number <= 9:
        return numpad_cell(number)
    return None


def top_of(rules: Rules, occupied: int, stack: tuple[int, ...]) -> int:
    """Return the lowest empty cell of a stack."""
    for cell in stack:
        if not occupied >> cell & 1:
            return cell
    layer = layer_of(rules)
    if layer is None:
        column = stack[0] % rules.shape.columns + 1
        raise InvalidMove("Column {column} is full", "column_full", column=column)
    name = cell_name(layer, blocks(rules.shape, layer).places[stack[0]][1])
    raise InvalidMove("All layers are full at {cell}", "stack_full", cell=name)


def _names_of_moves(rules: Rules, position: Position) -> Message:
    names = names_of_places(rules)
    if chooses_letter(rules):
        names = _with_letter(rules, names)
    for word in traits_of(rules).specials:
        if special_move(rules, word) in rules.moves(position):
            names = message("{moves}, or {word}", "move_or_word", moves=names, word=word)
    return names


def _with_letter(rules: Rules, places: Message) -> Message:
    signs, example = letters(rules), _example(rules)
    if traits_of(rules).symbols is None:
        return message(
            "first X or O, and then {places}, as in X{example}",
            "letter_and_place",
            places=places,
            example=example,
        )
    return message(
        "first one of {signs}, and then {places}, as in {sign}{example}",
        "sign_and_place",
        signs=" ".join(signs),
        places=places,
        sign=signs[0],
        example=example,
    )


def _example(rules: Rules) -> str:
    """Return a place as players write it."""
    columns = traits_of(rules).digits is Digits.COLUMNS
    return "1" if columns else cell_name_in(rules, 0)


def names_of_places(rules: Rules) -> Message:
    """Return how a place for a mark may be written, for the message of an error."""
    cells, traits = names_of_cells_in(rules), traits_of(rules)
    if traits.digits is Digits.COLUMNS:
        columns = rules.shape.columns
        return message(
            "a column from 1 to {columns}, or {cells}",
            "column_or_cell",
            columns=columns,
            cells=cells,
        )
    if traits.digits is Digits.NUMBER_PAD:
        return message("{cells}, or a digit of the number pad", "cell_or_digit", cells=cells)
    if traits.layered and traits.stacks is not None:
        layer = layer_of(rules) or rules.shape
        last = cell_name(layer, layer.cells - 1)
        return message(
            "a place from A1 to {place}, where the mark falls, or {cells}",
            "place_or_cell",
            place=last,
            cells=cells,
        )
    return cells
