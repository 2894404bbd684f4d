"""The opponent on this device: a computer of some level, or a second person."""

from __future__ import annotations

from itertools import pairwise

from ...table.setup import Setup
from ...table.table import Offer, Table
from ...words.rules_text import HUMAN, LEVELS

#: The result of `opponent_in` if no person plays.
TWO_COMPUTERS = "computers"


def opponent_in(setup: Setup) -> str:
    """Return the person's opponent in a setup, of `PLAYERS`."""
    if HUMAN not in (setup.x, setup.o):
        return TWO_COMPUTERS
    return setup.o if setup.x == HUMAN else setup.x


def with_opponent(setup: Setup, name: str) -> Setup:
    """Return a setup with another opponent; the person keeps their side.

    Args:
        name: of `PLAYERS`; `TWO_COMPUTERS` changes nothing.
    """
    if name == TWO_COMPUTERS:
        return setup
    if setup.o == HUMAN and setup.x != HUMAN:
        return setup._replace(x=name)
    return setup._replace(x=HUMAN, o=name)


#: After this number of losses against one level, and no win, an easier level is offered.
PATIENCE = 3


def easier_after(table: Table) -> Offer | None:
    """Return the game against the level below, if the person keeps losing."""
    if table.person is None or table.outcome != "loss":
        return None
    lost, won = table.score[table.person.other], table.score[table.person]
    below: dict[str, str] = dict(pairwise(reversed(LEVELS)))
    level = below.get(opponent_in(table.setup))
    if level is None or lost < PATIENCE or won:
        return None
    return Offer(level, with_opponent(table.setup, level))
