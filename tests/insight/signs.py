"""Games of k in a row on boards of signs, with nothing of the project's own rules.

A board is a text with a sign for each cell, row by row from the top: ``X``, ``O`` or a dot. Lines
are found by walking over the board.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple, Protocol

SIDES = "XO"
#: With more empty cells than this no play is followed to its end.
FOLLOWED = 10

Line = tuple[int, ...]


class Game(NamedTuple):
    """A game of the kind that ``mnk`` names.

    Attributes:
        gravity: marks fall to the lowest empty cell of a column.
        misere: the side that completes a line loses.
        wild: a move places either sign, and a line of either counts for the side that moves.
        exact: longer rows do not count.
    """

    columns: int
    rows: int
    length: int
    gravity: bool = False
    misere: bool = False
    wild: bool = False
    exact: bool = False

    @classmethod
    def of(cls, name: str) -> Game:
        """Return the game of a text such as ``7,6,4,gravity``."""
        columns, rows, length, *flags = name.split(",")
        return cls(
            int(columns), int(rows), int(length), *(flag in flags for flag in cls._fields[3:])
        )

    @property
    def start(self) -> Board:
        """The empty board with X to move."""
        return Board(self, "." * (self.columns * self.rows), 0)


@lru_cache
def lines_of(game: Game) -> tuple[Line, ...]:
    """Return the cells of every line, in order."""
    found = list[Line]()
    for row in range(game.rows):
        for column in range(game.columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                steps = [(row + down * n, column + right * n) for n in range(game.length)]
                if all(0 <= r < game.rows and 0 <= c < game.columns for r, c in steps):
                    found.append(tuple(r * game.columns + c for r, c in steps))
    return tuple(found)


@lru_cache
def lines_through(game: Game) -> tuple[tuple[Line, ...], ...]:
    """Return for each cell the lines that it is in."""
    cells = range(game.columns * game.rows)
    return tuple(tuple(line for line in lines_of(game) if cell in line) for cell in cells)


class Move(NamedTuple):
    """A sign placed in a cell."""

    cell: int
    sign: str


class Board(NamedTuple):
    """A position.

    Attributes:
        signs: a sign for each cell.
        turn: the side to move, 0 or 1.
    """

    game: Game
    signs: str
    turn: int

    @property
    def empty(self) -> list[int]:
        """The cells without a mark."""
        return [cell for cell, sign in enumerate(self.signs) if sign == "."]

    @property
    def playable(self) -> list[int]:
        """The cells that a mark can be placed in now."""
        if not self.game.gravity:
            return self.empty
        below = self.game.columns
        floor = self.signs + "=" * below
        return [cell for cell in self.empty if floor[cell + below] != "."]

    @property
    def moves(self) -> list[Move]:
        """The legal moves of the side to move."""
        return [Move(cell, sign) for cell in self.playable for sign in self.signs_of(self.turn)]

    def signs_of(self, side: int) -> str:
        """Return the signs that a side may place."""
        return SIDES if self.game.wild else SIDES[side]

    def after(self, move: Move) -> Board:
        """Return the board with a sign more and the other side to move."""
        signs = self.signs[: move.cell] + move.sign + self.signs[move.cell + 1 :]
        return Board(self.game, signs, 1 - self.turn)

    def with_turn(self, side: int) -> Board:
        """Return the same marks with a side to move."""
        return self._replace(turn=side)

    def completes(self, move: Move) -> bool:
        """Return whether a sign makes a line."""
        signs = self.after(move).signs
        return any(self._counts(line, signs) for line in lines_through(self.game)[move.cell])

    def _counts(self, line: Line, signs: str) -> bool:
        sign = signs[line[0]]
        if any(signs[cell] != sign for cell in line):
            return False
        return not self.game.exact or all(signs[cell] != sign for cell in ends_of(self.game, line))

    def result(self, move: Move) -> int | None:
        """Return 1, 0 or -1 where a move wins, draws or loses at once, else None."""
        if self.completes(move):
            return -1 if self.game.misere else 1
        return 0 if len(self.empty) == 1 else None


@cache
def ends_of(game: Game, line: Line) -> Line:
    """Return the cells that go on from the two ends of a line, as far as the board has them."""
    first, second = (divmod(cell, game.columns) for cell in line[:2])
    down, right = second[0] - first[0], second[1] - first[1]
    last = divmod(line[-1], game.columns)
    places = [(first[0] - down, first[1] - right), (last[0] + down, last[1] + right)]
    return tuple(
        row * game.columns + column
        for row, column in places
        if 0 <= row < game.rows and 0 <= column < game.columns
    )


@lru_cache(maxsize=1 << 16)
def ways(board: Board, side: int) -> tuple[int, ...]:
    """Return the cells in which a side completes a line, if it is to move."""
    return tuple(
        cell
        for cell in board.playable
        if any(board.completes(Move(cell, sign)) for sign in board.signs_of(side))
    )


def open_lines(board: Board, side: int) -> list[Line]:
    """Return the lines that have no sign of the other side."""
    others = set(SIDES) - set(board.signs_of(side))
    return [
        line
        for line in lines_of(board.game)
        if not any(board.signs[cell] in others for cell in line)
    ]


@lru_cache(maxsize=1 << 16)
def can_complete(board: Board, side: int) -> bool:
    """Return whether there is any play, however bad, in which a side completes a line."""
    moves = (len(board.empty) + (board.turn == side)) // 2
    lacks = [sum(board.signs[cell] == "." for cell in line) for line in open_lines(board, side)]
    if not any(lack <= moves for lack in lacks):
        return False
    if len(board.empty) > FOLLOWED:
        return True
    for move in board.moves:
        result = board.result(move)
        if result and board.turn == side:
            return True
        if result is None and can_complete(board.after(move), side):
            return True
    return False


class Worth(NamedTuple):
    """What a position is worth to a side under best play: 1, 0 or -1, and the plies to the end."""

    result: int
    plies: int

    @property
    def rank(self) -> tuple[int, int]:
        """What is better ranks higher: the quicker win, the longer loss."""
        return self.result, -self.result * self.plies


class Values(Protocol):
    """A source of exact values of positions."""

    def worth(self, board: Board) -> Worth:
        """Return what a position is worth to the side to move."""
        ...


def worth_of(values: Values, board: Board, move: Move) -> Worth:
    """Return what a move is worth to the side that makes it."""
    result = board.result(move)
    if result is not None:
        return Worth(result, 1)
    child = values.worth(board.after(move))
    return Worth(-child.result, child.plies + 1)


class Played:
    """Values by playing every game to its end."""

    def __init__(self) -> None:
        self._known: dict[Board, Worth] = {}

    def worth(self, board: Board) -> Worth:
        """Return what a position is worth to the side to move."""
        if board not in self._known:
            each = (worth_of(self, board, move) for move in board.moves)
            self._known[board] = max(each, key=lambda worth: worth.rank)
        return self._known[board]
