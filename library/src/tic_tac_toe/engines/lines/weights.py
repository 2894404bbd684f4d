"""The weights of the evaluation."""

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
