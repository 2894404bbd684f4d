"""What players write for moves, and lists of moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import index

from tic_tac_toe.logic.exceptions import (
    InvalidMove,
    InvalidNotation,
    Message,
    message,
    quoted,
    require,
)
from tic_tac_toe.logic.models import GameState, Move, require_state
from tic_tac_toe.logic.notation.cells import (
    IN_ASCII,
    cell_name,
    cell_name_in,
    find_cell,
    find_cell_in,
    layer_of,
    missing_part_in,
    names_of_cells_in,
    numpad_cell,
    plain_word,
    unreadable,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.placements import (
    cell_of,
    chooses_letter,
    letter_of,
    letters,
    move_to,
    special_move,
    special_name,
)
from tic_tac_toe.logic.rules.traits import Digits, traits_of
from tic_tac_toe.logic.shapes import blocks

# Between commas and blanks cells may be run together, and so may columns or digits of the number
# pad if one digit is always enough. A letter alone is no move, so that a digit after it belongs to
# it; but a digit before a letter may be a move: there no blank is allowed. The lengths have bounds
# so that no text is read twice.
_SINGLE_CELL = "[A-Za-z][ \t]*[0-9]{1,2}|[0-9]{1,2}[A-Za-z]"
_ANYTHING = r"[^ \t\r\n,]+"
_NUMBER = re.compile("[1-9][0-9]?")
_WORDS = re.compile(f"{_SINGLE_CELL}|{_ANYTHING}")
_PARTED_WORDS = re.compile(_ANYTHING)
_WORDS_AND_DIGITS = re.compile(f"{_SINGLE_CELL}|[0-9]|{_ANYTHING}")


def move_name(state: GameState, move: int) -> str:
    """Return what players write for a move: its column or its cell, after the letter if chosen.

    ``4``, ``B2``, ``XB2``, in layers ``2B3``, with `Traits.symbols` ``5B2``; a move that places
    nothing has a word, ``swap``.

    Raises:
        InvalidNotation: the board has no such cell.
    """
    require_state(state)
    rules, traits, move = state.rules, traits_of(state.rules), index(move)
    if word := special_name(rules, move):
        return word
    placed, letter = cell_of(rules, move), letter_of(rules, move)
    cell = move if placed is None else placed
    name, columns = cell_name_in(rules, cell), rules.shape.columns
    return letter + (str(cell % columns + 1) if traits.digits is Digits.COLUMNS else name)


def parse_move(state: GameState, text: str) -> int:
    """Return the move that a player means, in the spellings that `parse_cell` reads.

    What a number means, the traits of the rules say: under gravity a column, and so the cell where
    the mark lands; on other 3x3 boards a key of the number pad. The name of a cell is right in
    every game. Where the mover chooses the letter, it comes first: ``XB2``. A move that places
    nothing is its word: ``swap``. `GameState.make_move_to` says whether the move is legal.

    Raises:
        InvalidNotation: the text is not one of these; the message lists what is accepted.
        InvalidMove: the column is full.
    """
    require_state(state)
    return move_meant(state.rules, state.position, text)


def parse_place(state: GameState, text: str) -> int:
    """Return the cell that a player means by a number or a name without a letter before it.

    Raises:
        InvalidNotation: the text means no cell; the message lists what is accepted.
        InvalidMove: the column is full.
    """
    word = plain_word(text)
    cell = _cell_meant(state.rules, state.position, word)
    if cell is None:
        missing = missing_part_in(state.rules, word)
        raise unreadable(text, names_of_places(state.rules), missing)
    return cell


def landing_cell(state: GameState, cell: int) -> int:
    """Return where a mark lands that is dropped over a cell: under gravity it falls.

    Raises:
        InvalidMove: the column is full.
    """
    cell = index(cell)
    return next(
        (_top_of(state.rules, state.position.occupied, stack) for stack in _stacks_at(state, cell)),
        cell,
    )


def move_at(state: GameState, cell: int, letter: str = "") -> int:
    """Return the move that drops a mark over a cell.

    Args:
        letter: which mark, ``X`` or ``O``, where the mover chooses; else it does not matter.

    Raises:
        InvalidMove: the column is full.
    """
    landed = landing_cell(state, cell)
    if not chooses_letter(state.rules):
        return landed
    return move_to(state.rules, landed, letters(state.rules).index(letter))


def cell_below(state: GameState, cell: int) -> int:
    """Return the `landing_cell` below a cell, or in a full column the cell itself."""
    try:
        return landing_cell(state, cell)
    except InvalidMove:
        return cell


def clickable_cells(state: GameState) -> list[int]:
    """Return the cells over which a mark may be dropped, ascending: all of an open column."""
    legal = state.legal_cells
    stacks = traits_of(state.rules).stacks
    if stacks is None:
        return list(legal)
    return sorted(cell for stack in stacks if not {*stack}.isdisjoint(legal) for cell in stack)


def parse_moves(state: GameState, text: str) -> GameState:
    """Return the state after a list of moves; see `read_moves`."""
    for move in read_moves(state, text):
        state = move.after_state
    return state


def read_moves(state: GameState, text: str) -> Iterator[Move]:
    """Yield the moves of a list: ``B2 A1 C3``, ``B2A1C3``, ``b2,1a``, ``B 2`` or ``10 3``.

    Moves of one digit each may be run together as well: columns on boards of up to nine
    (``4455``), and the number pad. In a list ``2 B`` is not a cell: the digit may be a move.
    Where moves have letters before them or cells have layers, blanks or commas part the moves.
    An empty text has no moves. Reading stops at the first bad move.

    Raises:
        InvalidNotation: the message gives the move's number and text, and what is accepted.
        InvalidMove: the message gives the move's number and text, and why it is illegal.
    """
    require_state(state)
    require(text, str, "a text of moves, such as 'B2 A1'")
    traits = traits_of(state.rules)
    few_columns = traits.digits is Digits.COLUMNS and state.rules.shape.columns <= 9
    words = _WORDS_AND_DIGITS if few_columns or traits.digits is Digits.NUMBER_PAD else _WORDS
    if traits.layered or chooses_letter(state.rules):
        words = _PARTED_WORDS
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


def move_meant(rules: Rules, position: Position, text: str) -> int:
    """Return what `parse_move` returns, given the rules and a position."""
    word = plain_word(text)
    if word.lower() in traits_of(rules).specials:
        return special_move(rules, word.lower())
    chosen, letter = letters(rules), ""
    if chooses_letter(rules):
        letter, word = word[:1].upper(), word[1:].lstrip(" \t")
    is_readable = not chooses_letter(rules) or letter in chosen
    cell = _cell_meant(rules, position, word) if is_readable else None
    if cell is None:
        missing = missing_part_in(rules, word) if is_readable else None
        raise unreadable(text, _names_of_moves(rules, position), missing)
    return move_to(rules, cell, chosen.index(letter)) if letter else cell


def _cell_meant(rules: Rules, position: Position, word: str) -> int | None:
    """Return the cell that a number or the name of a cell or of a stack means, or ``None``."""
    cell, traits = find_cell_in(rules, word), traits_of(rules)
    if cell is not None:
        return cell
    if traits.layered and traits.stacks is not None:
        place = find_cell(layer_of(rules) or rules.shape, word)
        return None if place is None else _top_of(rules, position.occupied, traits.stacks[place])
    number = int(word) if _NUMBER.fullmatch(word) else 0
    if traits.digits is Digits.COLUMNS and traits.stacks and 0 < number <= len(traits.stacks):
        return _top_of(rules, position.occupied, traits.stacks[number - 1])
    if traits.digits is Digits.NUMBER_PAD and 0 < number <= 9:
        return numpad_cell(number)
    return None


def _stacks_at(state: GameState, cell: int) -> Iterator[tuple[int, ...]]:
    """Yield the stack that a cell belongs to, if marks fall in this game."""
    return (stack for stack in traits_of(state.rules).stacks or () if cell in stack)


def _top_of(rules: Rules, occupied: int, stack: tuple[int, ...]) -> int:
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
