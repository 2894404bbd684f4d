"""Vanishing tic-tac-toe: each side has three marks on the board, and the oldest leaves for a new.

Sites and toys call it "infinite", "bolt" or "three men's" tic-tac-toe and mostly do not say which
of three rules they play; `Departure` tells them apart. Positions come back, so a game can go on for
ever; `logic.search.tables` solves it all the same.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from operator import index
from typing import TYPE_CHECKING, Final, TypeAlias

from tic_tac_toe.logic.exceptions import InvalidGameState
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.alternation import check_board
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import Traits
from tic_tac_toe.logic.shapes import layout

if TYPE_CHECKING:
    from tic_tac_toe.logic.shapes import Shape

#: The marks of a side that stay.
MARKS: Final = 3

_BOARD: Final = LineRules()
#: A side's part of the memory is below this.
_SIDES: Final = 10**MARKS
#: The cells of a side's marks, the oldest first.
_Ages: TypeAlias = tuple[int, ...]


class Departure(enum.Enum):
    """When the oldest mark leaves.

    Attributes:
        BARRED: with the new mark, which cannot be placed in its cell.
        REUSED: before the new mark, which can be placed in its cell.
        LATE: after the new mark, so that it still counts for a line.
    """

    BARRED = "barred"
    REUSED = "reused"
    LATE = "late"


@dataclass(frozen=True)
class Vanishing:
    """Three in a row win on 3 x 3; the fourth mark of a side makes its oldest leave.

    `Position.memory` holds the order of the marks as decimal digits: for X and then for O the cells
    of the newest three, counted from 1, the oldest first and zeros before them. In ``51037`` X has
    marks in the cells 5 and, newer, 1, and O in 3 and 7.

    Args:
        departure: when the oldest mark leaves.
    """

    departure: Departure = Departure.BARRED

    @property
    def shape(self) -> Shape:
        """The size of the board."""
        return _BOARD.shape

    @property
    def traits(self) -> Traits:
        """Properties for notation, pictures and screens."""
        words = ("vanishing", f"vanishing {self.departure.value}")
        return Traits(
            _BOARD.length,
            longest=None,
            leaving=self.leaving,
            words=words,
            lines=_BOARD.list_lines,
            symmetries=_BOARD.list_symmetries,
            turned=_turned,
            planes=_planes,
        )

    # -- the interface of Rules ------------------------------------------------------------------

    def moves(self, position: Position) -> list[int]:
        """Return the legal cells in ascending order; none once the game is over."""
        if any(map(_BOARD.has_line, position.stones)):
            return []
        cells = [*_BOARD.open_cells(position.occupied)]
        if self.departure is Departure.REUSED:
            cells = sorted([*cells, *_oldest(_ages_of(position)[position.turn])])
        return cells

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move; see `Rules.play`."""
        ages, turn, move = _ages_of(position), position.turn, index(move)
        own, other = ages[turn], ages[1 - turn]
        leaves = _oldest(own)
        if self.departure is not Departure.REUSED or (move,) != leaves:
            _BOARD.check_placement(position.occupied, move)
        own = (*own, move)
        if self.departure is not Departure.LATE or not _BOARD.has_line(_stones_of(own)):
            own = own[len(leaves) :]
        return _position((other, own) if turn else (own, other), 1 - turn)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on; it never ends in a draw."""
        for side, stones in enumerate(position.stones):
            if cells := _BOARD.line_cells(stones):
                return Outcome(side, cells)
        return None

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` if no game can reach the position."""
        check_board(position, self.shape)
        ages = _ages_of(position)
        if any(_stones_of(own) != stones for own, stones in zip(ages, position.stones)):
            raise InvalidGameState("The marks have another order in memory", "wrong_ages")
        last, turn = 1 - position.turn, position.turn
        for side, own in enumerate(ages):
            stones, newest = position.stones[side], 1 << own[-1] if own else 0
            has_line = _BOARD.has_line(stones)
            if len(own) > MARKS and not (self.departure is Departure.LATE and has_line):
                raise InvalidGameState("A side has more than three marks", "too_many_marks")
            if has_line and (side != last or _BOARD.has_line(stones ^ newest)):
                raise InvalidGameState("The game went on after a line", "moves_after_end")
        # The side that moved last has as many marks as the other side, or one mark more.
        lead = len(ages[last]) - len(ages[turn])
        if lead not in (0, 1):
            raise InvalidGameState("Wrong number of Xs and Os", "wrong_numbers")

    # -- symmetry and age --------------------------------------------------------------------------

    def canonical(self, position: Position) -> Position:
        """Return the representative under the board's symmetries and the exchange of colours."""
        memories = divmod(position.memory, _SIDES)
        own, other = memories[position.turn], memories[1 - position.turn]
        images = _images()
        best = min(
            range(len(images)), key=lambda number: (images[number][own], images[number][other])
        )
        return _seen_in(position, best, 0)

    def orbit(self, position: Position) -> int:
        """Return how many positions the board's symmetries make of this one, itself included."""
        numbers = range(len(_images()))
        return len({_seen_in(position, number, position.turn) for number in numbers})

    def leaving(self, position: Position) -> tuple[int, ...]:
        """Return the cells of the marks that leave next, that of the side to move first."""
        if self.outcome(position):
            return ()
        ages = _ages_of(position)
        return (*_oldest(ages[position.turn]), *_oldest(ages[1 - position.turn]))


def _turned(memory: int, cells: tuple[int, ...]) -> int:
    """Return the memory after each cell has gone to another."""
    crosses, naughts = (
        int("0" + "".join(str(cells[int(digit) - 1] + 1) for digit in str(part) if part))
        for part in divmod(memory, _SIDES)
    )
    return crosses * _SIDES + naughts


def _planes(position: Position) -> dict[str, tuple[int, ...]]:
    """Return a plane for each age, the newest marks of both sides first."""
    ages = [side[::-1] for side in _ages_of(position)]
    return {
        f"age {age + 1}": tuple(
            int(any(side[age : age + 1] == (cell,) for side in ages))
            for cell in range(_BOARD.shape.cells)
        )
        for age in range(MARKS + 1)
    }


def _oldest(ages: _Ages) -> _Ages:
    """Return the cell of the mark that the side's next move removes, if it removes one."""
    return ages[:1] if len(ages) == MARKS else ()


def _stones_of(ages: _Ages) -> int:
    return sum(1 << cell for cell in ages)


def _ages_of(position: Position) -> tuple[_Ages, _Ages]:
    """Return the marks of both sides by age; a fourth is older than those in memory.

    Raises:
        InvalidGameState: the memory does not hold cells.
    """
    memory = position.memory
    if type(memory) is not int or not 0 <= memory < _SIDES**2:
        raise InvalidGameState("The memory does not hold the order of the marks", "wrong_ages")
    crosses, naughts = memory // _SIDES, memory % _SIDES
    return _with_fourth(position.stones[0], crosses), _with_fourth(position.stones[1], naughts)


@lru_cache(maxsize=1 << 13)
def _with_fourth(stones: int, memory: int) -> _Ages:
    """Return the cells of a side's marks, the oldest first."""
    digits = str(memory).lstrip("0")
    if "0" in digits or len({*digits}) < len(digits):
        raise InvalidGameState("The memory does not hold the order of the marks", "wrong_ages")
    known = tuple(int(digit) - 1 for digit in digits)
    if len(known) < MARKS:
        return known
    older = stones & ~_stones_of(known)
    return (*layout(_BOARD.shape).cells(older & 0o777), *known)


def _position(ages: tuple[_Ages, _Ages], turn: int) -> Position:
    crosses, naughts = ages
    memory = _memory_of(crosses) * _SIDES + _memory_of(naughts)
    return Position((_stones_of(crosses), _stones_of(naughts)), turn, memory)


def _memory_of(ages: _Ages) -> int:
    """Return the newest three of a side's cells, counted from 1, as decimal digits."""
    return int("0" + "".join(str(cell + 1) for cell in ages[-MARKS:]))


@lru_cache(maxsize=1)
def _images() -> tuple[dict[int, int], ...]:
    """Return for each symmetry of the board what it makes of a side's memory."""
    cells = range(_BOARD.shape.cells)
    orders = [order for count in range(MARKS + 1) for order in permutations(cells, count)]
    return tuple(
        {_memory_of(order): _memory_of(tuple(image[cell] for cell in order)) for order in orders}
        for image in layout(_BOARD.shape).turns
    )


def _seen_in(position: Position, number: int, turn: int) -> Position:
    """Return a position as a symmetry shows it, with this side to move: colours may change."""
    images = [*_BOARD.images(position.stones)]
    stones, memory = images[number], divmod(position.memory, _SIDES)
    crosses, naughts = (_images()[number][part] for part in memory)
    if turn == position.turn:
        return Position(stones, turn, crosses * _SIDES + naughts)
    return Position((stones[1], stones[0]), turn, naughts * _SIDES + crosses)
