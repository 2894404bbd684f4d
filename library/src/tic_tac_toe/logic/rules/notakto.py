"""Notakto: crosses only, on one board or several; the player who completes the last line loses.

Thane Plambeck and Greg Whitehead, "The Secrets of Notakto: Winning at X-only Tic-Tac-Toe" (2013),
found that for any number of boards a product tells who wins. Each board stands for an element of a
commutative monoid of 18 elements, its misère quotient, and the side to move loses where the product
of all boards is one of four. `Notakto.foretell` is that product.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations, product
from math import factorial, prod
from operator import index
from typing import TYPE_CHECKING, Final

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.alternation import check_board
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import Digits, Traits
from tic_tac_toe.logic.shapes import Blocks, Shape, blocks, layout

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The most boards that lie side by side.
MOST_BOARDS: Final = 6
#: The most marks of one board: six without a line, and the one that makes it.
MARKS_OF_BOARD: Final = 7

#: Up to this number of boards, the list of symmetries turns each board by itself.
MOST_TURNED: Final = 3

_BOARD: Final = LineRules()
#: Rules that shorten a product of letters; a product that none changes is one of 18 elements.
_RELATIONS: Final = (
    ("aa", ""), ("bbb", "b"), ("bbc", "c"), ("ccc", "acc"),
    ("bbd", "d"), ("cd", "ad"), ("dd", "cc"),
)  # fmt: skip
#: The products with which the side to move loses.
_LOST: Final = frozenset({"a", "bb", "bc", "cc"})
#: The element of a board by those of the boards that one mark makes of it; 1 is a dead board.
_ELEMENTS: Final = {
    frozenset(below.replace("1", "").split(",")): element.replace("1", "")
    for below, element in {
        "1": "a", "b": "cc", "1,a": "b", "1,b": "a", "1,cc": "c", "1,a,ab": "b", "1,a,ad": "b",
        "1,a,b": "ab", "1,ab,ad": "a", "1,ad,b": "a", "a,ab,b": "1", "a,b,d": "1",
        "1,a,ab,b": "ad", "1,ab,ad,b": "a", "1,a,ab,ad,b": "d",
    }.items()
}  # fmt: skip


@dataclass(frozen=True)
class Notakto:
    """Place a cross on any board without a line; a player who leaves no such board has lost.

    The boards of 3 x 3 lie side by side.

    Args:
        boards: how many, from 1 to 6.

    Raises:
        InvalidVariant: another number of boards.
    """

    boards: int = 1

    def __post_init__(self) -> None:
        if type(self.boards) is not int or not 1 <= self.boards <= MOST_BOARDS:
            raise InvalidVariant(
                "Notakto has from 1 to {most} boards, not {text}",
                "boards_range",
                most=MOST_BOARDS,
                text=self.boards,
            )

    @property
    def shape(self) -> Shape:
        """The size of the whole board."""
        return Shape(3, 3 * self.boards)

    @property
    def traits(self) -> Traits:
        """Properties for notation, pictures and screens."""
        return Traits(
            3,
            misere=True,
            blocks=_BOARD.shape if self.boards > 1 else None,
            choices=(0,),
            sides=("Player 1", "Player 2"),
            digits=Digits.NUMBER_PAD if self.boards == 1 else Digits.NOTHING,
            longest=MARKS_OF_BOARD * self.boards,
            words=("notakto",),
            lines=self._lines,
            symmetries=self._symmetries,
        )

    # -- the interface of Rules ------------------------------------------------------------------

    def moves(self, position: Position) -> Sequence[int]:
        """Return the empty cells of the boards without a line, ascending."""
        open_cells = 0
        for mask, board in zip(self._masks, self._boards(position)):
            if not _BOARD.has_line(board):
                open_cells |= mask
        return layout(self.shape).cells(open_cells & ~position.occupied)

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move; see `Rules.play`."""
        (crosses, naughts), turn, memory = position
        move = index(move)
        if not 0 <= move < self.shape.cells:
            raise InvalidMove("There is no such move", "no_such_move")
        if crosses >> move & 1:
            raise InvalidMove("Cell is not empty", "cell_taken")
        if _BOARD.has_line(self._boards(position)[self._blocks.places[move][0]]):
            raise InvalidMove("That board has a line, so nobody plays there", "dead_board")
        return Position((crosses | 1 << move, naughts), 1 - turn, memory)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended: the player who made the last line has lost."""
        lines = [_BOARD.line_cells(board) for board in self._boards(position)]
        if not all(lines):
            return None
        cells = (
            self._blocks.cell(board, cell) for board, line in enumerate(lines) for cell in line
        )
        return Outcome(position.turn, tuple(sorted(cells)))

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` unless there are crosses only, and each board ended in time."""
        check_board(position, self.shape)
        if position.stones[1]:
            raise InvalidGameState("There are only crosses in this game", "only_crosses")
        if position.memory:
            raise InvalidGameState("Nothing is remembered in this game", "no_memory")
        for board in self._boards(position):
            line = _BOARD.line_cells(board)
            if line and all(_BOARD.has_line(board ^ 1 << cell) for cell in line):
                raise InvalidGameState("The game went on after a line", "moves_after_end")

    # -- symmetry and theory -----------------------------------------------------------------------

    def canonical(self, position: Position) -> Position:
        """Return the representative under turns and reflections of each board and their order."""
        boards = sorted(map(_representative, self._boards(position)))
        stones = (
            1 << self._blocks.cell(number, cell)
            for number, board in enumerate(boards)
            for cell in layout(_BOARD.shape).cells(board)
        )
        return Position((sum(stones), 0), position.turn)

    def orbit(self, position: Position) -> int:
        """Return how many positions the symmetries make of this one, itself included."""
        boards = self._boards(position)
        orders = factorial(self.boards)
        for alike in Counter(map(_representative, boards)).values():
            orders //= factorial(alike)
        return orders * prod(len(set(_BOARD.images((board, 0)))) for board in boards)

    def foretell(self, position: Position) -> int:
        """Return the winner under best play, 0 or 1."""
        word = "".join(map(_element, self._boards(position)))
        return 1 - position.turn if _simplified(word) in _LOST else position.turn

    def _symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Return the turns of each board in every order of the boards.

        For more than three boards these would be 98,304 or more: only those that turn all boards
        alike are returned.
        """
        turns = _BOARD.list_symmetries()
        each = (
            product(turns, repeat=self.boards)
            if self.boards <= MOST_TURNED
            else ((turn,) * self.boards for turn in turns)
        )
        return tuple(
            tuple(
                self._blocks.cell(order[board], turned[board][cell])
                for board, cell in self._blocks.places
            )
            for turned in each
            for order in permutations(range(self.boards))
        )

    def _lines(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(self._blocks.cell(board, cell) for cell in line)
            for board in range(self.boards)
            for line in _BOARD.list_lines()
        )

    # -- boards ------------------------------------------------------------------------------------

    @property
    def _blocks(self) -> Blocks:
        return blocks(self.shape, _BOARD.shape)

    @cached_property
    def _masks(self) -> tuple[int, ...]:
        """The cells of each board, as a bit board of the whole."""
        masks = [0] * self.boards
        for cell, (board, _) in enumerate(self._blocks.places):
            masks[board] |= 1 << cell
        return tuple(masks)

    def _boards(self, position: Position) -> tuple[int, ...]:
        """Return the crosses of each board, as bit boards of 3 x 3."""
        return _boards_of(self.boards, position.stones[0])


@lru_cache(maxsize=1 << 14)
def _boards_of(count: int, crosses: int) -> tuple[int, ...]:
    """Return what each of the boards holds: three bits of each row."""
    width = 3 * count
    return tuple(
        sum((crosses >> row * width + 3 * board & 7) << 3 * row for row in range(3))
        for board in range(count)
    )


@lru_cache(maxsize=512)
def _representative(board: int) -> int:
    """Return the smallest of the images of a board."""
    return min(crosses for crosses, _ in _BOARD.images((board, 0)))


@lru_cache(maxsize=512)
def _element(board: int) -> str:
    """Return the element of the misère quotient that a board stands for; a dead one is 1."""
    if _BOARD.has_line(board):
        return ""
    below = (_element(board | 1 << cell) for cell in _BOARD.open_cells(board))
    return _ELEMENTS[frozenset(below)]


@lru_cache(maxsize=1 << 12)
def _simplified(word: str) -> str:
    """Return the element that a product of letters is equal to."""
    counts = Counter(word)
    changed = True
    while changed:
        changed = False
        for before, after in _RELATIONS:
            wanted = Counter(before)
            while counts >= wanted:
                counts = counts - wanted + Counter(after)
                changed = True
    return "".join(sorted(counts.elements()))
