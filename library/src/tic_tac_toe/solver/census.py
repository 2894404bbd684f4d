"""Whole games counted ply by ply: enumerated by compiled code where that is possible."""

from __future__ import annotations

from collections.abc import Iterator

from tic_tac_toe.limits import MAXIMUM_CELLS
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.tables import Census, is_small, walk_census
from tic_tac_toe.solver.support import is_fast


def take_census(
    rules: Rules, start: Position = Position(), *, symmetric: bool = True, values: bool = False
) -> Iterator[Census]:
    """Yield what the game holds, ply by ply from the start to the longest game.

    Games that `enumeration.enumerate_game` takes are counted by it, from the empty board: 4,4,4
    takes seconds and some 500 MB. Small games, and all others, are walked through in plain Python
    (`walk_census`), which begins to yield at once and can be stopped after some plies.

    Args:
        symmetric: count the classes under the rules' symmetry; else each position is a class.
        values: count the positions by who wins under best play as well.
    """
    traits = traits_of(rules)
    is_flat = not (traits.torus or traits.layered or traits.specials)
    can_enumerate = start == Position() and rules.shape.cells <= MAXIMUM_CELLS and is_flat
    if can_enumerate and not is_small(rules) and is_fast(rules):
        from tic_tac_toe.solver.enumeration import enumerate_plies

        yield from enumerate_plies(rules, symmetric=symmetric, values=values)
    else:
        yield from walk_census(rules, start, symmetric=symmetric, values=values)
