"""Games as the compiled search knows them: tables of their rules, and the words of positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.engines.playouts import boards, ultimate
from tic_tac_toe.engines.playouts.board_games import BOARDS
from tic_tac_toe.engines.playouts.tree import DRAW, TURN, GameParts
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.caro import Caro
from tic_tac_toe.logic.rules.letters import LetterRules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.misere import Misere, without_misere
from tic_tac_toe.logic.rules.order_and_chaos import ORDER, OrderAndChaos
from tic_tac_toe.logic.rules.ultimate import Ultimate
from tic_tac_toe.logic.rules.wild import Wild
from tic_tac_toe.logic.search.ultimate_playout import can_be_lost_again
from tic_tac_toe.logic.shapes import blocks

#: A small board of ultimate has at most this number of cells.
MOST_CELLS = 1 << ultimate.BOARD_SHIFT

Words = NDArray[np.int64]


class Game(ABC):
    """One game: the functions of its kind, and the tables that they use.

    Attributes:
        parts: the functions.
        tables: what they need to know of the rules.
        most_moves: the most legal moves of a position.
        ply_cost: the nanoseconds that an ordinary machine takes for a move of a random game.
    """

    parts: GameParts
    tables: Words
    most_moves: int
    ply_cost: int

    @abstractmethod
    def state(self, position: Position) -> Words:
        """Return the words of a position that is not over."""

    def move_of(self, code: int) -> int:
        """Return the move of the rules that a move of the functions is."""
        return code


class BoardGame(Game):
    """A game of lines on one board.

    Args:
        line: the board and what a line is.
        rules: the game on it: the same, its misère play, or one in which players choose the letter.
    """

    parts: GameParts = BOARDS

    def __init__(self, line: LineRules, rules: Rules) -> None:
        self._line = line
        inner = without_misere(rules)
        letters = 2 if isinstance(inner, LetterRules) else 1
        cells, places = line.shape.cells, line.lines.places
        self.most_moves: int = cells * letters
        self.ply_cost: int = (60 + 6 * len(places) * line.length // cells) * letters
        misere = isinstance(rules, Misere)
        if isinstance(inner, OrderAndChaos):
            order = 1 - ORDER if misere else ORDER
            line_wins, full = boards.ORDER + order, 1 - order
        else:
            line_wins, full = boards.OTHER if misere else boards.MOVER, DRAW
        ends = boards.OVERLINE if line.exact else boards.ANY_ENDS
        if isinstance(inner, Caro):  # a letter has no other side whose marks could close an end
            ends = boards.OVERLINE_OR_BOTH
        header = [cells, len(places), line.length, ends, letters, line_wins, full]
        through: list[list[int]] = [[] for _ in range(cells)]
        fences = list[int]()
        self._places: list[int] = []
        for number, place in enumerate(places):
            for cell in place.cells:
                through[cell].append(number)
            self._places.append(sum(place.cells) << boards.SUM)
            ahead, behind = place.ahead[:1] or (cells,), place.behind[:1] or (cells,)
            fences += (*behind, *ahead)
        above = [-1] * cells
        self._floor = list(range(cells))
        if line.gravity:
            stacks = line.topology.stacks(line.shape)
            assert stacks is not None, "the constructor of the rules has seen to it"
            self._floor = [stack[0] for stack in stacks]
            for stack in stacks:
                for cell, upper in pairwise(stack):
                    above[cell] = upper
        starts, listed = [0], list[int]()
        for numbers in through:
            listed += numbers
            starts.append(len(listed))
        self.tables: Words = np.array([*header, *starts, *above, *fences, *listed], np.int64)
        self._above = above

    def state(self, position: Position) -> Words:
        """Return the words of a position that is not over."""
        tables, cells = self.tables, self._line.shape.cells
        size = int(boards.stack_at(tables, 1)) + len(self._places)
        state: Words = np.zeros(size, np.int64)
        state[TURN] = position.turn
        state[boards.OPEN] = len(self._floor)
        state[boards.WORDS : boards.WORDS + len(self._places)] = self._places
        owners, opened, index = (
            int(at(tables)) for at in (boards.owners_at, boards.open_at, boards.index_at)
        )
        state[owners : owners + cells + 1] = 2
        state[opened : opened + len(self._floor)] = self._floor
        state[index : index + cells] = -1
        state[index + np.array(self._floor)] = np.arange(len(self._floor))
        letters = (
            dict.fromkeys(self._line.lines.layout.cells(position.stones[letter]), letter)
            for letter in (0, 1)
        )
        marks = {cell: letter for part in letters for cell, letter in part.items()}
        for floor in self._floor:
            cell = floor
            while cell in marks:
                boards.put(state, tables, np.int64(cell), np.int64(marks[cell]))
                cell = self._above[cell]
        return state


class UltimateGame(Game):
    """Ultimate tic-tac-toe, or its misère play."""

    parts: GameParts = ultimate.ULTIMATE
    ply_cost: int = 90

    def __init__(self, rules: Ultimate, *, misere: bool) -> None:
        self._rules = rules
        cells = rules.local.shape.cells
        self.most_moves: int = cells * cells
        has_line = rules.local.has_line
        lined = [int(has_line(bits)) for bits in range(1 << cells)]
        completing = [
            sum(1 << cell for cell in range(cells) if lined[bits | 1 << cell])
            for bits in range(1 << cells)
        ]
        header = [cells, int(misere), int(rules.stays_open)]
        self.tables: Words = np.array([*header, *lined, *completing], np.int64)
        self._blocks = blocks(rules.shape, rules.local.shape)

    def state(self, position: Position) -> Words:
        """Return the words of a position that is not over."""
        cells = self._rules.local.shape.cells
        sides = [self._rules.side(stones).boards for stones in position.stones]
        won = self._rules.won(position)
        full = (1 << cells) - 1
        taken = [crosses | naughts for crosses, naughts in zip(*sides)]
        closed = sum(1 << board for board, bits in enumerate(taken) if bits == full)
        if not self._rules.stays_open:
            closed |= won[0] | won[1]
        forced = position.memory % (cells + 1)
        return np.array([position.turn, 0, forced, *won, closed, *sides[0], *sides[1]], np.int64)

    def move_of(self, code: int) -> int:
        """Return the cell of a move."""
        return self._blocks.cell(code >> ultimate.BOARD_SHIFT, code & ultimate.CELL_MASK)


def game_of(rules: Rules) -> Game | None:
    """Return the game of rules that the compiled search knows, else ``None``."""
    inner = without_misere(rules)
    if type(inner) is Ultimate and inner.local.shape.cells <= MOST_CELLS:
        if can_be_lost_again(inner):
            return None
        return UltimateGame(inner, misere=isinstance(rules, Misere))
    line = inner.line if isinstance(inner, LetterRules) else inner
    is_known = type(inner) in (
        LineRules,
        Caro,
        Wild,
        OrderAndChaos,
    )  # a subclass may have any rules
    if not (isinstance(line, LineRules) and is_known and type(line) in (LineRules, Caro)):
        return None
    return BoardGame(line, rules) if line.length > 1 else None
