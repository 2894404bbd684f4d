"""The weights of the evaluation.

They come from a logistic regression over 14,000 quiet positions of 1,150 games that the engine
played against itself with 2,500 to 6,000 nodes a move. Then they were rounded, and smoothed where
the positions say too little. A difference of 200 multiplies the odds of winning by 2.7.
"""

from __future__ import annotations

#: By class of `shapes`, what one direction of an empty place counts: for the side to move, and for
#: the other side.
WEIGHT = (
    (0, 1, 0, 1, 1, 2, 5, 14, 16, 28, 30, 30, 0),
    (0, 1, 0, 0, 1, 1, 7, 19, 17, 23, 30, 30, 0),
)
#: The same by kind of `kinds`, for all directions together.
BONUS = (
    (0, 0, 18, 4, 50, 60, 24, 40, 160, 160, 160, 0),
    (0, 0, 15, 0, 30, 36, 18, 54, 140, 200, 200, 0),
)
