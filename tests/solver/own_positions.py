"""The project's own Connect Four positions: ``python -m tests.solver.own_positions --write``.

They are played at random and scored by the plain search, which knows nothing of the kernels.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from tests.golden import compare_or_write
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe.logic.search.exact import AlphaBeta

PATH = Path(__file__).parents[1] / "data" / "connect-four-scores.txt"
COUNT, FEWEST, MOST = 300, 21, 36


def make_lines() -> list[str]:
    """Return the lines of the file: columns played, and the score on `search.evaluation`."""
    rng = random.Random(20261121)
    lines = ["# columns played from the empty board; score of tic_tac_toe.logic.search.evaluation"]
    search = AlphaBeta(CONNECT_FOUR)
    while len(lines) <= COUNT:
        position, columns, length = Position(), "", rng.randint(FEWEST, MOST)
        while len(columns) < length and CONNECT_FOUR.outcome(position) is None:
            cell = rng.choice(CONNECT_FOUR.moves(position))
            position = CONNECT_FOUR.play(position, cell)
            columns += str(cell % 7 + 1)
        if CONNECT_FOUR.outcome(position) is None:
            lines.append(f"{columns} {search.score(position)}")
    return lines


if __name__ == "__main__":
    sys.exit(compare_or_write({PATH: "\n".join(make_lines()) + "\n"}))
