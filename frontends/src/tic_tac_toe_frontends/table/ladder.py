"""The levels of the computer in order of strength, and which one is offered after a win."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from tic_tac_toe.logic.models import Mark

from ..words.rules_text import LEVELS
from .setup import Setup
from .table import Table

__all__ = ["LEVELS", "Offer", "next_level", "offer_after"]


class Offer(NamedTuple):
    """The next game for a person who has won.

    Attributes:
        level: the computer's level in it, of `LEVELS`.
        setup: the game, which is the same but for the level.
    """

    level: str
    setup: Setup


def next_level(name: str) -> str | None:
    """Return the level above a player; ``None`` above the strongest, or if it is not a level."""
    return dict(pairwise(LEVELS)).get(name)


def offer_after(table: Table) -> Offer | None:
    """Return what is offered at the end of a game.

    Nothing unless the one person who plays a computer has won, and there is a level above it.
    """
    if table.outcome != "win" or table.person is None:
        return None
    level = next_level(table.setup.players[table.person.other])
    if level is None:
        return None
    setup = table.setup
    is_cross = table.person is Mark.CROSS
    return Offer(level, setup._replace(o=level) if is_cross else setup._replace(x=level))
