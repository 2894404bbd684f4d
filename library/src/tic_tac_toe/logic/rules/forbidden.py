"""The cells that X may not play in Renju, with the reasons.

The definitions are those of the Renju International Federation's rules, § 9:

five
    exactly five marks of X in a row; a longer row is an overline.
four
    four marks of X that become a five with one more mark. If two cells make a five of the same four
    marks, they are a straight four: four in a row between two empty cells.
three
    three marks of X that become a straight four with one more mark, which is itself not forbidden
    and makes no five.

What one mark makes along one row depends on the five cells on each side of it. These eleven cells,
its window, are looked at as text, and the answer for each text is kept.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from tic_tac_toe.logic.rules.topology import PLANE
from tic_tac_toe.logic.shapes import Shape, layout

FIVE: Final = 5
#: What X may not make, by name.
OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = "overline", "double four", "double three"

_FIVE_MADE: Final = "five"
#: A five may end four cells from the mark that makes it, and the cell behind decides as well.
_REACH: Final = 5
#: In the texts of rows: a mark of X, an empty cell, and a cell that X cannot have.
_OWN, _EMPTY, _CLOSED = "X", ".", "#"


def forbidden_cells(shape: Shape, crosses: int, naughts: int) -> dict[int, str]:
    """Return the empty cells that X may not play, each with the name of what X would make."""
    once = more = 0
    for row in _board(shape).rows:
        own = crosses & row.mask
        if own & (own - 1):  # even a three takes two other marks
            part, whole = _suspects(row.cells, own, naughts & row.mask)
            more |= whole | once & part
            once |= part
    reasons = {cell: _made(shape, crosses, naughts, cell) for cell in layout(shape).cells(more)}
    return {cell: made for cell, made in reasons.items() if made and made != _FIVE_MADE}


def is_forbidden(shape: Shape, crosses: int, naughts: int, cell: int) -> bool:
    """Return whether X may not play an empty cell; quicker than `forbidden_cells` for one cell."""
    return _made(shape, crosses, naughts, cell) not in (None, _FIVE_MADE)


class _Row(NamedTuple):
    """A row of the board that a five fits in: its cells in order, and as a bit board."""

    cells: tuple[int, ...]
    mask: int


class _Board(NamedTuple):
    """The rows of a board, and the windows of each cell.

    Attributes:
        windows: for each cell, in each row through it, `_REACH` cells before the cell, itself and
            `_REACH` cells after it; -1 outside the board.
    """

    rows: tuple[_Row, ...]
    windows: tuple[tuple[tuple[int, ...], ...], ...]


@lru_cache(maxsize=16)
def _board(shape: Shape) -> _Board:
    rows = [
        _Row(row.cells, sum(1 << cell for cell in row.cells))
        for group in PLANE.rows(shape)
        for row in group
        if len(row.cells) >= FIVE
    ]
    windows: list[list[tuple[int, ...]]] = [[] for _ in range(shape.cells)]
    outside = (-1,) * _REACH
    for row in rows:
        padded = outside + row.cells + outside
        for at, cell in enumerate(row.cells):
            windows[cell].append(padded[at : at + 2 * _REACH + 1])
    return _Board(tuple(rows), tuple(map(tuple, windows)))


class _Shapes(NamedTuple):
    """What a mark of X in the middle of a window makes there.

    Attributes:
        five: whether it makes a five.
        overline: whether it makes an overline.
        fours: the number of fours; the two cells that complete a straight four make it one.
        extensions: how far from the middle one more mark makes a straight four; none where the
            window holds no three.
    """

    five: bool = False
    overline: bool = False
    fours: int = 0
    extensions: tuple[int, ...] = ()


_NOTHING = _Shapes()


# In a game one mark changes four rows at a time, so that most rows are looked up.
@lru_cache(maxsize=1 << 14)
def _suspects(cells: tuple[int, ...], crosses: int, naughts: int) -> tuple[int, int]:
    """Return the empty cells of a row that can be forbidden, as two bit boards.

    Those of the first are so only if another row adds something: X makes a four or, should the
    extension be allowed, a three there. Those of the second are so by this row alone.
    """
    outside = _CLOSED * _REACH
    text = outside + _text(cells, crosses, naughts) + outside
    part = whole = 0
    for at, cell in enumerate(cells):
        if text[at + _REACH] == _EMPTY:
            shapes = _shapes(text[at : at + 2 * _REACH + 1])
            if shapes.overline or shapes.fours > 1:
                whole |= 1 << cell
            elif shapes.fours or shapes.extensions:
                part |= 1 << cell
    return part, whole


def _made(shape: Shape, crosses: int, naughts: int, cell: int) -> str | None:
    """Return whether X makes a five or something forbidden in an empty cell; ``None`` if neither.

    A five comes first: whatever else X makes with it is allowed.
    """
    found = [
        (window, _shapes(_text(window, crosses, naughts))) for window in _board(shape).windows[cell]
    ]
    if any(shapes.five for _, shapes in found):
        return _FIVE_MADE
    if any(shapes.overline for _, shapes in found):
        return OVERLINE
    if sum(shapes.fours for _, shapes in found) > 1:
        return DOUBLE_FOUR
    extended = [
        [window[_REACH + at] for at in shapes.extensions]
        for window, shapes in found
        if shapes.extensions
    ]
    if len(extended) < 2:
        return None
    with_mark = crosses | 1 << cell
    threes = sum(
        any(_made(shape, with_mark, naughts, extension) is None for extension in extensions)
        for extensions in extended
    )
    return DOUBLE_THREE if threes > 1 else None


def _text(cells: tuple[int, ...], crosses: int, naughts: int) -> str:
    """Return cells as text; a cell of -1 lies outside the board."""
    return "".join(
        [
            _CLOSED if cell < 0 or naughts >> cell & 1 else _OWN if crosses >> cell & 1 else _EMPTY
            for cell in cells
        ]
    )


@lru_cache(maxsize=1 << 16)
def _shapes(window: str) -> _Shapes:
    """Return what a mark of X in the empty middle of a window makes."""
    if window.count(_OWN) < 2:
        return _NOTHING
    middle = _REACH + 1
    # One closed cell more on each side, so that every run has an end within the text.
    text = f"{_CLOSED}{window[:_REACH]}{_OWN}{window[_REACH + 1 :]}{_CLOSED}"
    first, last = _run(text, middle)
    marks = last - first + 1
    fours, extensions = set[frozenset[int]](), []
    for at in (at for at, sign in enumerate(text) if sign == _EMPTY):
        longer = f"{text[:at]}{_OWN}{text[at + 1 :]}"
        first, last = _run(longer, middle)
        if not first <= at <= last:
            continue
        if last - first + 1 == FIVE:
            fours.add(frozenset(range(first, last + 1)) - {at})
        if last - first + 1 == FIVE - 1 and _is_straight(longer, first, last):
            extensions.append(at - middle)
    return _Shapes(marks == FIVE, marks > FIVE, len(fours), tuple(extensions))


def _is_straight(text: str, first: int, last: int) -> bool:
    """Return whether four in a row become a five at both ends."""
    return (
        text[first - 1] == text[last + 1] == _EMPTY
        and text[first - 2] != _OWN
        and text[last + 2] != _OWN
    )


def _run(text: str, middle: int) -> tuple[int, int]:
    """Return the first and the last mark of the row of X in the middle of a text."""
    first = last = middle
    while text[first - 1] == _OWN:
        first -= 1
    while text[last + 1] == _OWN:
        last += 1
    return first, last
