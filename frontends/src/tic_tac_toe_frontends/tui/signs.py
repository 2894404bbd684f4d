"""The signs around a mark, in which nothing is told by colour alone."""

from __future__ import annotations

from typing import NamedTuple

from .plan import Scale


class Sign(NamedTuple):
    """What stands around a mark.

    Attributes:
        corners: in the corners of a picture, row by row.
        beside: on both sides of a letter.
    """

    corners: str
    beside: str

    def at(self, scale: Scale) -> str:
        """Return what is drawn at a scale: nothing where a cell has room for its letter only."""
        if scale.height > 1:
            return self.corners
        return self.beside if scale.width > 1 else ""


CURSOR = Sign("┏┓┗┛", "[]")
LAST = Sign("╭╮╰╯", "()")
WON = Sign("****", "**")
