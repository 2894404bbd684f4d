"""Actions, symmetries, planes and lines of games, for programs that learn.

Each function takes the rules or the name of a game, or a state, its text or a `Position` in rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import index

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import StateLike, move_name, state_of
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, rules_of
from tic_tac_toe.logic.rules.traits import (
    count_moves,
    placement,
    special_move,
    special_name,
    traits_of,
)
from tic_tac_toe.logic.shapes import blocks, layout


@dataclass(frozen=True)
class Actions:
    """The actions of a game, numbered from 0, and what moves they are; take it from `actions`.

    Where marks fall an action is a stack of cells, such as a column: Connect Four has 7 actions and
    42 moves. In all other games an action is a move. Where the mover chooses the letter, the
    actions of the second letter follow those of the first, and moves that place nothing come last.
    """

    rules: Rules

    def __len__(self) -> int:
        """Return the number of actions, legal or not."""
        return len(self._moves_of)

    def move(self, where: StateLike | Position, action: int) -> int:
        """Return the move that an action is in a position.

        Raises:
            InvalidMove: there is no such action, or its column is full.
        """
        position, action = _position(where), self._require(action)
        cells = self.rules.shape.cells
        for move in self._moves_of[action]:
            if len(self._moves_of[action]) == 1 or not position.occupied >> move % cells & 1:
                return move
        raise InvalidMove("all cells of this action are taken", "action_full")

    def action(self, move: int) -> int:
        """Return the action that a move belongs to.

        Raises:
            InvalidMove: there is no such move.
        """
        number = index(move)
        if number not in self._action_of:
            raise InvalidMove("There is no such move", "no_such_move")
        return self._action_of[number]

    def legal(self, where: StateLike | Position) -> tuple[int, ...]:
        """Return the legal actions, ascending; none once the game is over."""
        moves = self.rules.moves(_position(where))
        return tuple(sorted(self._action_of[move] for move in moves))

    def mask(self, where: StateLike | Position) -> tuple[bool, ...]:
        """Return for each action whether it is legal."""
        legal = {*self.legal(where)}
        return tuple(action in legal for action in range(len(self)))

    def name(self, action: int) -> str:
        """Return what players write for an action on the empty board: ``4``, ``B2``, ``swap``.

        Raises:
            InvalidMove: there is no such action.
        """
        self._require(action)
        return move_name(GameState.new(self.rules), self._moves_of[action][0])

    def _require(self, action: int) -> int:
        action = index(action)
        if not 0 <= action < len(self):
            raise InvalidMove(
                "the action must be from 0 to {last}", "action_range", last=len(self) - 1
            )
        return action

    @cached_property
    def _moves_of(self) -> tuple[tuple[int, ...], ...]:
        """For each action its moves, the lowest cell first."""
        traits, cells = traits_of(self.rules), self.rules.shape.cells
        stacks = traits.stacks or tuple((cell,) for cell in range(cells))
        placing = [
            tuple(choice * cells + cell for cell in stack)
            for choice in range(len(traits.choices or (0,)))
            for stack in stacks
        ]
        return (*placing, *((special_move(self.rules, name),) for name in traits.specials))

    @cached_property
    def _action_of(self) -> dict[int, int]:
        return {move: action for action, moves in enumerate(self._moves_of) for move in moves}


def actions(game: Rules | str) -> Actions:
    """Return the actions of a game.

    >>> columns = actions("connect-four")
    >>> len(columns), columns.move("connect-four", 3), columns.action(38)
    (7, 38, 3)
    """
    return _actions(rules_of(game))


@lru_cache(maxsize=64)
def _actions(rules: Rules) -> Actions:
    return Actions(rules)


@dataclass(frozen=True)
class GameSymmetry:
    """A way to turn a game around that keeps all its rules; take it from `symmetries`.

    Args:
        rules: the game.
        cells: entry *i* is the cell that cell *i* goes to.
        exchanges: whether X and O are exchanged as well, where the mover chooses the letter.

    Attributes:
        moves: entry *i* is the move that move *i* becomes.
        actions: the same for the actions of `actions`: a policy is turned by it.
    """

    rules: Rules
    cells: tuple[int, ...]
    exchanges: bool = False
    moves: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "moves", tuple(map(self._move, range(count_moves(self.rules)))))

    def _move(self, move: int) -> int:
        if special_name(self.rules, move) is not None:
            return move
        choice, cell = divmod(move, len(self.cells))
        return (1 - choice if self.exchanges else choice) * len(self.cells) + self.cells[cell]

    @cached_property
    def actions(self) -> tuple[int, ...]:
        """For each action the one that it becomes."""
        found = actions(self.rules)
        return tuple(found.action(self.moves[moves[0]]) for moves in found._moves_of)

    def __call__(self, position: Position) -> Position:
        """Return what a position becomes, with the same side to move."""
        cells_of, turned = layout(self.rules.shape).cells, traits_of(self.rules).turned
        crosses, naughts = (
            sum(1 << self.cells[cell] for cell in cells_of(stones)) for stones in position.stones
        )
        stones = (naughts, crosses) if self.exchanges else (crosses, naughts)
        memory = turned(position.memory, self.cells) if turned else position.memory
        return Position(stones, position.turn, memory)


def symmetries(game: Rules | str) -> tuple[GameSymmetry, ...]:
    """Return the symmetries of a game, the identity first.

    Each image of a position has the same moves, turned along, the same value and the same winner.
    Rules that state no `Traits.symmetries` have the identity alone.

        >>> [len(symmetries(game)) for game in ("tic-tac-toe", "connect-four", "qubic", "ultimate")]
        [8, 2, 48, 8]
        >>> symmetries("connect-four")[1].actions
        (6, 5, 4, 3, 2, 1, 0)
    """
    return _symmetries(rules_of(game))


@lru_cache(maxsize=64)
def _symmetries(rules: Rules) -> tuple[GameSymmetry, ...]:
    traits = traits_of(rules)
    images = traits.symmetries() if traits.symmetries else (tuple(range(rules.shape.cells)),)
    exchanges = (False, True) if traits.alike else (False,)
    return tuple(GameSymmetry(rules, image, other) for other in exchanges for image in images)


def planes(state: StateLike) -> dict[str, tuple[int, ...]]:
    """Return a state as planes by name, each with 0 or 1 for every cell.

    ``own`` and ``other`` are the marks of the side to move and of the other side, or ``X`` and
    ``O`` where marks belong to no side; ``playable`` the cells that a legal move marks; ``first``
    is all ones while X, the first side, is to move. Where the game has them: a plane of ones for
    each legal special move, ``own blocks`` and ``other blocks`` for those won, ``block`` for the
    one that must be played in, and the rules' own `Traits.planes`, such as the ages of marks.

        >>> {name: sum(plane) for name, plane in planes("XXO/O.X/.O.").items()}
        {'own': 3, 'other': 3, 'playable': 3, 'first': 9}
    """
    state = state_of(state)
    rules, position, traits = state.rules, state.position, traits_of(state.rules)
    size, turn = rules.shape.cells, position.turn
    cells = range(size)
    own, other = position.stones if traits.choices else position.stones[:: -1 if turn else 1]
    names = ("X", "O") if traits.choices else ("own", "other")
    playable = {*state.legal_cells}
    found = {
        names[0]: tuple(own >> cell & 1 for cell in cells),
        names[1]: tuple(other >> cell & 1 for cell in cells),
        "playable": tuple(int(cell in playable) for cell in cells),
        "first": (1 - turn,) * size,
    }
    for word in traits.specials:
        found[word] = (int(word in state.special_moves),) * size
    if traits.blocks and traits.owners:
        places, owners = blocks(rules.shape, traits.blocks).places, traits.owners(position)
        for name, side in (("own blocks", turn), ("other blocks", 1 - turn)):
            found[name] = tuple(int(owners[block] == side) for block, _ in places)
        if traits.memory == "block":
            count = blocks(rules.shape, traits.blocks).grid.cells
            forced = position.memory % (count + 1) - 1
            found["block"] = tuple(int(block == forced) for block, _ in places)
    if traits.planes:
        found.update({name: tuple(plane) for name, plane in traits.planes(position).items()})
    return found


def lines_of(game: Rules | str) -> tuple[tuple[int, ...], ...]:
    """Return the cells of each line of a game; none where lines do not decide it.

    >>> len(lines_of("tic-tac-toe")), len(lines_of("connect-four")), len(lines_of("qubic"))
    (8, 69, 76)
    """
    lines = traits_of(rules_of(game)).lines
    return tuple(lines()) if lines else ()


def completing_cells(state: StateLike, mark: Mark | None = None) -> tuple[int, ...]:
    """Return the cells in which a mark would end the game at once by a line, ascending.

    The rules decide what a line is. They are asked as if the side of that mark were to move.

        >>> completing_cells("XX./OO./..."), completing_cells("XX./OO./...", Mark("O"))
        ((2,), (5,))

    Args:
        mark: the letter to place; that of the side to move unless given.
    """
    state = state_of(state)
    if state.game_over:
        return ()
    mark = state.current_mark if mark is None else Mark(mark)
    rules, position = state.rules, state.position
    if traits_of(rules).choices is None:
        position = position._replace(turn=mark.side)
    return tuple(sorted({*_completing(rules, position, mark.side)}))


def _completing(rules: Rules, position: Position, letter: int) -> Iterator[int]:
    for move in rules.moves(position):
        placed = placement(rules, position.turn, move)
        if placed is not None and placed.mark == letter:
            outcome = rules.outcome(rules.play(position, move))
            if outcome is not None and outcome.cells:
                yield placed.cell


def _position(where: StateLike | Position) -> Position:
    return where if isinstance(where, Position) else state_of(where).position
