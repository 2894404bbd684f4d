"""The weights of the evaluation."""

from __future__ import annotations

#: By class of `shapes`, what one direction of an empty place counts: for the side to move, and for
#: the other side.
WEIGHT = (
    (0, 0, 1, 2, 5, 6, 6, 12, 14, 12, 16, 16, 0),
    (0, 0, 1, 1, 4, 5, 4, 9, 10, 6, 16, 16, 0),
)
#: The same by kind of `kinds`, for all directions together.
BONUS = (
    (0, 0, 4, 4, 12, 40, 4, 12, 60, 80, 80, 0),
    (0, 0, 2, 2, 6, 12, 2, 6, 20, 40, 40, 0),
)
