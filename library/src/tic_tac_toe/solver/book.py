"""The opening book of Connect Four: exact scores of its first positions, found by this solver.

It needs nothing but the standard library. `tools/make_book.py` makes the file, which is a line of
JSON and then 13 bytes a position, ascending: the marks of the side to move and of the other, of the
position that `LineRules.canonical` makes of it, six bytes each, and the marks that the winner has
left when it wins (see `kernels.control`), one signed byte.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from functools import lru_cache

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.logic.search.verdict import Solver
from tic_tac_toe.solver.scale import Scale

FORMAT = "tictactoe-engine opening book 1"
FILE = "connect-four.book"
ENTRY_BYTES = 13
MARKS_BYTES = 6


class InvalidBook(ValueError):
    """A book file that is damaged or something else."""


class Book:
    """Exact scores of positions of Connect Four.

    Args:
        marks: by canonical position, the score in marks.
        plies: all positions with at most this number of marks are there.
    """

    def __init__(self, marks: Mapping[Position, int], plies: int) -> None:
        self._marks = marks
        self.plies = plies

    def __len__(self) -> int:
        return len(self._marks)

    def __repr__(self) -> str:
        return f"Book(plies={self.plies}, positions={len(self)})"

    def score(self, position: Position) -> int | None:
        """Return the exact score on the scale of `search.scores`; ``None`` if it is not there."""
        if position.marks > self.plies:
            return None
        marks = self._marks.get(CONNECT_FOUR.canonical(position))
        if marks is None:
            return None
        return Scale.of(CONNECT_FOUR, position).to_score(marks)


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


def book_for(rules: Rules) -> Book | None:
    """Return the book that comes with the library for a game, or ``None``."""
    return _shipped() if rules == CONNECT_FOUR else None


@lru_cache(maxsize=1)
def _shipped() -> Book:
    from importlib.resources import files  # large, and other games need none

    return parse_book(files("tic_tac_toe.solver").joinpath(FILE).read_bytes())


def format_book(marks: Mapping[Position, int], plies: int) -> bytes:
    """Return the bytes of a book file."""
    entries = sorted((position.stones, score) for position, score in marks.items())
    body = b"".join(
        own.to_bytes(MARKS_BYTES, "big")
        + other.to_bytes(MARKS_BYTES, "big")
        + struct.pack("b", score)
        for (own, other), score in entries
    )
    header = {
        "format": FORMAT,
        "plies": plies,
        "positions": len(entries),
        "digest": hashlib.sha256(body).hexdigest(),
    }
    return json.dumps(header).encode() + b"\n" + body


def parse_book(data: bytes) -> Book:
    """Return the book that a file holds.

    Raises:
        InvalidBook: not a book file, or not whole.
    """
    line, _, body = data.partition(b"\n")
    try:
        header = json.loads(line)
        if header["format"] != FORMAT:
            raise InvalidBook(f"not a file of the format {FORMAT}")
        digest, plies = header["digest"], int(header["plies"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidBook(f"not a file of the format {FORMAT}") from None
    if hashlib.sha256(body).hexdigest() != digest or len(body) % ENTRY_BYTES:
        raise InvalidBook("the book is damaged: its digest is wrong")
    marks = {}
    for start in range(0, len(body), ENTRY_BYTES):
        own = int.from_bytes(body[start : start + MARKS_BYTES], "big")
        other = int.from_bytes(body[start + MARKS_BYTES : start + 2 * MARKS_BYTES], "big")
        (score,) = struct.unpack("b", body[start + ENTRY_BYTES - 1 : start + ENTRY_BYTES])
        marks[Position((own, other))] = score
    return Book(marks, plies)
