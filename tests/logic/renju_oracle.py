"""A slow oracle of Renju's forbidden moves and of Caro's rows: the rules as they are written.

It shares no code with the library. A board is a tuple of texts, one for each row from the top, with
"X", "O" and "." for an empty cell; a cell is its row and its column. The definitions are those of
the Renju International Federation, § 9; for each the function of its name looks at the board cell
by cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Board = tuple[str, ...]
Cell = tuple[int, int]
Marks = frozenset[Cell]

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
FIVE = "five"


def sign(board: Board, cell: Cell) -> str:
    """Return what is in a cell; "#" outside the board."""
    row, column = cell
    inside = 0 <= row < len(board) and 0 <= column < len(board[0])
    return board[row][column] if inside else "#"


def empty_cells(board: Board) -> list[Cell]:
    """Return the empty cells in reading order."""
    return [
        (row, column) for row, line in enumerate(board) for column in range(len(line))
        if line[column] == "."
    ]  # fmt: skip


def with_cross(board: Board, cell: Cell) -> Board:
    """Return the board with an X in a cell."""
    row, column = cell
    line = board[row][:column] + "X" + board[row][column + 1 :]
    return (*board[:row], line, *board[row + 1 :])


def run(board: Board, cell: Cell, step: Cell) -> Marks:
    """Return the marks of X in a row without a gap, in one direction, that a cell is one of."""
    found = set[Cell]()
    for sense in (1, -1):
        row, column = cell
        while sign(board, (row, column)) == "X":
            found.add((row, column))
            row, column = row + sense * step[0], column + sense * step[1]
    return frozenset(found)


def fives_of(board: Board, marks: Marks, step: Cell) -> list[Cell]:
    """Return the empty cells in which one more X makes exactly five in a row of these marks."""
    return [
        cell
        for cell in nearby(next(iter(marks)), step)
        if sign(board, cell) == "."
        and run(with_cross(board, cell), cell, step) == marks | {cell}
        and len(marks) == 4
    ]


def fours(board: Board, cell: Cell, step: Cell) -> set[Marks]:
    """Return every four in one direction that a mark is a part of."""
    found = set()
    for other in nearby(cell, step):
        if sign(board, other) == ".":
            row = run(with_cross(board, other), other, step)
            if len(row) == 5 and cell in row:
                found.add(row - {other})
    return found


def straight_fours(board: Board, cell: Cell, step: Cell) -> set[Marks]:
    """Return every four that becomes a five in two ways."""
    return {four for four in fours(board, cell, step) if len(fives_of(board, four, step)) == 2}


def threes(board: Board, cell: Cell, *, lawful: bool = True) -> set[Marks]:
    """Return every three that a mark is a part of.

    Args:
        lawful: leave out those that X cannot extend without a forbidden move, or only with a five.
    """
    found = set()
    for step in STEPS:
        for other in nearby(cell, step):
            if sign(board, other) != ".":
                continue
            longer = with_cross(board, other)
            for four in straight_fours(longer, other, step):
                if cell in four and not (lawful and made(board, other)):
                    found.add(four - {other})
    return found


def made(board: Board, cell: Cell, *, lawful: bool = True) -> str | None:
    """Return what X makes in an empty cell: a five, something forbidden, or neither."""
    after = with_cross(board, cell)
    lengths = [len(run(after, cell, step)) for step in STEPS]
    if 5 in lengths:
        return FIVE
    if max(lengths) > 5:
        return "overline"
    if sum(len(fours(after, cell, step)) for step in STEPS) > 1:
        return "double four"
    return "double three" if len(threes(after, cell, lawful=lawful)) > 1 else None


def forbidden(board: Board) -> dict[Cell, str]:
    """Return the empty cells that X may not play, with the reasons."""
    reasons = {cell: made(board, cell) for cell in empty_cells(board)}
    return {cell: reason for cell, reason in reasons.items() if reason and reason != FIVE}


def nearby(cell: Cell, step: Cell) -> list[Cell]:
    """Return the cells in line with one that a row of five with it can hold."""
    row, column = cell
    return [(row + at * step[0], column + at * step[1]) for at in range(-4, 5) if at]


def caro_winners(board: Board) -> set[str]:
    """Return the letters that own exactly five in a row, not between two marks of the other."""
    found = set()
    for text in rows(board):
        for letter, other in ("XO", "OX"):
            for row in re.finditer(f"{letter}+", text):
                ends = text[max(0, row.start() - 1) : row.start()] + text[row.end() : row.end() + 1]
                if len(row[0]) == 5 and ends != 2 * other:
                    found.add(letter)
    return found


def rows(board: Board) -> Iterator[str]:
    """Yield every row, column and diagonal as a text."""
    height, width = len(board), len(board[0])
    for down, right in STEPS:
        for start in ((row, column) for row in range(height) for column in range(width)):
            row, column = start
            if sign(board, (row - down, column - right)) == "#":
                text = ""
                while (here := sign(board, (row, column))) != "#":
                    text += here
                    row, column = row + down, column + right
                yield text
