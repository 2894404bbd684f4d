"""Renju: gomoku in which X, who begins, may not make double threes, double fours and overlines.

The definitions are those of the Renju International Federation's rules, § 9. Which passes, swaps
and openings its tournaments use is not a part of these rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.line import DRAW, LineRules, Stones
from tic_tac_toe.logic.rules.lines import lines
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.shapes import DIRECTIONS, Shape, layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tic_tac_toe.logic.positions import Position

FIVE: Final = 5
#: How far from a cell the marks matter for it: a five may end four cells away, with a cell behind.
REACH: Final = 5
#: A double three, the least that is forbidden, takes this number of other marks in line with it.
LEAST_MARKS: Final = 4
#: What X may not make, by name.
OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = "overline", "double four", "double three"

_MESSAGES: Final = {
    OVERLINE: "X may not make a row of more than five here",
    DOUBLE_FOUR: "X may not make two fours at once here",
    DOUBLE_THREE: "X may not make two open threes at once here",
}


@dataclass(frozen=True, slots=True, repr=False)
class Renju(LineRules):
    """Five in a row win: for X exactly five, for O a longer row too; X has forbidden moves.

    A move that makes five wins, whatever else it makes. Otherwise X may not make an overline, two
    fours at once or two threes at once. A four can become five with one more mark. A three can
    become a straight four, open at both ends, with one more mark that is itself allowed and makes
    no five. If all that is left to X is forbidden, the game is a draw.
    """

    shape: Shape = Shape(15, 15)
    length: int = FIVE

    @property
    def traits(self) -> Traits:
        """What notation and screens need to know."""
        return Traits(self.length, words=("renju",))

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
        if position.turn == 0 and (reason := _forbidden(self.shape, position.stones).get(move)):
            raise InvalidMove(_MESSAGES[reason], reason.replace(" ", "_"))
        return LineRules.play(self, position, move)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on."""
        ended = LineRules.outcome(self, position)
        return ended or (None if self.moves(position) else DRAW)

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` unless `LineRules.validate` agrees and X made no overline."""
        LineRules.validate(self, position)
        crosses = position.stones[0]
        if self.lines.found_in(crosses) and not self.winning_line(position.stones, 0):
            raise InvalidGameState("X has a row of more than five", "overline")

    def winning_line(self, stones: Stones, side: int) -> tuple[int, ...]:
        """Return the cells of the line with which a side has won; none if it has not."""
        if not self.lines.found_in(stones[side]):
            return ()
        if side:
            return self.lines.first_in(stones[side])
        return lines(self.shape, FIVE, exact=True).first_in(stones[side])


class Shapes(NamedTuple):
    """What a mark of X makes in one direction.

    Attributes:
        five: whether it makes exactly five.
        overline: whether it makes more.
        fours: the number of fours, by their marks: one that can become five at both ends is one.
        extensions: how far away another mark would make a straight four with it.
    """

    five: bool
    overline: bool
    fours: int
    extensions: tuple[int, ...]


@lru_cache(maxsize=1 << 12)
def _forbidden(shape: Shape, stones: Stones) -> dict[int, str]:
    """Return the empty cells that X may not play, each with what it would make."""
    crosses, naughts = stones
    if crosses.bit_count() < LEAST_MARKS:
        return {}
    found = {}
    for cell in layout(shape).cells(layout(shape).full & ~(crosses | naughts)):
        if reason := _fault(shape, crosses, naughts, cell):
            found[cell] = reason
    return found


def _fault(shape: Shape, crosses: int, naughts: int, cell: int) -> str | None:
    """Return what X would make in an empty cell that is forbidden, or ``None``."""
    surroundings = _surroundings(shape)[cell]
    if (surroundings.star & crosses).bit_count() < LEAST_MARKS:
        return None
    shapes = _shapes_at(surroundings, crosses, naughts)
    if any(each.five for each in shapes):
        return None
    if any(each.overline for each in shapes):
        return OVERLINE
    if sum(each.fours for each in shapes) > 1:
        return DOUBLE_FOUR
    with_extensions = [
        (ray, each.extensions) for ray, each in zip(surroundings.rays, shapes) if each.extensions
    ]
    if len(with_extensions) < 2:
        return None
    with_mark = crosses | 1 << cell
    threes = sum(
        any(_is_allowed(shape, with_mark, naughts, ray[REACH + at]) for at in extensions)
        for ray, extensions in with_extensions
    )
    return DOUBLE_THREE if threes > 1 else None


def _is_allowed(shape: Shape, crosses: int, naughts: int, cell: int) -> bool:
    """Return whether X may extend a three in a cell: it is not forbidden, and makes no five."""
    if _fault(shape, crosses, naughts, cell):
        return False
    surroundings = _surroundings(shape)[cell]
    return not any(each.five for each in _shapes_at(surroundings, crosses, naughts))


class _Surroundings(NamedTuple):
    """The cells around one cell.

    Attributes:
        rays: for each direction the cells from `REACH` before it to `REACH` after it; -1 outside.
        star: all of them but itself, as a bit board.
    """

    rays: tuple[tuple[int, ...], ...]
    star: int


@lru_cache(maxsize=8)
def _surroundings(shape: Shape) -> tuple[_Surroundings, ...]:
    rows, columns = shape
    found = []
    for cell in range(shape.cells):
        row, column = divmod(cell, columns)
        rays = []
        for down, right in DIRECTIONS:
            points = [
                (row + step * down, column + step * right) for step in range(-REACH, REACH + 1)
            ]
            rays.append(
                tuple(
                    there * columns + across if 0 <= there < rows and 0 <= across < columns else -1
                    for there, across in points
                )
            )
        star = {at for ray in rays for at in ray if at not in (-1, cell)}
        found.append(_Surroundings(tuple(rays), sum(1 << at for at in star)))
    return tuple(found)


def _shapes_at(surroundings: _Surroundings, crosses: int, naughts: int) -> list[Shapes]:
    """Return what a mark of X makes in each direction."""
    shapes = []
    for ray in surroundings.rays:
        line = "".join(
            "#" if at < 0 or naughts >> at & 1 else "X" if crosses >> at & 1 else "." for at in ray
        )
        shapes.append(_shapes_in(line))
    return shapes


@lru_cache(maxsize=1 << 16)
def _shapes_in(line: str) -> Shapes:
    """Return what X makes in the middle of a line of eleven cells.

    Args:
        line: X, ``.`` for an empty cell, ``#`` for one that X cannot have.
    """
    line = f"#{line[:REACH]}X{line[REACH + 1 :]}#"
    middle = REACH + 1
    fours, extensions = set(), []
    five = _run_at(line, middle) == FIVE
    for at, sign in enumerate(line):
        if sign != ".":
            continue
        longer = f"{line[:at]}X{line[at + 1 :]}"
        first, last = _ends_at(longer, middle)
        length = last - first + 1
        if not first <= at <= last:
            continue
        if length == FIVE:
            fours.add(frozenset(range(first, last + 1)) - {at})
        is_straight = length == FIVE - 1 and longer[first - 1] == longer[last + 1] == "."
        if is_straight and longer[first - 2] != "X" and longer[last + 2] != "X":
            extensions.append(at - middle)
    return Shapes(five, _run_at(line, middle) > FIVE, len(fours), tuple(extensions))


def _run_at(line: str, middle: int) -> int:
    first, last = _ends_at(line, middle)
    return last - first + 1


def _ends_at(line: str, middle: int) -> tuple[int, int]:
    """Return the first and the last X of the row in the middle."""
    first = last = middle
    while line[first - 1] == "X":
        first -= 1
    while line[last + 1] == "X":
        last += 1
    return first, last
