"""Marks as pictures of half blocks, for cells with room for more than a letter."""

from __future__ import annotations

import math
from functools import lru_cache

from tic_tac_toe.logic.models import Mark

#: The smallest pictures are drawn by hand: a formula makes blots of them.
_SMALL = {
    Mark.CROSS: ("##..##", ".####.", "..##..", "..##..", ".####.", "##..##"),
    Mark.NAUGHT: (".####.", "##..##", "##..##", "##..##", "##..##", ".####."),
}
#: How thick a cross is, and where a naught begins and ends, as parts of the whole.
_STROKE, _OUTER, _INNER = 0.13, 0.52, 0.3
#: What a letter shows, by whether its upper and its lower half are on.
_BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


@lru_cache(maxsize=32)
def glyph(
    mark: Mark, lines: int, *, pale: bool = False, round_off: bool = False
) -> tuple[str, ...]:
    """Return the picture of a mark: ``lines`` lines of twice as many letters.

    A letter holds two dots, one above the other, which are about as wide as they are high.

    Args:
        pale: leave out every other dot.
        round_off: draw a full disc instead of a cross.
    """
    size = 2 * lines
    if round_off and mark is Mark.CROSS:
        centres = [(index + 0.5) / size - 0.5 for index in range(size)]
        dots = [[math.hypot(x, y) <= _OUTER for x in centres] for y in centres]
    elif size == len(_SMALL[mark]):
        dots = [[sign == "#" for sign in row] for row in _SMALL[mark]]
    else:
        centres = [(index + 0.5) / size - 0.5 for index in range(size)]
        dots = [[_is_on(mark, x, y) for x in centres] for y in centres]
    if pale:
        dots = [[on and (x + y) % 2 == 0 for x, on in enumerate(row)] for y, row in enumerate(dots)]
    return tuple(
        "".join(_BLOCKS[upper, lower] for upper, lower in zip(dots[row], dots[row + 1]))
        for row in range(0, size, 2)
    )


def _is_on(mark: Mark, x: float, y: float) -> bool:
    """Return whether a mark covers a point, from the middle at 0 to the edges at one half."""
    if mark is Mark.CROSS:
        return abs(abs(x) - abs(y)) <= _STROKE
    return _INNER <= math.hypot(x, y) <= _OUTER
