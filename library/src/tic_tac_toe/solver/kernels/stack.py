"""A node's row of moves, in the order of their promise."""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.kernels.bits import U1
from tic_tac_toe.solver.kernels.inlining import Word, Words, inlined

# A frame of signed numbers in the alpha-beta kernels. What it holds of a node:
ALPHA_AT = np.uint64(0)  # the question: is the score more than this?
BEST_AT = np.uint64(1)  # the highest score of a move so far
TRIED_AT = np.uint64(2)  # how many moves of the row have been tried
COUNT_AT = np.uint64(3)  # how many moves the row has
PLY_AT = np.uint64(4)  # the marks on the board
SINCE_AT = np.uint64(5)  # the count of nodes when the node was entered
QUEUE_AT = np.uint64(8)  # the row of moves


@inlined
def enqueue(numbers: Words, first: Word, count: Word, promise: Word) -> None:
    """Put a move into the row of ``count`` moves that begins at ``first``, the best first."""
    at = first + np.uint64(count)
    while at > first and numbers[at - U1] < promise:
        numbers[at] = numbers[at - U1]
        at -= U1
    numbers[at] = promise
