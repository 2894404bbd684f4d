"""Where a node's words stand in the two arrays of the gravity kernel's stack."""

from __future__ import annotations

import numpy as np

MAXIMUM_COLUMNS = 32

# A frame of words: eight fields about the children, with a word a column, then five about the node.
# That the fields always lie so far apart tells the compiler that they do not overlap.
_FIELD = MAXIMUM_COLUMNS
OWN = np.uint64(0 * _FIELD)  # the marks of the side that made the move
MASK = np.uint64(1 * _FIELD)  # the marks of both sides
THREATS = np.uint64(2 * _FIELD)  # empty cells in which that side completes a line
MOVES = np.uint64(3 * _FIELD)  # the replies that do not lose at once
BUCKET = np.uint64(4 * _FIELD)  # where the child's bucket begins in the table
TAG = np.uint64(5 * _FIELD)  # what tells the child from others of the bucket
ORDER = np.uint64(6 * _FIELD)  # the promise of the move
BOUND = np.uint64(7 * _FIELD)  # what zugzwang proves: `NO_BOUND`, `NO_LOSS` or `WIN`
NODE = np.uint64(8 * _FIELD)  # of the node: the marks of the side to move
NODE_MASK = NODE + np.uint64(1)  # the marks of both sides
NODE_MOVES = NODE + np.uint64(2)  # the moves after which the opponent cannot win at once
NODE_BUCKET = NODE + np.uint64(3)  # where its bucket begins in the table
NODE_TAG = NODE + np.uint64(4)  # what tells it from others of the bucket
FRAME = NODE + np.uint64(8)

# A frame of signed numbers: the fields that `stack` names, then the row of moves. A move that waits
# for another worker stands there twice.
NUMBERS = 8 + 2 * MAXIMUM_COLUMNS

NO_BOUND, NO_LOSS, WIN = map(np.uint64, (0, 1, 2))
