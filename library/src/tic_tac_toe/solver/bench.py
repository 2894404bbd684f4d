"""The signature of the fast solver: fixed positions of each kernel, and one count of nodes.

Like `logic.search.bench` it depends on nothing but the code: not on the Python, not on whether the
machine code comes from the cache. One thread searches, and the table has one size everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tic_tac_toe.limits import MEBIBYTE, Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.solver.session import FastSolver

LIMITS = Limits(threads=1, memory=4 * MEBIBYTE)


class Task(NamedTuple):
    """A position to solve: the variant and the moves that lead there."""

    variant: str
    moves: tuple[int, ...] = ()


TASKS = (
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


def signature() -> int:
    """Return how many positions the fast solver looks at for all tasks."""
    return sum(nodes for _, nodes in counts())


def counts() -> Iterator[tuple[Task, int]]:
    """Yield each task with the nodes that it takes."""
    for task in TASKS:
        rules, position = find_rules(task.variant), Position()
        for move in task.moves:
            assert move in rules.moves(position), f"move {move} is illegal in {position}"
            position = rules.play(position, move)
        solver = FastSolver(rules, LIMITS)
        solver.score(position)
        yield task, solver.nodes
