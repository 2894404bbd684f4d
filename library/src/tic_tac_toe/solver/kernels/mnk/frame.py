"""Where a node's words stand in the arrays of the m,n,k kernel."""

from __future__ import annotations

import numpy as np

from tic_tac_toe.solver.support import MOST_LINES

MAXIMUM_LINES = MOST_LINES  # 8 x 8 has 210 of length 2
#: How often pairs of cells are chosen anew in a node, at most.
MOST_ATTEMPTS = 6

# A frame of words: the masks of the attacker's open lines, those of the defender's, then the node.
ATTACK = np.uint64(0 * MAXIMUM_LINES)  # the attacker's open lines
DEFEND = np.uint64(1 * MAXIMUM_LINES)  # the defender's
_NODE = 2 * MAXIMUM_LINES
OWN = np.uint64(_NODE)  # the attacker's marks
OTHER = np.uint64(_NODE + 1)  # the defender's marks
ATTACKS = np.uint64(_NODE + 2)  # how many open lines the attacker has
DEFENDS = np.uint64(_NODE + 3)  # how many the defender has
ZONE = np.uint64(_NODE + 4)  # the cells that matter in the attacker's wins found so far
ALLOWED = np.uint64(_NODE + 5)  # the moves that are not yet known to lose
REACH = np.uint64(_NODE + 6)  # the cells on the defender's lines
KEY_LOW = np.uint64(_NODE + 7)  # the mixed key, first word
KEY_HIGH = np.uint64(_NODE + 8)  # the mixed key, second word
LAST = np.uint64(_NODE + 9)  # the move that is being tried
# Of the first frame: how a question is deepened.
MOST_LEFT = np.uint64(_NODE + 10)  # the marks that the attacker has left in the whole question
REFUTED = np.uint64(_NODE + 11)  # with this number of marks it is known not to win
SINCE = np.uint64(_NODE + 12)  # the count of nodes when the question was posed
FRAME = np.uint64(_NODE + 16)

# A frame of signed numbers.
LEFT = np.uint64(0)  # the marks that the attacker has left
TURN = np.uint64(1)  # 0 if the attacker is to move, 1 if the defender is
BEST = np.uint64(2)  # the most marks that a win has taken so far
TRIED = np.uint64(3)  # how many looks and moves of the row have been tried
COUNT = np.uint64(4)  # how many moves the row has
BEGUN = np.uint64(5)  # the count of nodes when the node was entered
TABLED = np.uint64(6)  # 1 if the answer goes into the table
LOOKS = np.uint64(7)  # how many moves of the row are looked at before any is searched
QUEUE = np.uint64(8)  # the row of moves
STRONG = np.uint64(72)  # of the first frame: 1 if the defender's lines count
NUMBERS = 73

# Words that only one node uses at a time, from `Game.scratch` on.
PHI = np.uint64(0)  # for each cell: its potential
LINES_AT = np.uint64(64)  # for each cell: how many of the attacker's lines it is on
MEET = np.uint64(128)  # for each cell: the cells common to those lines
MEET_OTHER = np.uint64(192)  # for each cell: the cells common to the defender's lines through it
PAIR = np.uint64(256)  # the attacker's lines that miss two marks
POSITION = np.uint64(256 + MAXIMUM_LINES)  # the position that is asked about: two bit boards
PHI_OTHER = np.uint64(258 + MAXIMUM_LINES)  # for each cell: the potential of the defender's lines
_PAIRING = 258 + MAXIMUM_LINES + 64
FREE = np.uint64(_PAIRING)  # the attacker's lines that hold no pair, without the cells of pairs
WHOLE = np.uint64(_PAIRING + MAXIMUM_LINES)  # the same lines with all their empty cells
WEIGHT = np.uint64(_PAIRING + 2 * MAXIMUM_LINES)  # what they weigh
PHI_FREE = np.uint64(_PAIRING + 3 * MAXIMUM_LINES)  # for each cell: their potential
URGENT = np.uint64(_PAIRING + 3 * MAXIMUM_LINES + 64)  # the lines that get a pair first
SCRATCH = _PAIRING + 3 * MAXIMUM_LINES + 64 + MOST_ATTEMPTS

# Words that never change.
PLACES = np.uint64(0)  # the lines
TERNARY = np.uint64(MAXIMUM_LINES)  # bytes as numbers to the base three
IMAGES = np.uint64(MAXIMUM_LINES + 256)  # images of bytes
