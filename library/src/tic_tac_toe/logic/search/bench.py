"""The search signature: fixed positions of several variants, and one count of what was looked at.

The count depends on nothing but the code. A refactoring may not move it; a change that does says so
and why (the habit is Stockfish's ``bench``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.alphabeta import AlphaBeta
from tic_tac_toe.logic.search.deepening import look_ahead
from tic_tac_toe.logic.search.table import solve_table


class Task(NamedTuple):
    """A position to search: the variant, the moves that lead there, and how deep to look.

    Attributes:
        depth: the plies of a look-ahead; 0 to solve the position by alpha-beta, -1 to table all
            that can follow from it.
    """

    variant: str
    moves: tuple[int, ...] = ()
    depth: int = 0


TABLED, SOLVED = -1, 0

TASKS = (
    Task("tic-tac-toe", depth=TABLED),
    Task("misere-tic-tac-toe", depth=TABLED),
    Task("mnk:4,3,3,gravity", depth=TABLED),
    Task("tic-tac-toe"),
    Task("misere-tic-tac-toe", (4,)),
    Task("4x4x3"),
    Task("mnk:4,4,3,misere", (0, 5, 10)),
    Task("4x4", (5, 10, 6, 9)),
    Task("5x5x4", (12, 6, 8, 16, 7, 17, 11, 13, 18, 2, 22, 0, 4)),
    Task("connect-four-5x4", (17, 12, 15, 16)),
    Task("mnk:5,5,4,gravity,misere", (22, 17, 20, 15, 24, 19, 10, 5, 14, 9)),
    Task("tic-tac-toe", (0,), depth=5),
    Task("6x6x5", (14, 21, 15), depth=3),
    Task("gomoku", (112, 97, 113), depth=3),
    Task("gomoku-standard", (112, 97, 113, 111), depth=3),
    Task("connect-four", (38, 31), depth=8),
    Task("misere-connect-four", (38, 31), depth=8),
    Task("ultimate", (40,), depth=4),
)


def signature() -> int:
    """Return how many positions the searches of all tasks look at, together."""
    return sum(nodes for _, nodes in counts())


def counts() -> Iterator[tuple[Task, int]]:
    """Yield each task with the positions that its search looks at: a few seconds for all."""
    for task in TASKS:
        rules = find_rules(task.variant)
        yield task, _nodes(rules, _position(rules, task.moves), task.depth)


def _position(rules: Rules, moves: tuple[int, ...]) -> Position:
    position = Position()
    for move in moves:
        assert move in rules.moves(position), f"move {move} is illegal in {position}"
        position = rules.play(position, move)
    return position


def _nodes(rules: Rules, position: Position, depth: int) -> int:
    if depth == TABLED:
        return len(solve_table(rules, position))
    if depth == SOLVED:
        search = AlphaBeta(rules)
        search.score(position)
        return search.nodes
    return look_ahead(rules, position, depth_limit=depth).nodes
