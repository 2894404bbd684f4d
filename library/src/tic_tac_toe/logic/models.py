"""The values that people hold: marks, grids, game states and moves."""

from __future__ import annotations

import enum
import operator
import random
from dataclasses import dataclass, field
from functools import cached_property

from tic_tac_toe.logic.exceptions import (
    InvalidGameState,
    InvalidMove,
    Message,
    UnknownGameScore,
    require,
)
from tic_tac_toe.logic.positions import Position, bits_of, cells_of
from tic_tac_toe.logic.rules import Outcome, Rules, rules_of
from tic_tac_toe.logic.rules.alternation import starter_of
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE
from tic_tac_toe.logic.rules.spelling import move_meant, name_of_move
from tic_tac_toe.logic.rules.traits import (
    beginner,
    count_moves,
    placement,
    side_name,
    special_name,
    traits_of,
    whole_move,
)
from tic_tac_toe.logic.shapes import Shape
from tic_tac_toe.logic.validators import check_turn, validate_game_state, validate_grid

_CLASSIC_SHAPE = Shape()


class Mark(str, enum.Enum):
    """The mark of a player, equal to its letter; ``side`` is its index in a `Position`."""

    CROSS = "X"
    NAUGHT = "O"

    # A mark equals its letter and so needs its hash: a set of letters then holds the marks.
    __hash__ = str.__hash__

    # Python 3.11 and later would write "Mark.CROSS" in formatted text.
    def __str__(self) -> str:
        return self.value

    def __format__(self, format_spec: str) -> str:
        return format(self.value, format_spec)

    @property
    def other(self) -> Mark:
        """The opponent's mark."""
        return Mark.NAUGHT if self is Mark.CROSS else Mark.CROSS

    @property
    def side(self) -> int:
        """0 for cross, 1 for naught: the index of this mark in a `Position`."""
        return 0 if self is Mark.CROSS else 1


MARKS = (Mark.CROSS, Mark.NAUGHT)


@dataclass(frozen=True, repr=False)
class Grid:
    """The cells of a board in reading order, each ``X``, ``O`` or space.

        >>> GameState(Grid("XXO O X O")).current_mark
        <Mark.CROSS: 'X'>

    Raises:
        ValueError: a wrong number of cells, or a cell of anything else.
    """

    cells: str = " " * 9
    shape: Shape = field(default=_CLASSIC_SHAPE, kw_only=True)

    def __post_init__(self) -> None:
        validate_grid(self)

    def __repr__(self) -> str:
        shape = "" if self.shape == _CLASSIC_SHAPE else f", shape={self.shape!r}"
        return f"Grid(cells={self.cells!r}{shape})"

    @cached_property
    def x_count(self) -> int:
        """The number of crosses."""
        return self.cells.count("X")

    @cached_property
    def o_count(self) -> int:
        """The number of naughts."""
        return self.cells.count("O")

    @cached_property
    def empty_count(self) -> int:
        """The number of empty cells."""
        return self.cells.count(" ")


@dataclass(frozen=True, repr=False)
class Move:
    """A mark placed in a cell, with the states before and after; printed as its name, ``B2``.

    Args:
        mark: the letter that was placed: in most games the mover's own.
        cell_index: where. A move that places nothing has the letter and the cell that it changed.
        number: the move as its rules number it, see `logic.rules.traits`; the cell unless
            given.
    """

    mark: Mark
    cell_index: int
    before_state: GameState
    after_state: GameState
    number: int = field(default=-1, kw_only=True, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.number < 0:
            object.__setattr__(self, "number", self.cell_index)

    def __repr__(self) -> str:
        """Return the fields in the classic game, else the name: states of large boards are long."""
        if self.before_state.rules != TIC_TAC_TOE:
            return f"<Move {self.name}>"
        fields = ("mark", "cell_index", "before_state", "after_state")
        return f"Move({', '.join(f'{name}={getattr(self, name)!r}' for name in fields)})"

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name that players write: ``B2``, under gravity the column, ``swap``."""
        return name_of_move(self.before_state.rules, self.number)

    @property
    def player(self) -> Mark:
        """The side that moved."""
        return self.before_state.current_mark

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        from tic_tac_toe.pictures.svg import svg

        return svg(self.after_state, last=self.cell_index)


@dataclass(frozen=True, repr=False)
class GameState:
    """A game in progress or over: the grid, the side that started, and the rules.

    Args:
        grid: the cells.
        starting_mark: the mark that moved first.
        rules: the game; 3x3 tic-tac-toe unless given.
        memory: see `Position`; 0 except in games like ultimate.
        turn: the mark to move next, or that would be if the game went on. Unless given, it follows
            from the starting mark and the number of marks on the grid.
        drawn: whether the game ended as a draw that the board does not show, because its position
            came back too often (see `logic.repetition`).

    Raises:
        InvalidGameState: no game by these rules reaches the state.
    """

    grid: Grid
    starting_mark: Mark = Mark.CROSS
    rules: Rules = field(default=TIC_TAC_TOE, kw_only=True)
    memory: int = field(default=0, kw_only=True)
    turn: Mark | None = field(default=None, kw_only=True)
    drawn: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        require(self.grid, Grid, "a Grid (parse_state reads a text)")
        object.__setattr__(self, "rules", rules_of(self.rules))
        object.__setattr__(self, "starting_mark", Mark(self.starting_mark))
        object.__setattr__(self, "turn", Mark(self.turn) if self.turn else self._next_by_counting)
        validate_game_state(self)

    def __repr__(self) -> str:
        extra = "" if self.rules == TIC_TAC_TOE else f", rules={self.rules!r}"
        extra += f", memory={self.memory}" if self.memory else ""
        extra += f", turn={self.turn!r}" if self.turn is not self._next_by_counting else ""
        extra += ", drawn=True" if self.drawn else ""
        return f"GameState(grid={self.grid!r}, starting_mark={self.starting_mark!r}{extra})"

    def __str__(self) -> str:
        """Return a drawing in plain text, and below it whose turn it is or how the game ended."""
        from tic_tac_toe.pictures.letters import describe

        return describe(self)

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        from tic_tac_toe.pictures.svg import svg

        return svg(self)

    @classmethod
    def new(cls, rules: Rules | str = TIC_TAC_TOE, starting_mark: Mark = Mark.CROSS) -> GameState:
        """Return the start of a game.

            >>> print(GameState.new("connect-four-5x4").play("3").play("3"))
              A B C D E
            1 . . . . .
            2 . . . . .
            3 . . O . .
            4 . . X . .
              1 2 3 4 5
            <BLANKLINE>
            X to move

        Args:
            rules: the rules, or the name of the game.

        Raises:
            InvalidGameState: the other side begins in this game, as Order does.
            InvalidVariant: no game has that name.
        """
        rules = rules_of(rules)
        begins = beginner(rules, Mark(starting_mark).side)
        if begins != Mark(starting_mark).side:
            raise InvalidGameState(
                "{side} begins, so {mark} cannot be the starting mark",
                "wrong_beginner",
                side=Message(side_name(rules, begins), "side"),
                mark=Mark(starting_mark).value,
            )
        shape = rules.shape
        return cls(Grid(" " * shape.cells, shape=shape), starting_mark, rules=rules)

    @classmethod
    def at(
        cls, rules: Rules | str, position: Position, starting_mark: Mark | None = None
    ) -> GameState:
        """Return the state that shows a position.

        Args:
            starting_mark: the mark that moved first. Unless given, it follows from the side to move
                and the number of marks.

        Raises:
            InvalidGameState: no game by these rules reaches the position.
        """
        rules = rules_of(rules)
        require(position, Position, "a Position")
        (crosses, naughts), turn, memory = position
        stones = operator.index(crosses), operator.index(naughts)
        position = Position(stones, operator.index(turn), operator.index(memory))
        rules.validate(position)
        starter = MARKS[starter_of(position)] if starting_mark is None else Mark(starting_mark)
        state = cls._trusted(rules, starter, position)
        if starting_mark is not None:
            check_turn(state)
        return state

    @classmethod
    def _trusted(cls, rules: Rules, starting_mark: Mark, position: Position) -> GameState:
        """Return a state without validating it again: the rules themselves made the position."""
        shape = rules.shape
        grid = object.__new__(Grid)
        grid.__dict__.update(cells=cells_of(position.stones, shape), shape=shape)
        state = object.__new__(cls)
        state.__dict__.update(
            grid=grid,
            starting_mark=starting_mark,
            rules=rules,
            memory=position.memory,
            turn=MARKS[position.turn],
            drawn=False,
            position=position,
        )
        return state

    def as_drawn(self) -> GameState:
        """Return the same state after the game has been declared a draw."""
        state = self._trusted(self.rules, self.starting_mark, self.position)
        state.__dict__["drawn"] = True
        return state

    # -- where the game stands -------------------------------------------------------------------

    @cached_property
    def position(self) -> Position:
        """The same state as searches hold it."""
        stones = bits_of(self.grid.cells, "X"), bits_of(self.grid.cells, "O")
        return Position(stones, self.current_mark.side, self.memory)

    @property
    def current_mark(self) -> Mark:
        """The mark to move next, or that would be if the game went on."""
        return self.turn or self._next_by_counting

    @property
    def _next_by_counting(self) -> Mark:
        """The mark to move next if each move has added one mark to the grid."""
        marks = len(self.grid.cells) - self.grid.empty_count
        return MARKS[(self.starting_mark.side + marks) % 2]

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it goes on."""
        return self.rules.outcome(self.position) or (Outcome(None) if self.drawn else None)

    @cached_property
    def game_not_started(self) -> bool:
        """Whether the grid is empty."""
        return not self.position.occupied

    @cached_property
    def game_over(self) -> bool:
        """Whether a side has won or no move is left."""
        return self.outcome is not None

    @cached_property
    def tie(self) -> bool:
        """Whether the game ended without a winner."""
        return self.outcome is not None and self.outcome.winner is None

    @cached_property
    def winner(self) -> Mark | None:
        """The mark that has won, if any."""
        if self.outcome is None or self.outcome.winner is None:
            return None
        return MARKS[self.outcome.winner]

    @property
    def winning_cells(self) -> list[int]:
        """The cells that decided the game, ascending; empty without a winner."""
        return [] if self.outcome is None else list(self.outcome.cells)

    # -- how it can go on ------------------------------------------------------------------------

    @cached_property
    def legal_moves(self) -> tuple[int, ...]:
        """The legal moves as the rules number them, ascending; none once the game is over."""
        return () if self.drawn else tuple(self.rules.moves(self.position))

    @cached_property
    def legal_cells(self) -> tuple[int, ...]:
        """The cells in which a mark may be placed, ascending; none once the game is over."""
        traits = traits_of(self.rules)
        if traits.choices is None and not traits.specials:
            return self.legal_moves
        turn = self.current_mark.side
        placed = (placement(self.rules, turn, move) for move in self.legal_moves)
        return tuple(sorted({one.cell for one in placed if one is not None}))

    @property
    def special_moves(self) -> dict[str, int]:
        """The legal moves that place nothing, such as ``swap``: their numbers by their words."""
        if not traits_of(self.rules).specials:
            return {}
        words = ((special_name(self.rules, move), move) for move in self.legal_moves)
        return {word: move for word, move in words if word is not None}

    @property
    def possible_moves(self) -> list[Move]:
        """The legal moves, in the order of their numbers."""
        return [self.trusted_move(move) for move in self.legal_moves]

    def make_random_move(self, rng: random.Random | None = None) -> Move | None:
        """Return a move chosen evenly among the legal ones, or ``None`` once the game is over."""
        if not self.legal_moves:
            return None
        choose = random.choice if rng is None else rng.choice
        return self.trusted_move(choose(self.legal_moves))

    def make_move_to(self, index: int) -> Move:
        """Return the move of the side to move with a number: in plain games the cell.

        Raises:
            InvalidMove: there is no such move, the cell is taken, or the rules do not allow it now.
        """
        move = whole_move(index)
        last = count_moves(self.rules) - 1
        if not 0 <= move <= last:
            raise InvalidMove("Cell must be from 0 to {last}", "cell_range", last=last)
        if self.game_over:
            raise InvalidMove("The game is over", "game_over")
        if move not in self.legal_moves:
            self.rules.play(self.position, move)  # raises, with the reason
            raise InvalidMove("Cell cannot be played now", "closed_cell")
        return self.trusted_move(move)

    def move(self, move: int | str | Move) -> Move:
        """Return the move of the side to move with a number or a name, or that of another `Move`.

            >>> GameState.new("connect-four").move("4").cell_index
            38

        Args:
            move: the number that the rules have for it, in plain games the cell; or what players
                write, such as ``B2``, ``XB2`` or ``swap``, and under gravity the column: 4 is a
                cell, "4" a column.

        Raises:
            InvalidMove: there is no such move, the cell is taken, or the rules do not allow it now.
            InvalidNotation: the text is no move; the message lists what is accepted.
        """
        if isinstance(move, Move):
            move = move.number
        if not isinstance(move, str):
            return self.make_move_to(move)
        return self.make_move_to(move_meant(self.rules, self.position, move))

    def play(self, move: int | str | Move) -> GameState:
        """Return the state after the move with a number or a name; see `move`.

        >>> GameState.new().play("B2").play("A1").legal_cells
        (1, 2, 3, 5, 6, 7, 8)
        """
        return self.move(move).after_state

    def evaluate_score(self, mark: Mark) -> int:
        """Return 1 if the mark has won, 0 for a tie, -1 if it has lost.

        Raises:
            UnknownGameScore: the game is not over yet.
            ValueError: ``mark`` is neither X nor O.
        """
        mark = Mark(mark)
        if not self.game_over:
            raise UnknownGameScore("Game is not over yet", "game_not_over")
        if self.tie:
            return 0
        return 1 if self.winner is mark else -1

    def trusted_move(self, move: int) -> Move:
        """Return the move with a number that is known to be legal; `make_move_to` asks first."""
        position, turn, move = self.position, self.current_mark, operator.index(move)
        after = self.rules.play(position, move)
        state = self._trusted(self.rules, self.starting_mark, after)
        side = position.turn
        if after.stones[side] & ~position.stones[side] == 1 << move:  # as in every plain game
            return _move(turn, move, self, state, move)
        placed = placement(self.rules, side, move)
        if placed is None:
            changed = position.stones[0] ^ after.stones[0] | position.stones[1] ^ after.stones[1]
            cell = (changed & -changed).bit_length() - 1
            return _move(turn, cell, self, state, move)
        return _move(MARKS[placed.mark], placed.cell, self, state, move)


def _move(mark: Mark, cell: int, before: GameState, after: GameState, number: int) -> Move:
    """Return a move without the checks that its constructor needs."""
    move = object.__new__(Move)
    move.__dict__.update(
        mark=mark, cell_index=cell, before_state=before, after_state=after, number=number
    )
    return move
