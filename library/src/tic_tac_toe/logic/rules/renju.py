"""The two games of five in a row with rules of their own: renju, and Caro, the gomoku of Vietnam.

The passes, swaps and openings of the Renju International Federation's tournaments are not a part of
these rules. Forbidden moves are defined in § 9 of the federation's rules:

five
    exactly five marks of X in a row; a longer row is an overline.
four
    four marks of X that become a five with one more mark. If two cells make a five of the same four
    marks, they are a straight four: four in a row between two empty cells.
three
    three marks of X that become a straight four with one more mark, which is itself not forbidden
    and makes no five.

What one mark makes along one row depends on the five cells on each side of it. These eleven cells,
its window, are looked at as text, and the answer for each text is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import index
from types import MappingProxyType
from typing import Final, NamedTuple

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, message
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.line import DRAW, LineRules, Stones
from tic_tac_toe.logic.rules.lines import PLANE, Topology, lines
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.shapes import Shape, layout


@dataclass(frozen=True, slots=True, repr=False)
class Caro(LineRules):
    """Exactly five in a row win, unless the other side's marks stand at both of their ends.

    The edge of the board closes no end: a row that ends there is open.

    Args:
        shape: the board, at most 26 x 26.
        length: marks in a row that win.

    Raises:
        InvalidVariant: the board is empty or too large, or a line of that length does not fit.
    """

    shape: Shape = Shape(15, 15)
    length: int = 5
    gravity: bool = field(default=False, init=False)
    exact: bool = field(default=True, init=False)
    topology: Topology = field(default=PLANE, init=False)

    def __repr__(self) -> str:
        return f"Caro(shape={self.shape!r}, length={self.length})"

    def __reduce__(self) -> tuple[type[LineRules], tuple[object, ...]]:
        """Pickle the parameters without the tables."""
        return type(self), (self.shape, self.length)

    @property
    def traits(self) -> Traits:
        """Properties for notation, pictures and screens."""
        return Traits(
            self.length,
            exact=True,
            words=("caro",),
            lines=self.list_lines,
            symmetries=self.list_symmetries,
        )

    def moves(self, position: Position) -> Sequence[int]:
        """Return the legal cells in ascending order; none once the game is over."""
        if self.winning_line(position.stones, 1 - position.turn):
            return ()
        return self.open_cells(position.occupied)

    def winning_line(self, stones: Stones, side: int) -> tuple[int, ...]:
        """Return the cells of the line with which a side has won; none if it has not."""
        own, other = stones[side], stones[1 - side]
        if not self.lines.found_in(own):
            return ()
        for mask, fence, cells, _ahead, _behind in self.lines.places:
            if own & mask == mask and not own & fence:
                is_closed = fence.bit_count() == 2 and other & fence == fence
                if not is_closed:
                    return tuple(sorted(cells))
        return ()

    def _ended_at_once(self, position: Position, winner: int) -> bool:
        """Return whether one stone of the winner can have been the last, and made the line.

        Without that stone the other side must not have won: the stone may close one of its lines.
        """
        for cell in self.winning_line(position.stones, winner):
            stones = [*position.stones]
            stones[winner] ^= 1 << cell
            crosses, naughts = stones
            if not any(self.winning_line((crosses, naughts), side) for side in (0, 1)):
                return True
        return False


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
    """The shapes that a mark of X makes in the middle of a window.

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

    A five comes first: a move that makes one is allowed even if it makes something forbidden.
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


_REFUSALS: Final = {
    OVERLINE: message("X may not make a row of more than five here", "overline"),
    DOUBLE_FOUR: message("X may not make two fours at once here", "double_four"),
    DOUBLE_THREE: message("X may not make two open threes at once here", "double_three"),
}


@dataclass(frozen=True, slots=True, repr=False)
class Renju(LineRules):
    """Five in a row win: for X exactly five, for O a longer row too; X has forbidden moves.

    A move that makes five wins even if it makes something forbidden. Otherwise X may not make an
    overline, two fours at once or two threes at once; the definitions stand above. If all moves
    left to X are forbidden, the game is a draw. They are forbidden to X also where O starts; by
    the rules of Renju, X does.

    Args:
        shape: the board, at most 26 x 26.

    Raises:
        InvalidVariant: the board is empty or too large, or a line of five does not fit.
    """

    shape: Shape = Shape(15, 15)
    length: int = field(default=FIVE, init=False)
    gravity: bool = field(default=False, init=False)
    exact: bool = field(default=False, init=False)
    topology: Topology = field(default=PLANE, init=False)

    def __repr__(self) -> str:
        return f"Renju(shape={self.shape!r})"

    def __reduce__(self) -> tuple[type[LineRules], tuple[object, ...]]:
        """Pickle the board without the tables."""
        return type(self), (self.shape,)

    @property
    def traits(self) -> Traits:
        """Properties for notation, pictures and screens."""
        return Traits(
            FIVE, words=("renju",), lines=self.list_lines, symmetries=self.list_symmetries
        )

    def moves(self, position: Position) -> Sequence[int]:
        """Return the legal cells in ascending order; none once the game is over."""
        if self.winning_line(position.stones, 1 - position.turn):
            return ()
        cells = self.open_cells(position.occupied)
        if position.turn:
            return cells
        barred = _forbidden(self.shape, position.stones)
        return [cell for cell in cells if cell not in barred] if barred else cells

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move; see `Rules.play`."""
        move = index(move)
        if position.turn == 0 and (reason := _forbidden(self.shape, position.stones).get(move)):
            raise InvalidMove(_REFUSALS[reason])
        return LineRules.play(self, position, move)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on."""
        ended = LineRules.outcome(self, position)
        return ended or (None if self.moves(position) else DRAW)

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` unless `LineRules.validate` agrees and X made no overline.

        A five and an overline of X may have come with the same mark. Whether the moves of X can be
        put in an order in which none made two fours or two threes is not checked.
        """
        LineRules.validate(self, position)
        crosses = position.stones[0]
        if not self.lines.found_in(crosses):
            return
        five = self.winning_line(position.stones, 0)
        if not five:
            raise InvalidGameState("X has a row of more than five", "overline")
        if all(self.lines.found_in(crosses ^ 1 << cell) for cell in five):
            raise InvalidGameState("The game went on after a line", "moves_after_end")

    def canonical(self, position: Position) -> Position:
        """Return the representative under the board's symmetries.

        The sides are not alike, so that they are not exchanged.
        """
        return Position(min(self.images(position.stones)), position.turn)

    def winning_line(self, stones: Stones, side: int) -> tuple[int, ...]:
        """Return the cells of the line with which a side has won; none if it has not."""
        if not self.lines.found_in(stones[side]):
            return ()
        if side:
            return self.lines.first_in(stones[side])
        return lines(self.shape, FIVE, exact=True).first_in(stones[side])


@lru_cache(maxsize=1 << 12)
def _forbidden(shape: Shape, stones: Stones) -> Mapping[int, str]:
    return MappingProxyType(forbidden_cells(shape, *stones))
