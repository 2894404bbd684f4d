"""A slow oracle for 3x3 tic-tac-toe that shares no code with the library: strings and tuples only.

A grid is a string of nine characters, "X", "O" or a space, from the top left by rows; a mark is
"X" or "O". Published counts, with their sources, are in `data/known.json`; `published` reads it.
"""

from __future__ import annotations

import itertools
import json
from functools import cache
from pathlib import Path
from typing import Any

EMPTY = " " * 9

#: Rows, columns, main diagonal, anti-diagonal: the order in which a winning line is looked for.
LINES = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)

#: The eight symmetries of the square: cell i of the image is cell SYMMETRIES[n][i] of the grid.
SYMMETRIES = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8),  # itself
    (6, 3, 0, 7, 4, 1, 8, 5, 2),  # turned by 90 degrees
    (8, 7, 6, 5, 4, 3, 2, 1, 0),  # by 180
    (2, 5, 8, 1, 4, 7, 0, 3, 6),  # by 270
    (2, 1, 0, 5, 4, 3, 8, 7, 6),  # left for right
    (6, 7, 8, 3, 4, 5, 0, 1, 2),  # top for bottom
    (0, 3, 6, 1, 4, 7, 2, 5, 8),  # over the main diagonal
    (8, 5, 2, 7, 4, 1, 6, 3, 0),  # over the anti-diagonal
)


def published() -> Any:
    """Return the published counts, as `data/known.json` holds them."""
    path = Path(__file__).parent / "data" / "known.json"
    return json.loads(path.read_text("utf-8"))


def other(mark: str) -> str:
    """Return the opponent of a mark."""
    return {"X": "O", "O": "X"}[mark]


def all_grids() -> list[str]:
    """Return all 3**9 grids, possible in a game or not."""
    return ["".join(cells) for cells in itertools.product(" XO", repeat=9)]


def owner(grid: str, line: tuple[int, int, int]) -> str | None:
    """Return the mark that fills the line, if one does."""
    marks = {grid[cell] for cell in line}
    return grid[line[0]] if len(marks) == 1 and marks != {" "} else None


def owners(grid: str) -> set[str]:
    """Return the marks that own a line: none, one or both."""
    return {mark for line in LINES if (mark := owner(grid, line))}


def winning_line(grid: str) -> list[int]:
    """Return the cells of the first line that is owned, else an empty list."""
    return next((list(line) for line in LINES if owner(grid, line)), [])


def winner(grid: str) -> str | None:
    """Return the owner of the first line that is owned."""
    line = winning_line(grid)
    return grid[line[0]] if line else None


def over(grid: str) -> bool:
    """Tell whether the game has ended."""
    return bool(owners(grid)) or " " not in grid


def to_move(grid: str, starter: str) -> str:
    """Return the mark whose turn it is, or would be if the game went on."""
    return starter if grid.count("X") == grid.count("O") else other(starter)


def free_cells(grid: str) -> list[int]:
    """Return the cells that may be marked, ascending; none when the game is over."""
    return [] if over(grid) else [cell for cell in range(9) if grid[cell] == " "]


def put(grid: str, cell: int, mark: str) -> str:
    """Return the grid with the mark in the cell."""
    return grid[:cell] + mark + grid[cell + 1 :]


def images(grid: str) -> tuple[str, ...]:
    """Return the eight images of the grid, repeated where it is symmetric."""
    return tuple("".join(grid[cell] for cell in symmetry) for symmetry in SYMMETRIES)


def canonical(grid: str) -> str:
    """Return the one grid that stands for all its images."""
    return min(images(grid))


def classic_refusal(grid: str, starter: str) -> str | None:
    """Return the message with which the classic refuses the pair, or None if it accepts it.

    The classic looks at the first owned line only, and so misses that the loser may own one too:
    it accepts 156 pairs in which both do.
    """
    crosses, naughts = grid.count("X"), grid.count("O")
    if not -1 <= crosses - naughts <= 1:
        return "Wrong number of Xs and Os"
    if (crosses > naughts and starter == "O") or (naughts > crosses and starter == "X"):
        return "Wrong starting mark"
    if winner(grid) == "X" and crosses != naughts + (starter == "X"):
        return "Wrong number of Xs"
    if winner(grid) == "O" and naughts != crosses + (starter == "O"):
        return "Wrong number of Os"
    return None


@cache
def reachable(starter: str) -> tuple[str, ...]:
    """Return the grids that play can reach, the empty one first, then by number of marks."""
    grids, layer = [EMPTY], [EMPTY]
    for _ in range(9):
        layer = sorted(
            {put(grid, cell, to_move(grid, starter)) for grid in layer for cell in free_cells(grid)}
        )
        grids += layer
    return tuple(grids)


def unfinished(starter: str) -> list[str]:
    """Return the reachable grids in which the game goes on."""
    return [grid for grid in reachable(starter) if not over(grid)]


@cache
def solve(grid: str, mover: str) -> tuple[int, int]:
    """Return the outcome for the mover (1, 0 or -1) and the plies to it under best play.

    Best is the shortest win, else a draw, else the longest loss.
    """
    if over(grid):
        victor = winner(grid)
        return (0 if victor is None else 1 if victor == mover else -1), 0
    return max((after(grid, cell, mover) for cell in free_cells(grid)), key=_rank)


def after(grid: str, cell: int, mover: str) -> tuple[int, int]:
    """Return the outcome and the plies, this one included, for the mover who takes the cell."""
    outcome, plies = solve(put(grid, cell, mover), other(mover))
    return -outcome, plies + 1


def _rank(verdict: tuple[int, int]) -> tuple[int, int]:
    outcome, plies = verdict
    return outcome, -plies if outcome > 0 else plies


def best_cells(grid: str, mover: str) -> list[int]:
    """Return every best cell, ascending; none when the game is over."""
    verdict = solve(grid, mover)
    return [cell for cell in free_cells(grid) if after(grid, cell, mover) == verdict]


@cache
def textbook_minimax(grid: str, mover: str, maximizer: str, highest: bool) -> int:
    """Return the score of a grid for the maximizer, without distances.

    `highest` says whether the mover takes the highest score or the lowest; from ply to ply it
    alternates, for either maximizer.
    """
    if over(grid):
        victor = winner(grid)
        return 0 if victor is None else 1 if victor == maximizer else -1
    scores = [
        textbook_minimax(put(grid, cell, mover), other(mover), maximizer, not highest)
        for cell in free_cells(grid)
    ]
    return max(scores) if highest else min(scores)
