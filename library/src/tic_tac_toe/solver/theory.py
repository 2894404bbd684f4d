"""Bounds that the theory of a game proves of a position without a search."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Foretelling, Rules
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.rules.traits import plies_left
from tic_tac_toe.logic.search.evaluation import MATE, Evaluation

#: How many lines are looked at before no pairs are found: more costs time and seldom helps.
PAIRING_EFFORT = 10_000


def foretell(rules: Rules, position: Position) -> Evaluation:
    """Return the bounds that theory proves of a position that is not over, and winning moves.

    That is who wins where the rules have a theory of their own (`Foretelling`), and that a side
    cannot win whose lines the other one can stop in pairs of cells.
    """
    if isinstance(rules, Foretelling):
        return _by_theory(rules, position)
    # A subclass may have lines of its own, and where marks fall the second cell may not be free.
    if type(rules) is not LineRules or rules.gravity:
        return Evaluation()
    low = 0 if _is_stopped(rules, position, 1 - position.turn) else -MATE
    high = 0 if _is_stopped(rules, position, position.turn) else MATE
    if low != high:
        return Evaluation(low, high, source="theory" if 0 in (low, high) else "")
    length = plies_left(rules, position)
    return Evaluation.exact(0, tuple(rules.moves(position)), length=length, source="theory")


def _by_theory(rules: Rules, position: Position) -> Evaluation:
    assert isinstance(rules, Foretelling), "it has been asked"
    winner, longest = rules.foretell(position), plies_left(rules, position) or MATE - 1
    if winner is None:
        return Evaluation(0, 0, source="theory")
    if winner != position.turn:
        return Evaluation(high=longest - MATE, source="theory")
    children = ((move, rules.play(position, move)) for move in rules.moves(position))
    best = tuple(move for move, child in children if rules.foretell(child) == winner)
    return Evaluation(low=MATE - longest, best=best, source="theory")


def _is_stopped(rules: LineRules, position: Position, side: int) -> bool:
    """Return whether the other side can stop every line of a side by answering in pairs of cells.

    It answers a mark in one cell of a pair with one in the other (Hales and Jewett, 1963).
    """
    own, other = position.stones[side], position.stones[1 - side]
    lines = {line.mask & ~own for line in rules.lines.places if not line.mask & other}
    # Two cells are in as many lines at most as one line has places for a second cell.
    most = (rules.shape.cells - position.marks) * (rules.length - 1) // 2
    is_hopeless = len(lines) > most or any(line.bit_count() < 2 for line in lines)
    return not is_hopeless and find_pairs(lines) is not None


def find_pairs(sets: Iterable[int]) -> list[int] | None:
    """Return disjoint pairs of cells such that each set of cells holds one, if they are found.

    The set that has the fewest cells left is looked at first; the search ends after some effort.
    """
    smallest = sorted({*sets}, key=int.bit_count)
    needed: list[int] = []
    for cells in smallest:
        if not any(fewer & cells == fewer for fewer in needed):  # whose pair serves this one, too
            needed.append(cells)
    effort = PAIRING_EFFORT

    def search(sets: list[int], taken: int) -> list[int] | None:
        nonlocal effort
        effort -= len(sets)
        if not sets:
            return []
        free = min((cells & ~taken for cells in sets), key=int.bit_count)
        if free.bit_count() < 2 or effort < 0:
            return None
        pairs = [1 << one | 1 << two for one, two in combinations(_cells(free), 2)]
        served = {pair: sum(cells & pair == pair for cells in sets) for pair in pairs}
        for pair in sorted(pairs, key=served.__getitem__, reverse=True):
            rest = search([cells for cells in sets if cells & pair != pair], taken | pair)
            if rest is not None:
                return [pair, *rest]
        return None

    return search(needed, 0)


def _cells(bits: int) -> list[int]:
    return [cell for cell in range(bits.bit_length()) if bits >> cell & 1]
