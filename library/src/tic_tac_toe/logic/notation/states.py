"""States as one line of text."""

from __future__ import annotations

import re

from tic_tac_toe.logic.exceptions import InvalidNotation, message, quoted, require
from tic_tac_toe.logic.models import MARKS, GameState, Grid, Mark, require_state
from tic_tac_toe.logic.notation.cells import cell_name, find_cell
from tic_tac_toe.logic.rules import Rules, require_rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.shapes import Shape, blocks

_GRID_SIGNS = {"X": "X", "x": "X", "O": "O", "o": "O", " ": " ", ".": " ", "_": " "}
_TURNS = {"x": 0, "X": 0, "o": 1, "O": 1}
_ANY_BLOCK = "-"
_MORE = re.compile("[1-9][0-9]{0,9}")
_MEMORY = re.compile("-?[0-9]{1,640}")  # the longest number that every Python agrees to read


def format_state(state: GameState) -> str:
    """Return a state as one line, from which `parse_state` makes the same state by the same rules.

    The rows come from the top, separated by ``/``, with ``.`` for an empty cell; then the side to
    move, or that would be if the game went on; then `Position.memory`: in ultimate the small board
    that must be played in, named like a cell of the large board, or ``-`` for any open one, and
    after ``+`` what else is remembered, if anything; in other games a number, unless it is 0::

        XXO/O.X/.O. x
    """
    require_state(state)
    cells, columns = state.grid.cells.replace(" ", "."), state.grid.shape.columns
    rows = "/".join(cells[start : start + columns] for start in range(0, len(cells), columns))
    return f"{rows} {state.current_mark.lower()}{_format_memory(state.rules, state.memory)}"


def parse_state(
    text: str, rules: Rules = TIC_TAC_TOE, starting_mark: Mark | None = None
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
    require_rules(rules)
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
