"""The opening book of Connect Four: exact scores of its first positions, found by this solver.

It needs nothing but the standard library. `tools/make_book.py` makes the file, which is a line of
JSON and then, compressed by zlib, a signed byte for each number of a position (see `Layer`): the
marks that the winner has left when it wins (see `kernels.control`).
"""

from __future__ import annotations

import hashlib
import json
import zlib
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import combinations
from pkgutil import get_data
from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, rules_of
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.logic.search.exact import Solver
from tic_tac_toe.logic.shapes import Symmetry, layout
from tic_tac_toe.solver.support import Scale

CELLS = CONNECT_FOUR.shape.cells
FORMAT = "tictactoe-engine opening book 2"
FILE = "connect-four.book"
#: More is refused: a damaged file must not fill the memory.
MOST_PLIES = 10
#: In the place of a score: no game reaches a position of this number.
UNREACHED = -128


class InvalidBook(ValueError):
    """A book file that is damaged or something else."""


class Layer(NamedTuple):
    """The numbers of all positions with the same number of marks.

    A position and its reflection have one number. It is made of two: that of the filled cells, and
    that of which of these, counted in reading order, the side to move holds.

    Attributes:
        first: the least number here.
        fillings: numbers by the filled cells, as a bit board.
        arrangements: numbers by what the side to move holds, bit *i* for the filled cell *i*.
    """

    first: int
    fillings: dict[int, int]
    arrangements: dict[int, int]

    @property
    def end(self) -> int:
        """The number after the last one."""
        return self.first + len(self.fillings) * len(self.arrangements)

    def number(self, position: Position) -> int | None:
        """Return the number of a position; ``None`` if marks float, or one side has too many."""
        filled, own = position.stones[0] | position.stones[1], position.stones[position.turn]
        mirror = _mirror()
        filled, own = min((filled, own), (mirror(filled), mirror(own)))
        filling = self.fillings.get(filled)
        arrangement, bit = 0, 1
        while filled:
            cell = filled & -filled
            if own & cell:
                arrangement |= bit
            bit <<= 1
            filled ^= cell
        place = self.arrangements.get(arrangement)
        if filling is None or place is None:
            return None
        return self.first + place * len(self.fillings) + filling


@lru_cache(maxsize=1)
def _mirror() -> Symmetry:
    return Symmetry(layout(CONNECT_FOUR.shape).mirror)


def number_layers(plies: int) -> tuple[Layer, ...]:
    """Return the layers of a book, from that of the empty board on."""
    rows, columns = CONNECT_FOUR.shape
    found: list[list[int]] = [[0], *([] for _ in range(plies))]
    for column in range(columns):
        cells = [1 << row * columns + column for row in reversed(range(rows))]
        stacks = [sum(cells[:height]) for height in range(rows + 1)]
        found = [
            [
                filled | stacks[height]
                for height in range(min(rows, ply) + 1)
                for filled in found[ply - height]
            ]
            for ply in range(plies + 1)
        ]
    layers = list[Layer]()
    for ply, fillings in enumerate(found):
        kept = [filled for filled in fillings if filled == min(CONNECT_FOUR.images((filled, 0)))[0]]
        arranged = [sum(1 << cell for cell in own) for own in combinations(range(ply), ply // 2)]
        layers.append(
            Layer(
                layers[-1].end if layers else 0,
                {filled: number for number, filled in enumerate(kept)},
                {own: number for number, own in enumerate(arranged)},
            )
        )
    return tuple(layers)


class Book:
    """Exact scores of positions of Connect Four.

    Args:
        layers: of the empty board, of one mark, and so on.
        marks: by number, the score in marks.
    """

    def __init__(self, layers: Sequence[Layer], marks: bytes) -> None:
        self._layers = layers
        self._marks = array("b", marks)

    @property
    def plies(self) -> int:
        """All positions that games reach with at most this number of marks are there."""
        return len(self._layers) - 1

    def __len__(self) -> int:
        return len(self._marks) - self._marks.count(UNREACHED)

    def __repr__(self) -> str:
        return f"Book(plies={self.plies}, positions={len(self)})"

    def score(self, position: Position) -> int | None:
        """Return the exact score, on the scale of searches; ``None`` if it is not there."""
        ply = position.marks
        number = self._layers[ply].number(position) if ply < len(self._layers) else None
        if number is None or (marks := self._marks[number]) == UNREACHED:
            return None
        return Scale(CELLS, ply).to_score(marks)


class BookSolver:
    """A solver that looks into the book first."""

    def __init__(self, book: Book, solver: Solver) -> None:
        self._book = book
        self._solver = solver

    def score(self, position: Position) -> int:
        """Return the exact score of a position."""
        known = self._book.score(position)
        return self._solver.score(position) if known is None else known

    def reaches(self, position: Position, bound: int) -> bool:
        """Return whether the exact score is at least ``bound``."""
        known = self._book.score(position)
        return self._solver.reaches(position, bound) if known is None else known >= bound


def with_book(rules: Rules, solver: Solver) -> Solver:
    """Return the solver behind the book that comes with the library, where there is one."""
    book = book_for(rules)
    return solver if book is None else BookSolver(book, solver)


def book_for(rules: Rules | str) -> Book | None:
    """Return the opening book of a game, or ``None`` where there is none.

    Example::

        >>> from tic_tac_toe import play_moves
        >>> from tic_tac_toe.solver import book_for
        >>> book = book_for("connect-four")
        >>> book
        Book(plies=8, positions=130811)
        >>> book.score(play_moves("connect-four", "44444").position)  # O to move loses in 36
        -964
    """
    rules = rules_of(rules)
    if rules != CONNECT_FOUR:
        return None
    if rules not in _books:
        with suppress(OSError):  # there is no such file
            add_book(get_data("tic_tac_toe.solver", FILE) or b"")
    return _books.get(rules)


def add_book(data: bytes) -> None:
    """Let `book_for` return the book that a file holds, where it is not beside this module.

    Raises:
        InvalidBook: see `parse_book`.
    """
    _books[CONNECT_FOUR] = parse_book(data)


_books: dict[Rules, Book] = {}


def format_book(marks: Mapping[Position, int], plies: int) -> bytes:
    """Return the bytes of a book file."""
    layers = number_layers(plies)
    scores = array("b", [UNREACHED]) * layers[-1].end
    for position, score in marks.items():
        number = layers[position.marks].number(position)
        assert number is not None, "marks in turn, none of which floats"
        scores[number] = score
    body = zlib.compress(scores.tobytes(), 9)
    header = {"format": FORMAT, "plies": plies, "digest": hashlib.sha256(body).hexdigest()}
    return json.dumps(header).encode() + b"\n" + body


def parse_book(data: bytes) -> Book:
    """Return the book that a file holds.

    Raises:
        InvalidBook: not a book file, or not whole.
    """
    line, _, body = data.partition(b"\n")
    try:
        header = json.loads(line)
        plies, digest = header["plies"], header["digest"]
        known = header["format"] == FORMAT and type(plies) is int and 0 <= plies <= MOST_PLIES
        if not known:
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidBook(f"not a file of the format {FORMAT}") from None
    layers = number_layers(plies)
    size, unpacker = layers[-1].end, zlib.decompressobj()
    try:
        marks = unpacker.decompress(body, size + 1)
    except zlib.error:
        marks = b""
    is_whole = unpacker.eof and not unpacker.unused_data and len(marks) == size
    if not is_whole or hashlib.sha256(body).hexdigest() != digest:
        raise InvalidBook("the book is damaged: its digest is wrong")
    return Book(layers, marks)
