"""Plans: how a side plays without any search, from a position on, as `certificate_check` says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple, TypeGuard

from tic_tac_toe.certificate_check import SIGNS
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.solver.support import supports


class Rule(Enum):
    """Why a plan answers as it does; the first rule that applies."""

    COMPLETE = 1
    STOP = 2
    WANT = 3


class Answer(NamedTuple):
    """A cell, and the rule that names it."""

    cell: int
    rule: Rule


def has_plans(rules: Rules) -> TypeGuard[LineRules]:
    """Return whether there are plans in a game: under gravity, where the fast solver knows it."""
    return type(rules) is LineRules and rules.gravity and supports(rules)


def ranks_of(cells: Sequence[int]) -> dict[int, int]:
    """Return the ranks of a plan's cells from 0, as few as it takes.

    Args:
        cells: the empty ones, the one that is wanted most first. Of those that follow each other in
            reading order the first is wanted more anyway, so they share a rank.
    """
    rank, ranks = 0, dict[int, int]()
    for before, cell in zip([-1, *cells], cells):
        rank += cell < before
        ranks[cell] = rank
    return ranks


def cells_by(ranks: Mapping[int, int]) -> tuple[int, ...]:
    """Return the cells of a plan with these ranks, the one that is wanted most first."""
    return tuple(sorted(ranks, key=lambda cell: (ranks[cell], cell)))


def signs_of(cells: Sequence[int]) -> dict[int, str]:
    """Return the signs of a plan's cells; for them see `ranks_of`."""
    return {cell: SIGNS[rank] for cell, rank in ranks_of(cells).items()}


def answer(rules: LineRules, position: Position, cells: Sequence[int]) -> Answer | None:
    """Return how a plan answers in a position; ``None`` where it fails or the game is over.

    Args:
        cells: as for `ranks_of`; those that are taken are passed over.
    """
    moves = rules.moves(position)
    own, other = (position.stones[side] for side in (position.turn, 1 - position.turn))
    for marks, rule in (own, Rule.COMPLETE), (other, Rule.STOP):
        found = [cell for cell in moves if rules.has_line(marks | 1 << cell)]
        if rule is Rule.COMPLETE and found:
            return Answer(found[0], rule)
        if len(found) > 1:
            return None
        if found:
            return Answer(found[0], rule)
    for cell in cells:
        above = cell - rules.shape.columns
        if cell in moves and not (above >= 0 and rules.has_line(other | 1 << above)):
            return Answer(cell, Rule.WANT)
    return None
