"""Positions of Connect Four with their exact scores, and the making of our own harder ones.

``python -m benchmarks.connect_four`` prints positions that take the solver a million nodes or more,
the hardest first; ``--write`` puts them into harder_positions.txt. It takes some minutes. A solver
that has learnt something chooses others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.measurement import Unavailable
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR

HARDER = Path(__file__).with_name("harder_positions.txt")
#: Published test sets; they are no part of this project.
FACTS = Path(__file__).parents[2] / "shared" / "facts" / "connect-four"

COUNT = 100
LEAST_NODES = 1_000_000
#: Walks end at a ply chosen among these. Late positions are seldom hard, early ones take minutes.
PLIES = range(8, 15)
SEED = 2026
#: Bytes for the solver's table, as much as it gets when it is measured.
MEMORY = 64 << 20


class Task(NamedTuple):
    """A position and what it is worth.

    Attributes:
        moves: columns from 1, as Connect Four players write a game.
        score: for the side to move: 22 less the marks of the winner when it wins; 0 for a draw.
        position: where the moves lead.
    """

    moves: str
    score: int
    position: Position

    @property
    def columns(self) -> list[int]:
        """The moves as columns from 0."""
        return [int(digit) - 1 for digit in self.moves]


def read_tasks(path: Path) -> list[Task]:
    """Return the positions in a file, one a line as ``moves score``; a line with a # is a comment.

    Raises:
        Unavailable: there is no such file.
        IllegalMove: the moves of a line are no game.
    """
    if not path.exists():
        raise Unavailable(f"{path.parent.name}/{path.name} is not here")
    lines = path.read_text(encoding="ascii").splitlines()
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    start = GameState.new(CONNECT_FOUR)
    return [Task(moves, int(score), play_moves(start, moves).position) for moves, score in pairs]


def walk(rng: Random) -> str | None:
    """Return the columns of a random game, ``None`` if it ends or the side to move wins at once."""
    rules, position, moves = CONNECT_FOUR, Position(), ""
    for _ in range(rng.choice(PLIES)):
        cell = rng.choice(list(rules.moves(position)))
        position = rules.play(position, cell)
        if rules.outcome(position) is not None:
            return None
        moves += str(cell % rules.shape.columns + 1)
    wins = any(rules.outcome(rules.play(position, cell)) for cell in rules.moves(position))
    return None if wins else moves


def find_hard(count: int = COUNT, least_nodes: int = LEAST_NODES) -> Iterator[tuple[int, str, int]]:
    """Yield the nodes, the moves and the score of ``count`` different positions that are hard."""
    # NumPy is not imported before it is needed: other groups measure small processes.
    import numpy as np

    from tic_tac_toe.solver.kernel import kernel_for
    from tic_tac_toe.solver.kernels.control import NEVER, NODES

    kernel, start = kernel_for(CONNECT_FOUR, MEMORY), GameState.new(CONNECT_FOUR)
    rng, seen = Random(SEED), set[Position]()
    found, top = 0, CONNECT_FOUR.shape.cells
    while found < count:
        moves = walk(rng)
        if moves is None:
            continue
        position = play_moves(start, moves).position
        if position in seen:
            continue
        seen.add(position)
        low, high = np.full(1, -top), np.full(1, top)
        batch = kernel.batch([position], low, high)
        batch.narrow(NEVER)
        if (nodes := int(batch.control[NODES])) >= least_nodes:
            found += 1
            yield nodes, moves, int(low[0])


def make_page(count: int = COUNT, least_nodes: int = LEAST_NODES) -> str:
    """Return what harder_positions.txt holds."""
    rows = []
    for nodes, moves, score in find_hard(count, least_nodes):
        rows.append((nodes, moves, score))
        print(f"{len(rows)} of {count}: {moves}, {nodes:,} nodes", file=sys.stderr, flush=True)
    rows.sort(reverse=True)
    head = (
        "# Positions of Connect Four that are hard to solve, with scores: see connect_four.py\n"
        "# Made by: python -m benchmarks.connect_four --write\n"
    )
    return head + "".join(f"{moves} {score}\n" for _, moves, score in rows)


def main() -> None:
    """Print or write the harder positions."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.connect_four",
        description="Find positions of Connect Four that are hard to solve.",
    )
    parser.add_argument("--write", action="store_true", help=f"put them into {HARDER.name}")
    options = parser.parse_args()
    page = make_page()
    if options.write:
        HARDER.write_text(page, encoding="ascii")
    else:
        print(page, end="")


if __name__ == "__main__":
    main()
