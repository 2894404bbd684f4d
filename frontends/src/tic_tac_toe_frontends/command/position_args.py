"""The options of commands that are about one position."""

from __future__ import annotations

import argparse
import shlex
from gettext import NullTranslations

from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import format_state
from tic_tac_toe.logic.rules.catalogue import variant_name

from ..program.options import Parser, first_state


def add_position(parser: Parser) -> None:
    """Add the position, which may be left out."""
    parser.arguments.add_argument(
        "position",
        metavar="POSITION",
        nargs="?",
        help=parser.language.gettext(
            "a character a cell, rows parted by /, as in XXO/O.X/.O.; else the empty board"
        ),
    )


def add_first_moves(parser: Parser) -> None:
    """Add ``--moves`` and ``--starting``."""
    _, add = parser.language.gettext, parser.options.add_argument
    add("--moves", metavar="MOVES", help=_("make these moves first, as in “B2 A1 C3”"))
    add("--starting", choices=("X", "O"), help=_("who moved first (X unless given)"))


def state_of(options: argparse.Namespace, language: NullTranslations) -> GameState:
    """Return the state that the options describe.

    Raises:
        Refused: they are no such thing, with the reason.
    """
    starter = None if options.starting is None else Mark(options.starting)
    return first_state(language, options.variant, options.position, options.moves, starter)


def arguments_of(state: GameState) -> str:
    """Return what to type in a shell for a state, which `state_of` then returns."""
    arguments = ["--variant", variant_name(state.rules)]
    if state != GameState.new(state.rules):
        arguments.append(format_state(state))
    return shlex.join(arguments)
