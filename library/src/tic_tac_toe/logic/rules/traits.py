"""The properties of games for notation, pictures and screens, and the numbering of moves.

A move is a number of the rules' own, in plain games the cell where the mover's mark lands. Where
the mover chooses among letters (`Traits.choices`), the moves with the first come first, then those
with the second; moves that place nothing (`Traits.specials`) come last::

    0 ... 8    an X in a cell        9 ... 17    an O in a cell        18    swap
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, SupportsIndex, TypeAlias, cast

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.rules import Rules, require_rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.lines import PLANE

if TYPE_CHECKING:
    from tic_tac_toe.logic.positions import Position
    from tic_tac_toe.logic.rules import Rules, require_rules
    from tic_tac_toe.logic.shapes import Shape

#: Cells, such as those of a line, or those that the cells of the board go to.
Cells: TypeAlias = tuple[int, ...]

#: In `Traits.longest`: a game takes at most one ply for each cell of the board.
ALL_CELLS: Final = -1


#: In `Traits.choices`: the mover places either letter.
BOTH_LETTERS: Final = (0, 1)
#: In `Traits.specials`: the move by which the second player takes over the first mark.
SWAP: Final = "swap"


class Digits(enum.Enum):
    """The meaning of a number that a player types as a move."""

    COLUMNS = "columns"
    NUMBER_PAD = "number pad"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Traits:
    """The properties of a game; the defaults are those of tic-tac-toe.

    Rules state theirs as an attribute or property ``traits``. Ask `traits_of`, which fills in what
    follows from the board.

    Args:
        length: the number of marks in a row that make a line, if lines decide the game.
        gravity: marks fall to the lowest empty cell of their column.
        exact: a row longer than ``length`` is not a line.
        misere: a player who completes a line loses.
        torus: rows run on at the other side of the board.
        blocks: the shape of each block that the board is divided into, such as the small boards of
            ultimate; ``None`` for an undivided board. It divides the board evenly.
        layered: the blocks are layers that lie upon each other, the lowest first.
        stacks: under gravity the cells that lie upon each other, each stack from the floor up.
            Unless given: the columns.
        choices: the letters that the mover may place, 0 for X and 1 for O; ``None`` where each side
            has its own. `placement` then says what a move means.
        symbols: the sign before the cell in a move of each choice, if not the letter: a digit, for
            instance.
        contents: returns the sign that each cell shows, if not the letter of the mark in it; the
            signs of empty cells are not used.
        specials: the names of the moves that place nothing, such as ``swap``.
        sides: the names of the players, if not their letters.
        begins: the side that moves first, 0 or 1, where only one may.
        owners: returns the winner of each block in reading order, 0, 1 or ``None``.
        memory: the meaning of `Position.memory`: a ``"number"``; or a ``"block"``, the number of
            the block that must be played in plus 1, and 0 where any block may. The rules may add
            multiples of the number of blocks plus 1.
        digits: the meaning of a number as a move. Unless given: a column under gravity, a key of
            the number pad on other 3x3 boards, else nothing.
        longest: the number of plies of the longest game; ``None`` where positions can come back.
        leaving: returns the cells whose marks leave the board next, that of the side to move first.
        words: other properties, in single words for programs; screens describe those they know.
        lines: returns the cells of each line, if lines decide the game.
        symmetries: returns every permutation of the cells that keeps the rules, the identity first:
            entry *i* of each is the cell that cell *i* goes to. `check_rules` tries them.
        turned: returns what `Position.memory` becomes under a permutation of the cells; the same
            unless given.
        alike: whether X and O can be exchanged where the mover chooses the letter.
        planes: returns what the memory holds as planes by name, a number for each cell.
    """

    length: int | None = None
    gravity: bool = False
    exact: bool = False
    misere: bool = False
    torus: bool = False
    blocks: Shape | None = None
    layered: bool = False
    stacks: tuple[tuple[int, ...], ...] | None = None
    choices: tuple[int, ...] | None = None
    symbols: tuple[str, ...] | None = None
    contents: Callable[[Position], Sequence[str]] | None = field(default=None, compare=False)
    specials: tuple[str, ...] = ()
    sides: tuple[str, str] = ("X", "O")
    begins: int | None = None
    owners: Callable[[Position], Sequence[int | None]] | None = field(default=None, compare=False)
    memory: Literal["number", "block"] = "number"
    digits: Digits | None = None
    longest: int | None = ALL_CELLS
    leaving: Callable[[Position], Sequence[int]] | None = field(default=None, compare=False)
    words: tuple[str, ...] = ()
    lines: Callable[[], Iterable[Cells]] | None = field(default=None, compare=False)
    symmetries: Callable[[], Sequence[Cells]] | None = field(default=None, compare=False)
    turned: Callable[[int, Cells], int] | None = field(default=None, compare=False)
    alike: bool = False
    planes: Callable[[Position], Mapping[str, Sequence[int]]] | None = field(
        default=None, compare=False
    )

    @property
    def flags(self) -> tuple[str, ...]:
        """The properties in single words, for programs and variant names."""
        special = {
            "gravity": self.gravity,
            "exact": self.exact,
            "torus": self.torus,
            "ultimate": self.memory == "block",
            "wild": self.choices == BOTH_LETTERS,
            "misere": self.misere,
            "pie": SWAP in self.specials,
        }
        return (*(flag for flag, holds in special.items() if holds), *self.words)

    @property
    def tells_starter(self) -> bool:
        """Whether the marks on the board and whose turn it is tell who has started."""
        return self.longest is not None and not self.specials


def beginner(rules: Rules, side: int) -> int:
    """Return the side that moves first: the one asked for, unless only the other may begin."""
    begins = traits_of(rules).begins
    return side if begins is None else begins


def side_name(rules: Rules, side: int) -> str:
    """Return the name of player 0 or 1: a letter, or a name in English."""
    return traits_of(rules).sides[side]


def leaving_cells(rules: Rules, position: Position) -> tuple[int, ...]:
    """Return the cells whose marks leave the board next, if any do in this game."""
    leaving = traits_of(rules).leaving
    return tuple(leaving(position)) if leaving else ()


def cell_signs(rules: Rules, position: Position, cells: str) -> Sequence[str]:
    """Return the sign that each cell shows.

    Args:
        cells: the letters of the marks, which most games show.
    """
    contents = traits_of(rules).contents
    return contents(position) if contents else cells


@lru_cache(maxsize=256)
def traits_of(rules: Rules) -> Traits:
    """Return the traits that the rules state, with the defaults that follow from the board."""
    require_rules(rules)
    stated: Traits = getattr(rules, "traits", None) or Traits()
    digits, longest, stacks = stated.digits, stated.longest, stated.stacks
    if stated.gravity and stacks is None:
        stacks = PLANE.stacks(rules.shape)
    if digits is None and stated.gravity and not stated.layered:
        digits = Digits.COLUMNS
    elif digits is None:
        digits = Digits.NUMBER_PAD if rules.shape == (3, 3) else Digits.NOTHING
    if longest == ALL_CELLS:
        longest = rules.shape.cells
    return replace(stated, digits=digits, longest=longest, stacks=stacks)


def plies_left(rules: Rules, position: Position) -> int | None:
    """Return the most plies that a game can still take; ``None`` where positions can come back."""
    longest = traits_of(rules).longest
    return None if longest is None else longest - position.marks


class Placement(NamedTuple):
    """A mark in a cell.

    Attributes:
        mark: the letter, 0 for X and 1 for O; not the player.
    """

    cell: int
    mark: int


def whole_move(move: object) -> int:
    """Return a move as an exact `int`, given an `int` or a number of NumPy.

    Raises:
        InvalidMove: it is no whole number, or a truth value.
    """
    kind = type(move)
    if kind is bool or not issubclass(kind, Integral):
        name = kind.__name__
        raise InvalidMove("Cell must be a whole number, not {kind}", "cell_kind", kind=name)
    return index(cast("SupportsIndex", move))


def placement(rules: Rules, turn: int, move: int) -> Placement | None:
    """Return the mark that a move of a side places, and its cell; ``None`` if it places nothing."""
    number, cell = divmod(index(move), rules.shape.cells)
    choices = traits_of(rules).choices or (turn,)
    return Placement(cell, choices[number]) if number < len(choices) else None


def cell_of(rules: Rules, move: int) -> int | None:
    """Return the cell in which a move places something; ``None`` if it places nothing."""
    placed = placement(rules, 0, move)
    return None if placed is None else placed.cell


def move_to(rules: Rules, cell: int, choice: int = 0) -> int:
    """Return the move that places the letter of a number in `Traits.choices` in a cell."""
    return index(cell) + choice * rules.shape.cells


def special_move(rules: Rules, name: str) -> int:
    """Return the move of a name in `Traits.specials`."""
    return _placements(rules) + traits_of(rules).specials.index(name)


def special_name(rules: Rules, move: int) -> str | None:
    """Return the name of a move that places nothing, else ``None``."""
    number = index(move) - _placements(rules)
    return traits_of(rules).specials[number] if number >= 0 else None


def letters(rules: Rules) -> tuple[str, ...]:
    """Return the letters that the mover chooses among; none where each side has its own.

    In games with `Traits.symbols` these stand for the letters.
    """
    if not chooses_letter(rules):
        return ()
    traits = traits_of(rules)
    return traits.symbols or tuple(NAMES[choice] for choice in traits.choices or ())


def letter_of(rules: Rules, move: int) -> str:
    """Return the letter that a move places, if the mover chooses it; else an empty text."""
    number, chosen = index(move) // rules.shape.cells, letters(rules)
    return chosen[number] if number < len(chosen) else ""


def chooses_letter(rules: Rules) -> bool:
    """Return whether the mover chooses the letter to place."""
    return len(traits_of(rules).choices or ()) > 1


def count_moves(rules: Rules) -> int:
    """Return the number of moves, legal or not: each is less than this."""
    return _placements(rules) + len(traits_of(rules).specials)


def _placements(rules: Rules) -> int:
    return len(traits_of(rules).choices or (0,)) * rules.shape.cells
