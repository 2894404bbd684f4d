"""The opponent on this device: a computer of some level, or a second person."""

from __future__ import annotations

from ...table.setup import Setup
from ...words.rules_text import HUMAN

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
