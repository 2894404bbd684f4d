"""The signs in and around a cell: nothing is told by colour alone."""

from __future__ import annotations

from typing import NamedTuple

from tic_tac_toe.game.signs import SIGNS, sign_of
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.search.evaluation import MoveEvaluation

from .plan import Scale

#: In a cell that was advised, and in a free one.
BEST, FREE = "◆", "·"
#: In a crossing where no stone may be placed now.
BARRED = "×"
#: A mark as a disc or a stone in one letter: full and hollow, so that colour is not needed.
ROUND = {Mark.CROSS: "●", Mark.NAUGHT: "○"}
#: What a move leads to, in one sign.
OUTCOMES = {"win": "+", "draw": "=", "open": "%", "loss": "-"}


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
        if scale.height > 1 and (scale.glyph or not scale.crossed):
            return self.corners
        return self.beside if scale.width > 1 else ""


CURSOR = Sign("┏┓┗┛", "[]")
LAST = Sign("╭╮╰╯", "()")
WON = Sign("****", "**")


def advice_text(worth: MoveEvaluation | None, width: int, best: bool, letter: str = "") -> str:
    """Return what is advised about a move in at most ``width`` letters.

    ``+3`` is a win in three moves, ``62%`` an estimated chance. Before that of a hint stands
    ``◆``.

    Args:
        worth: what the move leads to, where that is known.
        best: whether a hint names it.
        letter: what the move places, where that needs to be said.
    """
    if worth is None:
        texts = [f"{BEST} {letter}", f"{BEST}{letter}"] if letter else []
        shortest = BEST
    else:
        shortest = OUTCOMES[worth.outcome]
        value = sign_of(worth).replace(SIGNS["loss"], OUTCOMES["loss"])
        texts = [f"{BEST} {letter}{value}", f"{BEST} {value}"] if best else []
        texts += [f"{letter}{value}", value]
    return next((text for text in texts if len(text) <= max(1, width - 1)), shortest)
