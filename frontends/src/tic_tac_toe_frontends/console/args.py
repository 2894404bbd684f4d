"""The command line of the console game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..program.options import Parser, taken_as
from ..table.setup import PlayArgs, opponents_of_options, setup_of_options
from ..words.rules_text import RANDOM
from ..words.translation import N_


@dataclass(frozen=True)
class Args(PlayArgs):
    """The options of the console.

    Attributes:
        plain: use words only.
        record: the file that games are added to, if any.
        position: where the game begins, unless on the empty board.
        moves: moves made from there before the first prompt.
    """

    plain: bool = False
    record: str | None = None
    position: str | None = None
    moves: str | None = None


def parse_args(
    argv: Sequence[str] | None = None, prog: str = "python -m console", epilog: str | None = None
) -> Args:
    """Return what the command line asks for; end the program with status 2 where it is wrong.

    Args:
        epilog: what else its help tells.
    """
    about = N_("Play tic-tac-toe and its relatives: you are X, and the computer is O.")
    parser = Parser(prog, argv, about)
    _ = parser.language.gettext
    parser.add_game()
    parser.add_seed()
    parser.add_delay(_("pause before a computer's move (0.25 on a terminal, else 0)"))
    parser.add_plain()
    parser.add_value("--record", "FILE", _("add each game to this file"))
    parser.options.add_argument(
        "--from",
        dest="position",
        metavar="POSITION",
        help=_("begin from a position: a character a cell, rows parted by /, as in XXO/O.X/.O."),
    )
    parser.add_moves()
    parser.epilog = epilog
    found = parser.read()
    if found.starting == RANDOM and found.position is not None:
        parser.error(parser.language.gettext("--starting random goes with the empty board only"))
    return taken_as(
        Args,
        found,
        setup=setup_of_options(found),
        language=parser.language,
        opponents=opponents_of_options(found),
    )
