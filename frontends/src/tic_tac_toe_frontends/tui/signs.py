"""The signs in and around a cell: nothing is told by colour alone."""

from __future__ import annotations

from typing import NamedTuple

from tic_tac_toe.logic.search.verdict import MoveVerdict

from .plan import Scale

#: In a cell that was advised, and in a free one.
BEST, FREE = "◆", "·"
#: What a move leads to, in one sign.
OUTCOMES = {"win": "+", "draw": "=", "loss": "-"}


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


def verdict_text(verdict: MoveVerdict, width: int, best: bool) -> str:
    """Return what a move leads to in at most ``width`` letters: ``+3`` is a win in three moves."""
    sign = OUTCOMES[verdict.outcome]
    for text in (f"{BEST} {sign}{verdict.plies}" if best else "", f"{sign}{verdict.plies}"):
        if text and len(text) <= max(1, width - 1):
            return text
    return sign
