"""Boards on which much is forbidden in Renju, and a slow oracle of that and of Caro's rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from tic_tac_toe.logic.positions import Position

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


def position_of(board: Board, turn: int = 0) -> Position:
    """Return the position that a board shows."""
    crosses, naughts = (
        sum(1 << cell for cell, sign in enumerate("".join(board)) if sign == letter)
        for letter in "XO"
    )
    return Position((crosses, naughts), turn)


#: What stands in line with the cell "*". One more X in a cell "+" makes a straight four there.
THREES = (
    "..*XX+.", ".+*XX..", ".+X*X+.", ".+XX*+.", ".*+XX.", ".*X+X.", ".X+*X.", ".X*+X.", ".X+X*.",
    ".XX+*.", "#+*XX+.", ".+XX*+#", "O.*XX+.", ".+*XX.O", "O.+X*X.O", "X.*XX+..", "..+*XX.X",
    "X.+*XX+.X",
)  # fmt: skip
FOURS = (
    "*XXX.", "X*XX.", "OX*XX.", "OXXX*.", "*.XXX", "X.*XX", "X.X*X", "XX.X*", "XX*.X", "X*X.XO",
    "#*XXX.", ".XX*X#", ".XXX*.",
)  # fmt: skip
TWO_FOURS = ("X.XX*.X", "X.X*X.X", "X.*XX.X", "XX.X*.XX", "XX.*X.XX", "XXX.*.XXX", "OX.X*X.XO")
LONG = ("XXX*XX", "X*XXXX", "XXX*XXX", "XX*XXXXX", "OXX*XXXO")
FALSE = (
    "O*XX.", "O*XXO", "OXX*X.O", "X.*XX.X", "OX*X.O", "#*XX.O", "#.X*X.#", "OXXX*O", "X*XX.X",
    "XX.*XX.X", "X*.XXXX", "XXX.*XX", "*XXXX.", "XX*XX", "OXX*XXO",
)  # fmt: skip
SHAPES = (*THREES, *THREES, *THREES, *FOURS, *FOURS, *TWO_FOURS, *LONG, *FALSE)


class Draft:
    """A board to which shapes are added; what is there first stays."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.signs = dict.fromkeys([(row, at) for row in range(size) for at in range(size)], ".")
        self.kept = set[Cell]()

    def lay(self, shape: str, cell: Cell, step: Cell) -> list[Cell]:
        """Put a shape around a cell and return where a three would be extended.

        Cells that the shape leaves empty, or that lie at the edge in it ("#"), are as they were.
        """
        extensions = []
        for at, sign in enumerate(shape, -shape.index("*")):
            there = cell[0] + at * step[0], cell[1] + at * step[1]
            if self.signs.get(there) != "." or there in self.kept:
                continue
            if sign in "XO":
                self.signs[there] = sign
            elif sign in "*+":
                self.kept.add(there)
                if sign == "+":
                    extensions.append(there)
        return extensions

    @property
    def board(self) -> Board:
        """The rows as texts."""
        signs = "".join(self.signs.values())
        return tuple(signs[at : at + self.size] for at in range(0, self.size**2, self.size))


def constructed(rng: Random, size: int = 15) -> tuple[Board, Cell]:
    """Return shapes that meet in one cell, and that cell.

    Every second board is nested: where a three of the cell would be extended, two more shapes meet,
    so that the extension may itself be forbidden or make a five; and there once more. Every third
    cell lies at an edge.
    """
    draft = Draft(size)
    last = size - 1
    at_edge = rng.randrange(3) == 0
    row, column = rng.randrange(size), rng.randrange(size)
    cell = (rng.choice((0, 1, 2, last - 1, last)), column) if at_edge else (row, column)
    if at_edge and rng.random() < 0.5:
        cell = cell[1], cell[0]
    nested = rng.randrange(2)
    shapes = THREES if nested else SHAPES
    lengths = (2, 2, 3) if nested else (1, 2, 2, 3, 3, 4)
    extensions = []
    for step in rng.sample(STEPS, rng.choice(lengths)):
        shape = rng.choice(shapes)
        extensions += [(there, step) for there in draft.lay(turned(shape, rng), cell, step)]
    for _depth in range(2 * nested):
        deeper = []
        for there, along in extensions[:3]:
            for step in rng.sample([step for step in STEPS if step != along], rng.choice((1, 2))):
                laid = draft.lay(turned(rng.choice(SHAPES), rng), there, step)
                deeper += [(further, step) for further in laid]
        extensions = deeper
    return draft.board, cell


def turned(shape: str, rng: Random) -> str:
    """Return a shape as it is, or from its other end."""
    return rng.choice((shape, shape[::-1]))


def scattered(rng: Random, size: int) -> Board:
    """Return marks put into all cells at random: X in 5 to 40 % of them, O in up to 20 %."""
    crosses, naughts = rng.choice((5, 10, 15, 20, 30, 40)), rng.choice((0, 2, 5, 10, 20))
    signs = "X" * crosses + "O" * naughts + "." * (100 - crosses - naughts)
    return tuple("".join(rng.choices(signs, k=size)) for _ in range(size))


def clustered(rng: Random, size: int) -> Board:
    """Return marks along the four lines through one to three cells."""
    signs = {(row, at): "." for row in range(size) for at in range(size)}
    crosses, naughts = rng.choice((40, 50, 60)), rng.choice((0, 5, 10, 20))
    for _ in range(rng.choice((1, 1, 2, 3))):
        row, column = rng.randrange(size), rng.randrange(size)
        for down, right in STEPS:
            for at in (at for at in range(-6, 7) if at):
                there, chance = (row + at * down, column + at * right), rng.randrange(100)
                if signs.get(there) == ".":
                    closed = chance < crosses + naughts
                    signs[there] = "X" if chance < crosses else "O" if closed else "."
    text = "".join(signs.values())
    return tuple(text[at : at + size] for at in range(0, size**2, size))


def at_random(rng: Random) -> Board:
    """Return a board of 8 to 15 rows with marks scattered or clustered."""
    return rng.choice((scattered, clustered))(rng, rng.choice((8, 9, 9, 9, 10, 10, 12, 15)))
