"""The first game at a table, from options and records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from gettext import NullTranslations
from typing import TYPE_CHECKING

from tic_tac_toe.logic.models import MARKS
from tic_tac_toe.logic.records import Record
from tic_tac_toe.opponents import Opponents, is_own

from ..words.rules_text import PLAYERS
from .table import Setup

if TYPE_CHECKING:
    import argparse  # large, and pages need none


def setup_of_options(options: argparse.Namespace) -> Setup:
    """Return the setup of ``--variant``, ``-X``, ``-O`` and ``--starting``."""
    return Setup(options.variant, options.X, options.O, options.starting or "X")


def opponents_of_options(options: argparse.Namespace) -> Opponents:
    """Return the computer players of ``-X``, ``-O`` and ``--think``.

    Raises:
        InvalidStrategy: a program cannot be run.
    """
    return opponents_for((options.X, options.O), options.think)


def opponents_for(names: Iterable[str], think: float | None) -> Opponents:
    """Return the computer players that the person at this machine named.

    Args:
        names: some may be programs or functions, see `opponents.is_own`.
        think: seconds for each move, if given.

    Raises:
        InvalidStrategy: a program cannot be run, or a function cannot be loaded.
    """
    own = sorted({*filter(is_own, names)})
    if not own:
        return Opponents(think)
    from tic_tac_toe.opponents import find_own  # rarely used

    return Opponents(think, {name: find_own(name, think=think) for name in own})


@dataclass(frozen=True)
class PlayArgs:
    """The common options of all screens.

    Attributes:
        setup: the first game.
        seed: of all chance, if given.
        delay: the pause before a computer's move in seconds; ``None`` for the default.
        starting: ``X``, ``O`` or ``random``; ``None`` for X, unless a position implies another
            side.
    """

    setup: Setup
    language: NullTranslations
    seed: int | None = None
    delay: float | None = None
    starting: str | None = None
    opponents: Opponents = field(default_factory=Opponents)


def setup_of_record(record: Record, unnamed: Setup) -> Setup:
    """Return the setup of a recorded game.

    Args:
        unnamed: its players replace those whose recorded names are not among `PLAYERS`.
    """
    tags = dict(record.tags)
    x, o = (tags.get(mark.value, "") for mark in MARKS)
    return Setup(
        record.rules,
        x if x in PLAYERS else unnamed.x,
        o if o in PLAYERS else unnamed.o,
        record.starting_mark.value,
    )
