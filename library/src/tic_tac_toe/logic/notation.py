"""How people write moves and positions, and how such texts are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import index
from typing import TypeAlias

from tic_tac_toe.logic.exceptions import (
    InvalidMove,
    InvalidNotation,
    message,
    quoted,
    require,
    wrong_kind,
)
from tic_tac_toe.logic.models import MARKS, GameState, Grid, Mark, Move
from tic_tac_toe.logic.rules import Rules, is_rules, rules_of
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.spelling import (
    IN_ASCII,
    cell_meant,
    cell_name,
    cell_name_in,
    column_letter,
    find_cell,
    has_lookalikes,
    missing_part_in,
    move_meant,
    name_of_move,
    names_of_places,
    numpad_cell,
    numpad_digit,
    parse_cell,
    plain_word,
    top_of,
    unreadable,
)
from tic_tac_toe.logic.rules.traits import Digits, chooses_letter, letters, move_to, traits_of
from tic_tac_toe.logic.shapes import Shape, blocks

__all__ = [
    "StateLike",
    "cell_below",
    "cell_name",
    "cell_name_in",
    "clickable_cells",
    "column_letter",
    "fault_in_move",
    "format_state",
    "has_lookalikes",
    "landing_cell",
    "move_at",
    "move_meant",
    "move_name",
    "numpad_cell",
    "numpad_digit",
    "parse_cell",
    "parse_move",
    "parse_moves",
    "parse_place",
    "parse_state",
    "play_moves",
    "state_of",
]

#: The text of a position has these signs alone; no game has a name of them.
_CELLS = re.compile("[XxOo._ /]+")
# Between commas and blanks cells may be run together, and so may columns or digits of the number
# pad if one digit is always enough. A letter alone is no move, so that a digit after it belongs to
# it; but a digit before a letter may be a move: there no blank is allowed. The lengths have bounds
# so that no text is read twice.
_SINGLE_CELL = "[A-Za-z][ \t]*[0-9]{1,2}|[0-9]{1,2}[A-Za-z]"
_ANYTHING = r"[^ \t\r\n,]+"
_WORDS = re.compile(f"{_SINGLE_CELL}|{_ANYTHING}")
_PARTED_WORDS = re.compile(_ANYTHING)
_WORDS_AND_DIGITS = re.compile(f"{_SINGLE_CELL}|[0-9]|{_ANYTHING}")
_GRID_SIGNS = {"X": "X", "x": "X", "O": "O", "o": "O", " ": " ", ".": " ", "_": " "}
_TURNS = {"x": 0, "X": 0, "o": 1, "O": 1}
_ANY_BLOCK = "-"
_MORE = re.compile("[1-9][0-9]{0,9}")
_MEMORY = re.compile("-?[0-9]{1,640}")  # the longest number that every Python agrees to read

#: The type of arguments that `state_of` makes a state of.
StateLike: TypeAlias = GameState | Rules | str


def state_of(value: StateLike) -> GameState:
    """Return a state, the start of a game of these rules or name, or a written position.

        >>> state_of("XXO/O.X/.O.").current_mark.value, state_of("wild").rules.shape.cells
        ('X', 9)

    Raises:
        InvalidVariant: no game has that name.
        InvalidNotation: the text has the signs of a position of 3x3 tic-tac-toe and is none.
        TypeError: the value is none of these.
    """
    if isinstance(value, GameState):
        return value
    if isinstance(value, str):
        if not _CELLS.fullmatch(value):
            return GameState.new(value)
        return parse_state(value)
    if is_rules(value):
        return GameState.new(value)
    raise wrong_kind(
        value, "a GameState, the rules or name of a game, or a text like 'XXO/O.X/.O.'"
    )


def move_name(state: StateLike, move: int) -> str:
    """Return what players write for a move: its column or its cell, after the letter if chosen.

    ``4``, ``B2``, ``XB2``, in layers ``2B3``, with `Traits.symbols` ``5B2``; a move that places
    nothing has a word, ``swap``.

        >>> move_name("connect-four", 38), move_name("tic-tac-toe", 4)
        ('4', 'B2')

    Raises:
        InvalidNotation: the board has no such cell.
    """
    return name_of_move(state_of(state).rules, move)


def parse_move(state: StateLike, text: str) -> int:
    """Return the move that a player means, in the spellings that `parse_cell` reads.

    What a number means, the traits of the rules say: under gravity a column, and so the cell where
    the mark lands; on other 3x3 boards a key of the number pad. The name of a cell is right in
    every game. Where the mover chooses the letter, it comes first: ``XB2``. A move that places
    nothing is its word: ``swap``. `GameState.make_move_to` says whether the move is legal.

        >>> parse_move("connect-four", "4"), parse_move("tic-tac-toe", "b2")
        (38, 4)

    Raises:
        InvalidNotation: the text is not one of these; the message lists what is accepted.
        InvalidMove: the column is full.
    """
    state = state_of(state)
    return move_meant(state.rules, state.position, text)


def parse_place(state: GameState, text: str) -> int:
    """Return the cell that a player means by a number or a name without a letter before it.

    Raises:
        InvalidNotation: the text means no cell; the message lists what is accepted.
        InvalidMove: the column is full.
    """
    word = plain_word(text)
    cell = cell_meant(state.rules, state.position, word)
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
        (top_of(state.rules, state.position.occupied, stack) for stack in _stacks_at(state, cell)),
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


def play_moves(state: StateLike, text: str) -> GameState:
    """Return the state after a list of moves; see `parse_moves`.

        >>> play_moves("tic-tac-toe", "B2 A1 C3").grid.cells
        'O   X   X'

    Raises:
        InvalidNotation, InvalidMove: see `parse_moves`.
    """
    state = state_of(state)
    for move in parse_moves(state, text):
        state = move.after_state
    return state


def parse_moves(state: StateLike, text: str) -> Iterator[Move]:
    """Yield the moves of a list: ``B2 A1 C3``, ``B2A1C3``, ``b2,1a``, ``B 2`` or ``10 3``.

    Moves of one digit each may be run together as well: columns on boards of up to nine
    (``4455``), and the number pad. In a list ``2 B`` is not a cell: the digit may be a move.
    Where moves have letters before them or cells have layers, blanks or commas part the moves.
    An empty text has no moves. Reading stops at the first bad move.

    Raises:
        InvalidNotation: the message gives the move's number and text, and what is accepted.
        InvalidMove: the message gives the move's number and text, and why it is illegal.
    """
    state = state_of(state)
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


def _stacks_at(state: GameState, cell: int) -> Iterator[tuple[int, ...]]:
    """Yield the stack that a cell belongs to, if marks fall in this game."""
    return (stack for stack in traits_of(state.rules).stacks or () if cell in stack)


def format_state(state: StateLike) -> str:
    """Return a state as one line, from which `parse_state` makes the same state by the same rules.

    The rows come from the top, separated by ``/``, with ``.`` for an empty cell; then the side to
    move, or that would be if the game went on; then `Position.memory`: in ultimate the small board
    that must be played in, named like a cell of the large board, or ``-`` for any open one, and
    after ``+`` what else is remembered, if anything; in other games a number, unless it is 0::

        >>> format_state(parse_state("XXO O X O"))
        'XXO/.O./X.O x'
    """
    state = state_of(state)
    cells, columns = state.grid.cells.replace(" ", "."), state.grid.shape.columns
    rows = "/".join(cells[start : start + columns] for start in range(0, len(cells), columns))
    return f"{rows} {state.current_mark.lower()}{_format_memory(state.rules, state.memory)}"


def parse_state(
    text: str, rules: Rules | str = TIC_TAC_TOE, starting_mark: Mark | None = None
) -> GameState:
    """Return the state that a line of text shows: the inverse of `format_state`.

    Each cell is one character: X or x, O or o, and space, dot or underscore for an empty one;
    rows may be separated by ``/`` or not. The rest may be left out: whose turn it is then follows
    from the marks and from who started, X unless ``starting_mark`` says otherwise.

    The text does not say who started. Where each move adds a mark the marks tell it; in other games
    (`Traits.tells_starter`) it is X unless ``starting_mark`` says otherwise.

    Raises:
        InvalidNotation: the text does not describe a position of this board, or it contradicts
            ``starting_mark``.
        InvalidGameState: no game by these rules reaches the position.
    """
    require(text, str, "a text such as 'XXO/O.X/.O.'")
    rules = rules_of(rules)
    cells, rest = _read_cells(text, rules.shape)
    blank, *fields = rest.split(" ", 3)
    marks = len(cells) - cells.count(" ")
    turn = None
    if rest:
        if blank or len(fields) > 2 or fields[0] not in _TURNS:
            raise InvalidNotation(
                "{text} after the last cell: expected x or o, who moves",
                "no_turn",
                text=quoted(rest),
            )
        turn = _TURNS[fields[0]]
        starting_mark = _starter(rules, turn, marks, fields[0], starting_mark)
    memory = _parse_memory(rules, fields[1] if len(fields) == 2 else None, marks)
    return GameState(
        Grid(cells, shape=rules.shape),
        starting_mark or Mark.CROSS,
        rules=rules,
        memory=memory,
        turn=None if turn is None else MARKS[turn],
    )


def _starter(
    rules: Rules, turn: int, marks: int, side: str, starting_mark: Mark | None
) -> Mark | None:
    """Return who started, as the marks tell or as the caller says."""
    if not traits_of(rules).tells_starter:
        return starting_mark
    starter = MARKS[(turn + marks) % 2]
    if starting_mark not in (None, starter):
        raise InvalidNotation(
            "{side} to move means that {starter} has started here, not {starting_mark}",
            "other_starter",
            side=side,
            starter=starter,
            starting_mark=starting_mark,
        )
    return starter


def _read_cells(text: str, shape: Shape) -> tuple[str, str]:
    """Return the text of the grid, and what follows it."""
    columns, separated = shape.columns, "/" in text
    if separated:
        rows = text.split("/", shape.rows)
        rows[-1], rest = rows[-1][:columns], rows[-1][columns:]
    else:
        grid, rest = text[: shape.cells], text[shape.cells :]
        rows = [grid[start : start + columns] for start in range(0, len(grid), columns)]
    for number, row in enumerate(rows, start=1):
        for column, sign in enumerate(row[:columns], start=1):
            if sign not in _GRID_SIGNS:
                raise InvalidNotation(
                    "{text} in row {row}, column {column}: "
                    "expected X, O, or for an empty cell a dot, underscore or space",
                    "unknown_sign",
                    text=quoted(sign),
                    row=number,
                    column=column,
                )
        if separated and len(row) != columns:
            raise InvalidNotation(
                "row {row}: expected {columns} cells, got {found_cells}",
                "row_length",
                row=number,
                columns=columns,
                found_cells=len(row),
            )
    if separated and len(rows) != shape.rows:
        raise InvalidNotation(
            "expected {rows} rows, got {found_rows}",
            "number_of_rows",
            rows=shape.rows,
            found_rows=text.count("/") + 1,
        )
    cells = "".join(_GRID_SIGNS[sign] for row in rows for sign in row)
    if len(cells) != shape.cells:
        raise InvalidNotation(
            "expected {count} cells, got {found_cells}",
            "number_of_cells",
            count=shape.cells,
            found_cells=len(cells),
        )
    return cells, rest


def _format_memory(rules: Rules, memory: int) -> str:
    if grid := _blocks_to_play_in(rules):
        more, block = divmod(memory, grid.cells + 1)
        name = cell_name(grid, block - 1) if block else _ANY_BLOCK
        return f" {name}+{more}" if more else f" {name}"
    return f" {memory}" if memory else ""


def _parse_memory(rules: Rules, text: str | None, marks: int) -> int:
    if grid := _blocks_to_play_in(rules):
        return _parse_block(grid, text, marks)
    if text is None:
        return 0
    if not _MEMORY.fullmatch(text):
        raise InvalidNotation(
            "{text} after the side to move: expected a number, if any",
            "memory_kind",
            text=quoted(text),
        )
    return int(text)


def _blocks_to_play_in(rules: Rules) -> Shape | None:
    """Return how the blocks lie of which memory names one, if it does."""
    traits = traits_of(rules)
    if traits.blocks is None or traits.memory != "block":
        return None
    return blocks(rules.shape, traits.blocks).grid


def _parse_block(grid: Shape, text: str | None, marks: int) -> int:
    last = cell_name(grid, grid.cells - 1)
    wanted = message("the board to play in, A1 to {last}, or - for any", "small_boards", last=last)
    if text is None:
        if marks:
            raise InvalidNotation(
                "add the side to move and {wanted}, like: x A1", "no_small_board", wanted=wanted
            )
        return 0
    name, plus, more = text.partition("+")
    block = find_cell(grid, name)
    if (block is None and name != _ANY_BLOCK) or (plus and not _MORE.fullmatch(more)):
        raise InvalidNotation(
            "{text} after the side to move: expected {wanted}",
            "unknown_small_board",
            text=quoted(text),
            wanted=wanted,
        )
    choice = 0 if block is None else block + 1
    return choice + int(more or 0) * (grid.cells + 1)
