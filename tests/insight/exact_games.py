"""Games by slow oracles, for puzzles: nothing here knows how the puzzles were found.

A game has nodes, which stand for positions, and each value is for the side that is to move.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests import family_oracles
from tests.oracles import LINES, put
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.evaluation import plies_of
from tic_tac_toe.logic.search.exact import AlphaBeta

Node = Hashable


@dataclass(frozen=True)
class Game:
    """A game that is solved.

    Args:
        start: the empty board.
        after: returns the nodes after each move, none once the game is over.
        value: returns the outcome, 1, 0 or -1, and the plies to it; 0 plies for a draw.
        images: returns the nodes that are equivalent to one.
        has_plies: whether the plies of a value are known.
    """

    start: Any
    after: Callable[[Any], dict[int, Any]]
    value: Callable[[Any], tuple[int, int]]
    images: Callable[[Any], Collection[Any]]
    has_plies: bool = True


@cache
def game_of(name: str) -> Game:
    """Return a game by its name in the catalogue."""
    if name in ("wild", "misere-wild", "notakto"):
        return _letter_game(name)
    if name.startswith("vanishing"):
        return _vanishing({"vanishing": "barred", "vanishing-late": "late"}[name])
    if name in ("tic-tac-toe", "misere-tic-tac-toe"):
        return _line_game(is_misere=name != "tic-tac-toe")
    return by_rules(find_rules(name))


def _solved(
    start: Any, after: Callable[[Any], dict[int, Any]], end: Callable[[Any], int]
) -> Callable[[Any], tuple[int, int]]:
    def game(node: Any) -> list[Any] | int:
        return [*after(node).values()] or end(node)

    return family_oracles.solve(game, start).__getitem__


def _turns() -> list[list[int]]:
    """Return where each cell goes in the eight symmetries of the board."""
    turned = [3 * (cell % 3) + 2 - cell // 3 for cell in range(9)]
    mirrored = [cell // 3 * 3 + 2 - cell % 3 for cell in range(9)]
    found = [[*range(9)]]
    for each in found:  # grows while it is read
        for turn in (turned, mirrored):
            image = [turn[cell] for cell in each]
            if image not in found:
                found.append(image)
    return found


_TURNS = _turns()


def _letter_game(name: str) -> Game:
    letters = "X" if name == "notakto" else "XO"
    ends_well = name != "wild"  # a line loses for the side that completes it

    def after(grid: str) -> dict[int, str]:
        if family_oracles.owned(grid):
            return {}
        free = [cell for cell, sign in enumerate(grid) if sign == " "]
        return {9 * n + cell: put(grid, cell, x) for n, x in enumerate(letters) for cell in free}

    def end(grid: str) -> int:
        return 0 if not family_oracles.owned(grid) else 1 if ends_well else -1

    def images(grid: str) -> set[str]:
        turned = {"".join(grid[cell] for cell in turn) for turn in _TURNS}
        exchanged = {grid.translate(str.maketrans("XO", "OX")) for grid in turned}
        return turned | exchanged if letters == "XO" else turned

    start = " " * 9
    return Game(start, after, _solved(start, after, end), images)


def _line_game(*, is_misere: bool) -> Game:
    def after(node: tuple[frozenset[int], frozenset[int]]) -> dict[int, Any]:
        own, other = node
        if any({*line} <= other for line in LINES):
            return {}
        return {cell: (other, own | {cell}) for cell in range(9) if cell not in own | other}

    def end(node: tuple[frozenset[int], frozenset[int]]) -> int:
        is_line = any({*line} <= node[1] for line in LINES)
        return (1 if is_misere else -1) if is_line else 0

    start = frozenset[int](), frozenset[int]()
    return Game(start, after, _solved(start, after, end), _turned_sets)


def _turned_sets(node: tuple[frozenset[int], frozenset[int]]) -> set[Any]:
    return {tuple(frozenset(turn[cell] for cell in own) for own in node) for turn in _TURNS}


def _vanishing(departure: str) -> Game:
    game = family_oracles.vanishing(departure)

    def after(node: family_oracles.Ages) -> dict[int, family_oracles.Ages]:
        found = game(node)
        return {} if isinstance(found, int) else {child[1][-1]: child for child in found}

    def images(node: family_oracles.Ages) -> set[Any]:
        return {tuple(tuple(turn[cell] for cell in own) for own in node) for turn in _TURNS}

    start: family_oracles.Ages = (), ()
    return Game(start, after, family_oracles.solve(game, start).__getitem__, images)


def by_rules(rules: Rules) -> Game:
    """Return a game of lines that plain alpha-beta solves."""
    search = AlphaBeta(rules)
    rows, columns = rules.shape

    def after(node: Position) -> dict[int, Position]:
        return {move: rules.play(node, move) for move in rules.moves(node)}

    def value(node: Position) -> tuple[int, int]:
        score = search.score(node)
        return (score > 0) - (score < 0), plies_of(score) if score else 0

    def images(node: Position) -> set[Position]:
        places = [divmod(cell, columns) for cell in range(rules.shape.cells)]
        turns = [[r * columns + columns - 1 - c for r, c in places]]
        if rows == columns:
            turns += [[c * columns + r for r, c in places]]
        found = {node}
        while True:
            more = {_turned(each, turn) for each in found for turn in turns} | found
            if len(more) == len(found):
                return found
            found = more

    return Game(Position(), after, value, images)


def _turned(position: Position, turn: Sequence[int]) -> Position:
    crosses, naughts = (
        sum(1 << turn[cell] for cell in range(len(turn)) if stones >> cell & 1)
        for stones in position.stones
    )
    return position._replace(stones=(crosses, naughts))
