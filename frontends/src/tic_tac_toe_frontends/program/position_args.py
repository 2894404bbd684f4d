"""The options of commands that are about one position."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass
from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import InvalidGameState, InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import format_state, parse_moves, parse_state
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import variant_name

from ..words.foreign import harmless
from ..words.translation import localise
from .options import Parser
from .process import Refused


@dataclass(frozen=True)
class PositionArgs:
    """The position that a command is about, as it is written on the command line.

    Attributes:
        language: of the refusal where it is not valid.
        position: the empty board if it is ``None``.
        moves: made from there.
        starter: the mark that moved first.
    """

    language: NullTranslations
    rules: Rules
    position: str | None = None
    moves: str | None = None
    starter: Mark | None = None

    def state(self) -> GameState:
        """Return the state after the moves.

        Raises:
            Refused: the arguments do not describe a state; the message says why.
        """
        try:
            if self.position is None:
                state = GameState.new(self.rules, self.starter or Mark.CROSS)
            else:
                state = parse_state(self.position, self.rules, self.starter)
            return parse_moves(state, self.moves or "")
        except (InvalidGameState, InvalidMove, InvalidNotation) as error:
            raise Refused(harmless(localise(self.language, error)), error.code) from None


def add_position(parser: Parser) -> None:
    """Add the position, which may be left out, ``--variant``, ``--moves`` and ``--starting``."""
    _ = parser.language.gettext
    parser.arguments.add_argument(
        "position",
        metavar="POSITION",
        nargs="?",
        help=_("a character a cell, rows parted by /, as in XXO/O.X/.O.; else the empty board"),
    )
    parser.add_variant()
    parser.add_moves()
    parser.add_choice("--starting", ("X", "O"), _("who moved first (X unless given)"))


def position_of(options: argparse.Namespace, language: NullTranslations) -> PositionArgs:
    """Return what has been read by the options of `add_position`."""
    starter = None if options.starting is None else Mark(options.starting)
    return PositionArgs(language, options.variant, options.position, options.moves, starter)


def arguments_of(state: GameState) -> str:
    """Return what to type in a shell for a state, which `PositionArgs.state` then returns."""
    arguments = ["--variant", variant_name(state.rules)]
    if state != GameState.new(state.rules):
        arguments.append(format_state(state))
    return shlex.join(arguments)
