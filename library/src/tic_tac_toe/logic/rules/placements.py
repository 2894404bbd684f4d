"""What a move places: moves are numbers of the rules' own.

In plain games a move is the cell where the mover's mark lands. Where the mover chooses among
letters (`Traits.choices`), the moves with the first come first, then those with the second; moves
that place nothing (`Traits.specials`) come last::

    0 ... 8    an X in a cell        9 ... 17    an O in a cell        18    swap
"""

from __future__ import annotations

from numbers import Integral
from operator import index
from typing import NamedTuple, SupportsIndex, cast

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.traits import traits_of


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
    """Return what a move of a side places; ``None`` for a move that places nothing."""
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
    return rules.shape.cells * len(traits_of(rules).choices or (0,))
