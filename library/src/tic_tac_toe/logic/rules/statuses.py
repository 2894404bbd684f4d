"""The known values of games: proved by this program, published by others, or open."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules, rules_of
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.logic.rules.notakto import Notakto


class Status(NamedTuple):
    """The known value of the empty board of a game.

    Attributes:
        outcome: for the side that begins, ``None`` if it is open.
        plies: how many the game takes under best play; 0 for a draw because nobody can force an
            end, ``None`` if unknown.
        source: the authors who published the outcome; empty if this program has proved it, or if it
            is open.
    """

    outcome: Literal["win", "draw", "loss"] | None = None
    plies: int | None = None
    source: str = ""


OPEN = Status()
_PLAMBECK = "Thane Plambeck and Greg Whitehead, 2013"

#: By the name that `variant_name` gives. `docs/explanation/values.md` tells how each was found; the
#: tests prove every value again that has no source.
STATUSES: Mapping[str, Status] = MappingProxyType(
    {
        "tic-tac-toe": Status("draw", 9),
        "connect-four,pie": Status("draw", 42),
        "misere-tic-tac-toe": Status("draw", 9),
        "wild": Status("win", 7),
        "misere-wild": Status("draw", 9),
        "vanishing": Status("win", 13),
        "vanishing-reuse": Status("draw", 0),
        "vanishing-late": Status("win", 9),
        "notakto": Status("win", 6),
        "notakto-2": Status("loss", 11),
        "notakto-3": Status("win", 14),
        "4x4": Status("draw", 16),
        "4x4x3": Status("win", 5),
        "5x5x4": Status("draw", 25),
        "6x6x5": Status("draw", 36),
        "gomoku": Status("win", source="L. Victor Allis, 1994"),
        "gomoku-standard": Status("win", source="Allis, van den Herik and Huntjens, 1993"),
        "renju": Status("win", source="János Wágner and István Virág, 2001"),
        "connect-four": Status("win", 41),
        "connect-four-5x4": Status("draw", 20),
        "misere-connect-four": Status("loss", source="Robert Steele and Daniel Larremore, 2024"),
        "3x3x3": Status("win", 7),
        "qubic": Status("win", source="Oren Patashnik, 1980"),
        "ultimate-open": Status("win", source="Bertholon and others, 2020, arXiv 2006.02353"),
        "mnk:4,3,3": Status("win", 7),
        "mnk:5,3,3": Status("win", 7),
        "mnk:5,4,3": Status("win", 5),
        "mnk:5,5,3": Status("win", 5),
        "mnk:5,4,4": Status("draw", 20),
        "mnk:7,4,4": Status("draw", 28),
        "mnk:6,5,4": Status("win", 11),
        "mnk:6,6,4": Status("win", 11),
        "mnk:9,4,4": Status("win", 23),
        "mnk:7,6,5": Status("draw", 42),
        "mnk:7,7,5": Status("draw", 49),
        "mnk:8,7,5": Status("draw", 56),
        "mnk:10,6,5": Status("draw", 60),
        "mnk:4,3,3,misere": Status("loss", 11),
        "mnk:4,4,3,misere": Status("loss", 15),
        "mnk:4,4,4,misere": Status("draw", 16),
        "mnk:3,3,3,torus": Status("win", 7),
        "mnk:4,3,3,torus": Status("win", 5),
        "mnk:4,4,3,torus": Status("win", 5),
        "mnk:5,3,3,torus": Status("win", 5),
        "mnk:4,4,4,torus": Status("draw", 16),
        "mnk:5,4,4,torus": Status("win", 9),
        "mnk:5,5,4,torus": Status("win", 11),
        "mnk:5,5,5,torus": Status("draw", 25),
        "mnk:6,5,4,torus": Status("win", 11),
        "mnk:6,6,4,torus": Status("win", 11),
        "mnk:6,6,6,torus": Status("draw", 36),
        "mnk:4,4,3,gravity": Status("win", 9),
        "mnk:4,4,4,gravity": Status("draw", 16),
        "mnk:6,4,4,gravity": Status("loss", 24),
        "mnk:5,5,4,gravity": Status("draw", 25),
        "mnk:6,5,4,gravity": Status("draw", 30),
        "mnk:6,6,4,gravity": Status("loss", 36),
        "mnk:6,7,4,gravity": Status("win", 41),
        "mnk:4,3,3,wild": Status("loss", 10),
        "mnk:4,4,3,wild": Status("loss", 14),
        "mnk:4,4,4,wild": Status("draw", 16),
        "mnk:4,3,3,wild,misere": Status("draw", 12),
        "mnk:4,4,3,wild,misere": Status("loss", 15),
        "mnk:4,4,4,wild,misere": Status("draw", 16),
        "order-and-chaos:3,3,3": Status("win", 5),
        "order-and-chaos:4,3,3": Status("win", 5),
        "order-and-chaos:4,4,3": Status("win", 5),
        "order-and-chaos:4,4,4": Status("win", 13),
        "order-and-chaos:5,4,4": Status("win", 11),
        "order-and-chaos:5,5,4": Status("win", 9),
        "order-and-chaos:6,6,5,exact": Status("loss", 36),
    }
)


def status_of(rules: Rules | str) -> Status:
    """Return the known value of a game; the outcome of Notakto follows from its theory."""
    rules = rules_of(rules)
    try:
        known = STATUSES.get(variant_name(rules))
    except InvalidVariant:  # a user's own rules
        return OPEN
    if known is None and type(rules) is Notakto:
        return Status("loss" if rules.foretell(Position()) else "win", source=_PLAMBECK)
    return known or OPEN
