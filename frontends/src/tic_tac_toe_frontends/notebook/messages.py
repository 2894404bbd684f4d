"""What the page asks for: messages from an untrusted page, read strictly."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS

from ..table.setup import Setup
from ..words.players import PLAYERS, STARTERS

#: What the buttons of the page are called in messages.
BUTTONS = ("undo", "redo", "hint")


class Place(NamedTuple):
    """A click on a cell of the board that was shown after ``ply`` plies."""

    cell: int
    ply: int


class Press(NamedTuple):
    """A click on one of `BUTTONS`."""

    button: str


class Analyse(NamedTuple):
    """The wish to see, or no longer to see, what each cell leads to."""

    wanted: bool


class New(NamedTuple):
    """The wish for another game."""

    setup: Setup


Message: TypeAlias = Place | Press | Analyse | New


def read_message(content: object, rules: Rules) -> Message | None:
    """Return what a message says, ``None`` for anything that no page of ours would send.

    Args:
        content: whatever has arrived.
        rules: the present game, which may have no name in the catalogue.
    """
    match content:
        case {"place": int(cell), "ply": int(ply), **rest} if not rest and _is_plain(cell, ply):
            return Place(cell, ply)
        case {"press": str(button), **rest} if not rest and button in BUTTONS:
            return Press(button)
        case {"analyse": bool(wanted), **rest} if not rest:
            return Analyse(wanted)
        case {"new": {"variant": variant, "x": x, "o": o, "starting": starting, **more}, **rest}:
            setup = None if more or rest else _read_setup(variant, x, o, starting, rules)
            return None if setup is None else New(setup)
    return None


def _read_setup(
    variant: object, x: object, o: object, starting: object, present: Rules
) -> Setup | None:
    """Return the game that the page's menus ask for; an empty name is the present game."""
    if not (isinstance(variant, str) and isinstance(x, str) and isinstance(o, str)):
        return None
    if x not in PLAYERS or o not in PLAYERS or starting not in STARTERS:
        return None
    rules = present if variant == "" else VARIANTS.get(variant)
    return None if rules is None else Setup(rules, x, o, str(starting))


def _is_plain(*numbers: int) -> bool:
    """Return whether numbers are what JSON calls integers: ``true`` is an int to Python."""
    return all(type(number) is int for number in numbers)
