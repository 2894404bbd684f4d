"""The search signature: fixed positions of several variants, and one count of what was looked at.

The count depends on nothing but the code: not on the Python, not on whether machine code comes from
the cache. A refactoring may not move it; a change that does says so and why (the habit is
Stockfish's ``bench``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tic_tac_toe.limits import MEBIBYTE, Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.deepening import look_ahead
from tic_tac_toe.logic.search.exact import AlphaBeta
from tic_tac_toe.logic.search.tables import solve_table

#: One thread searches, and the fast solver's table has one size everywhere.
LIMITS = Limits(threads=1, memory=4 * MEBIBYTE)
#: What is done with a position where it is not looked ahead from: all that can follow is tabled; it
#: is solved by alpha-beta, or by the fast solver.
TABLED, SOLVED, FAST = -1, 0, -2


class Task(NamedTuple):
    """A position to search: the variant, the moves that lead there, and how deep to look.

    Attributes:
        depth: the plies of a look-ahead; else `TABLED`, `SOLVED` or `FAST`.
    """

    variant: str
    moves: tuple[int, ...] = ()
    depth: int = FAST


PLAIN_TASKS = (
    Task("tic-tac-toe", depth=TABLED),
    Task("misere-tic-tac-toe", depth=TABLED),
    Task("mnk:4,3,3,gravity", depth=TABLED),
    Task("tic-tac-toe", depth=SOLVED),
    Task("misere-tic-tac-toe", (4,), SOLVED),
    Task("4x4x3", depth=SOLVED),
    Task("mnk:4,4,3,misere", (0, 5, 10), SOLVED),
    Task("4x4", (5, 10, 6, 9), SOLVED),
    Task("5x5x4", (12, 6, 8, 16, 7, 17, 11, 13, 18, 2, 22, 0, 4), SOLVED),
    Task("connect-four-5x4", (17, 12, 15, 16), SOLVED),
    Task("mnk:5,5,4,gravity,misere", (22, 17, 20, 15, 24, 19, 10, 5, 14, 9), SOLVED),
    Task("tic-tac-toe", (0,), depth=5),
    Task("6x6x5", (14, 21, 15), depth=3),
    Task("gomoku", (112, 97, 113), depth=3),
    Task("gomoku-standard", (112, 97, 113, 111), depth=3),
    Task("connect-four", (38, 31), depth=8),
    Task("misere-connect-four", (38, 31), depth=8),
    Task("ultimate", (40,), depth=4),
)
FAST_TASKS = (
    Task("connect-four", (38, 31, 24, 17, 10, 37, 30, 36, 29)),
    Task("connect-four", (35, 36, 28, 41, 34, 40, 39, 32, 25, 38)),
    Task("mnk:5,5,4,gravity", (22,)),
    Task("mnk:6,5,5,gravity", (26, 20, 14, 8, 27)),
    Task("mnk:8,7,4,gravity", (51, 43, 35, 27, 19, 52, 50, 44, 42, 34, 36, 28, 26, 20, 18)),
    Task("4x4x3"),
    Task("4x4"),
    Task("5x5x4"),
    Task("6x6x5"),
    Task("misere-tic-tac-toe"),
    Task("mnk:4,4,3,misere", (0, 5)),
    Task("mnk:5,5,4,gravity,misere", (22, 17, 20, 15, 24)),
)


def counts(tasks: tuple[Task, ...]) -> Iterator[tuple[Task, int]]:
    """Yield each task with the positions that its search looks at: a few seconds for all."""
    for task in tasks:
        rules, position = find_rules(task.variant), Position()
        for move in task.moves:
            assert move in rules.moves(position), f"move {move} is illegal in {position}"
            position = rules.play(position, move)
        yield task, _nodes(rules, position, task.depth)


def _nodes(rules: Rules, position: Position, depth: int) -> int:
    if depth == TABLED:
        return len(solve_table(rules, position))
    if depth > 0:
        return look_ahead(rules, position, depth_limit=depth).nodes
    if depth == SOLVED:
        search = AlphaBeta(rules)
        search.score(position)
        return search.nodes
    from tic_tac_toe.solver.session import FastSolver

    solver = FastSolver(rules, LIMITS)
    solver.score(position)
    return solver.nodes
