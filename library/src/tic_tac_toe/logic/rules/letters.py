"""Games in which either player places either letter: wild tic-tac-toe, Order and Chaos.

Order and Chaos is Stephen Sniderman's (1981)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from operator import index
from typing import TYPE_CHECKING

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Outcome
from tic_tac_toe.logic.rules.alternation import check_board
from tic_tac_toe.logic.rules.line import LineRules, Stones
from tic_tac_toe.logic.rules.traits import BOTH_LETTERS, Traits, traits_of
from tic_tac_toe.logic.shapes import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tic_tac_toe.logic.rules.traits import Traits
    from tic_tac_toe.logic.shapes import Shape


@dataclass(frozen=True)
class LetterRules(ABC):
    """Both players place either letter; a line of one letter ends the game.

    Moves are numbered as `logic.rules.traits` says: first an X in each cell, then an O.

    Args:
        line: the board and what a line is.

    Raises:
        InvalidVariant: ``line`` is not a game of lines.
    """

    line: LineRules = LineRules()

    def __post_init__(self) -> None:
        if not isinstance(self.line, LineRules):
            raise InvalidVariant(
                "a game in which players choose the letter needs line rules, not {kind}",
                "no_line_rules_for_letters",
                kind=type(self.line).__name__,
            )

    @property
    def shape(self) -> Shape:
        """The size of the board."""
        return self.line.shape

    @property
    def traits(self) -> Traits:
        """Properties for notation, pictures and screens."""
        return replace(traits_of(self.line), choices=BOTH_LETTERS, alike=True)

    @abstractmethod
    def winner(self, turn: int, has_line: bool) -> int | None:
        """Return the winner of a game that is over, 0, 1 or ``None`` for a draw.

        Args:
            turn: the side that would be to move.
            has_line: whether a line ended it, else the board is full.
        """

    def moves(self, position: Position) -> Sequence[int]:
        """Return the legal moves in ascending order; none once the game is over."""
        crosses, naughts = position.stones
        if self.line.has_line(crosses) or self.line.has_line(naughts):
            return ()
        cells = self.line.open_cells(position.occupied)
        return (*cells, *(cell + self.shape.cells for cell in cells))

    def play(self, position: Position, move: int) -> Position:
        """Return the position after a move; see `Rules.play`."""
        (crosses, naughts), turn, memory = position
        letter, cell = divmod(index(move), self.shape.cells)
        if letter not in BOTH_LETTERS:
            raise InvalidMove("There is no such move", "no_such_move")
        self.line.check_placement(crosses | naughts, cell)
        stones = (crosses, naughts | 1 << cell) if letter else (crosses | 1 << cell, naughts)
        return Position(stones, 1 - turn, memory)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended, or ``None`` while it goes on."""
        cells = self._line_cells(position)
        if cells or position.occupied == self.line.lines.layout.full:
            return Outcome(self.winner(position.turn, bool(cells)), cells)
        return None

    def validate(self, position: Position) -> None:
        """Raise `InvalidGameState` unless one last mark can have made all lines that there are."""
        check_board(position, self.shape)
        if position.memory:
            raise InvalidGameState("Nothing is remembered in this game", "no_memory")
        if self.line.floats(position.occupied):
            raise InvalidGameState("A mark floats above an empty cell", "mark_floats")
        cells = self._line_cells(position)
        if cells and not any(self._was_last(position, 1 << cell) for cell in cells):
            raise InvalidGameState("The game went on after a line", "moves_after_end")

    def canonical(self, position: Position) -> Position:
        """Return the representative under the board's symmetries and the exchange of letters."""
        return Position(min(self._images(position)), position.turn)

    def orbit(self, position: Position) -> int:
        """Return how many positions the symmetries make of this one, itself included."""
        return len(set(self._images(position)))

    def _images(self, position: Position) -> Iterator[Stones]:
        """Yield the stones as each symmetry of the board shows them, with either letter first."""
        for crosses, naughts in self.line.images(position.stones):
            yield crosses, naughts
            yield naughts, crosses

    def _line_cells(self, position: Position) -> tuple[int, ...]:
        crosses, naughts = position.stones
        return self.line.line_cells(crosses) or self.line.line_cells(naughts)

    def _was_last(self, position: Position, stone: int) -> bool:
        """Return whether a stone can have been the last to be placed."""
        crosses, naughts = (stones & ~stone for stones in position.stones)
        goes_on = not (self.line.has_line(crosses) or self.line.has_line(naughts))
        return goes_on and not self.line.floats(crosses | naughts)


@dataclass(frozen=True)
class Wild(LetterRules):
    """The player who completes a line of one letter wins; a full board without one is a draw."""

    @property
    def traits(self) -> Traits:
        """Properties for notation, pictures and screens."""
        return replace(super().traits, sides=("Player 1", "Player 2"))

    def winner(self, turn: int, has_line: bool) -> int | None:
        """Return the side that moved last if there is a line."""
        return 1 - turn if has_line else None


ORDER, CHAOS = 0, 1


@dataclass(frozen=True)
class OrderAndChaos(LetterRules):
    """Either player places either letter; Order wins with any line, Chaos with a board without one.

    Order is side 0, X in other games, and begins.
    """

    line: LineRules = LineRules(Shape(6, 6), 5)

    @property
    def traits(self) -> Traits:
        """Properties for notation, pictures and screens."""
        sides, words = ("Order", "Chaos"), ("order and chaos",)
        return replace(super().traits, sides=sides, begins=ORDER, words=words)

    def winner(self, turn: int, has_line: bool) -> int:
        """Return Order if there is a line, else Chaos."""
        return ORDER if has_line else CHAOS
